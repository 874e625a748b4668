//! The imports between the files of a crate: finds circles, imports from later chapters, and
//! the files that some code depends on.

mod items;
mod paths;
mod resolved_impl;
mod tree;
mod used;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use anyhow::Result;
pub use paths::{Import, imports};
use resolved_impl::ResolvedImpl;
use tree::Target;
pub use tree::{Parsed, Tree};
pub use used::{Used, used_in_file};

/// The imports between the files of a crate.
pub struct Imports {
    /// For each file, the files that it uses, each with the name of one used item.
    files: BTreeMap<PathBuf, BTreeMap<PathBuf, String>>,
    chapters: BTreeMap<PathBuf, u32>,
    foreign_impls: Vec<ResolvedImpl>,
    tree: Tree,
}

impl Imports {
    /// Reads the crate whose root file is `root`.
    pub fn load(root: &Path) -> Result<Self> {
        Self::of(root, &|_| None)
    }

    /// The crate whose root file is `root`. Reads the files that are not `parsed`.
    pub fn of(root: &Path, parsed: &Parsed) -> Result<Self> {
        let tree = Tree::of(root, parsed)?;
        let mut files: BTreeMap<PathBuf, BTreeMap<PathBuf, String>> = BTreeMap::new();
        let mut chapters = BTreeMap::new();
        let mut foreign_impls = Vec::new();
        for (index, module) in tree.modules.iter().enumerate() {
            chapters.insert(module.file.clone(), module.chapter);
            let used = files.entry(module.file.clone()).or_default();
            for path in &module.paths {
                if let Some((definer, name)) = tree.item_at(index, path) {
                    let file = &tree.modules[definer].file;
                    if *file != module.file {
                        used.entry(file.clone()).or_insert(name);
                    }
                }
            }
            let own = module.foreign_impls.iter();
            foreign_impls.extend(own.map(|it| ResolvedImpl::new(&tree, index, it)));
        }
        Ok(Self {
            files,
            chapters,
            foreign_impls,
            tree,
        })
    }

    /// The files that code with these uses depends on, and the files of `chapter`. Each path starts
    /// at the crate's root. Later chapters' files are left out.
    ///
    /// They are the files that define the items at the paths, the files that these use, and so on.
    /// A file with an `impl` for a type of another file belongs to them if all types and traits of
    /// the `impl`'s head are in them and, without a trait, the code or one of them names a function
    /// of the `impl`. So do the files of the modules around them, which can replace what a path
    /// means; their own imports do not count.
    pub fn dependencies(&self, used: &Used, chapter: u32) -> BTreeSet<&Path> {
        let modules = &self.tree.modules;
        let mut pending: Vec<&Path> = Vec::new();
        for path in &used.paths {
            match self.tree.resolve_longest(path) {
                Some(Target::Item(module, _)) => pending.push(&modules[module].file),
                Some(Target::Module(module)) => {
                    let inside = self.tree.inside(module).into_iter();
                    pending.extend(inside.map(|module| modules[module].file.as_path()));
                }
                None => {}
            }
        }
        let own = self.chapters.iter().filter(|(_, of)| **of == chapter);
        pending.extend(own.map(|(file, _)| file.as_path()));
        let mut found = BTreeSet::new();
        loop {
            while let Some(file) = pending.pop() {
                if self.chapters[file] <= chapter && found.insert(file) {
                    pending.extend(self.files[file].keys().map(PathBuf::as_path));
                }
            }
            let new = self.foreign_impls.iter().filter(|it| {
                let file = it.file.as_path();
                self.chapters[file] <= chapter
                    && !found.contains(file)
                    && it.can_be_used(used, &found)
            });
            pending.extend(new.map(|it| it.file.as_path()));
            if pending.is_empty() {
                break;
            }
        }
        let around: Vec<&Path> = (0..modules.len())
            .filter(|module| found.contains(modules[*module].file.as_path()))
            .flat_map(|module| self.tree.around(module))
            .map(|module| modules[module].file.as_path())
            .collect();
        found.extend(around);
        found
    }

    /// The chapter whose feature enables a file; 0 without one.
    pub fn chapter_of(&self, file: &Path) -> Option<u32> {
        self.chapters.get(file).copied()
    }

    /// A shortest circle through each file that is on one, as steps `(from, to, name)`. Files
    /// that an earlier circle contains get none of their own.
    pub fn circles(&self) -> Vec<Vec<(&Path, &Path, &str)>> {
        let mut circles = Vec::new();
        let mut covered = BTreeSet::new();
        for start in self.files.keys() {
            if covered.contains(start) {
                continue;
            }
            if let Some(circle) = self.shortest_circle(start) {
                covered.extend(circle.iter().map(|(from, ..)| from.to_path_buf()));
                circles.push(circle);
            }
        }
        circles
    }

    fn shortest_circle(&self, start: &Path) -> Option<Vec<(&Path, &Path, &str)>> {
        let mut came_from: BTreeMap<&Path, (&Path, &str)> = BTreeMap::new();
        let mut pending = VecDeque::from([self.files.get_key_value(start)?.0.as_path()]);
        while let Some(from) = pending.pop_front() {
            for (to, name) in &self.files[from] {
                if came_from.contains_key(to.as_path()) {
                    continue;
                }
                came_from.insert(to, (from, name));
                if to == start {
                    let mut circle = Vec::new();
                    let mut at = to.as_path();
                    loop {
                        let (from, name) = came_from[at];
                        circle.push((from, at, name));
                        at = from;
                        if at == start {
                            circle.reverse();
                            return Some(circle);
                        }
                    }
                }
                pending.push_back(to);
            }
        }
        None
    }

    /// The imports of a file from a module of a later chapter, as `(from, to, name)`.
    pub fn upward(&self) -> Vec<(&Path, &Path, &str)> {
        let uses = self.files.iter().flat_map(|(from, used)| {
            let each = used.iter();
            each.map(|(to, name)| (from.as_path(), to.as_path(), name.as_str()))
        });
        uses.filter(|(from, to, _)| self.chapters[*from] < self.chapters[*to])
            .collect()
    }
}
