//! `cargo xtask soak windows`: runs the programs for Windows under Wine on Linux, except for the
//! window, whose web view Wine lacks.
//!
//! Their output is compared byte for byte with that on Linux. The tests of both services run
//! against PostgreSQL on this computer. Rows mention known differences between Wine and Windows.

mod names;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::UNIX_EPOCH,
};

use anyhow::{Context, bail, ensure};

use super::{
    table::Table,
    wine::{Wine, windows_path},
};
use crate::{
    cross,
    packages::{self, Purpose},
    queries, session, setup,
    shell::{command, step, target},
    test::beside_test_postgres,
};

/// The evaluation prompts of the motion engine, and how many of them are used.
const PROMPTS: &str = "crates/limber-judge/data/prompts.toml";
const SAID: usize = 40;

/// That of the tests, so that programs and tests share their dependencies.
const PROFILE: cross::Profile = cross::Profile::Dev;

/// Crates whose unit tests run under Wine: the pure ones, and those with system calls.
const UNIT_TESTED: [&str; 13] = [
    "limber-domain",
    "limber-system",
    "limber-animation",
    "limber-script",
    "limber-reader",
    "limber-text-to-motion",
    "limber-cleanup",
    "limber-retarget",
    "limber-formats",
    "limber-judge",
    "limber-serve",
    "limber-client",
    "limber-app",
];

/// Unit tests of what Wine does otherwise than Windows, and how.
const UNLIKE_WINDOWS: [(&str, &str); 2] = [
    (
        "private::system::tests::folder_permissions_name_only_the_owner",
        "Wine derives ACLs from the permissions on Linux",
    ),
    (
        "private::tests::files_are_replaced_and_open_handles_see_no_new_content",
        "Wine 8 keeps the name of a deleted file until it is closed",
    ),
];

pub(super) fn windows() -> anyhow::Result<()> {
    setup::for_tests()?;
    packages::install(&[Purpose::Windows, Purpose::Wine])?;
    queries::build_test_postgres()?;
    step("building for Linux", &mut command("cargo build --package limber --no-default-features"))?;
    cross::windows_programs(PROFILE)?;
    let wine = Wine::ready()?;
    let soak = Soak { built: cross::windows_folder(PROFILE), wine };
    let mut table = Table::new(soak.wine.home().join("passed.tsv"), soak.what_is_tried()?);
    table.row("the installer installs, and uninstalls without a trace", || soak.installer());
    table.row("say: the same bytes as on Linux", || soak.same_bytes());
    table.row("view --screenshot: an image rendered through WGL", || soak.picture());
    names::rows(&soak, &mut table);
    table.row("unit tests", || soak.unit_tests());
    table.row("identity service: its tests, PostgreSQL over TCP", || {
        let tests = ["health::", "signup::", "token::", "user::"];
        soak.service_tests("limber-identity-service", &tests, &[])
    });
    table.row("motion service: its tests, PostgreSQL over TCP", || {
        let tests = ["health::", "client::", "status::", "download::", "upload::", "list::"];
        // these send signals and read `/proc`
        let skipped =
            ["clip_retention_is_configurable", "a_large_upload_uses_little_server_memory"];
        soak.service_tests("limber-motion-service", &tests, &skipped)
    });
    table.end()
}

struct Soak {
    /// Folder of the programs for Windows.
    built: PathBuf,
    wine: Wine,
}

impl Soak {
    /// Identifies the build by size and modification time.
    fn what_is_tried(&self) -> anyhow::Result<String> {
        let data = fs::metadata(self.limber()).context("the program was not built")?;
        let seconds = data.modified()?.duration_since(UNIX_EPOCH)?.as_secs();
        Ok(format!("{} bytes of {seconds}", data.len()))
    }

    fn limber(&self) -> PathBuf {
        self.built.join("limber.exe")
    }

