//! The files of a new chapter. In braces are the `number`, `title`, `slug` and `module`.

/// Marks text in a skeleton that must be replaced. `cargo course verify` finds it.
pub const FILL_IN: &str = "FILL IN";

/// The manifest.
pub(super) const MANIFEST: &str = r#"# Chapter {number}, {title}. `cargo course verify --chapter {number}` checks every line of
# this file against the reference, the tests and the page.

# FILL IN: what the chapter's Cargo feature enables, such as "dep:tokio".
features = []
modules = ["{module}"]

[[section]]
id = "{slug}-first-step"
title = "First step"
minutes = 15
talk = "FILL IN: the idea that a teacher says before anybody types."
items = ["{module}::first_step"]
tests = ["test_ch{number}_first_step"]
hints = [
  "FILL IN: the idea.",
  "FILL IN: the function or type to use.",
  "FILL IN: almost the line to write.",
]

[[wrong]]
section = "{slug}-first-step"
item = "{module}::first_step"
body = "\"\""
tests = ["test_ch{number}_first_step"]
says = "the first step returns the chapter's title"
because = "FILL IN: what is wrong with this answer."
"#;

/// The page.
pub(super) const PAGE: &str = "\
# Chapter {number}: {title}

FILL IN: what you build, with the picture that explains it.

## Why it exists

FILL IN: a real failure that this prevents.

## {number}.1 First step

FILL IN: one motivating sentence, the idea, an example, and the contract of each function.

**Predict.** FILL IN: a question that the section answers.

<details><summary>Answer</summary>

FILL IN: its answer.

</details>

{{#stub {module}::first_step}}

{{#checkpoint {number}.1}}

## Wrong answers people give

{{#wrong-answers {number}}}

## Run it

FILL IN: what your own `claw` can do now.

## Go further

FILL IN: exercises.

## What you built

FILL IN: a summary.

## Quiz

Choose before you unfold: the course keeps your first answer to each question.

{{#quiz {number}}}
";

/// The quiz.
pub(super) const QUIZ: &str = "\
# The quiz of chapter {number}. One choice of each question is right.

[[question]]
text = \"FILL IN: a question about a mistake that people make.\"

[[question.choices]]
text = \"FILL IN\"
right = true
because = \"FILL IN: why it is right.\"

[[question.choices]]
text = \"FILL IN\"
because = \"FILL IN: what speaks against it.\"
";

/// The helpers of the tests.
pub(super) const SUPPORT: &str = "\
//! FILL IN: what the tests of chapter {number} share.

/// The title of the chapter.
pub const TITLE: &str = \"{title}\";
";

/// The tests of the only section.
pub(super) const TESTS: &str = "\
//! Section {number}.1: First step

use claw_code::{module}::first_step;

use super::support::TITLE;

// FILL IN: one test for each rule.
#[test]
fn test_ch{number}_first_step() {
    assert_eq!(
        first_step(),
        TITLE,
        \"the first step returns the chapter's title\"
    );
}
";

/// The module of the reference.
pub(super) const MODULE: &str = "\
//! FILL IN: what this module does.

/// FILL IN: the contract. Returns the title of the chapter.
pub fn first_step() -> &'static str {
    \"{title}\"
}
";
