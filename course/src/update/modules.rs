//! The modules of a version.

use crate::imports::Tree;
use crate::repo::Repo;

/// The modules of a version, to look up the paths of imports. `None` if they cannot be read.
pub struct Modules(Option<Tree>);

impl Modules {
    /// Reads the modules of the reference.
    pub fn of(repo: &Repo) -> Self {
        Self(Tree::load(&repo.solutions().join("lib.rs")).ok())
    }

    /// Whether `path`, from the crate's root, leads to an item.
    pub fn has(&self, path: &[String]) -> bool {
        let tree = self.0.as_ref();
        tree.is_none_or(|tree| tree.resolve(0, path).is_some())
    }
}
