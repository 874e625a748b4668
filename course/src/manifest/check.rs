//! The form of a manifest.

use anyhow::{Result, bail, ensure};

use super::Manifest;

impl Manifest {
    /// Checks that the hints are complete and the names consistent.
    pub(super) fn check(&self, chapter: u32) -> Result<()> {
        for section in &self.sections {
            let due = section.id;
            ensure!(
                is_name(&section.name),
                "section {due} has the id `{}`; write lower-case words with hyphens, as in `message-constructors`",
                section.name
            );
            ensure!(
                section.minutes > 0,
                "section {due} needs `minutes`, the time that it takes"
            );
            let writes = !section.items.is_empty() || !section.attributes.is_empty();
            ensure!(
                writes != section.tests.is_empty(),
                "section {due} needs both items to write and tests for them, or neither"
            );
            ensure!(
                !writes || section.hints.general.len() == 3,
                "section {due} has {} hints; a section with tests needs three, besides those for single tests",
                section.hints.general.len()
            );
            for (at, hint) in section.hints.keyed.iter().enumerate() {
                ensure!(
                    section.tests.contains(&hint.test),
                    "section {due} has a hint for {}, which is not one of its tests",
                    hint.test
                );
                ensure!(
                    section.hints.keyed[..at]
                        .iter()
                        .all(|one| one.test != hint.test),
                    "section {due} has two hints for {}; join them",
                    hint.test
                );
            }
            if let Some(both) = section.items.iter().find(|it| self.given.contains(it)) {
                bail!(
                    "{both} is given, and section {due} asks for it; remove it from `given` or from `items`"
                );
            }
            let prefix = format!("test_ch{chapter}_");
            for test in &section.tests {
                ensure!(
                    test.starts_with(&prefix),
                    "the name of {test}, in section {due}, must begin with {prefix}"
                );
            }
        }
        let tests = self.tests();
        for wrong in &self.wrong {
            let name = format!("the wrong answer to {} ({})", wrong.section, wrong.item);
            ensure!(
                wrong.body.is_some() != (wrong.replace.is_some() && wrong.with.is_some()),
                "{name} needs either `body`, or `replace` and `with`"
            );
            ensure!(
                !wrong.tests.is_empty(),
                "{name} names no test that catches it"
            );
            if let Some(unknown) = wrong.tests.iter().find(|t| !tests.contains(&t.as_str())) {
                bail!("{name} names the test {unknown}, which is in no section of this chapter");
            }
        }
        Ok(())
    }
}

/// Whether `name` is made of lower-case words and hyphens.
fn is_name(name: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    name.split('-').all(is_word) && name.starts_with(|c: char| c.is_ascii_lowercase())
}
