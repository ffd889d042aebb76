//! On Unix: by scripts that become somebody else first.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    process::{Command, Stdio},
};

use crate::PostgresError;

/// How root becomes the account `nobody`, which every Linux knows by this number (`initdb` wants a
/// name for it). First in a user namespace, where the files still belong to root. A chroot and many
/// containers forbid those; then in earnest, with the right to reach a data folder below root's.
const WAYS_DOWN: &[&[&str]] = &[
    &["unshare", "--user", "--map-user=65534", "--map-group=65534"],
    &[
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        "--inh-caps=+dac_override",
        "--ambient-caps=+dac_override",
    ],
];

fn is_permitted(way: &[&str]) -> bool {
    let tried = Command::new(way[0]).args(&way[1..]).arg("true").stderr(Stdio::null()).status();
    tried.is_ok_and(|status| status.success())
}

pub(super) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Fills a folder with scripts in the place of the programs that root starts.
pub(super) fn write_shims(installation: &Path, shims: &Path) -> Result<(), PostgresError> {
    let way = WAYS_DOWN.iter().find(|way| is_permitted(way)).ok_or(PostgresError::Root)?;
    let bin = shims.join("bin");
    fs::create_dir_all(&bin).map_err(PostgresError::Folder)?;
    for program in ["initdb", "pg_ctl"] {
        let real = installation.join("bin").join(program);
        let script = format!("#!/bin/sh\nexec {} -- '{}' \"$@\"\n", way.join(" "), real.display());
        let path = bin.join(program);
        fs::write(&path, script).map_err(PostgresError::Folder)?;
        let executable = Permissions::from_mode(0o755);
        fs::set_permissions(&path, executable).map_err(PostgresError::Folder)?;
    }
    Ok(())
}
