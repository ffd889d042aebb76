//! `cargo xtask soak package`: tests the Debian package on a system with nothing else installed.
//!
//! Builds the .deb, creates a minimal Debian in a folder, installs the package there with its
//! declared dependencies only, and runs journeys with the installed program: making a first clip,
//! and signing in through a browser.

use std::{fs, path::Path};

use anyhow::{Context, bail};

use crate::{
    packages::{self, Purpose},
    queries, setup,
    shell::{command, output_of, program, root, step, target},
};

/// The journeys to run, by parts of their names.
const JOURNEYS: [&str; 2] = ["first_clip::a_newcomer", "other_services::a_real_browser"];

/// Runs the test. Requires root, to chroot into the other system.
pub(crate) fn package() -> anyhow::Result<()> {
    if output_of("id -u").as_deref() != Some("0") {
        bail!("run this as root: the package is installed in a separate system in a folder");
    }
    setup::for_tests()?;
    packages::install(&[Purpose::Package])?;
    queries::build_test_postgres()?;
    step(
        "building the journeys",
        &mut command("cargo test --quiet --workspace --test journeys --no-run"),
    )?;
    step("building the package", &mut command("npx --prefix ui tauri build --bundles deb"))?;
    let deb = newest(&target().join("release/bundle/deb"), |name| name.ends_with(".deb"))?;
    let journeys = newest(&target().join("debug/deps"), |name| {
        name.starts_with("journeys-") && !name.contains('.')
    })?;
    let system = target().join("package-system");
    make_system(&system)?;
    install(&system, &deb)?;
    try_out(&system, &journeys)
}

/// Creates a minimal Debian of the release that this computer runs.
fn make_system(system: &Path) -> anyhow::Result<()> {
    if system.exists() {
        fs::remove_dir_all(system).with_context(|| format!("removing {}", system.display()))?;
    }
    let release = fs::read_to_string("/etc/os-release").context("detecting the Debian release")?;
    let name = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let name = name.context("the Debian release could not be determined")?;
    let mut make = command("mmdebstrap --quiet --variant=minbase");
    // prevents packages from starting services in the chroot
    make.arg("--customize-hook=printf '#!/bin/sh\\nexit 101\\n' > \"$1/usr/sbin/policy-rc.d\"")
        .arg("--customize-hook=chmod 755 \"$1/usr/sbin/policy-rc.d\"")
        .arg(name)
        .arg(system);
    step("creating a minimal system", &mut make)
}

/// Installs the package with its dependencies, and checks that its libraries are complete.
fn install(system: &Path, deb: &Path) -> anyhow::Result<()> {
    fs::copy(deb, system.join("limber.deb")).context("copying the package")?;
    step("updating the package list", &mut inside(system, "apt-get update -qq"))?;
    let apt = "env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends";
    step("installing the package", &mut inside(system, &format!("{apt} /limber.deb")))?;
    let missing = "! ldd /usr/bin/limber | grep 'not found'";
    step("checking for missing libraries", &mut inside(system, missing))?;
    step("running the installed program", &mut inside(system, "limber --version"))?;
    let tools: Vec<_> = [Purpose::Test, Purpose::Package]
        .iter()
        .flat_map(|purpose| purpose.debian())
        .copied()
        .collect();
    step("installing the test tools", &mut inside(system, &format!("{apt} {}", tools.join(" "))))?;
    let entry = "desktop-file-validate /usr/share/applications/Limber.desktop \
                 && grep -q 'Exec=limber %u' /usr/share/applications/Limber.desktop \
                 && gio mime x-scheme-handler/limber | grep -q Limber.desktop";
    step("checking that limber:// links open it", &mut inside(system, entry))
}

/// Runs the journeys inside the system. The test binaries are those built outside.
fn try_out(system: &Path, journeys: &Path) -> anyhow::Result<()> {
    let node = output_of("node -p process.execPath").context("finding Node")?;
    fs::copy(node, system.join("usr/local/bin/node")).context("copying Node")?;
    let line = format!(
        "LIMBER_JOURNEYS_OF=/usr/bin/limber {}/debug/xtask in-session -- {} {} {}",
        target().display(),
        target().join("debug/examples/with_test_postgres").display(),
        journeys.display(),
        JOURNEYS.join(" ")
    );
    step("running the journeys with the installed program", &mut inside(system, &line))
}

/// Returns a command that runs a shell line inside the other system. Processes and devices are
/// shared, and the workspace, the build output and the screenshot folder are mounted at their own
/// paths if they exist. The mounts end with the command.
fn inside(system: &Path, line: &str) -> std::process::Command {
    const SCRIPT: &str = r#"
        system=$1 line=$2; shift 2
        for folder in /proc /sys /dev "$@"; do
            mkdir -p "$system$folder"
            mount --rbind "$folder" "$system$folder"
        done
        exec chroot "$system" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
            HOME=/root LANG=C.UTF-8 ${LIMBER_PICTURES+LIMBER_PICTURES="$LIMBER_PICTURES"} sh -ec "$line""#;
    let mut inside = program("unshare");
    inside.args(["--mount", "--propagation", "private", "sh", "-ec", SCRIPT, "inside"]);
    inside.arg(system).arg(line).arg(root()).arg(target());
    inside.args(std::env::var_os("LIMBER_PICTURES"));
    inside
}

/// Returns the most recently modified file of a folder among those with matching names.
fn newest(folder: &Path, is_it: impl Fn(&str) -> bool) -> anyhow::Result<std::path::PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let files = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(&is_it));
    let newest = files.max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok());
    newest.map(|entry| entry.path()).with_context(|| format!("nothing in {}", folder.display()))
}
