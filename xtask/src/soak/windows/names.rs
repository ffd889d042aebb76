//! Names, paths and line endings with the peculiarities of Windows.

use std::fs;

use anyhow::{bail, ensure};

use super::{Soak, contents, differences, done, names_in};
use crate::soak::{table::Table, wine::windows_path};

/// Longer than the path limit of Windows (260).
const LONG_PATH: usize = 300;

/// Names that Windows does not allow: device names, a colon, a trailing dot or space, and reserved
/// characters.
const FORBIDDEN: [&str; 7] = ["CON", "nul", "COM1.txt", "a:b", "trailing.", "trailing ", "what?"];

pub(super) fn rows(soak: &Soak, table: &mut Table) {
    table.row("say into a drive, with spaces and umlauts", || {
        let place = soak.wine.drive_c().join("Limber Übung/out");
        let _ = fs::remove_dir_all(&place);
        soak.say_into("c:/Limber Übung/out")?;
        Ok(format!("c:/Limber Übung/out: {}", names_in(&place)?.join(", ")))
    });
    table.row("say into a path of 300 characters", || {
        let mut path = "C:\\long".to_owned();
        while path.len() < LONG_PATH {
            path.push_str("\\a folder with a name of forty characters.");
            path.push('x');
        }
        let _ = fs::remove_dir_all(soak.wine.drive_c().join("long"));
        soak.say_into(&path)?;
        let folder = path.replace("C:", &soak.wine.drive_c().to_string_lossy()).replace('\\', "/");
        Ok(format!("{} characters: {}", path.len(), names_in(folder.as_ref())?.join(", ")))
    });
    table.row("say into forbidden names: files, or one error message", || {
        let mut told = Vec::new();
        for name in FORBIDDEN {
            told.push(format!("{name:?} {}", soak.say_or_refuse(&format!("C:\\{name}"))?));
        }
        Ok(told.join(", "))
    });
    table.row("say into a folder that cannot be written to: one error message", || {
        // not even root can write there
        soak.say_or_refuse("Z:\\sys\\limber")
    });
    table.row("a script with Windows line endings: the same bytes", || soak.ends_of_lines());
    table.row("a custom character, by its path", || {
        let folder = soak.folder("character")?;
        let character = fs::read_dir("assets/characters")?.flatten().map(|entry| entry.path());
        let character =
            character.into_iter().find(|path| path.extension().is_some_and(|e| e == "glb"));
        let Some(character) = character else { bail!("assets/characters has no GLB") };
        let mut say = soak.wine.program(soak.limber());
        say.args(["say", "a person waves", "--seconds", "2", "--seed", "1", "--character"]);
        say.arg(windows_path(&std::path::absolute(character)?));
        done(say.arg("--out").arg(windows_path(&folder)), "say")?;
        Ok(names_in(&folder)?.join(", "))
    });
}

impl Soak {
    fn say_into(&self, out: &str) -> anyhow::Result<()> {
        let mut say = self.wine.program(self.limber());
        say.args(["say", "a person waves", "--seconds", "2", "--seed", "1", "--out", out]);
        done(&mut say, "say").map(drop)
    }

    /// Returns the outcome: files, or a single error message of ours and nothing else.
    fn say_or_refuse(&self, out: &str) -> anyhow::Result<String> {
        let mut say = self.wine.program(self.limber());
        say.args(["say", "a person waves", "--seconds", "2", "--seed", "1", "--out", out]);
        let output = say.output()?;
        let (told, complaint) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if output.status.success() {
            ensure!(told.lines().count() >= 4, "{out}: no files and no error: {complaint}");
            return Ok("written".to_owned());
        }
        let refusal = complaint.trim();
        ensure!(
            refusal.starts_with("limber: ") && !refusal.contains("panicked"),
            "{out}: {refusal}"
        );
        Ok(format!("refused ({})", refusal.trim_start_matches("limber: ")))
    }

    fn ends_of_lines(&self) -> anyhow::Result<String> {
        let folder = self.folder("lines")?;
        let mut explain = self.wine.program(self.limber());
        explain.args(["say", "a person waves and then jumps", "--explain=json"]);
        let script = done(&mut explain, "explain")?.stdout;
        let plain = String::from_utf8(script)?.replace("\r\n", "\n");
        ensure!(plain.lines().count() > 5, "the script has one line");
        let mut made = Vec::new();
        for (name, text) in [("plain", plain.clone()), ("windows", plain.replace('\n', "\r\n"))] {
            let (script, out) =
                (folder.join(name).join("script.json"), folder.join(name).join("out"));
            fs::create_dir_all(&out)?;
            fs::write(&script, text)?;
            let mut say = self.wine.program(self.limber());
            say.args(["say", "--seed", "1", "--script"]).arg(windows_path(&script));
            done(say.arg("--out").arg(windows_path(&out)), "say")?;
            made.push(contents(&out)?);
        }
        ensure!(made[0].keys().eq(made[1].keys()), "other files");
        for (name, bytes) in &made[0] {
            ensure!(differences(bytes, &made[1][name]) == 0, "{name} differs");
        }
        Ok(format!("{} files equal", made[0].len()))
    }
}