    /// Creates an empty folder with this name.
    fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.wine.home().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        Ok(folder)
    }

    fn installer(&self) -> anyhow::Result<String> {
        let setup = self.built.join(cross::setup_name());
        done(self.wine.program(&setup).arg("/S"), "the installer")?;
        let local = self.user_folder()?.join("AppData/Local");
        let installed = local.join("Programs/Limber");
        let files = names_in(&installed)?;
        let version = done(
            self.wine.program(installed.join("limber.exe")).arg("--version"),
            "the installed program",
        )?;
        // user data is stored elsewhere and must survive
        let made = local.join("limber/library/clip.glb");
        fs::create_dir_all(made.parent().context("it has a folder")?)?;
        fs::write(&made, "glTF")?;
        let mut uninstall = self.wine.program(installed.join("uninstall.exe"));
        // with `_?=` the uninstaller does not fork, and leaves itself behind
        uninstall.arg("/S").arg(format!("_?={}", windows_path(&installed)));
        done(&mut uninstall, "the uninstaller")?;
        let left = names_in(&installed).unwrap_or_default();
        ensure!(left.iter().all(|name| name == "uninstall.exe"), "left behind: {left:?}");
        ensure!(made.exists(), "the user's files are gone");
        fs::remove_dir_all(local.join("limber"))?;
        let text = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        Ok(format!("{text}: {}", files.join(", ")))
    }

    /// Returns the profile folder of the user running Wine.
    fn user_folder(&self) -> anyhow::Result<PathBuf> {
        let users =
            fs::read_dir(self.wine.drive_c().join("users")).context("listing Wine's users")?;
        let own = users.flatten().find(|user| user.file_name() != "Public");
        Ok(own.context("finding Wine's user")?.path())
    }

    fn same_bytes(&self) -> anyhow::Result<String> {
        let (here, there) = (self.folder("say-linux")?, self.folder("say-windows")?);
        let prompts = prompts()?;
        let mut differing = BTreeMap::new();
        let (mut files, mut bytes) = (0, 0);
        for (number, prompt) in prompts.iter().enumerate() {
            let (here, there) = (here.join(number.to_string()), there.join(number.to_string()));
            let seed = number.to_string();
            let words = ["say", prompt, "--seed", &seed, "--formats", "glb,fbx,bvh,vrma", "--out"];
            let mut linux = crate::shell::program(target().join("debug/limber"));
            done(linux.args(words).arg(&here), prompt)?;
            done(self.wine.program(self.limber()).args(words).arg(windows_path(&there)), prompt)?;
            let (ours, theirs) = (contents(&here)?, contents(&there)?);
            ensure!(ours.keys().eq(theirs.keys()), "{prompt}: different files");
            for (name, ours) in &ours {
                (files, bytes) = (files + 1, bytes + ours.len());
                let places = differences(ours, &theirs[name]);
                if places > 0 {
                    differing.insert(format!("{prompt}: {name}"), places);
                }
            }
        }
        if let Some((what, places)) = differing.iter().next() {
            bail!("{} of {files} files differ; {what} in {places} bytes", differing.len());
        }
        Ok(format!(
            "{files} files of {} prompts, {} MB, all equal",
            prompts.len(),
            bytes / 1_000_000
        ))
    }

    fn picture(&self) -> anyhow::Result<String> {
        let folder = self.folder("picture")?;
        let words = ["say", "a person waves", "--seed", "1", "--formats", "glb", "--out"];
        done(self.wine.program(self.limber()).args(words).arg(windows_path(&folder)), "say")?;
        let clip = fs::read_dir(&folder)?.flatten().map(|entry| entry.path());
        let clip =
            clip.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "glb"));
        let clip = clip.context("say made a clip")?;
        let (here, there) = (folder.join("linux.png"), folder.join("windows.png"));
        let mut linux = session::command();
        linux.arg(target().join("debug/limber")).arg("view").arg(&clip);
        done(linux.args(["--frame", "20", "--screenshot"]).arg(&here), "view on Linux")?;
        let mut windows = self.wine.program_on_display(self.limber());
        windows.arg("view").arg(windows_path(&clip)).args(["--frame", "20", "--screenshot"]);
        done(windows.arg(windows_path(&there)), "view on Windows")?;
        let (ours, theirs) = (fs::read(here)?, fs::read(there)?);
        ensure!(theirs.starts_with(b"\x89PNG"), "the output is not an image");
        // width and height in PNG's first chunk
        ensure!(theirs.get(16..24) == ours.get(16..24), "the image has the wrong size");
        // an empty scene compresses to a tenth of that
        ensure!(theirs.len() * 2 > ours.len(), "{} bytes, {} on Linux", theirs.len(), ours.len());
        let verdict =
            if ours == theirs { "the same as on Linux" } else { "different bytes than on Linux" };
        Ok(format!("{} bytes, {verdict}", theirs.len()))
    }

    fn unit_tests(&self) -> anyhow::Result<String> {
        let mut cargo = cross::cargo_for_windows("test --lib --no-fail-fast --quiet")?;
        for package in UNIT_TESTED {
            cargo.args(["--package", package]);
        }
        cargo.arg("--").args(UNLIKE_WINDOWS.iter().flat_map(|(test, _)| ["--skip", test]));
        self.wine.run_tests_of(&mut cargo);
        // some of them draw
        let passed = passed(&mut inside(session::command(), &cargo))?;
        let skipped = UNLIKE_WINDOWS.map(|(test, why)| format!("{test} ({why})"));
        Ok(format!("{passed}; skipped: {}", skipped.join(", ")))
    }

    /// Runs the tests of a service that matter most to its clients. The service runs inside the
    /// test; its workers and readers are separate programs.
    fn service_tests(
        &self,
        package: &str,
        tests: &[&str],
        skipped: &[&str],
    ) -> anyhow::Result<String> {
        let mut cargo = cross::cargo_for_windows("test --test api --no-fail-fast --quiet")?;
        cargo.args(["--package", package, "--"]).args(tests);
        cargo.args(skipped.iter().flat_map(|test| ["--skip", test]));
        self.wine.run_tests_of(&mut cargo);
        passed(&mut inside(beside_test_postgres(), &cargo))
    }
}

