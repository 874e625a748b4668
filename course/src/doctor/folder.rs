//! The folder of the course: its files, its path, its disk and its clock.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::finding::{Finding, for_system};
use super::program;
use crate::cargo_config;
use crate::installed::{Installed, is_course_file};
use crate::messages::files;
use crate::repo::{Repo, files_below};

/// Whether the parts of the course are there that a learner may have deleted.
pub(super) fn course_files(repo: &Repo) -> Finding {
    let needed = [
        "Cargo.toml",
        "Cargo.lock",
        ".cargo/config.toml",
        "src",
        "tests",
        "solutions/Cargo.toml",
        "solutions/src",
        "course/Cargo.toml",
        "book/src",
    ];
    let missing: Vec<&str> = needed
        .into_iter()
        .filter(|name| !repo.root().join(name).exists())
        .collect();
    let is_clone = repo.root().join(".git").exists();
    if !missing.is_empty() {
        let names = missing.join(", ");
        let remedy = match is_clone {
            true => format!("Run `git restore {}`.", missing.join(" ")),
            false => DOWNLOAD.to_string(),
        };
        return Finding::missing(format!("{names} not found"), remedy);
    }
    let deleted = deleted_files(repo);
    let built = deleted.iter().find(|name| is_built(name));
    let Some(first) = built.or(deleted.first()) else {
        return Finding::ok("complete");
    };
    let found = format!("{} not found, such as {first}", files(deleted.len()));
    let remedy = match is_clone {
        true => {
            "`git ls-files --deleted` lists what is missing, and `git restore` with a file's name brings it back."
        }
        false => DOWNLOAD,
    };
    match built {
        Some(_) => Finding::missing(found, remedy),
        None => Finding::warning(found, remedy),
    }
}

/// Whether the course builds or reads this file, so that chapters fail without it.
fn is_built(name: &str) -> bool {
    let folders = ["tests/", "solutions/", "offline/", "course/", "book/"];
    folders.iter().any(|folder| name.starts_with(folder))
        && (name.ends_with(".rs") || name.ends_with(".toml"))
}

const DOWNLOAD: &str = "Download the course again, and copy your src/ into it.";

/// The files of the course, outside `src/`, that are not there anymore: those of the last update or
/// of the download, or those that git knows.
fn deleted_files(repo: &Repo) -> Vec<String> {
    if let Some(installed) = Installed::load(repo) {
        let mut names: Vec<String> = installed.files.into_keys().collect();
        names.retain(|name| !repo.root().join(name).exists());
        return names;
    }
    let mut git = Command::new("git");
    git.arg("-C").arg(repo.root());
    git.args(["-c", "core.quotePath=false", "ls-files", "--deleted"]);
    let deleted = program::output(&mut git).unwrap_or_default();
    let names = deleted.lines().filter(|name| is_course_file(name));
    names.map(str::to_string).collect()
}

/// Whether the path works with cargo, and is one where builds are fast.
pub(super) fn path(repo: &Repo) -> Finding {
    let root = repo.root();
    let shown = root.display();
    let Some(text) = root.to_str() else {
        return Finding::missing(
            format!("{shown} is not valid UTF-8"),
            "Rename the folder: cargo cannot build in it.",
        );
    };
    let separator = if cfg!(windows) { ';' } else { ':' };
    if text.contains(separator) {
        return Finding::missing(
            format!("{shown} contains `{separator}`"),
            "Rename the folder: cargo cannot build in it.",
        );
    }
    let synced = [
        "OneDrive",
        "Dropbox",
        "Google Drive",
        "Mobile Documents",
        "Nextcloud",
    ];
    if let Some(service) = synced.into_iter().find(|name| text.contains(name)) {
        return Finding::warning(
            format!("{shown} is copied to a server ({service})"),
            "Move the course to a folder that is not synchronized: each build writes gigabytes.",
        );
    }
    if cfg!(target_os = "linux") && text.starts_with("/mnt/") && is_wsl() {
        return Finding::warning(
            format!("{shown} is a folder of Windows, seen from WSL"),
            "Move the course to your home folder inside WSL (`~`): builds are several times faster there.",
        );
    }
    if cfg!(windows) && text.len() > LONG_PATH {
        return Finding::warning(
            format!("{shown} is long: Windows limits a path to 260 characters"),
            "Move the course to a short path, such as C:\\claw-code.",
        );
    }
    Finding::ok(shown.to_string())
}

fn is_wsl() -> bool {
    let version = fs::read_to_string("/proc/version").unwrap_or_default();
    version.to_lowercase().contains("microsoft")
}

