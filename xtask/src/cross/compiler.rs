//! Cross-compilers. rustup would download Rust's libraries for other targets. Where only package
//! registries can be reached, Debian's compiler with its sources works as well; its package
//! conflicts with rustup's, so it is unpacked into its own folder.

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

/// Packages of the compiler, its host libraries, the sources of the standard library, and LLVM.
/// Debian keeps them recent for its browsers; the libraries carry the compiler's version in their
/// names.
const COMPILER: &str = "rustc-web";
const PACKAGES: [&str; 3] = ["libstd-rust-web-dev", "rust-web-src", COMPILER];
/// Prefixes of the packages with libraries that the compiler links to.
const LIBRARIES: [&str; 2] = ["libstd-rust-web-", "libllvm"];
/// PyPI package of a C compiler that includes the macOS headers.
const ZIG: &str = "ziglang==0.15.1";

/// A Rust compiler in a folder.
pub(super) struct Rust {
    folder: PathBuf,
}

/// C and C++ compilers and an archiver for macOS.
pub(super) struct Zig {
    pub(super) c: PathBuf,
    pub(super) cpp: PathBuf,
    pub(super) archive: PathBuf,
}

/// Returns the folder in which compilers are kept between runs.
fn folder() -> PathBuf {
    root().join(target()).join("cross")
}

/// Returns a compiler that can build its own standard library, downloading it if needed.
pub(super) fn rust() -> anyhow::Result<Rust> {
    let rust = Rust { folder: folder().join("rust") };
    if rust.version().is_none() {
        rust.fetch()?;
    }
    rust.version().map(|_| rust).context("the downloaded compiler does not start")
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
        step("downloading a compiler", download.args(names).current_dir(&packages))?;
        fs::create_dir_all(&self.folder)?;
        for package in fs::read_dir(&packages)?.flatten() {
            let mut unpack = command("dpkg -x");
            step("unpacking it", unpack.arg(package.path()).arg(&self.folder))?;
        }
        fs::remove_dir_all(packages).context("removing unpacked files")
    }

    /// Makes Cargo use this compiler. Building the standard library is an unstable feature, which
    /// Debian's stable compiler accepts with `RUSTC_BOOTSTRAP`.
    pub(super) fn use_in(&self, cargo: &mut Command) {
        cargo
            .env("RUSTC", self.program())
            .env("LD_LIBRARY_PATH", self.libraries())
            .env("RUSTC_BOOTSTRAP", "1");
    }
}

/// Returns the library packages that a package depends on, according to APT.
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

/// Returns a C compiler for macOS from PyPI.
pub(super) fn zig() -> anyhow::Result<Zig> {
    let home = folder().join("zig");
    let python = home.join("bin/python");
    if !python.exists() {
        step("creating a Python environment", command("python3 -m venv").arg(&home))?;
    }
    step("a C compiler", program(home.join("bin/pip")).args(["install", "--quiet", ZIG]))?;
    // build scripts need a single executable without arguments
    let make = |name: &str, words: &str| zig_script(&home.join(name), &python, words);
    Ok(Zig {
        c: make("zig-cc", "cc -target aarch64-macos")?,
        cpp: make("zig-c++", "c++ -target aarch64-macos")?,
        archive: make("zig-ar", "ar")?,
    })
}

/// Returns a linker for Windows that links the C++ library statically, because Windows does not
/// ship it. `-static` is not enough: Rust asks for dynamic libraries again right before it.
pub(super) fn mingw_linker() -> anyhow::Result<PathBuf> {
    fs::create_dir_all(folder()).context("creating the folder for compilers")?;
    let branch = "-lstdc++) set -- \"$@\" -l:libstdc++.a";
    script(&folder().join("mingw-linker"), branch, "x86_64-w64-mingw32-gcc-posix")
}

/// Writes a script that calls zig with these arguments first. It drops the target in Clang's
/// spelling, because zig uses its own, and compiles nothing in place of Objective-C: only Apple
/// distributes the headers of Cocoa, and a type check links no objects.
fn zig_script(path: &Path, python: &Path, words: &str) -> anyhow::Result<PathBuf> {
    let nothing = path.with_file_name("nothing.c");
    fs::write(&nothing, "").with_context(|| format!("writing {}", nothing.display()))?;
    let program = format!("'{}' -m ziglang {words}", python.display());
    let objective_c = format!("*.m) set -- \"$@\" '{}'", nothing.display());
    script(path, &format!("--target=*|-mmacosx-version-min=*) ;; {objective_c}"), &program)
}

/// Writes a script that calls a program with its arguments, except for those that a branch of the
/// shell's `case` treats.
fn script(path: &Path, branch: &str, program: &str) -> anyhow::Result<PathBuf> {
    let line = format!(
        "#!/bin/sh\nfor word do\n  shift\n  case $word in {branch} ;; *) set -- \"$@\" \"$word\" ;; \
         esac\ndone\nexec {program} \"$@\"\n"
    );
    fs::write(path, line).with_context(|| format!("writing {}", path.display()))?;
    step("making it executable", command("chmod 755").arg(path))?;
    Ok(path.to_owned())
}
