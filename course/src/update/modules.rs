//! The modules of a version.

use std::path::Path;

use crate::imports::Tree;
use crate::repo::{Repo, relative_name};
use crate::stubs::Solution;

/// The modules of a version, to look up the paths of imports. `None` if they cannot be read.
pub struct Modules(Option<Tree>);

impl Modules {
    /// The modules of the reference.
    pub fn of(repo: &Repo, solution: &Solution) -> Self {
        let root = repo.solutions();
        let parsed = |path: &Path| solution.file(&relative_name(&root, path));
        Self(Tree::of(&root.join("lib.rs"), &parsed).ok())
    }

    /// Whether `path`, from the crate's root, leads to an item.
    pub fn has(&self, path: &[String]) -> bool {
        let tree = self.0.as_ref();
        tree.is_none_or(|tree| tree.resolve(0, path).is_some())
    }
}
