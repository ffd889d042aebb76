//! A private desktop for one command: a display, a session bus and a keyring. Programs with windows
//! can be tested in parallel, isolated from each other and from the user's desktop.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread::sleep,
    time::Duration,
};

use anyhow::{Context, bail};

use crate::shell::{memory, program, target};

/// Large enough for the app's window with its widest panels beside the viewer.
const SCREEN: &str = "1600x1000x24";

/// Timeout for unlocking the keyring, which takes a tenth of a second on an idle computer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Number of attempts to start the keyring.
const KEY_RINGS: u32 = 3;
const LOOK: Duration = Duration::from_millis(50);

/// Returns a command to which the caller appends the words for [`run`], executed in a separate
/// process. It does not use this process's own executable, because a build may have replaced that
/// meanwhile.
pub(crate) fn command() -> Command {
    let mut command = program(target().join("debug/xtask"));
    command.args(["in-session", "--"]);
    command
}

/// Runs a command in a private desktop that ends with it.
pub(crate) fn run(words: &[String]) -> anyhow::Result<ExitStatus> {
    let [name, arguments @ ..] = words else { bail!("which command?") };
    let folder = Folder::make()?;
    // Xvfb picks a free display number itself, which avoids a race.
    let mut server = program("Xvfb");
    server.args(["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"]);
    let display = Beside::start(&mut server)?;
    let desktop = |command: &mut Command| {
        command
            .env("DISPLAY", format!(":{}", display.told))
            .env("GDK_BACKEND", "x11")
            .env("XDG_RUNTIME_DIR", &folder.0)
            .env_remove("WAYLAND_DISPLAY")
            // every test home creates a database, which is fast in memory
            .envs(memory().map(|folder| ("TMPDIR", folder)));
    };
    let mut bus = program("dbus-daemon");
    bus.args(["--session", "--nofork", "--print-address"]);
    desktop(&mut bus);
    let bus = Beside::start(&mut bus)?;
    let _key_ring = KeyRing::unlock(&folder.0, &bus.told)?;
    let mut command = program(name);
    command.args(arguments).env("DBUS_SESSION_BUS_ADDRESS", &bus.told);
    desktop(&mut command);
    command.status().with_context(|| format!("`{name}` could not be started"))
}

/// The desktop's temporary folder.
struct Folder(PathBuf);

impl Folder {
    fn make() -> anyhow::Result<Self> {
        let name = format!("limber-desktop-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // left by a killed process with the same ID
        let _ = fs::remove_dir_all(&folder);
        let mut builder = fs::DirBuilder::new();
        // programs refuse to put their sockets into a folder that others can access
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder).with_context(|| format!("making {}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The desktop's keyring, unlocked without a password prompt.
struct KeyRing(Child);

impl KeyRing {
    /// Returns once secrets can be stored.
    fn unlock(folder: &Path, bus: &str) -> anyhow::Result<Self> {
        // on a busy computer, one daemon in several hundred never unlocks, and a new one does
        for _ in 0..KEY_RINGS {
            let key_ring = Self::start(folder, bus)?;
            for _ in 0..PATIENCE.as_millis() / LOOK.as_millis() {
                if is_unlocked(bus) {
                    return Ok(key_ring);
                }
                sleep(LOOK);
            }
        }
        let seconds = PATIENCE.as_secs();
        bail!(
            "`gnome-keyring-daemon` was started {KEY_RINGS} times and never opened a key ring \
             within {seconds} s"
        )
    }

    fn start(folder: &Path, bus: &str) -> anyhow::Result<Self> {
        let mut daemon = program("gnome-keyring-daemon")
            .args(["--unlock", "--components=secrets", "--foreground"])
            .envs([("HOME", folder), ("XDG_DATA_HOME", folder), ("XDG_RUNTIME_DIR", folder)])
            .env("DBUS_SESSION_BUS_ADDRESS", bus)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("`gnome-keyring-daemon` could not be started")?;
        if let Some(mut password) = daemon.stdin.take() {
            password.write_all(b"\n")?;
        }
        Ok(Self(daemon))
    }
}

impl Drop for KeyRing {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns whether a keyring runs on this bus and is unlocked. Asks the bus first, because a call
/// to the keyring itself would start another one.
fn is_unlocked(bus: &str) -> bool {
    let answers = |words: &[&str], wanted: &str| {
        let mut ask = program("dbus-send");
        ask.arg(format!("--bus={bus}")).args(["--print-reply=literal", "--type=method_call"]);
        let answer = ask.args(words).stderr(Stdio::null()).output();
        answer.is_ok_and(|answer| String::from_utf8_lossy(&answer.stdout).contains(wanted))
    };
    let owner = [
        "--dest=org.freedesktop.DBus",
        "/org/freedesktop/DBus",
        "org.freedesktop.DBus.NameHasOwner",
        "string:org.freedesktop.secrets",
    ];
    let locked = [
        "--dest=org.freedesktop.secrets",
        "/org/freedesktop/secrets/collection/login",
        "org.freedesktop.DBus.Properties.Get",
        "string:org.freedesktop.Secret.Collection",
        "string:Locked",
    ];
    answers(&owner, "true") && answers(&locked, "false")
}

/// A server process, and the line in which it reported its address. Killed when dropped.
struct Beside {
    process: Child,
    told: String,
}

impl Beside {
    fn start(command: &mut Command) -> anyhow::Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("`{name}` could not be started"))?;
        let mut told = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut told)?;
        }
        let beside = Self { process, told: told.trim().to_owned() };
        if beside.told.is_empty() {
            bail!("`{name}` exited immediately");
        }
        Ok(beside)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
