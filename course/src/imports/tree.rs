//! The modules of a crate, with the items that each defines and imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use super::items::{ForeignImpl, alias_of, chapter_of, foreign_impl, name_of};
use super::paths::{Import, identifiers, imports, paths_in};
use crate::source::Source;

/// The modules of a crate.
pub struct Tree {
    /// The modules, inline ones too. The first is the crate's root.
    pub modules: Vec<Module>,
}

/// One module.
pub struct Module {
    /// The file that contains it.
    pub file: PathBuf,
    /// The chapter whose feature enables it; 0 without one.
    pub chapter: u32,
    /// The paths in its items.
    pub paths: Vec<Vec<String>>,
    /// The identifiers in its items.
    pub identifiers: BTreeSet<String>,
    /// What it implements for types that other modules define, and for type parameters.
    pub foreign_impls: Vec<ForeignImpl>,
    parent: usize,
    children: BTreeMap<String, usize>,
    names: BTreeSet<String>,
    /// Those of its names that are names of other types.
    pub aliases: BTreeSet<String>,
    imports: Vec<Import>,
}

/// The target of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A module, by its index.
    Module(usize),
    /// An item: the module that defines it, and its name.
    Item(usize, String),
}

/// Finds files that are parsed already.
pub type Parsed<'a> = dyn Fn(&Path) -> Option<&'a Source> + 'a;

impl Tree {
    /// The crate whose root file is `root`. Reads the files that are not `parsed`.
    pub fn of(root: &Path, parsed: &Parsed) -> Result<Self> {
        let mut tree = Self {
            modules: Vec::new(),
        };
        tree.load_file(parsed, root, 0, 0)?;
        Ok(tree)
    }

    fn load_file(
        &mut self,
        parsed: &Parsed,
        path: &Path,
        parent: usize,
        chapter: u32,
    ) -> Result<usize> {
        if let Some(source) = parsed(path) {
            return self.add(parsed, path, &source.ast.items, parent, chapter);
        }
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = syn::parse_file(&text)
            .map_err(|error| anyhow!("cannot parse {}: {error}", path.display()))?;
        self.add(parsed, path, &file.items, parent, chapter)
    }

    fn add(
        &mut self,
        parsed: &Parsed,
        file: &Path,
        items: &[syn::Item],
        parent: usize,
        chapter: u32,
    ) -> Result<usize> {
        let index = self.modules.len();
        let names: BTreeSet<String> = items.iter().filter_map(name_of).collect();
        self.modules.push(Module {
            file: file.to_path_buf(),
            chapter,
            paths: items.iter().flat_map(paths_in).collect(),
            parent,
            children: BTreeMap::new(),
            identifiers: identifiers(items),
            foreign_impls: items
                .iter()
                .filter_map(|item| foreign_impl(item, &names))
                .collect(),
            names,
            aliases: items.iter().filter_map(alias_of).collect(),
            imports: items.iter().flat_map(imports).collect(),
        });
        for item in items {
            let syn::Item::Mod(module) = item else {
                continue;
            };
            let chapter = chapter.max(chapter_of(&module.attrs));
            let name = module.ident.to_string();
            let child = match &module.content {
                Some((_, items)) => self.add(parsed, file, items, index, chapter)?,
                None => self.load_file(parsed, &file_of(file, &name), index, chapter)?,
            };
            self.modules[index].children.insert(name, child);
        }
        Ok(index)
    }

    /// A module and the modules inside it.
    pub fn inside(&self, module: usize) -> Vec<usize> {
        let mut all = vec![module];
        let mut next = 0;
        while let Some(module) = all.get(next) {
            all.extend(self.modules[*module].children.values());
            next += 1;
        }
        all
    }

    /// The modules around a module, up to the crate's root.
    pub fn around(&self, module: usize) -> impl Iterator<Item = usize> {
        let parent = |module: &usize| (*module != 0).then(|| self.modules[*module].parent);
        std::iter::successors(parent(&module), parent)
    }

    /// The target of the longest part of `path`, from the crate's root, that has one.
    pub fn resolve_longest(&self, path: &[String]) -> Option<Target> {
        let longest_first = (1..=path.len()).rev();
        longest_first
            .map(|length| &path[..length])
            .find_map(|part| self.resolve(0, part))
    }

    /// The item that `path` may mean in module `from`: the module that defines it, and its name.
    ///
    /// With `mod wire; pub use wire::*`, the name of the module may also mean a function `wire` in
    /// it.
    pub fn item_at(&self, from: usize, path: &[String]) -> Option<(usize, String)> {
        match self.resolve(from, path)? {
            Target::Item(module, name) => Some((module, name)),
            Target::Module(module) => {
                let name = path.last()?;
                let names = &self.modules[module].names;
                names.contains(name).then(|| (module, name.clone()))
            }
        }
    }

    /// The target of `path` in module `from`. `None` if it is outside this crate.
    pub fn resolve(&self, from: usize, path: &[String]) -> Option<Target> {
        self.resolve_in(from, path, &mut BTreeSet::new())
    }

    fn resolve_in(
        &self,
        from: usize,
        path: &[String],
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Option<Target> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Target::Module(0),
            "self" => Target::Module(from),
            "super" => Target::Module(self.modules[from].parent),
            name => self.lookup(from, name, rest.is_empty(), seen)?,
        };
        while let Target::Module(module) = at {
            let Some((name, more)) = rest.split_first() else {
                break;
            };
            rest = more;
            at = match name.as_str() {
                "super" => Target::Module(self.modules[module].parent),
                name => self.lookup(module, name, rest.is_empty(), seen)?,
            };
        }
        Some(at)
    }

    /// The target of a name that a module defines or imports. A module and an item may share a
    /// name; the last segment of a path means the item.
    fn lookup(
        &self,
        module: usize,
        name: &str,
        is_last: bool,
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Option<Target> {
        let this = &self.modules[module];
        let child = this.children.get(name).map(|child| Target::Module(*child));
        if child.is_some() && !is_last {
            return child;
        }
        if this.names.contains(name) {
            return Some(Target::Item(module, name.to_string()));
        }
        if !seen.insert((module, name.to_string())) {
            return child;
        }
        let named = this.imports.iter().find_map(|import| {
            (import.name.as_deref() == Some(name))
                .then(|| self.resolve_in(module, &import.path, seen))?
        });
        let globbed = || {
            this.imports.iter().find_map(|import| {
                if import.name.is_some() {
                    return None;
                }
                match self.resolve_in(module, &import.path, &mut BTreeSet::new())? {
                    Target::Module(other) => self.lookup(other, name, is_last, seen),
                    Target::Item(..) => None,
                }
            })
        };
        named.or(child).or_else(globbed)
    }
}

/// The file of the module `name`, declared in `parent`.
fn file_of(parent: &Path, name: &str) -> PathBuf {
    let stem = parent.file_stem().unwrap_or_default();
    let dir = match stem.to_str() {
        Some("lib" | "main" | "mod") => parent.with_file_name(""),
        _ => parent.with_extension(""),
    };
    let nested = dir.join(name).join("mod.rs");
    match nested.is_file() {
        true => nested,
        false => dir.join(format!("{name}.rs")),
    }
}
