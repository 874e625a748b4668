//! The files of a crate import each other without circles, and no chapter imports from a
//! later one.

use std::path::Path;

use anyhow::Result;

use super::context::Context;
use crate::imports::Imports;

/// The crates besides the reference. Those that a checkout lacks are skipped.
const OTHERS: [&str; 4] = [
    "offline/src/lib.rs",
    "course/src/lib.rs",
    "course/book/src/lib.rs",
    "course/teacher/src/lib.rs",
];

/// Finds circles and imports from later chapters.
pub fn check(context: &Context, problems: &mut Vec<String>) -> Result<()> {
    let repo = &context.progress.repo;
    let step = |(from, to, name): (&Path, &Path, &str)| {
        format!("{} → {}: {name}", repo.relative(from), repo.relative(to))
    };
    let reference = context.imports();
    for import in reference.upward() {
        problems.push(format!(
            "this file imports from a module of a later chapter:\n{}",
            step(import)
        ));
    }
    let mut others = Vec::new();
    for root in OTHERS.map(|root| repo.root().join(root)) {
        if root.is_file() {
            others.push(Imports::load(&root)?);
        }
    }
    for circle in others.iter().chain([reference]).flat_map(Imports::circles) {
        let steps: Vec<String> = circle.into_iter().map(step).collect();
        problems.push(format!(
            "these files import each other; move what they share into a file of its own:\n{}",
            steps.join("\n")
        ));
    }
    Ok(())
}
