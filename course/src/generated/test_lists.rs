//! The lists of test files: `tests/chNN/mod.rs` for each chapter, and the chapters in
//! `tests/main.rs` and `solutions/tests/chapters.rs`; and the modules that they test.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;

use super::condition::condition;
use super::module_list::module_list;
use crate::course_toml::Course;
use crate::repo::Repo;
use crate::suite;

/// Adds the lists to `files`.
pub(super) fn add(
    repo: &Repo,
    course: &Course,
    files: &mut BTreeMap<PathBuf, String>,
) -> Result<()> {
    let mut learner = String::from(LEARNER_HEAD);
    let mut reference = String::from(REFERENCE_HEAD);
    for (chapter, manifest) in course.written() {
        let (number, feature) = (chapter.number, chapter.feature());
        let unix = if manifest.unix { "unix, " } else { "" };
        let mut list = format!(
            "//! The tests of chapter {number}, {}: one file for each section.\n//!\n//! {GENERATED}\n\n",
            chapter.title
        );
        for module in suite::modules(repo, chapter)? {
            let _ = writeln!(list, "mod {module};");
        }
        files.insert(chapter.suite_dir(repo).join("mod.rs"), list);
        let _ = write!(
            learner,
            "\n#[cfg(all({unix}feature = {feature:?}, not(without = {feature:?})))]\n#[path = \"ch{number:02}/mod.rs\"]\nmod {feature};\n"
        );
        let _ = write!(
            reference,
            "\n#[cfg({})]\n#[path = \"../../tests/ch{number:02}/mod.rs\"]\nmod {feature};\n",
            condition(manifest, &feature)
        );
    }
    if repo.tests().join("support").is_dir() {
        learner.push_str("\nmod support;\n");
        reference.push_str("\n#[path = \"../../tests/support/mod.rs\"]\nmod support;\n");
    }
    files.insert(repo.tests().join("main.rs"), learner);
    let modules = repo.tests().join("modules.rs");
    files.insert(modules, module_list(repo, course)?);
    let chapters = repo.root().join("solutions/tests/chapters.rs");
    files.insert(chapters, reference);
    Ok(())
}

const GENERATED: &str = "`cargo course generate` writes this list.";

const LEARNER_HEAD: &str = "\
//! The tests of every chapter, in one test program: it is linked once.
//!
//! With `--cfg 'without=\"ch2\"'`, the tests of chapter 2 are not compiled. `cargo course generate`
//! writes this list.
";

const REFERENCE_HEAD: &str = "\
//! The tests of every chapter, run against the reference.
//!
//! They are the same files that test the learner's crate; only the crate's name differs.
//! `cargo course generate` writes this list.

extern crate claw_code_solutions as claw_code;
";
