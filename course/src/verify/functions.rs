//! The functions of the reference. A proof by tests depends on the bodies of those that the tests
//! execute, and not on those of others.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::reach::Reach;
use crate::digest::hex;
use crate::progress::Progress;
use crate::source::code_of;

/// Some functions, by their numbers.
pub type Executed = BTreeSet<usize>;

/// The functions of the reference. The number of a function is its place among all
/// [bodies](crate::stubs::Solution::bodies).
pub struct Functions {
    all: Vec<Function>,
    /// The number of the function at a place of a file.
    numbers: BTreeMap<(String, usize), usize>,
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
    /// The function's place among the [bodies](crate::source::Source::bodies) of the file.
    pub place: usize,
    /// The digest of the body's code.
    pub digest: String,
}

impl Functions {
    /// Reads the functions of the reference.
    pub fn load(progress: &Progress, reach: &Reach) -> Result<Self> {
        let (mut all, mut numbers) = (Vec::new(), BTreeMap::new());
        for body in progress.solution()?.bodies() {
            let file = body.file.to_string();
            numbers.insert((file.clone(), body.place), all.len());
            all.push(Function {
                body: BodyVersion {
                    file,
                    place: body.place,
                    digest: hex(Sha256::new_with_prefix(code_of(body.text))),
                },
                chapters: [
                    body.section.map(|id| id.chapter),
                    reach.chapter_of(body.file),
                ],
            });
        }
        Ok(Self { all, numbers })
    }

    /// All of them, in the order of their numbers.
    pub fn all(&self) -> &[Function] {
        &self.all
    }

    /// The number of the function at `place` of `file`.
    pub fn number(&self, file: &str, place: usize) -> Option<usize> {
        self.numbers.get(&(file.to_string(), place)).copied()
    }

    /// The number of the function that has had this body, and whether it still has it.
    pub fn find(&self, body: &BodyVersion) -> Option<(usize, bool)> {
        let number = self.number(&body.file, body.place)?;
        Some((number, self.all[number].body == *body))
    }
}
