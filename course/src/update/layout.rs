//! Joins items to a file or a block again.

use super::pieces::Piece;

/// The text of an item in the result, with what identifies it.
pub type Placed = (String, String);

/// The learner's text if the learner has changed it since the old version; otherwise the new one.
pub fn choose<'t>(old: &str, theirs: &'t str, new: &'t str) -> &'t str {
    match old == theirs {
        true => new,
        false => theirs,
    }
}

/// The text above an item. Comments of the learner's stay.
pub fn gap<'t>(old: Option<&Piece>, theirs: Option<&'t Piece>, new: &'t Piece) -> &'t str {
    match (old, theirs) {
        (_, Some(theirs)) if theirs.gap.trim().is_empty() => &new.gap,
        (Some(old), Some(theirs)) => choose(&old.gap, &theirs.gap, &new.gap),
        (None, Some(theirs)) => &theirs.gap,
        _ => &new.gap,
    }
}

/// A file of these parts.
pub fn joined(header: &str, placed: &[Placed], tail: &str) -> String {
    let mut text = header.to_string();
    for (_, item) in placed.iter().filter(|(_, item)| !item.is_empty()) {
        if text.is_empty() {
            text.push_str(item.trim_start_matches('\n'));
            continue;
        }
        if !item.starts_with('\n') {
            text.push_str("\n\n");
        }
        text.push_str(item);
    }
    let tail = if tail.is_empty() { "\n" } else { tail };
    text + tail
}

/// A block of these parts.
pub fn closed(head: &str, placed: &[Placed], tail: &str) -> String {
    let mut text = head.to_string();
    let mut members = placed
        .iter()
        .filter(|(_, item)| !item.is_empty())
        .peekable();
    let is_empty = members.peek().is_none();
    for (at, (_, item)) in members.enumerate() {
        match at {
            // No blank line below the opening brace.
            0 => text.push_str(&format!("\n{}", item.trim_start_matches('\n'))),
            _ if item.starts_with('\n') => text.push_str(&spaced(item)),
            _ => text.push_str(&format!("\n\n{item}")),
        }
    }
    let tail = match is_empty {
        true => tail.trim_start(),
        false => tail,
    };
    if !is_empty && !tail.starts_with('\n') {
        text.push('\n');
    }
    text + tail
}

/// A member after another one, with a blank line above it.
fn spaced(item: &str) -> String {
    format!("\n\n{}", item.trim_start_matches('\n'))
}
