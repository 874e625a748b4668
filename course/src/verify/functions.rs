//! The functions of the reference. A proof by tests depends on the bodies of those that the tests
//! execute, and not on those of others. The head of a private function counts as part of its body.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::reach::Reach;
use crate::digest::{add, hex};
use crate::progress::Progress;
use crate::source::{code_of, module_of};

/// Some functions, by their numbers.
pub type Executed = BTreeSet<usize>;

/// The functions of the reference. The number of a function is its place among [all
/// functions](crate::stubs::Solution::functions).
pub struct Functions {
    all: Vec<Function>,
    /// The number of the function that has this name in this file.
    numbers: BTreeMap<(String, String), usize>,
}

/// A function as it is now.
pub struct Function {
    /// Its body.
    pub body: BodyVersion,
    /// The chapter that asks for it, and the one that its file belongs to.
    pub chapters: [Option<u32>; 2],
}

/// The body of a function, now or at some earlier time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyVersion {
    /// The function's file, relative to `src`.
    pub file: String,
    /// The function's [name](crate::source::Implementation::name) in the file.
    pub name: String,
    /// The digest of the body's code or, if the function is private, of all of its code. With the
    /// names in it that private functions have: a new one can take the place of another function.
    pub digest: String,
}

impl Functions {
    /// Reads the functions of the reference.
    pub fn load(progress: &Progress, reach: &Reach) -> Result<Self> {
        let (mut all, mut numbers) = (Vec::new(), BTreeMap::new());
        let functions = progress.solution()?.functions();
        let mut private: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for function in &functions {
            let names = private.entry(module_of(function.file)).or_default();
            names.extend(function.private.clone());
        }
        for function in functions {
            let code = code_of(function.text);
            let words: BTreeSet<&str> = code.split(|it| !is_part_of_name(it)).collect();
            let mut digest = Sha256::new_with_prefix(&code);
            for module in around(&module_of(function.file)) {
                let names = private.get(module).into_iter().flatten();
                for name in names.filter(|name| words.contains(name.as_str())) {
                    add(&mut digest, name.as_bytes());
                }
            }
            let file = function.file.to_string();
            numbers.insert((file.clone(), function.name.clone()), all.len());
            all.push(Function {
                chapters: [
                    function.section.map(|id| id.chapter),
                    reach.chapter_of(function.file),
                ],
                body: BodyVersion {
                    file,
                    name: function.name,
                    digest: hex(digest),
                },
            });
        }
        Ok(Self { all, numbers })
    }

    /// All of them, in the order of their numbers.
    pub fn all(&self) -> &[Function] {
        &self.all
    }

    /// The number of the function with this name in `file`.
    pub fn number(&self, file: &str, name: &str) -> Option<usize> {
        let key = (file.to_string(), name.to_string());
        self.numbers.get(&key).copied()
    }

    /// The number of the function that has had this body, and whether it still has it.
    pub fn find(&self, body: &BodyVersion) -> Option<(usize, bool)> {
        let number = self.number(&body.file, &body.name)?;
        Some((number, self.all[number].body == *body))
    }
}

/// A module and those around it, whose private functions its code can call.
fn around(module: &str) -> impl Iterator<Item = &str> {
    let ends = module.match_indices("::").map(|(end, _)| end);
    let outer = ends.map(|end| &module[..end]);
    // The root module.
    outer.chain([module, "lib"])
}

fn is_part_of_name(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}
