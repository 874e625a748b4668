//! The files that an `impl` for a type of another module depends on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::items::ForeignImpl;
use super::tree::Tree;
use super::used::Used;

/// An `impl` that code can use without a path to its file.
pub(super) struct ResolvedImpl {
    /// The file that contains it.
    pub(super) file: PathBuf,
    /// The files that define the types and traits of its head.
    head: BTreeSet<PathBuf>,
    /// Without a trait, the names of its functions and constants.
    names: Option<BTreeSet<String>>,
    /// The files that contain one of these names.
    named_in: BTreeSet<PathBuf>,
}

impl ResolvedImpl {
    /// An `impl` in the module `index`.
    pub(super) fn new(tree: &Tree, index: usize, implemented: &ForeignImpl) -> Self {
        let head = implemented.head.iter().filter_map(|path| {
            let (definer, name) = tree.item_at(index, path)?;
            let definer = &tree.modules[definer];
            (!definer.aliases.contains(&name)).then(|| definer.file.clone())
        });
        let named_in = tree.modules.iter().filter(|module| {
            let mut names = implemented.names.iter().flatten();
            names.any(|name| module.identifiers.contains(name))
        });
        Self {
            file: tree.modules[index].file.clone(),
            head: head.collect(),
            names: implemented.names.clone(),
            named_in: named_in.map(|module| module.file.clone()).collect(),
        }
    }

    /// Whether code with these uses, or one of the files, can use it.
    pub(super) fn can_be_used(&self, used: &Used, files: &BTreeSet<&Path>) -> bool {
        let is_used = |file: &PathBuf| files.contains(file.as_path());
        self.head.iter().all(is_used)
            && self.names.as_ref().is_none_or(|names| {
                names.iter().any(|name| used.identifiers.contains(name))
                    || self.named_in.iter().any(is_used)
            })
    }
}
