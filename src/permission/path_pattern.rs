//! Patterns for paths, such as `src/**` and `~/.ssh/**`.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use globset::{Glob, GlobBuilder, GlobSet};

/// The folders from which paths start. Both are absolute. A pattern may start in either of them, a
/// path of a call only in the workspace: there, `~` is an ordinary name.
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    /// The workspace: the folder in which the agent works.
    pub workspace: PathBuf,
    /// The user's home folder, if it is known.
    pub home: Option<PathBuf>,
}

impl Places {
    /// The absolute form of a path that a call names: a relative path starts in the workspace,
    /// and `.` and `..` are resolved in the text alone. The file system is not asked, so a
    /// symbolic link stays a link; chapter 11 checks where links lead.
    pub fn absolute(&self, path: &str) -> PathBuf {
        todo!("absolute-paths: write Places::absolute")
    }
}

/// A glob for absolute paths. `*` and `?` stay inside one folder, and `**` crosses folders.
#[derive(Debug, Clone)]
pub struct PathPattern {
    /// One glob, or two if the pattern ends in `/**` or `/`: one for the folder, one for what is
    /// in it.
    globs: GlobSet,
}

impl PathPattern {
    /// Reads a pattern. It starts in the workspace, at the root if it begins with `/`, or in
    /// the home folder if it begins with `~/`. A pattern that ends in `/**` or `/` matches
    /// the folder and everything in it.
    ///
    /// A pattern with `..`, one with `~/` where no home folder is known, and an invalid glob
    /// are errors that name the pattern.
    pub fn parse(pattern: &str, places: &Places) -> Result<Self> {
        if Path::new(pattern)
            .components()
            .any(|it| it == Component::ParentDir)
        {
            bail!("`{pattern}` has a `..`; write the path from the workspace, `~/` or `/`");
        }
        let full = match (pattern.strip_prefix("~/"), &places.home) {
            (Some(rest), Some(home)) => below(home, &without_dots(rest.trim_start_matches('/'))),
            (Some(_), None) => bail!("`{pattern}` needs a home folder, and none is known"),
            (None, _) if pattern.starts_with('/') => without_dots(pattern),
            (None, _) => below(&places.workspace, &without_dots(pattern)),
        };
        // A `/` at the end means the folder and everything in it. Left as it is, the pattern would
        // match nothing, since no path but the root ends in `/`.
        let full = match (full.strip_suffix('/'), pattern.ends_with('/')) {
            (Some(folder), true) => format!("{folder}/**"),
            (Some(folder), false) => folder.to_string(),
            (None, _) => full,
        };
        let folder = full.strip_suffix("/**");
        let mut globs = GlobSet::builder();
        for glob in folder.into_iter().chain([full.as_str()]) {
            let glob =
                path_glob(glob).with_context(|| format!("`{pattern}` is not a valid pattern"))?;
            globs.add(glob);
        }
        Ok(Self {
            globs: globs.build()?,
        })
    }

    /// Whether the pattern matches an absolute path without `.` and `..`.
    pub fn matches(&self, path: &Path) -> bool {
        self.globs.is_match(path)
    }
}

/// A pattern below a folder whose own name is not a pattern.
fn below(folder: &Path, pattern: &str) -> String {
    let folder = globset::escape(&folder.to_string_lossy());
    format!("{}/{pattern}", folder.trim_end_matches('/'))
}

/// A pattern without its parts `.`, which stand for the folder itself, and with one `/` for several.
fn without_dots(pattern: &str) -> String {
    let parts = pattern.split('/').filter(|part| !["", "."].contains(part));
    let parts = parts.collect::<Vec<_>>().join("/");
    let root = if pattern.starts_with('/') { "/" } else { "" };
    let end = if pattern.ends_with('/') && !parts.is_empty() {
        "/"
    } else {
        ""
    };
    format!("{root}{parts}{end}")
}

/// A glob in which only `**` matches a `/`.
fn path_glob(pattern: &str) -> Result<Glob> {
    Ok(GlobBuilder::new(pattern).literal_separator(true).build()?)
}
