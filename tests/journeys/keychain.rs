//! A separate keychain that can be locked.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::home::Home;

/// Number and interval of checks whether the keychain is unlocked, which takes a tenth of a second
/// on an idle computer.
const LOOKS: u32 = 600;
const LOOK: Duration = Duration::from_millis(100);

/// Configuration of a bus without service activation, so that nothing can show a password prompt.
const QUIET_BUS: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"#;

/// A keychain on its own bus, which its owner can lock.
pub(crate) struct LockedKeychain {
    /// Address of its bus.
    pub(crate) bus: String,
    processes: [Child; 2],
}

impl LockedKeychain {
    /// Starts the keychain, unlocked.
    pub(crate) fn open(home: &Home) -> Self {
        let folder = home.path().join("keychain");
        fs::create_dir_all(&folder).expect("the folder can be created");
        let rules = folder.join("bus.conf");
        fs::write(&rules, QUIET_BUS).expect("the file can be written");
        let mut bus = Command::new("dbus-daemon")
            .arg(format!("--config-file={}", rules.display()))
            .args(["--nofork", "--print-address"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("dbus-daemon is installed");
        let mut address = String::new();
        let output = bus.stdout.as_mut().expect("stdout is piped");
        BufReader::new(output).read_line(&mut address).expect("the bus prints its address");
        let address = address.trim().to_owned();
        let mut daemon = Command::new("gnome-keyring-daemon")
            .args(["--unlock", "--components=secrets", "--foreground"])
            .envs([("HOME", &folder), ("XDG_DATA_HOME", &folder), ("XDG_RUNTIME_DIR", &folder)])
            .env("DBUS_SESSION_BUS_ADDRESS", &address)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("gnome-keyring-daemon is installed");
        let mut password = daemon.stdin.take().expect("stdin is piped");
        password.write_all(b"\n").expect("the daemon reads the password");
        drop(password);
        let keychain = Self { bus: address, processes: [bus, daemon] };
        for _ in 0..LOOKS {
            if keychain.is_open() {
                return keychain;
            }
            sleep(LOOK);
        }
        panic!("gnome-keyring-daemon did not open a keychain");
    }

    /// Returns whether it can store secrets yet. The bus is asked first, because nothing else can
    /// answer.
    fn is_open(&self) -> bool {
        let answers = |words: &[&str], wanted: &str| {
            let mut ask = Command::new("dbus-send");
            ask.arg(format!("--bus={}", self.bus));
            ask.args(["--print-reply=literal", "--type=method_call"]).args(words);
            let answer = ask.stderr(Stdio::null()).output().expect("dbus-send is installed");
            String::from_utf8_lossy(&answer.stdout).contains(wanted)
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

    pub(crate) fn lock(&self) {
        let mut call = Command::new("dbus-send");
        call.args([&format!("--bus={}", self.bus), "--print-reply", "--type=method_call"]);
        call.args(["--dest=org.freedesktop.secrets", "/org/freedesktop/secrets"]);
        call.arg("org.freedesktop.Secret.Service.Lock");
        call.arg("array:objpath:/org/freedesktop/secrets/collection/login");
        let done = call.stdout(Stdio::null()).status().expect("dbus-send is installed");
        assert!(done.success(), "the keychain can be locked");
    }
}

impl Drop for LockedKeychain {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
