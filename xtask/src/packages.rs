//! System packages: which are needed for what, and how to install them.

use anyhow::bail;

use crate::shell::{command, has, output_of, step};

/// A purpose that needs system packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Compiling anything at all.
    Build,
    /// Building the window.
    Desktop,
    /// The local studio's database.
    Studio,
    /// Running the tests.
    Test,
    /// Testing the Debian package on a clean system.
    Package,
    /// Building for Windows.
    Windows,
    /// Running programs for Windows.
    Wine,
    /// Type-checking for macOS.
    Macos,
}

impl Purpose {
    const fn words(self) -> &'static str {
        match self {
            Self::Build => "the compiler's linker",
            Self::Desktop => "the window (WebKit)",
            Self::Studio => "the database of the local studio",
            Self::Test => "a display, a key ring, a browser, drivers and Python for the tests",
            Self::Package => "a separate system for the package",
            Self::Windows => "a linker and an installer for Windows",
            Self::Wine => "Wine, to run Windows programs, and OpenGL for it",
            Self::Macos => "Python, which installs a C compiler for macOS",
        }
    }

    /// Returns the package names on Debian.
    pub(crate) const fn debian(self) -> &'static [&'static str] {
        match self {
            Self::Build => &["build-essential", "pkg-config"],
            Self::Desktop => {
                &["libwebkit2gtk-4.1-dev", "libgl1-mesa-dri", "libegl1", "libegl-mesa0"]
            }
            Self::Studio => &["postgresql"],
            Self::Test => &[
                "xvfb",
                "webkit2gtk-driver",
                "chromium",
                "chromium-driver",
                // drives the pointer and the system's own dialogs
                "xdotool",
                "dbus",
                "dbus-x11",
                "gnome-keyring",
                "libsecret-tools",
                "xdg-utils",
                "desktop-file-utils",
                "libglib2.0-bin",
                "libgl1-mesa-dri",
                "libegl1",
                "libegl-mesa0",
                "procps",
                "fonts-dejavu-core",
                // simulates wrong clocks
                "libfaketime",
                // virtual environments for the Python test tools
                "python3-venv",
            ],
            Self::Package => &["mmdebstrap"],
            Self::Windows => &[
                "gcc-mingw-w64-x86-64-posix",
                "g++-mingw-w64-x86-64-posix",
                "nsis",
                // lists the contents of an installer
                "p7zip-full",
            ],
            Self::Wine => &["wine64", "libgl1", "libglx-mesa0", "libgl1-mesa-dri"],
            Self::Macos => &["python3-venv"],
        }
    }

    /// Returns package manager and package names on other known systems.
    const fn elsewhere(self) -> [(&'static str, &'static str); 3] {
        match self {
            Self::Build => {
                [("dnf", "gcc gcc-c++ make pkgconf"), ("pacman", "base-devel"), ("brew", "")]
            }
            Self::Desktop => [
                ("dnf", "webkit2gtk4.1-devel mesa-dri-drivers mesa-libEGL"),
                ("pacman", "webkit2gtk-4.1 mesa"),
                ("brew", ""),
            ],
            Self::Studio => {
                [("dnf", "postgresql-server"), ("pacman", "postgresql"), ("brew", "postgresql@17")]
            }
            Self::Test => [
                (
                    "dnf",
                    "xorg-x11-server-Xvfb webkit2gtk-driver dbus-daemon gnome-keyring libsecret python3",
                ),
                ("pacman", "xorg-server-xvfb webkit2gtk-4.1 dbus gnome-keyring libsecret python"),
                ("brew", "python"),
            ],
            // .deb packages and the MinGW cross-compiler packages are specific to Debian
            Self::Package | Self::Windows | Self::Wine | Self::Macos => {
                [("dnf", ""), ("pacman", ""), ("brew", "")]
            }
        }
    }
}

/// Installs the packages missing for these purposes, or prints the command to do so.
pub(crate) fn install(purposes: &[Purpose]) -> anyhow::Result<()> {
    if has("apt-get") && has("dpkg-query") {
        return install_on_debian(purposes);
    }
    for (manager, verb) in [("dnf", "install"), ("pacman", "-S --needed"), ("brew", "install")] {
        if has(manager) {
            let names: Vec<_> = purposes
                .iter()
                .flat_map(|purpose| purpose.elsewhere())
                .filter(|(name, packages)| *name == manager && !packages.is_empty())
                .map(|(_, packages)| packages)
                .collect();
            let sudo = if manager == "brew" { "" } else { "sudo " };
            println!("Limber needs these packages:\n  {sudo}{manager} {verb} {}", names.join(" "));
            return Ok(());
        }
    }
    println!("Limber could not find a package manager it knows; see README.md for what it needs");
    Ok(())
}

fn install_on_debian(purposes: &[Purpose]) -> anyhow::Result<()> {
    let mut missing: Vec<&str> = Vec::new();
    for purpose in purposes {
        let lacking: Vec<&str> = purpose
            .debian()
            .iter()
            .copied()
            .filter(|name| !is_installed(name) && !missing.contains(name))
            .collect();
        if !lacking.is_empty() {
            println!("missing for {}: {}", purpose.words(), lacking.join(" "));
            missing.extend(lacking);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let Some(sudo) = becoming_root() else {
        bail!("run this as root: apt-get install --no-install-recommends {}", missing.join(" "));
    };
    read_list()?;
    let environment = "env DEBIAN_FRONTEND=noninteractive";
    step(
        "installing packages",
        command(&format!(
            "{sudo}{environment} apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120"
        ))
        .args(&missing),
    )
}

/// Updates APT's package lists, which a fresh system lacks.
pub(crate) fn read_list() -> anyhow::Result<()> {
    let Some(sudo) = becoming_root() else { bail!("run this as root: apt-get update") };
    step("updating the package list", &mut command(&format!("{sudo}apt-get update -qq")))
}

/// Returns the prefix for commands that need root; `None` if root is not available.
fn becoming_root() -> Option<&'static str> {
    if output_of("id -u").as_deref() == Some("0") {
        Some("")
    } else if has("sudo") {
        println!("your password may be asked for");
        Some("sudo ")
    } else {
        None
    }
}

fn is_installed(package: &str) -> bool {
    output_of(&format!("dpkg-query -W -f=${{Status}} {package}"))
        .is_some_and(|status| status.ends_with("install ok installed"))
}
