//! `cargo course bundle`: makes one archive of everything that a room without network needs.
//!
//! The archive holds one folder:
//!
//! | path | is |
//! | --- | --- |
//! | `README.txt`, `check.sh` | what to do, and a script that checks a machine |
//! | `claw-code/` | a clone of the course as published, with the built runner |
//! | `vendor/` | the sources of all crates |
//! | `.cargo/config.toml` | makes cargo use `vendor/` below this folder, and no network |
//! | `book/` | the book as HTML |

mod archive;
mod clone;
mod parts;
mod shown_command;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use course::repo::Repo;

pub use clone::clone_course;

/// The name of the folder in the archive.
const ROOM: &str = "claw-code-room";

/// Makes an archive of the course, all its crates, the built runner and the book, for a room
/// without network.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The archive (default: target/claw-code-room-PLATFORM.tar.gz)
    #[arg(value_name = "FILE.tar.gz")]
    pub file: Option<PathBuf>,
}

/// Makes the archive.
pub fn run(repo: &Repo, arguments: &Arguments) -> Result<ExitCode> {
    let start = Instant::now();
    let step = |text: &str| eprintln!("{:>4} s  {text}", start.elapsed().as_secs());
    let platform = platform()?;
    let default = repo.root().join(format!("target/{ROOM}-{platform}.tar.gz"));
    let file = arguments.file.clone().unwrap_or(default);
    let work = repo.root().join("target/bundle");
    let room = work.join(ROOM);
    if room.exists() {
        fs::remove_dir_all(&room).with_context(|| format!("cannot remove {}", room.display()))?;
    }
    fs::create_dir_all(&room).with_context(|| format!("cannot write to {}", work.display()))?;

    step("cloning the course");
    let clone = room.join("claw-code");
    let version = clone_course(repo, &clone)?;
    step("copying the sources of all crates");
    parts::vendor(&room)?;
    step("building the runner from them");
    parts::runner(&room, &work.join("build"))?;
    step("building the book");
    parts::book(repo, &room)?;
    write_texts(&room, &version, &platform)?;
    step("compressing");
    archive::write(&room, ROOM, &file)?;
    fs::remove_dir_all(&room).with_context(|| format!("cannot remove {}", room.display()))?;

    let bytes = fs::metadata(&file).map_or(0, |metadata| metadata.len());
    println!(
        "{}: {} MB, made in {} s.\nIt holds the course as of {version}. Its runner is built for {platform}; on other systems, check.sh builds it from the sources in the archive.\nRust is not in it: each machine needs rustc and cargo.",
        file.display(),
        bytes.div_ceil(1_000_000),
        start.elapsed().as_secs()
    );
    Ok(ExitCode::SUCCESS)
}

/// The system that rustc builds for, such as `x86_64-unknown-linux-gnu`.
fn platform() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output();
    let output = output.context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(String::from)
        .context("rustc does not say its host")
}

/// Writes the texts of the archive, the configuration and the script.
fn write_texts(room: &Path, version: &str, platform: &str) -> Result<()> {
    let fill = |text: &str| {
        text.replace("VERSION", version)
            .replace("PLATFORM", platform)
    };
    let script = room.join("check.sh");
    fs::write(room.join("README.txt"), fill(include_str!("README.txt")))
        .and_then(|()| fs::write(&script, fill(include_str!("check.sh"))))
        .and_then(|()| make_executable(&script))
        .with_context(|| format!("cannot write to {}", room.display()))
}

#[cfg(unix)]
fn make_executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_file: &Path) -> std::io::Result<()> {
    Ok(())
}
