//! Reads the files of a submission that matter: from a folder, an archive or a revision of git.
//!
//! Nothing is unpacked. Paths are checked before anything is read, links are not followed, and
//! each file has a size limit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Cursor, Read};
use std::path::{Component, Path};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail, ensure};
use course::cargo_config;
use course::repo::Repo;
use flate2::read::GzDecoder;

/// The files of a submission, by their paths in it.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Reads the submission that `argument` names.
pub fn read(repo: &Repo, argument: &str) -> Result<Files> {
    let path = Path::new(argument);
    let mut reader = Reader::default();
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            refuse_configuration(repo, path)?;
            reader.folder(path, "", 0)?;
        }
        Ok(_) => reader.archive(path)?,
        Err(_) => reader.revision(repo, argument)?,
    }
    reader.finish()
}

/// Collects files.
#[derive(Default)]
struct Reader {
    files: Files,
    size: usize,
}

impl Reader {
    fn folder(&mut self, folder: &Path, prefix: &str, depth: usize) -> Result<()> {
        ensure!(
            depth <= DEEPEST,
            "{prefix} is more than {DEEPEST} folders deep"
        );
        let unreadable = || format!("cannot read {}", folder.display());
        let mut entries = fs::read_dir(folder)
            .with_context(unreadable)?
            .collect::<Result<Vec<_>, _>>()
            .with_context(unreadable)?;
        entries.sort_by_key(|entry| entry.file_name());
        for entry in entries {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            // The type of the entry itself: a link is not followed.
            let kind = entry.file_type().with_context(unreadable)?;
            if kind.is_symlink() {
                refuse_link(&name)?;
            } else if kind.is_dir() {
                // Of all folders, such as target, only these can have files that matter.
                if depth == 0 || is_relevant(&format!("{name}/x.rs")) {
                    self.folder(&entry.path(), &format!("{name}/"), depth + 1)?;
                }
            } else if kind.is_file() && is_relevant(&name) {
                let file = File::open(entry.path()).with_context(unreadable)?;
                self.add(&name, file)?;
            }
        }
        Ok(())
    }

    fn archive(&mut self, path: &Path) -> Result<()> {
        let file = File::open(path).context("it cannot be opened")?;
        let name = path.to_string_lossy().to_lowercase();
        let torn = "the archive is damaged or incomplete";
        if name.ends_with(".zip") {
            self.zip(file).context(torn)
        } else if name.ends_with(".tar.gz") || name.ends_with(".tgz") {
            self.tar(GzDecoder::new(file)).context(torn)
        } else if name.ends_with(".tar") {
            self.tar(file).context(torn)
        } else {
            bail!("it is neither a folder nor an archive (.zip, .tar, .tar.gz, .tgz)")
        }
    }

    fn zip(&mut self, file: File) -> Result<()> {
        let mut archive = zip::ZipArchive::new(file)?;
        ensure!(archive.len() <= MOST_ENTRIES, TOO_MANY);
        for at in 0..archive.len() {
            let entry = archive.by_index(at)?;
            let name = checked(&entry.name()?)?;
            if entry.is_symlink() {
                refuse_link(&name)?;
            } else if entry.is_file() && is_relevant(&name) {
                self.add(&name, entry)?;
            }
        }
        Ok(())
    }

    fn tar(&mut self, from: impl Read) -> Result<()> {
        // A small archive can unpack to any size, and is read to its end.
        let mut archive = tar::Archive::new(from.take(MOST_UNPACKED));
        for (at, entry) in archive.entries()?.enumerate() {
            ensure!(at < MOST_ENTRIES, TOO_MANY);
            let entry = entry?;
            let name = entry.path_bytes();
            let name = checked(&String::from_utf8_lossy(&name))?;
            let kind = entry.header().entry_type();
            if kind.is_symlink() || kind.is_hard_link() {
                refuse_link(&name)?;
            } else if kind.is_file() && is_relevant(&name) {
                self.add(&name, entry)?;
            }
        }
        Ok(())
    }

    fn revision(&mut self, repo: &Repo, name: &str) -> Result<()> {
        let git = |arguments: &[&str]| {
            let mut git = Command::new("git");
            git.arg("-C").arg(repo.root()).args(arguments);
            git.stdin(Stdio::null())
                .output()
                .context("cannot start git")
        };
        let unknown = || {
            anyhow!("there is no such file or folder, and git has no such revision in this clone")
        };
        ensure!(!name.starts_with('-'), unknown());
        let commit = format!("{name}^{{commit}}");
        let commit = git(&["rev-parse", "--verify", "--quiet", &commit])?;
        ensure!(commit.status.success(), unknown());
        let commit = String::from_utf8_lossy(&commit.stdout).trim().to_string();
        let archive = git(&["archive", "--format=tar", &commit])?;
        ensure!(
            archive.status.success(),
            "git archive: {}",
            String::from_utf8_lossy(&archive.stderr).trim()
        );
        self.tar(Cursor::new(archive.stdout))
    }

