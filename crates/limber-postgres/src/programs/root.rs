//! On Unix, root runs the programs through scripts that first switch to another user.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    process::{Command, Stdio},
};

use crate::PostgresError;

/// Commands by which root becomes the user `nobody`, which has this number on every Linux (`initdb`
/// requires a name for it). The first uses a user namespace, in which the files still belong to
/// root. A chroot and many containers forbid namespaces, so the second really switches users,
/// keeping the capability to access a data folder inside root's folders.
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

/// Fills a folder with scripts that replace the programs that root starts.
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
