//! Compilers for other systems. rustup would fetch Rust's libraries for them; where only the registries of
//! packages can be reached, Debian's compiler with its sources does as well. It conflicts with rustup's as a
//! package, so that it is unpacked into a folder of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};

use crate::{
    packages,
    shell::{command, has, output_of, program, root, step, target},
};

/// The compiler, its libraries for this computer, the sources of the standard library, and LLVM. Debian keeps
/// them recent for its browsers; a library's name has the version of its compiler.
const COMPILER: &str = "rustc-web";
const PACKAGES: [&str; 3] = ["libstd-rust-web-dev", "rust-web-src", COMPILER];
/// What the compiler links to, by how the names of those packages begin.
const LIBRARIES: [&str; 2] = ["libstd-rust-web-", "libllvm"];
/// Brings a C compiler with the headers of macOS.
const ZIG: &str = "ziglang==0.15.1";

/// A compiler in a folder.
pub(super) struct Rust {
    folder: PathBuf,
}

/// Programs that compile C for macOS, and one that archives what they made.
pub(super) struct Zig {
    pub(super) c: PathBuf,
    pub(super) cpp: PathBuf,
    pub(super) archive: PathBuf,
}

/// Where compilers are kept from one run to the next.
fn folder() -> PathBuf {
    root().join(target()).join("cross")
}

/// The compiler that can build its own standard library, fetched unless it is there.
pub(super) fn rust() -> anyhow::Result<Rust> {
    let rust = Rust { folder: folder().join("rust") };
    if rust.version().is_none() {
        rust.fetch()?;
    }
    rust.version().map(|_| rust).context("the compiler that was fetched does not start")
}

impl Rust {
    fn program(&self) -> PathBuf {
        self.folder.join("usr/bin/rustc")
    }

    fn libraries(&self) -> PathBuf {
        self.folder.join("usr/lib/x86_64-linux-gnu")
    }

    fn version(&self) -> Option<String> {
        let mut rustc = program(self.program());
        let output =
            rustc.arg("--version").env("LD_LIBRARY_PATH", self.libraries()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn fetch(&self) -> anyhow::Result<()> {
        if !has("apt-get") || !has("dpkg") {
            bail!("building for other systems needs Debian, whose compiler comes with its sources");
        }
        packages::read_list()?;
        let packages = folder().join("packages");
        let _ = fs::remove_dir_all(&packages);
        fs::create_dir_all(&packages)?;
        let mut names: Vec<String> = PACKAGES.map(str::to_owned).into();
        names.extend(libraries_of(COMPILER)?);
        let mut download = command("apt-get download -qq");
        step("fetching a compiler", download.args(names).current_dir(&packages))?;
        fs::create_dir_all(&self.folder)?;
        for package in fs::read_dir(&packages)?.flatten() {
            let mut unpack = command("dpkg -x");
            step("unpacking it", unpack.arg(package.path()).arg(&self.folder))?;
        }
        fs::remove_dir_all(packages).context("removing what was unpacked")
    }

    /// Makes Cargo use it. Building the standard library is not stable, which Debian's compiler does not mind
    /// once it is told.
    pub(super) fn use_in(&self, cargo: &mut Command) {
        cargo
            .env("RUSTC", self.program())
            .env("LD_LIBRARY_PATH", self.libraries())
            .env("RUSTC_BOOTSTRAP", "1");
    }
}

/// The packages of the libraries that a package asks for, by what APT says.
fn libraries_of(package: &str) -> anyhow::Result<Vec<String>> {
    let told = output_of(&format!(
        "apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
         --no-replaces --no-enhances {package}"
    ));
    let told = told.with_context(|| format!("APT does not know the package {package}"))?;
    let names = told.lines().filter(|line| !line.starts_with([' ', '|', '<']));
    let of_compiler = |name: &&str| LIBRARIES.iter().any(|start| name.starts_with(start));
    let mut names: Vec<String> = names.filter(of_compiler).map(str::to_owned).collect();
    names.retain(|name| !PACKAGES.contains(&name.as_str()));
    Ok(names)
}

/// A compiler of C for macOS, from PyPI.
pub(super) fn zig() -> anyhow::Result<Zig> {
    let home = folder().join("zig");
    let python = home.join("bin/python");
    if !python.exists() {
        step("an environment for Python", command("python3 -m venv").arg(&home))?;
    }
    step("a compiler of C", program(home.join("bin/pip")).args(["install", "--quiet", ZIG]))?;
    // build scripts want one program, not a program with a word behind it
    let make = |name: &str, words: &str| script(&home.join(name), &python, words);
    Ok(Zig {
        c: make("zig-cc", "cc -target aarch64-macos")?,
        cpp: make("zig-c++", "c++ -target aarch64-macos")?,
        archive: make("zig-ar", "ar")?,
    })
}

/// A program that calls zig with these words before its own. The target as Clang writes it is left out: zig has
/// names of its own.
fn script(path: &Path, python: &Path, words: &str) -> anyhow::Result<PathBuf> {
    let line = format!(
        "#!/bin/sh\nfor word do\n  shift\n  case $word in --target=*|-mmacosx-version-min=*) ;; *) set -- \"$@\" \
         \"$word\" ;; esac\ndone\nexec '{}' -m ziglang {words} \"$@\"\n",
        python.display()
    );
    fs::write(path, line).with_context(|| format!("writing {}", path.display()))?;
    step("making it a program", command("chmod 755").arg(path))?;
    Ok(path.to_owned())
}
