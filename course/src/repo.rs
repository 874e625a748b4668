//! The paths of the repository, and how files in it are read and written.

use std::fs;
use std::io::Write;
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

    /// `path` relative to the repository, with `/` on every system.
    pub fn relative(&self, path: &Path) -> String {
        relative_name(&self.root, path)
    }
}

/// Replaces or creates `path` in one step. A reader sees the whole old content or the whole
/// new one, even after an interruption. A symbolic link stays, and its target is replaced.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let dir = target.parent().unwrap_or(Path::new("."));
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(dir)?;
        let mut file = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .tempfile_in(dir)?;
        file.write_all(content)?;
        let permissions = match fs::metadata(&target) {
            Ok(old) => Some(old.permissions()),
            Err(_) => default_permissions(),
        };
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.as_file().sync_all()?;
        file.persist(&target)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {} (it is unchanged)", path.display()))
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
