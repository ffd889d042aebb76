//! A home folder for one journey, containing everything that the program may write to.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, MutexGuard, PoisonError},
    thread::sleep,
    time::Duration,
};

use tempfile::TempDir;

use crate::window::until;

/// File name that the app's dialog for characters returns.
const CHOSEN_FILE: &str = "Hero 🦸 of mine.glb";

/// Worker processes, by part of their command lines.
const WORKER: &str = "service worker";

/// Interval and number of checks whether a process is gone, or the only one.
const LOOK: Duration = Duration::from_millis(20);
const LOOKS: u32 = 500;

/// `cargo xtask test` gives every journey its own process and desktop. In plain `cargo test` and
/// benchmarks all homes share one process and display, so they take turns.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Returns the program under test: the one built with the journeys, or an installed one.
pub(crate) fn program() -> PathBuf {
    std::env::var_os("LIMBER_JOURNEYS_OF")
        .map_or_else(|| env!("CARGO_BIN_EXE_limber").into(), PathBuf::from)
}

/// A fresh home, deleted at the end.
pub(crate) struct Home {
    folder: TempDir,
    /// Address of the session bus, if not the default one.
    bus: Option<String>,
    clock_days: i32,
    has_old_graphics: bool,
    _turn: MutexGuard<'static, ()>,
}

impl Home {
    /// Makes a home, after waiting for its turn.
    pub(crate) fn new() -> Self {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let home = Self { folder, bus: None, clock_days: 0, has_old_graphics: false, _turn: turn };
        fs::create_dir_all(home.data().parent().expect("the path has a parent"))
            .expect("the folder can be created");
        home.note_what_is_opened();
        home.asks_for_less_motion();
        home
    }

    /// Makes a home whose desktop has animations enabled, as usual.
    pub(crate) fn in_motion() -> Self {
        let home = Self::new();
        fs::remove_file(home.desktop_settings()).expect("the settings were written");
        home
    }

    /// Disables animations: without a graphics card each step of one repaints the whole window,
    /// which would keep a third of a processor busy for each window that only waits.
    fn asks_for_less_motion(&self) {
        let settings = self.desktop_settings();
        fs::create_dir_all(settings.parent().expect("the path has a parent"))
            .expect("the folder can be created");
        fs::write(settings, "[Settings]\ngtk-enable-animations=false\n")
            .expect("the file can be written");
    }

    fn desktop_settings(&self) -> PathBuf {
        self.folder.path().join("config/gtk-3.0/settings.ini")
    }

