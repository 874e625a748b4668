//! The builds of the book that readers get.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use anyhow::Result;
use course::book::Pages;
use course::repo::Repo;

use crate::build;
use crate::preprocess::Directives;

/// The last good build of the book, and the error of a later build.
pub(super) struct Site {
    pub repo: Repo,
    builds: PathBuf,
    shown: RwLock<Shown>,
}

#[derive(Clone, Default)]
pub(super) struct Shown {
    /// The number of the build, and the name of its folder.
    pub build: u32,
    pub error: Option<String>,
}

impl Site {
    /// Builds the book for the first time. An error here is final.
    pub fn new(repo: &Repo, builds: &Path) -> Result<Self> {
        let site = Self {
            repo: repo.clone(),
            builds: builds.to_path_buf(),
            shown: RwLock::default(),
        };
        site.build(0)?;
        Ok(site)
    }

    /// Builds the book into another folder. Until that has succeeded, readers get the old one.
    pub fn rebuild(&self) {
        let Shown { build: old, .. } = self.shown();
        let now = match self.build(old + 1) {
            Ok(()) => Shown {
                build: old + 1,
                error: None,
            },
            Err(error) => {
                let error = format!("{error:#}");
                eprintln!("The book cannot be built, so the last good one is shown: {error}");
                Shown {
                    build: old,
                    error: Some(error),
                }
            }
        };
        if now.build != old && old > 0 {
            // A page may still load from the old build, but not from the one before it.
            let _ = fs::remove_dir_all(self.folder(old - 1));
        }
        *self.shown.write().unwrap_or_else(PoisonError::into_inner) = now;
    }

    fn build(&self, number: u32) -> Result<()> {
        let directives = Directives::new(Pages::load(&self.repo)?);
        for warning in build::build(&self.repo, &self.folder(number), directives)? {
            eprintln!("warning: {warning}");
        }
        Ok(())
    }

    pub fn folder(&self, build: u32) -> PathBuf {
        self.builds.join(build.to_string())
    }

    pub fn shown(&self) -> Shown {
        self.shown
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
