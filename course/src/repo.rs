//! The paths of the repository, and how files in it are read and written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The file that identifies the course's repository.
const MARK: &str = "book/src/course.toml";

/// A checkout of the course.
#[derive(Debug, Clone)]
pub struct Repo {
    root: PathBuf,
}

impl Repo {
    /// The repository that contains `start`.
    pub fn find(start: &Path) -> Result<Self> {
        match start.ancestors().find(|dir| dir.join(MARK).is_file()) {
            Some(root) => Ok(Self {
                root: root.to_path_buf(),
            }),
            None => bail!(
                "{} is not inside the claw-code repository (no {MARK} above it); `cd` into the repository and try again",
                start.display()
            ),
        }
    }

    /// The repository's top folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The learner's sources.
    pub fn src(&self) -> PathBuf {
        self.root.join("src")
    }

    /// The reference's sources, which mirror [`src`](Self::src) file by file.
    pub fn solutions(&self) -> PathBuf {
        self.root.join("solutions/src")
    }

    /// Whether the reference is there. A learner may have deleted it, or left it out of a sparse
    /// clone.
    pub fn has_solutions(&self) -> bool {
        self.solutions().is_dir() && self.root.join("solutions/Cargo.toml").is_file()
    }

    /// The chapters' tests.
    pub fn tests(&self) -> PathBuf {
        self.root.join("tests")
    }

    /// The book's pages and manifests.
    pub fn book(&self) -> PathBuf {
        self.root.join("book/src")
    }

    /// The table of contents.
    pub fn course_toml(&self) -> PathBuf {
        self.book().join("course.toml")
    }

    /// The recorded runs that the book's pages show.
    pub fn traces(&self) -> PathBuf {
        self.book().join("traces")
    }

    /// The learner's `Cargo.toml`, in which chapters are opened.
    pub fn cargo_toml(&self) -> PathBuf {
        self.root.join("Cargo.toml")
    }

    /// The runner's own files: backups and cached verdicts.
    pub fn state(&self) -> PathBuf {
        self.root.join(".course")
    }

    /// Waits until no other command changes files of the learner's, and keeps others waiting until
    /// the returned file is dropped.
    pub fn lock(&self) -> Result<File> {
        let path = self.state().join("lock");
        let locked = || -> io::Result<File> {
            fs::create_dir_all(self.state())?;
            let file = File::create(&path)?;
            match file.lock() {
                // Some network file systems have no locks.
                Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
                _ => Ok(file),
            }
        };
        locked().with_context(|| format!("cannot lock {}", path.display()))
    }

    /// `path` relative to the repository, with `/` on every system.
    pub fn relative(&self, path: &Path) -> String {
        relative_name(&self.root, path)
    }
}

/// Replaces or creates `path` in one step. A reader sees the whole old content or the whole
/// new one, even after an interruption. A symbolic link stays, and its target is replaced.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let write = || -> io::Result<()> {
        temporary_file(&target, content)?.persist(&target)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {} (it is unchanged)", path.display()))
}

/// Changes the file at `path` from the content `old` to `new` in one step; `None` stands for no
/// file. Returns `false`, and leaves the file as it is, if another program has changed it.
///
/// The file is looked at once more after the change, so that a save that came just before it is
/// put back.
pub fn change(path: &Path, old: Option<&[u8]>, new: Option<&[u8]>) -> Result<bool> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let change = || -> io::Result<bool> {
        match (old, new) {
            (Some(old), Some(new)) => exchange(&target, old, new),
            (Some(old), None) => {
                let aside = temporary_file(&target, b"")?.into_temp_path();
                fs::rename(&target, &aside)?;
                let unchanged = fs::read(&aside)? == old;
                if !unchanged {
                    aside.persist(&target)?;
                }
                Ok(unchanged)
            }
            (None, Some(new)) => match temporary_file(&target, new)?.persist_noclobber(&target) {
                Ok(_) => Ok(true),
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error.error),
            },
            (None, None) => Ok(!target.exists()),
        }
    };
    change().with_context(|| format!("cannot write {} (it is unchanged)", path.display()))
}

/// Puts `new` in place of `old`. Content that is neither goes back to its place.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(target: &Path, old: &[u8], new: &[u8]) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let aside = temporary_file(target, new)?.into_temp_path();
    let (mut expected, mut placed) = (old.to_vec(), new.to_vec());
    let mut unchanged = true;
    loop {
        let flags = RenameFlags::EXCHANGE;
        if renameat_with(CWD, &*aside, CWD, target, flags).is_err() {
            return replace(target, &expected, aside).map(|replaced| replaced && unchanged);
        }
        let found = fs::read(&aside)?;
        if found == expected {
            return Ok(unchanged);
        }
        unchanged = false;
        (expected, placed) = (placed, found);
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(target: &Path, old: &[u8], new: &[u8]) -> io::Result<bool> {
    replace(target, old, temporary_file(target, new)?.into_temp_path())
}

/// Moves the file `from` to `target` if that still has the content `old`. A save between the look
/// and the move is lost, so this is for file systems that cannot exchange two files.
fn replace(target: &Path, old: &[u8], from: tempfile::TempPath) -> io::Result<bool> {
    let unchanged = fs::read(target)? == old;
    if unchanged {
        from.persist(target)?;
    }
    Ok(unchanged)
}

/// A file beside `target`, with its permissions, and with `content` that is on disk.
fn temporary_file(target: &Path, content: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let dir = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempfile_in(dir)?;
    file.write_all(content)?;
    let permissions = match fs::metadata(target) {
        Ok(old) => Some(old.permissions()),
        Err(_) => default_permissions(),
    };
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(unix)]
fn default_permissions() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<fs::Permissions> {
    None
}

/// Removes the temporary files below `dir` that [`write_atomically`] leaves when the process is
/// killed.
pub fn remove_temporary_files(dir: &Path) -> Result<()> {
    for path in files_below(dir)? {
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name.starts_with(TEMPORARY)) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// The prefix of the names of temporary files.
const TEMPORARY: &str = ".course-";

/// Every `.rs` file below `dir`, sorted.
pub fn rust_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = files_below(dir)?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    Ok(files)
}

/// Every file below `dir`, in no order.
pub fn files_below(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(dir) = pending.pop() {
        let unreadable = || format!("cannot read {}", dir.display());
        for entry in fs::read_dir(&dir).with_context(unreadable)? {
            let path = entry.with_context(unreadable)?.path();
            match path.is_dir() {
                true => pending.push(path),
                false => files.push(path),
            }
        }
    }
    Ok(files)
}

/// `path` relative to `root`, with `/` on every system.
pub fn relative_name(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    inside.to_string_lossy().replace('\\', "/")
}
