//! The imports between the files of a crate: finds circles, imports from later chapters, and
//! the files that some code depends on.

mod items;
mod paths;
mod tree;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
pub use paths::{Import, imports};
use tree::Target;
pub use tree::Tree;

/// The paths in a file's code and its private imports, each as written.
pub fn paths_in_file(path: &Path) -> Result<Vec<Vec<String>>> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let file = syn::parse_file(&text);
    let file = file.with_context(|| format!("cannot parse {}", path.display()))?;
    let mut paths = Vec::new();
    let mut pending = file.items;
    while let Some(item) = pending.pop() {
        paths.extend(paths::paths_in(&item));
        if let syn::Item::Mod(module) = item {
            pending.extend(module.content.into_iter().flat_map(|(_, items)| items));
        }
    }
    Ok(paths)
}

/// The imports between the files of a crate.
pub struct Imports {
    /// For each file, the files that it uses, each with the name of one used item.
    files: BTreeMap<PathBuf, BTreeMap<PathBuf, String>>,
    chapters: BTreeMap<PathBuf, u32>,
    tree: Tree,
}

impl Imports {
    /// Reads the crate whose root file is `root`.
    pub fn load(root: &Path) -> Result<Self> {
        let tree = Tree::load(root)?;
        let mut files: BTreeMap<PathBuf, BTreeMap<PathBuf, String>> = BTreeMap::new();
        let mut chapters = BTreeMap::new();
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
        }
        Ok(Self {
            files,
            chapters,
            tree,
        })
    }

    /// The files that code depends on which uses `paths`, each from the crate's root, and the
    /// files of `chapter`. Later chapters' files are left out.
    ///
    /// They are the files that define the items at `paths`, the files that these use, and so on.
    /// A file that implements something for a type of another file belongs to them if it uses one
    /// of them. So do the files of the modules around them, which can replace what a path means;
    /// their own imports do not count.
    pub fn dependencies(&self, paths: &[Vec<String>], chapter: u32) -> BTreeSet<&Path> {
        let modules = &self.tree.modules;
        let mut pending: Vec<&Path> = Vec::new();
        for path in paths {
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
            pending.extend(modules.iter().filter_map(|module| {
                let file = module.file.as_path();
                let is_relevant = module.has_foreign_impls
                    && module.chapter <= chapter
                    && !found.contains(file)
                    && self.files[file]
                        .keys()
                        .any(|used| found.contains(used.as_path()));
                is_relevant.then_some(file)
            }));
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