    /// Installs a fake `xdg-open` that records what it is asked to open; this home has no browser.
    fn note_what_is_opened(&self) {
        use std::os::unix::fs::PermissionsExt;
        let program = self.folder.path().join("bin/xdg-open");
        fs::create_dir_all(program.parent().expect("the path has a parent"))
            .expect("the folder can be created");
        fs::write(&program, "#!/bin/sh\nprintf '%s\\n' \"$1\" >> \"$HOME/opened\"\n")
            .expect("the file can be written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("ours");
    }

    /// Returns what the desktop was asked to open, oldest first.
    pub(crate) fn opened(&self) -> Vec<String> {
        let noted = fs::read_to_string(self.folder.path().join("opened")).unwrap_or_default();
        noted.lines().map(str::to_owned).collect()
    }

    /// Makes a home on a computer without a keychain: nothing answers on its bus.
    pub(crate) fn without_keychain() -> Self {
        let mut home = Self::new();
        home.bus = Some("unix:path=/nowhere".to_owned());
        home
    }

    /// Makes processes started from now on use this bus and its keychain.
    pub(crate) fn finds_bus(&mut self, address: &str) {
        self.bus = Some(address.to_owned());
    }

    /// Makes processes started from now on see a graphics driver of the year 2006.
    pub(crate) const fn has_old_graphics(&mut self) {
        self.has_old_graphics = true;
    }

    /// Makes processes started from now on see a clock that is this many days ahead, or behind if
    /// negative. The clock still advances normally.
    pub(crate) const fn set_clock(&mut self, days: i32) {
        self.clock_days = days;
    }

    /// Puts the data folder on its own small disk, with room for a studio and little else; `None`
    /// without the permission to mount one.
    pub(crate) fn on_a_small_disk(&self) -> Option<SmallDisk> {
        let place = self.data();
        fs::create_dir_all(&place).expect("the folder can be created");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=320m,mode=700", "journeys"]).arg(&place);
        if !mount.status().is_ok_and(|status| status.success()) {
            println!("skipped: only root can mount a disk for a test");
            return None;
        }
        Some(SmallDisk(place))
    }

    /// Corrupts a byte of every file that the local motion service stores.
    pub(crate) fn damage_kept_files(&self) {
        let folders =
            fs::read_dir(self.data().join("motion/objects")).expect("the service stores files");
        for folder in folders.flatten() {
            for file in fs::read_dir(folder.path()).expect("the folder can be listed").flatten() {
                let mut bytes = fs::read(file.path()).expect("the file can be read");
                *bytes.last_mut().expect("the file is not empty") ^= 1;
                fs::write(file.path(), bytes).expect("the file can be written");
            }
        }
    }

    /// Returns Limber's data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("share/limber")
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the file that is chosen when the app asks for characters.
    pub(crate) fn chosen_file(&self) -> PathBuf {
        self.folder.path().join(CHOSEN_FILE)
    }

    /// Returns the environment variables of every process of this journey.
    pub(crate) fn variables(&self) -> Vec<(&'static str, PathBuf)> {
        let at = |name: &str| self.folder.path().join(name);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(at("bin")).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(folders).expect("folder names contain no colons");
        let mut variables = vec![
            ("PATH", path.into()),
            ("HOME", at("")),
            ("XDG_DATA_HOME", at("share")),
            ("XDG_CONFIG_HOME", at("config")),
            ("XDG_CACHE_HOME", at("cache")),
            ("LIMBER_DATA", self.data()),
            ("LIMBER_SAVE_DIALOG_PATH", at("saved")),
            ("LIMBER_FOLDER_DIALOG_PATH", at("exported")),
            ("LIMBER_OPEN_DIALOG_PATHS", at(CHOSEN_FILE)),
        ];
        if let Some(bus) = &self.bus {
            variables.push(("DBUS_SESSION_BUS_ADDRESS", bus.into()));
        }
        if self.has_old_graphics {
            variables.push(("MESA_GL_VERSION_OVERRIDE", "2.1".into()));
        }
        if self.clock_days != 0 {
            variables.push(("LD_PRELOAD", "/usr/$LIB/faketime/libfaketimeMT.so.1".into()));
            variables.push(("FAKETIME", format!("{:+}d", self.clock_days).into()));
            variables.push(("DONT_FAKE_MONOTONIC", "1".into()));
        }
        variables
    }

    /// Enters the save location in the system's own dialog. Debug builds read it from
    /// [`Self::variables`] instead and show no dialog.
    pub(crate) async fn answer_save_dialog(&self, path: &Path) {
        if std::env::var_os("LIMBER_JOURNEYS_OF").is_none() {
            return;
        }
        until("the dialog to be answered", async || {
            let hands = |words: &[&str]| {
                let done = Command::new("xdotool").args(words).status();
                done.is_ok_and(|status| status.success()).then_some(())
            };
            hands(&["search", "--onlyvisible", "--name", "^Save$", "windowfocus", "--sync"])?;
            // a path that begins with a slash replaces the whole name
            hands(&["key", "ctrl+a"])?;
            hands(&["type", "--delay", "20", path.to_str()?])?;
            hands(&["key", "Return"])?;
            for _ in 0..LOOKS {
                if path.exists() {
                    return Some(());
                }
                tokio::time::sleep(LOOK).await;
            }
            None
        })
        .await;
    }

    /// Returns whether the keychain holds a session of this home.
    pub(crate) fn keeps_session(&self) -> bool {
        let mut search = Command::new("secret-tool");
        search.args(["search", "--all", "service", "Limber"]).envs(self.variables());
        let found = search.output().expect("libsecret-tools is installed");
        // secret-tool prints attributes to one stream and secrets to the other
        let named = String::from_utf8_lossy(&found.stderr).into_owned();
        let own = format!("({})", self.data().display());
        named.lines().any(|line| line.contains("session") && line.contains(&own))
    }

    /// Returns environment variables for programs that open links like the desktop, instead of
    /// recording them.
    pub(crate) fn variables_of_a_desktop(&self) -> Vec<(&'static str, PathBuf)> {
        let mut variables = self.variables();
        variables.retain(|(name, _)| *name != "PATH");
        // outside a desktop session, xdg-open cannot parse quotes in desktop entries
        variables.push(("XDG_CURRENT_DESKTOP", "GNOME".into()));
        variables
    }

    /// Returns a command for the program with these arguments in this home.
    pub(crate) fn limber(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(arguments).envs(self.variables());
        command
    }

    /// Returns the IDs of submitted jobs that have not ended.
    pub(crate) fn open_jobs(&self) -> Vec<String> {
        let journal = fs::read(self.data().join("jobs.json")).unwrap_or_default();
        let journal: serde_json::Value = serde_json::from_slice(&journal).unwrap_or_default();
        let entries = journal.as_array().into_iter().flatten();
        let open = entries.filter(|entry| entry["outcome"]["state"] == "open");
        open.filter_map(|entry| Some(entry["id"].as_str()?.to_owned())).collect()
    }

    /// Returns the IDs of processes of this home whose command line contains `word`.
    pub(crate) fn processes(&self, word: &str) -> Vec<u32> {
        let mark = self.data().to_string_lossy().into_owned();
        let entries = fs::read_dir("/proc").expect("/proc can be listed");
        let ids = entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse::<u32>().ok());
        ids.filter(|id| {
            let read = |file: &str| {
                let bytes = fs::read(format!("/proc/{id}/{file}")).unwrap_or_default();
                String::from_utf8_lossy(&bytes).replace('\0', " ")
            };
            let line = read("cmdline");
            let is_ours = line.contains(&mark) || read("environ").contains(&mark);
            is_ours && line.contains(word)
        })
        .collect()
    }