/// Whether files can be written where the course and cargo write them.
pub(super) fn write_access(repo: &Repo) -> Finding {
    let root = repo.root();
    let mut folders = vec![
        root.to_path_buf(),
        repo.src(),
        repo.state(),
        root.join("target"),
        cargo_config::target_dir(root),
    ];
    folders.extend(cargo_config::home());
    let denied = folders.iter().find_map(|folder| {
        let error = write(folder).err()?;
        Some((folder, error))
    });
    match denied {
        None => Finding::ok("the folder, the builds and cargo's home folder can be written"),
        Some((folder, error)) => Finding::missing(
            format!("cannot write to {}: {error}", folder.display()),
            for_system(
                "Make it yours: `sudo chown -R \"$USER\"` and the folder's path; or move the course to your home folder. For cargo's home folder, `CARGO_HOME` can name another one.",
                "Make it yours: `sudo chown -R \"$USER\"` and the folder's path; or move the course to your home folder. For cargo's home folder, `CARGO_HOME` can name another one.",
                "Move the course to a folder below your user folder. For cargo's home folder, `CARGO_HOME` can name another one.",
            ),
        ),
    }
}

/// Creates and removes a file in `folder`, or in the nearest folder above it that exists.
fn write(folder: &Path) -> io::Result<()> {
    let existing = folder.ancestors().find(|folder| folder.exists());
    let file = tempfile::NamedTempFile::new_in(existing.unwrap_or(folder))?;
    file.close()
}

/// Whether the disk has room for the builds.
pub(super) fn disk_space(repo: &Repo) -> Finding {
    let target = cargo_config::target_dir(repo.root());
    let existing = target.ancestors().find(|folder| folder.exists());
    let Some(free) = free_bytes(existing.unwrap_or(repo.root())) else {
        return Finding::ok(format!(
            "not known; the course needs {} GB for all chapters",
            ALL_CHAPTERS / GIGABYTE
        ));
    };
    let gigabytes = free as f64 / GIGABYTE as f64;
    let found = format!("{gigabytes:.1} GB free");
    let remedy = "Free some space, or set `CARGO_TARGET_DIR` to a folder on another disk. `cargo clean` in other projects deletes what they have built.";
    match free {
        ..FIRST_CHAPTERS => Finding::missing(
            format!(
                "{found}, but the first chapters need {} GB",
                FIRST_CHAPTERS / GIGABYTE
            ),
            remedy,
        ),
        FIRST_CHAPTERS..ALL_CHAPTERS => Finding::warning(
            format!(
                "{found}; all chapters with the book need {} GB",
                ALL_CHAPTERS / GIGABYTE
            ),
            remedy,
        ),
        _ => Finding::ok(found),
    }
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(folder: &Path) -> Option<u64> {
    let mut command = std::process::Command::new("powershell");
    command
        .args(["-NoProfile", "-Command"])
        .arg("([System.IO.DriveInfo]$env:DOCTOR_FOLDER).AvailableFreeSpace")
        .env("DOCTOR_FOLDER", folder);
    super::program::output(&mut command).ok()?.parse().ok()
}

/// Whether the clock agrees with the times of the files. Cargo compares these times to find out
/// what to build.
pub(super) fn clock(repo: &Repo) -> Finding {
    let set_clock = for_system(
        "Set the clock: `sudo timedatectl set-ntp true`.",
        "Set the clock: System Settings, General, Date & Time, \"Set time and date automatically\".",
        "Set the clock: Settings, Time & language, \"Set time automatically\".",
    );
    if let Some(behind) = written_ahead(repo) {
        return Finding::warning(
            format!(
                "the disk of the folder is {} seconds ahead of this machine",
                behind.as_secs()
            ),
            format!("{set_clock} Or move the course from the network drive to a local disk."),
        );
    }
    let now = SystemTime::now() + TOLERANCE;
    let folders = [repo.src(), repo.tests(), repo.root().join("course/src")];
    let files: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| files_below(folder).ok())
        .flatten()
        .chain([repo.cargo_toml()])
        .collect();
    let is_future = |path: &&PathBuf| modified(path).is_some_and(|time| time > now);
    let future: Vec<&PathBuf> = files.iter().filter(is_future).collect();
    match future.first() {
        None => Finding::ok("agrees with the files"),
        Some(first) => Finding::warning(
            format!(
                "files are from the future ({}, such as {}), and cargo builds them again each time",
                future.len(),
                repo.relative(first)
            ),
            format!(
                "{set_clock} If it is right, {}",
                for_system(
                    "run `find . -newermt now -exec touch {} +`.",
                    "run `find . -newermt now -exec touch {} +`.",
                    "save the files again in your editor.",
                )
            ),
        ),
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// How far the time of a new file is ahead of the machine's clock, if it is noticeably.
fn written_ahead(repo: &Repo) -> Option<Duration> {
    let file = tempfile::NamedTempFile::new_in(repo.root()).ok()?;
    let ahead = modified(file.path())?.duration_since(SystemTime::now());
    ahead.ok().filter(|ahead| *ahead > TOLERANCE)
}

/// The difference of clocks that does no harm.
const TOLERANCE: Duration = Duration::from_secs(5);

const GIGABYTE: u64 = 1_000_000_000;

/// The bytes that the runner and the first chapters need.
const FIRST_CHAPTERS: u64 = GIGABYTE;

/// The bytes that all chapters, the demo and the book need.
const ALL_CHAPTERS: u64 = 4 * GIGABYTE;

/// The length of a path on Windows below which cargo's own paths are short enough.
const LONG_PATH: usize = 100;
