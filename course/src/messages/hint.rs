//! The hints of a section.

use super::style::Style;
use crate::hints::KeyedHint;
use crate::manifest::Section;

/// The hints of a section that were shown: those for failing tests, and the first `level`
/// general ones. The newest is the one for the test `newest`, or without it the last general one.
pub fn hint(
    style: &Style,
    section: &Section,
    keyed: &[&KeyedHint],
    level: usize,
    newest: Option<&str>,
) -> Vec<String> {
    let total = section.hints.general.len();
    let mut lines = Vec::new();
    let mut add = |head: String, text: &str, is_newest: bool| {
        let head = match is_newest {
            true => style.bold(&head),
            false => style.dim(&head),
        };
        lines.push(format!("{head} {text}"));
    };
    for hint in keyed {
        let head = format!("If {} fails:", hint.test);
        add(head, &hint.text, newest == Some(hint.test.as_str()));
    }
    for (number, text) in (1..).zip(&section.hints.general).take(level) {
        let head = format!("Hint {number} of {total} for {}:", section.id);
        add(head, text, newest.is_none() && number == level);
    }
    lines.push(match level < total {
        true => style.dim("`cargo course hint` again, or h in the watch screen, shows the next hint."),
        false => style.dim(&format!(
            "That was the last hint. `cargo course solution {}`, or s in the watch screen, shows the answer.",
            section.id
        )),
    });
    lines
}