    /// Returns the memory use (PSS) in megabytes of these programs of the home, by process name,
    /// without viewers, which come and go. Shared pages count once.
    pub(crate) fn megabytes(&self, programs: &[&str]) -> f64 {
        let of = |id: u32| {
            let read = |file: &str| fs::read_to_string(format!("/proc/{id}/{file}")).ok();
            let is_counted =
                programs.contains(&read("comm")?.trim()) && !read("cmdline")?.contains("\0view\0");
            let memory = read("smaps_rollup")?;
            let line = memory.lines().find(|line| line.starts_with("Pss:"))?;
            let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
            is_counted.then_some(kilobytes / 1024.0)
        };
        self.processes("").into_iter().filter_map(of).sum()
    }

    /// Kills processes.
    pub(crate) fn kill(&self, word: &str) {
        let ids = self.processes(word);
        assert!(!ids.is_empty(), "no process of this home has {word} in its command line");
        for id in ids {
            kill(id);
        }
    }

    /// Stops processes, simulating a computer or connection that hangs.
    pub(crate) fn halt(&self, word: &str) {
        self.signal("-STOP", word);
    }

    /// Continues stopped processes.
    pub(crate) fn go_on(&self, word: &str) {
        self.signal("-CONT", word);
    }

    /// Stops all work on jobs until [`Self::worker_goes_on`].
    pub(crate) async fn halt_worker(&self) {
        until("the worker", async || {
            self.halt(WORKER);
            (!self.processes(WORKER).is_empty()).then_some(())
        })
        .await;
    }

    pub(crate) fn worker_goes_on(&self) {
        self.go_on(WORKER);
    }

    fn signal(&self, signal: &str, word: &str) {
        for id in self.processes(word) {
            send(signal, id);
        }
    }

    /// Kills the app alone.
    pub(crate) fn kill_app(&self) {
        kill(self.app());
    }

    /// Asks the app to exit.
    pub(crate) fn end_app(&self) {
        send("-TERM", self.app());
    }

    /// Returns the app's own process, whose command line has no arguments except a link.
    fn app(&self) -> u32 {
        let program = program().canonicalize().expect("the path exists");
        let is_app = |id: &u32| {
            let line = fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
            let mut arguments = line.trim_end_matches('\0').split('\0').skip(1);
            // the desktop starts it by its bare name
            fs::read_link(format!("/proc/{id}/exe")).is_ok_and(|file| file == program)
                && arguments.all(|word| word.starts_with("limber://"))
        };
        for _ in 0..LOOKS {
            let apps: Vec<u32> = self.processes("limber").into_iter().filter(is_app).collect();
            if let [app] = apps[..] {
                return app;
            }
            // a child that is just being started still looks like its parent
            sleep(LOOK);
        }
        panic!("there is not exactly one app running in this home");
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // a database left behind by a killed app would keep the folder in use
        for _ in 0..LOOKS {
            let mut left = self.processes("");
            left.retain(|id| *id != std::process::id());
            if left.is_empty() {
                return;
            }
            for id in left {
                send("-KILL", id);
            }
            sleep(LOOK);
        }
    }
}

/// The small disk of a home, unmounted when dropped.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Fills the disk to the last byte.
    pub(crate) fn fill(&self) {
        let mut ballast = fs::File::create(self.ballast()).expect("the file can be created");
        let zeros = std::io::repeat(0);
        let error =
            std::io::copy(&mut zeros.take(1 << 40), &mut ballast).expect_err("the disk is smaller");
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }

    pub(crate) fn make_room(&self) {
        fs::remove_file(self.ballast()).expect("the path exists");
    }

    fn ballast(&self) -> PathBuf {
        self.0.join("ballast")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // processes may still use it, so unmount lazily
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// Kills a process, and returns when it has released everything.
pub(crate) fn kill(id: u32) {
    send("-KILL", id);
    for _ in 0..LOOKS {
        let known = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let state = known.rsplit(')').next().unwrap_or_default();
        // a zombie has released everything, and waits for its parent only
        if state.is_empty() || state.starts_with(" Z") {
            return;
        }
        sleep(LOOK);
    }
}

fn send(signal: &str, id: u32) {
    let _ = Command::new("kill").args([signal, &id.to_string()]).status();
}
