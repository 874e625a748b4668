//! A merge whose result compiles: what does not compile with the new version gives way.

use anyhow::Result;

use super::common::{GivesWay, Merged, Sources};
use super::compile::{Build, Problem};
use super::merge::{Gifts, merge};
use super::pieces::Parts;
use super::units::Followed;
use super::uses;
use super::version::Version;

/// How often code may give way before the rest is left to the learner. A build shows only the
/// errors of its first phase that fails.
const ROUNDS: usize = 12;

/// A learner's `src/` and the two versions between which it is merged.
pub struct CompilingMerge<'a> {
    /// The version that the learner has.
    pub old: &'a Version,
    /// The version to bring.
    pub new: &'a Version,
    /// The items followed from one to the other.
    pub followed: &'a Followed,
    /// The learner's files, by their paths in `src`.
    pub learner: &'a Sources,
    /// What the learner's path says about the depth sections.
    pub gifts: &'a Gifts<'a>,
    /// The newest open chapter.
    pub open: u32,
}

/// A merge after its builds.
pub struct Compiled {
    /// What happens to the learner's code.
    pub merged: Merged,
    /// Errors of the compiler that remain, if the learner's code compiled before.
    pub problems: Vec<Problem>,
    /// Why it is unknown whether the result compiles.
    pub not_built: Option<String>,
}

impl CompilingMerge<'_> {
    /// The merge in which only `gives_way` gives way, without a build.
    pub fn merge(&self, gives_way: &GivesWay) -> Result<Merged> {
        let Self { old, new, .. } = self;
        merge(old, new, self.followed, self.learner, self.gifts, gives_way)
    }

    /// Builds the result of `merged` with `build`, and lets code give way until it compiles.
    ///
    /// If the learner's code had not `compiled` before, nothing gives way.
    pub fn compile(
        &self,
        mut merged: Merged,
        compiled: bool,
        mut build: impl FnMut(&Sources) -> Result<Build>,
    ) -> Result<Compiled> {
        let mut gives_way = GivesWay::default();
        let (mut problems, mut not_built) = (Vec::new(), None);
        let mut first_errors = None;
        for _ in 0..ROUNDS {
            let sources = merged.applied_to(self.learner);
            match build(&sources)? {
                Build::Passed => problems.clear(),
                Build::NotBuilt(reason) => not_built = Some(reason),
                // It did not compile before, so there is nothing to keep compiling.
                Build::Failed(_) if !compiled => {}
                // New types may be all that is missing.
                Build::Failed(found) if first_errors.is_none() => {
                    first_errors = Some(found.len());
                    gives_way.new_types = Some(self.open);
                    merged = self.merge(&gives_way)?;
                    problems = found;
                    continue;
                }
                Build::Failed(found) => {
                    let before = gives_way.clone();
                    if first_errors.is_some_and(|count| found.len() >= count) {
                        gives_way.new_types = None;
                    }
                    first_errors = Some(usize::MAX);
                    for problem in &found {
                        give_way(&mut gives_way, &sources, problem);
                    }
                    problems = found;
                    if gives_way != before {
                        merged = self.merge(&gives_way)?;
                        continue;
                    }
                }
            }
            break;
        }
        Ok(Compiled {
            merged,
            problems,
            not_built,
        })
    }
}

/// Lets the item or the import with an error give way.
fn give_way(gives_way: &mut GivesWay, sources: &Sources, problem: &Problem) {
    let Some(file) = problem.file.strip_prefix("src/") else {
        return;
    };
    let content = sources.get(file).map(Vec::as_slice).unwrap_or_default();
    let Ok(parts) = Parts::of(&String::from_utf8_lossy(content)) else {
        return;
    };
    let Some((key, piece)) = parts.at(problem.at) else {
        return;
    };
    match piece.is_use() {
        true => {
            let lines = uses::lines(&piece.item).into_iter();
            let file = file.to_string();
            gives_way
                .imports
                .extend(lines.map(|line| (file.clone(), line)));
        }
        false => drop(gives_way.items.insert((file.to_string(), key))),
    }
}
