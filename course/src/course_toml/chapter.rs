//! A chapter and the paths of its files.

use std::path::PathBuf;

use serde::Deserialize;

use crate::manifest::Manifest;
use crate::repo::Repo;

/// One chapter, written or planned.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chapter {
    /// Its number. It never changes.
    pub number: u32,
    /// Its name in file names, such as `messages-and-types`.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// One sentence for the table of chapters.
    pub about: String,
    /// Its manifest; `None` if the chapter is only planned.
    #[serde(skip)]
    pub manifest: Option<Manifest>,
}

impl Chapter {
    /// `chNN-slug`, the name of its page and manifest without the extension.
    pub fn stem(&self) -> String {
        format!("ch{:02}-{}", self.number, self.slug)
    }

    /// Its page in the book, relative to the repository.
    pub fn page(&self) -> String {
        format!("book/src/{}.md", self.stem())
    }

    /// Its Cargo feature and the module of its tests, such as `ch1`.
    pub fn feature(&self) -> String {
        format!("ch{}", self.number)
    }

    /// The Cargo feature of the crates that the chapter and all before it depend on, such as
    /// `crates6`.
    pub fn crates_feature(&self) -> String {
        format!("crates{}", self.number)
    }

    /// The path of its manifest, which need not exist yet.
    pub fn manifest_path(&self, repo: &Repo) -> PathBuf {
        repo.book().join(format!("{}.toml", self.stem()))
    }

    /// The path of its quiz, which need not exist yet.
    pub fn quiz_path(&self, repo: &Repo) -> PathBuf {
        repo.book().join(format!("{}.quiz.toml", self.stem()))
    }

    /// The folder of its tests, such as `tests/ch01`.
    pub fn suite_dir(&self, repo: &Repo) -> PathBuf {
        repo.tests().join(format!("ch{:02}", self.number))
    }
}