    fn add(&mut self, name: &str, from: impl Read) -> Result<()> {
        let mut content = Vec::new();
        from.take(MOST_BYTES as u64 + 1)
            .read_to_end(&mut content)
            .with_context(|| format!("{name} cannot be read"))?;
        ensure!(
            content.len() <= MOST_BYTES,
            "{name} is larger than {} MiB",
            MOST_BYTES >> 20
        );
        self.size += content.len();
        ensure!(
            self.size <= MOST_IN_ALL,
            "its sources are larger than {} MiB",
            MOST_IN_ALL >> 20
        );
        self.files.insert(name.to_string(), content);
        Ok(())
    }

    /// The files, without the folder that an archive puts around them.
    fn finish(self) -> Result<Files> {
        let is_source = |name: &str| name.starts_with("src/") && name.ends_with(".rs");
        if self.files.keys().any(|name| is_source(name)) {
            return Ok(self.files);
        }
        let mut inside = Files::new();
        let mut wrappers = BTreeSet::new();
        for (name, content) in self.files {
            if let Some((wrapper, name)) = name.split_once('/') {
                wrappers.insert(wrapper.to_string());
                inside.insert(name.to_string(), content);
            }
        }
        ensure!(
            wrappers.len() == 1 && inside.keys().any(|name| is_source(name)),
            "it has no folder src with Rust files"
        );
        Ok(inside)
    }
}

/// Whether a file is taken or compared: at the top, or in one folder around everything.
fn is_relevant(name: &str) -> bool {
    let inside = name
        .split_once('/')
        .filter(|(wrapper, _)| !OTHERS.contains(wrapper))
        .map(|(_, inside)| inside);
    [Some(name), inside].into_iter().flatten().any(|name| {
        let top = name.split_once('/').map_or(name, |(top, _)| top);
        // A hidden file is never a module. `tar` on a Mac adds `._lib.rs` beside `lib.rs`.
        let is_hidden = name
            .rsplit('/')
            .next()
            .is_some_and(|file| file.starts_with('.'));
        match top {
            "src" | "tests" => name.ends_with(".rs") && !is_hidden,
            ".cargo" | "build.rs" | "Cargo.toml" => true,
            _ => false,
        }
    })
}

/// Cargo reads its configuration from its home folder and from the folders above the clone. In a
/// submission, it could name another compiler.
fn refuse_configuration(repo: &Repo, submission: &Path) -> Result<()> {
    let submission = submission.canonicalize().context("it cannot be read")?;
    let clone = repo.root().parent().map(Path::to_path_buf);
    for (what, folder) in [
        ("this clone", clone),
        ("cargo's home folder", cargo_config::home()),
    ] {
        let folder = folder.and_then(|folder| folder.canonicalize().ok());
        ensure!(
            !folder.is_some_and(|folder| folder.starts_with(&submission)),
            "{what} is inside it, so its configuration of cargo would be used; move {what}"
        );
    }
    Ok(())
}

/// Links in the sources could lead to any file of the grader's.
fn refuse_link(name: &str) -> Result<()> {
    let inside = name.split_once('/').map_or(name, |(_, inside)| inside);
    let in_src = |name: &str| name == "src" || name.starts_with("src/");
    let is_other = OTHERS
        .iter()
        .any(|other| name.starts_with(&format!("{other}/")));
    ensure!(
        !in_src(name) && (is_other || !in_src(inside)),
        "{name} is a link; only files are graded"
    );
    Ok(())
}

/// The path of an archive's entry, if it stays inside.
fn checked(name: &str) -> Result<String> {
    let mut inside = Vec::new();
    for component in Path::new(&name.replace('\\', "/")).components() {
        match component {
            Component::Normal(part) => inside.push(part.to_string_lossy().into_owned()),
            Component::CurDir => {}
            _ => bail!("the archive has the path {name}, which leads out of it"),
        }
    }
    Ok(inside.join("/"))
}

/// Folders of the course with a src of their own, which is no submission.
const OTHERS: [&str; 9] = [
    ".git",
    "bench",
    "book",
    "course",
    "offline",
    "solutions",
    "src",
    "target",
    "tests",
];
const TOO_MANY: &str = "the archive has too many files";
const MOST_ENTRIES: usize = 200_000;
/// Of a folder's depth, for the sources.
const DEEPEST: usize = 16;
/// Of one file.
const MOST_BYTES: usize = 1 << 20;
/// Of all files that matter.
const MOST_IN_ALL: usize = 32 << 20;
/// Of a compressed archive.
const MOST_UNPACKED: u64 = 4 << 30;
