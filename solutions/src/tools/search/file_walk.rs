//! The files that are meant, and a walk to all of them.

use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder, WalkState};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Filter;
use crate::tools::resolve;

/// Which files are meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// A folder, searched with all that lies below it, or a single file. Relative to the
    /// root folder.
    pub path: String,
    /// A glob, from `path` on.
    pub glob: Option<String>,
    /// A file type, such as `rust`.
    pub file_type: Option<String>,
    /// Whether names that begin with a `.` count.
    pub hidden: bool,
    /// Whether files count that `.gitignore` and its kind leave out.
    pub ignored: bool,
}

impl Scope {
    /// The scope in a call's arguments; what is left out is as in the default.
    pub fn from_args(args: &Value) -> Self {
        let text = |name: &str| args[name].as_str().map(str::to_string);
        Self {
            path: text("path").unwrap_or_else(|| ".".to_string()),
            glob: text("glob"),
            file_type: text("type"),
            hidden: args["hidden"].as_bool().unwrap_or(false),
            ignored: args["ignored"].as_bool().unwrap_or(false),
        }
    }

    /// Which files are meant, in words that go on after `files`.
    pub fn words(&self) -> String {
        let mut words = format!("in `{}`", self.path);
        if let Some(glob) = &self.glob {
            words += &format!(" that fit the glob `{glob}`, seen from there");
        }
        if let Some(file_type) = &self.file_type {
            words += &format!(", of the type `{file_type}`");
        }
        words += match (self.hidden, self.ignored) {
            (false, false) => ", hidden and ignored ones aside",
            (false, true) => ", hidden ones aside",
            (true, false) => ", ignored ones aside",
            (true, true) => "",
        };
        words
    }
}

impl Default for Scope {
    /// The whole root folder, without what is hidden or ignored.
    fn default() -> Self {
        Self::from_args(&Value::Null)
    }
}

/// The files of a scope, ready to be visited.
pub struct Tree {
    /// The root folder, free of links: what paths are shown relative to.
    root: PathBuf,
    /// The folder or file that is searched, absolute and free of links.
    place: PathBuf,
    walk: WalkBuilder,
}

impl Tree {
    /// The files of `scope` at or below `root`. The error is for the model to read.
    ///
    /// Of a folder these are the files below it, in the order of no rule, without those
    /// that are hidden, ignored or not admitted by the filter, and never those in a
    /// `.git`. Links are not followed. A single file is itself, whatever else is said.
    pub fn open(root: &Path, scope: &Scope) -> Result<Self, String> {
        let place = resolve(root, &scope.path)?;
        if !place.is_dir() && !place.is_file() {
            return Err(format!("`{}` is neither a file nor a folder", scope.path));
        }
        let filter = Filter::new(&place, scope.glob.as_deref(), scope.file_type.as_deref())?;
        let mut walk = WalkBuilder::new(&place);
        walk.standard_filters(!scope.ignored)
            .hidden(!scope.hidden)
            .filter_entry(move |entry| is_meant(&filter, entry));
        if !scope.ignored {
            walk.add_custom_ignore_filename(".rgignore");
        }
        let root = resolve(root, ".")?;
        Ok(Self { root, place, walk })
    }

    /// Whether a folder is searched, rather than a single file.
    pub fn is_folder(&self) -> bool {
        self.place.is_dir()
    }

    /// `path`, which is absolute, as it is shown: relative to the root folder.
    pub fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Visits every file once, on as many threads as the machine has use for, and
    /// returns when all of them are done. `visitor` is called once a thread, for a visitor
    /// of that thread's own. It gets a file's absolute path, or the reason why something
    /// could not be read.
    ///
    /// Once `stop` is cancelled, no thread takes up another file.
    pub fn visit<V>(&self, stop: &CancellationToken, mut visitor: impl FnMut() -> V)
    where
        V: FnMut(Result<&Path, String>) + Send,
    {
        self.walk.build_parallel().run(|| {
            let mut visit = visitor();
            Box::new(move |entry| {
                if stop.is_cancelled() {
                    return WalkState::Quit;
                }
                match entry {
                    Ok(entry) if is_file(&entry) => visit(Ok(entry.path())),
                    Ok(_) => {}
                    Err(error) => visit(Err(self.words(&error))),
                }
                WalkState::Continue
            })
        });
    }

    /// An error of the walk, with its path as it is shown.
    fn words(&self, error: &ignore::Error) -> String {
        match error {
            ignore::Error::WithPath { path, err } => {
                format!("{}: {err}", self.relative(path).display())
            }
            ignore::Error::WithDepth { err, .. } => self.words(err),
            other => other.to_string(),
        }
    }
}

/// Whether the walk goes to `entry`. The place where it begins is not asked about.
fn is_meant(filter: &Filter, entry: &DirEntry) -> bool {
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    entry.file_name() != ".git" && filter.admits(entry.path(), is_folder)
}

/// Whether there is something to read: no folder, no link, no device.
fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}
