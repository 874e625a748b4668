//! The imports between the files of a crate: finds circles, and imports from later chapters.

mod paths;
mod tree;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use anyhow::Result;
use tree::{Target, Tree};

/// The imports between the files of a crate.
pub struct Imports {
    /// For each file, the files that it uses, each with the name of one used item.
    files: BTreeMap<PathBuf, BTreeMap<PathBuf, String>>,
    chapters: BTreeMap<PathBuf, u32>,
}

impl Imports {
    /// Reads the crate whose root file is `root`.
    pub fn load(root: &Path) -> Result<Self> {
        let tree = Tree::load(root)?;
        let mut imports = Self {
            files: BTreeMap::new(),
            chapters: BTreeMap::new(),
        };
        for (index, module) in tree.modules.iter().enumerate() {
            imports.chapters.insert(module.file.clone(), module.chapter);
            let used = imports.files.entry(module.file.clone()).or_default();
            for path in &module.paths {
                if let Some(Target::Item(definer, name)) = tree.resolve(index, path) {
                    let file = &tree.modules[definer].file;
                    if *file != module.file {
                        used.entry(file.clone()).or_insert(name);
                    }
                }
            }
        }
        Ok(imports)
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
