//! Wine, which runs programs for Windows on Linux: a Windows of its own in a folder, for tests.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::Context;

use crate::{
    session,
    shell::{command, program, root, step, target},
};

/// Where Debian puts it.
const WINE: &str = "/usr/lib/wine/wine64";
const SERVER: &str = "/usr/lib/wine/wineserver64";

/// A library that Windows has from 10 on and Wine 8 lacks, with the one function that Rust's standard library
/// takes from it. It stands in for the tests, and is never handed out.
const STAND_IN: &str = "bcryptprimitives.dll";
const STAND_IN_SOURCE: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(void *, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *bytes, SIZE_T count) {
    return SystemFunction036(bytes, (ULONG)count);
}
";

/// A Windows in a folder.
pub(super) struct Wine {
    home: PathBuf,
}

impl Wine {
    /// The one in the target folder, made unless it is there.
    pub(super) fn ready() -> anyhow::Result<Self> {
        let wine = Self { home: root().join(target()).join("cross/wine") };
        fs::create_dir_all(&wine.home).context("making the folder for Wine")?;
        wine.make_stand_in()?;
        if !wine.prefix().join("system.reg").exists() {
            step("a Windows of its own", wine.program("wineboot").arg("--init"))?;
            step(
                "of the version that Limber asks for",
                wine.program("winecfg").args(["-v", "win10"]),
            )?;
        }
        Ok(wine)
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    fn prefix(&self) -> PathBuf {
        self.home.join("prefix")
    }

    /// Where `C:\` is.
    pub(super) fn drive_c(&self) -> PathBuf {
        self.prefix().join("drive_c")
    }

    fn make_stand_in(&self) -> anyhow::Result<()> {
        let library = self.home.join(STAND_IN);
        if library.exists() {
            return Ok(());
        }
        let source = self.home.join("stand_in.c");
        fs::write(&source, STAND_IN_SOURCE).context("writing the source of a library")?;
        let mut compile = command("x86_64-w64-mingw32-gcc-posix -shared -o");
        compile.arg(&library).arg(&source).arg("-ladvapi32");
        step("a library that Wine lacks", &mut compile)
    }

    /// A program for Windows, by its path or by its name if it is one of Windows' own.
    pub(super) fn program(&self, name: impl AsRef<Path>) -> Command {
        let mut wine = program(WINE);
        wine.arg(name.as_ref());
        self.set_up(&mut wine);
        wine
    }

    /// The same on a display of its own, for what draws.
    pub(super) fn program_on_display(&self, name: impl AsRef<Path>) -> Command {
        let mut wine = session::command();
        wine.arg(WINE).arg(name.as_ref());
        self.set_up(&mut wine);
        wine
    }

    /// Has Cargo run by Wine whatever it builds for Windows.
    pub(super) fn run_tests_of(&self, cargo: &mut Command) {
        cargo.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", WINE);
        self.set_up(cargo);
    }

    fn set_up(&self, command: &mut Command) {
        command
            .env("WINEPREFIX", self.prefix())
            .env("WINEPATH", windows_path(&self.home))
            // no .NET and no browser are installed, which would take minutes and nobody asks for
            .env("WINEDLLOVERRIDES", "mscoree,mshtml=;bcryptprimitives=n")
            .env("WINEDEBUG", "-all")
            .stdin(Stdio::null());
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        let mut server = program(SERVER);
        let _ = server.arg("--kill").env("WINEPREFIX", self.prefix()).status();
    }
}

/// How Wine calls a file of this computer.
pub(super) fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.display()).replace('/', "\\")
}
