//! Gets another version of the course: from git, a folder or an archive.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::installed::names;
use crate::repo::{self, Repo};

/// Another version of the course, in a folder of its own.
pub struct Incoming {
    /// Its copy.
    pub repo: Repo,
    /// Where it comes from, for the learner.
    pub name: String,
    /// The folder that is removed with it.
    folder: PathBuf,
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // The next update removes what is left.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Incoming {
    /// Gets the version at `source`: a folder, an archive, or a remote, branch or address that git
    /// knows. Without one, the newest version of the remote that the clone comes from. The copy is
    /// below `.course/`.
    pub fn get(repo: &Repo, source: Option<&str>) -> Result<Self> {
        let folder = repo.state().join("update");
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        let copy = folder.join("new");
        fs::create_dir_all(&copy).with_context(|| format!("cannot make {}", copy.display()))?;
        let mut incoming = Self {
            repo: repo.clone(),
            name: String::new(),
            folder,
        };
        let path = source.map(Path::new).filter(|path| path.exists());
        incoming.name = match (path, source) {
            (Some(path), _) if path.is_dir() => {
                copy_course(&top_of(path)?, &copy)?;
                path.display().to_string()
            }
            (Some(path), _) => {
                let unpacked = incoming.folder.join("unpacked");
                unpack(path, &unpacked)?;
                copy_course(&top_of(&unpacked)?, &copy)?;
                path.display().to_string()
            }
            (None, source) => export(repo, source, &copy)?,
        };
        incoming.repo = Repo::find(&top_of(&copy)?)?;
        ensure!(
            incoming.repo.has_solutions(),
            "{} has no folder solutions/, so it is no complete version of the course",
            incoming.name
        );
        Ok(incoming)
    }
}

/// The folder of the course in `path`, which may be in a folder of its own, as in archives.
fn top_of(path: &Path) -> Result<PathBuf> {
    let is_course = |path: &Path| path.join("book/src/course.toml").is_file();
    if is_course(path) {
        return Ok(path.to_path_buf());
    }
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    match folders.find(|folder| is_course(folder)) {
        Some(folder) => Ok(folder),
        None => bail!(
            "{} is not a version of the course: it has no book/src/course.toml",
            path.display()
        ),
    }
}

/// Copies the course's files and `src/`.
fn copy_course(from: &Path, to: &Path) -> Result<()> {
    let repo = Repo::find(from)?;
    let course_files = names(&repo)?.into_iter().map(|name| from.join(name));
    for path in course_files.chain(repo::files_below(&repo.src())?) {
        let target = to.join(repo::relative_name(from, &path));
        let folder = target.parent().unwrap_or(to);
        fs::create_dir_all(folder)
            .and_then(|()| fs::copy(&path, &target).map(drop))
            .with_context(|| format!("cannot copy {}", path.display()))?;
    }
    Ok(())
}

/// Unpacks an archive with the first program that can. `tar` reads zip files too, except on Linux.
fn unpack(archive: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let is_zip = archive.extension().is_some_and(|end| end == "zip");
    let programs: &[(&str, &[&str])] = match is_zip {
        true => &[
            ("unzip", &["-q", "{archive}", "-d", "{to}"]),
            ("tar", &["-xf", "{archive}", "-C", "{to}"]),
            ("python3", &["-m", "zipfile", "-e", "{archive}", "{to}"]),
        ],
        false => &[("tar", &["-xf", "{archive}", "-C", "{to}"])],
    };
    for (program, arguments) in programs {
        let mut command = Command::new(program);
        for argument in *arguments {
            match *argument {
                "{archive}" => command.arg(archive),
                "{to}" => command.arg(to),
                other => command.arg(other),
            };
        }
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        if status.is_ok_and(|status| status.success()) {
            return Ok(());
        }
    }
    bail!(
        "{} cannot be unpacked; unpack it yourself, and name the folder instead",
        archive.display()
    )
}

/// Writes the files of a commit to `to`. The clone's branches, index and files stay as they are.
fn export(repo: &Repo, source: Option<&str>, to: &Path) -> Result<String> {
    let root = repo.root();
    if !root.join(".git").exists() {
        match source {
            Some(source) => bail!("there is no file or folder {source}"),
            None => bail!(
                "this folder is no git clone, so name the new version: `cargo course update FOLDER` or `cargo course update ARCHIVE`"
            ),
        }
    }
    let remotes = git(root, &["remote"], &[])?;
    let is_remote = |name: &str| remotes.lines().any(|remote| remote == name);
    let (name, commit) = match source {
        None => {
            let branch = git(root, &["rev-parse", "--abbrev-ref", "HEAD"], &[]);
            let key = format!("branch.{}.remote", branch.unwrap_or_default().trim());
            let remote = git(root, &["config", &key], &[]).unwrap_or_default();
            let remote = match remote.trim() {
                "" | "." => "origin",
                remote => remote,
            };
            ensure!(
                is_remote(remote),
                "this clone has no remote `{remote}`, so name the new version: `cargo course update FOLDER`, or the address of a repository"
            );
            (remote.to_string(), fetched(root, &[remote, "HEAD"])?)
        }
        Some(remote) if is_remote(remote) => {
            (remote.to_string(), fetched(root, &[remote, "HEAD"])?)
        }
        Some(address) if address.contains("://") || address.contains('@') => {
            (address.to_string(), fetched(root, &[address, "HEAD"])?)
        }
        Some(branch) => {
            if let Some((remote, name)) = branch.split_once('/')
                && is_remote(remote)
            {
                (branch.to_string(), fetched(root, &[remote, name])?)
            } else {
                let wanted = format!("{branch}^{{commit}}");
                // Git says nothing about a name that it does not know.
                let commit = git(root, &["rev-parse", "--verify", "--quiet", &wanted], &[]).ok();
                let commit = commit.with_context(|| {
                    format!(
                        "`{branch}` is neither a file or folder nor a remote or branch of this clone"
                    )
                })?;
                (branch.to_string(), commit.trim().to_string())
            }
        }
    };
    let index = to.with_extension("index");
    let environment = [("GIT_INDEX_FILE", index.as_path())];
    git(root, &["read-tree", &commit], &environment)?;
    let prefix = format!("--prefix={}/", to.display());
    git(root, &["checkout-index", "--all", &prefix], &environment)?;
    let short: String = commit.chars().take(10).collect();
    Ok(format!("{name}, commit {short}"))
}

/// Fetches a branch and returns its commit. No branch of the clone changes.
fn fetched(root: &Path, what: &[&str]) -> Result<String> {
    let mut arguments = vec!["fetch", "--quiet", "--no-tags"];
    arguments.extend(what);
    git(root, &arguments, &[]).context("the new version cannot be fetched")?;
    let commit = git(root, &["rev-parse", "FETCH_HEAD"], &[])?;
    Ok(commit.trim().to_string())
}

/// The output of a git command.
fn git(root: &Path, arguments: &[&str], environment: &[(&str, &Path)]) -> Result<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .context("git cannot be started; name a folder or a downloaded archive instead")?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        bail!("git {}: {}", arguments.join(" "), error.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
