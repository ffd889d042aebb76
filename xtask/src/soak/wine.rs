//! Wine, which runs programs for Windows on Linux: a private prefix for tests.

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

/// Paths of Debian's Wine.
const WINE: &str = "/usr/lib/wine/wine64";
const SERVER: &str = "/usr/lib/wine/wineserver64";

/// A DLL that Windows has since version 10 and Wine 8 lacks, with the one function that Rust's
/// standard library uses from it. It is a stub for the tests and is never distributed.
const STAND_IN: &str = "bcryptprimitives.dll";
const STAND_IN_SOURCE: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(void *, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *bytes, SIZE_T count) {
    return SystemFunction036(bytes, (ULONG)count);
}
";

/// A Wine prefix in a folder.
pub(super) struct Wine {
    home: PathBuf,
}

impl Wine {
    /// Returns the prefix in the target folder, creating it if needed.
    pub(super) fn ready() -> anyhow::Result<Self> {
        let wine = Self { home: root().join(target()).join("cross/wine") };
        fs::create_dir_all(&wine.home).context("creating the folder for Wine")?;
        wine.make_stand_in()?;
        if !wine.prefix().join("system.reg").exists() {
            step("creating a Wine prefix", wine.program("wineboot").arg("--init"))?;
            step(
                "setting the Windows version that Limber requires",
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

    /// Returns the folder that is `C:\`.
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
        step("building a library that Wine lacks", &mut compile)
    }

    /// Returns a command for a Windows program, by path, or by name if it belongs to Windows.
    pub(super) fn program(&self, name: impl AsRef<Path>) -> Command {
        let mut wine = program(WINE);
        wine.arg(name.as_ref());
        self.set_up(&mut wine);
        wine
    }

    /// Does the same with a private display, for programs that draw.
    pub(super) fn program_on_display(&self, name: impl AsRef<Path>) -> Command {
        let mut wine = session::command();
        wine.arg(WINE).arg(name.as_ref());
        self.set_up(&mut wine);
        wine
    }

    /// Makes Cargo run the Windows test binaries under Wine.
    pub(super) fn run_tests_of(&self, cargo: &mut Command) {
        cargo.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", WINE);
        self.set_up(cargo);
    }

    fn set_up(&self, command: &mut Command) {
        command
            .env("WINEPREFIX", self.prefix())
            .env("WINEPATH", windows_path(&self.home))
            // skip .NET and the browser, whose installation takes minutes
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

/// Returns the path of a local file as Wine sees it.
pub(super) fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.display()).replace('/', "\\")
}
