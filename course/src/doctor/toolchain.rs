//! Rust, the linker, the C compiler and git.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use toml_edit::DocumentMut;

use super::finding::{Finding, for_system};
use super::program::{ProgramError, output};
use crate::cargo_config;
use crate::repo::Repo;

/// Whether rustc is new enough.
pub(super) fn rust(repo: &Repo) -> Finding {
    let install = for_system(
        "Install Rust with rustup, from https://rustup.rs, and open a new terminal. The packages of distributions are often too old.",
        "Install Rust with rustup, from https://rustup.rs, and open a new terminal.",
        "Install Rust with rustup-init.exe, from https://rustup.rs, and open a new terminal.",
    );
    let version = match output(rustc().arg("--version").current_dir(repo.root())) {
        Ok(version) => version,
        Err(error) => return Finding::failed(&error, format!("rustc: {error}"), install),
    };
    let number = version.split_whitespace().nth(1).unwrap_or_default();
    match needed(repo) {
        Some(needed) if numbers(number) < numbers(&needed) => Finding::missing(
            format!("{version}, but the course needs {needed} or newer"),
            match Command::new("rustup").arg("--version").output() {
                Ok(_) => "Run `rustup update stable`, and then `rustup default stable`.",
                Err(_) => install,
            },
        ),
        Some(needed) => Finding::ok(format!("{version} (the course needs {needed} or newer)")),
        None => Finding::ok(version),
    }
}

/// The oldest version that the course supports, from the learner's `Cargo.toml`.
fn needed(repo: &Repo) -> Option<String> {
    let text = fs::read_to_string(repo.cargo_toml()).ok()?;
    let manifest: DocumentMut = text.parse().ok()?;
    let package = manifest.get("workspace")?.get("package")?;
    Some(package.get("rust-version")?.as_str()?.to_string())
}

/// The first two numbers of a version such as `1.89.0`.
fn numbers(version: &str) -> [u32; 2] {
    let mut parts = version
        .split(['.', '-'])
        .map(|part| part.parse().unwrap_or(0));
    [(); 2].map(|()| parts.next().unwrap_or(0))
}

/// Whether a program can be linked, and started from the folder of builds.
pub(super) fn linker(repo: &Repo) -> Finding {
    let Ok(folder) = scratch(repo) else {
        return Finding::warning(
            "not known, since no temporary folder can be made",
            "See \"write access\" below.",
        );
    };
    let program = folder
        .path()
        .join(format!("linked{}", env::consts::EXE_SUFFIX));
    let source = folder.path().join("linked.rs");
    let linked = fs::write(&source, "fn main() {}\n")
        .map_err(ProgramError::from)
        .and_then(|()| output(rustc().arg(&source).arg("-o").arg(&program)));
    if let Err(error) = linked {
        let remedy = for_system(
            "Debian, Ubuntu: `sudo apt install build-essential`. Fedora: `sudo dnf install gcc`. Arch: `sudo pacman -S base-devel`. Alpine: `apk add build-base`.",
            "Run `xcode-select --install`.",
            "Install \"Desktop development with C++\" of the Visual Studio Build Tools, from https://visualstudio.microsoft.com/downloads, and open a new terminal.",
        );
        return Finding::failed(&error, "rustc cannot link a program", remedy);
    }
    match output(&mut Command::new(&program)) {
        Ok(_) => Finding::ok("links a program, and the program starts"),
        Err(error) => Finding::failed(
            &error,
            format!("a program that was just built does not start: {error}"),
            for_system(
                "The folder may be on a disk that is mounted with `noexec`: move the course to your home folder.",
                "Move the course to your home folder.",
                "A virus scanner may have blocked it: allow programs in the folder of the course.",
            ),
        ),
    }
}

/// A temporary folder where programs are built, since other folders may not allow programs.
fn scratch(repo: &Repo) -> std::io::Result<TempDir> {
    let target = cargo_config::target_dir(repo.root());
    fs::create_dir_all(&target)
        .and_then(|()| TempDir::with_prefix_in("doctor-", target))
        .or_else(|_| TempDir::with_prefix("doctor-"))
}

pub(super) fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Whether C code with the system's headers compiles, which chapter 2 needs for the first time.
pub(super) fn c_compiler(repo: &Repo) -> Finding {
    if cfg!(windows) {
        return Finding::ok("comes with the linker");
    }
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let compile = || -> Result<String, ProgramError> {
        let folder = scratch(repo)?;
        let source = folder.path().join("compiled.c");
        fs::write(
            &source,
            "#include <stdlib.h>\nint one(void) { return 1; }\n",
        )?;
        let object = folder.path().join("compiled.o");
        // `CC` may have arguments, as in `ccache cc`.
        let text = compiler.to_string_lossy();
        let mut words = text.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("cc"));
        output(
            command
                .args(words)
                .arg("-c")
                .arg(&source)
                .arg("-o")
                .arg(&object),
        )
    };
    match compile() {
        Ok(_) => Finding::ok(format!("{} compiles", Path::new(&compiler).display())),
        Err(error) => Finding::failed(
            &error,
            format!(
                "{}: {error}; chapter 2 and later ones need it",
                Path::new(&compiler).display()
            ),
            for_system(
                "Debian, Ubuntu: `sudo apt install build-essential`. Fedora: `sudo dnf install gcc`. Arch: `sudo pacman -S base-devel`. Alpine: `apk add build-base`.",
                "Run `xcode-select --install`.",
                "",
            ),
        ),
    }
}

/// Whether git is installed.
pub(super) fn git(_: &Repo) -> Finding {
    match output(Command::new("git").arg("--version")) {
        Ok(version) => Finding::ok(version),
        Err(error) => {
            let found = match error {
                ProgramError::NotFound => "not installed".to_string(),
                _ => format!("does not work: {error}"),
            };
            let get = for_system(
                "Debian, Ubuntu: `sudo apt install git`. Fedora: `sudo dnf install git`. Arch: `sudo pacman -S git`.",
                "Run `xcode-select --install`.",
                "Install it from https://git-scm.com/download/win.",
            );
            Finding::warning(
                found,
                format!("{get} Without it, `cargo course update` needs a downloaded archive."),
            )
        }
    }
}