/// Appends a command to one that runs others in its surroundings.
fn inside(mut outer: Command, inner: &Command) -> Command {
    outer.arg(inner.get_program()).args(inner.get_args());
    outer.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    outer
}

/// Runs tests and shows their output.
fn passed(command: &mut Command) -> anyhow::Result<String> {
    let status = command.status().context("the tests could not be started")?;
    ensure!(status.success(), "some failed; they are named above");
    Ok("all passed".to_owned())
}

/// Returns prompts spread evenly over all families.
fn prompts() -> anyhow::Result<Vec<String>> {
    let text = fs::read_to_string(PROMPTS).with_context(|| format!("reading {PROMPTS}"))?;
    let said = |line: &str| Some(line.split_once("{ say = \"")?.1.split_once('"')?.0.to_owned());
    let all: Vec<String> = text.lines().filter_map(said).collect();
    ensure!(all.len() >= SAID, "{PROMPTS} has only {} prompts", all.len());
    let step = all.len() / SAID;
    Ok(all.into_iter().step_by(step).take(SAID).collect())
}

/// Runs a command to completion and checks that it succeeded.
fn done(command: &mut Command, what: &str) -> anyhow::Result<Output> {
    let output = command.output().with_context(|| format!("{what} could not be started"))?;
    ensure!(
        output.status.success(),
        "{what}: {}; {}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(output)
}

fn names_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

fn contents(folder: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let named = |name: String| Ok((name.clone(), fs::read(folder.join(name))?));
    names_in(folder)?.into_iter().map(named).collect()
}

/// Returns the number of differing bytes, including a difference in length.
fn differences(one: &[u8], other: &[u8]) -> usize {
    let differing = one.iter().zip(other).filter(|(one, other)| one != other).count();
    differing + one.len().abs_diff(other.len())
}
