//! The prompt in a user message. Agents put context around it.

use super::pattern::QUOTES;

/// The tags of context that an agent adds.
const CONTEXT_TAGS: [&str; 8] = [
    "system-reminder",
    "system_reminder",
    "environment_context",
    "environment_details",
    "user_instructions",
    "context",
    "ide_selection",
    "ide_opened_file",
];

/// The tags of the prompt itself.
const PROMPT_TAGS: [&str; 3] = ["user_query", "user_request", "task"];

/// The prompt in a message, without context, notices and quotes around it. `None` if the
/// message is only context.
pub(super) fn prompt_text(message: &str) -> Option<String> {
    let text = CONTEXT_TAGS.iter().fold(message.to_string(), remove_blocks);
    if text.trim().is_empty() && !message.trim().is_empty() {
        return None;
    }
    let inner = PROMPT_TAGS.iter().find_map(|tag| block(&text, tag));
    let text = inner.map_or(text.as_str(), |(_, inner, _)| inner);
    let text = without_notice(text);
    Some(unquoted(text.trim()).to_string())
}

/// The text without the blocks of this tag that start at the start of a line.
fn remove_blocks(mut text: String, tag: &&str) -> String {
    while let Some((before, _, after)) = block(&text, tag) {
        text = format!("{before}{after}");
    }
    text
}

/// The text before the first block of this tag at the start of a line, the text in it and the
/// text after it.
fn block<'t>(text: &'t str, tag: &str) -> Option<(&'t str, &'t str, &'t str)> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut starts = text.match_indices(&open).map(|(at, _)| at);
    let start = starts.find(|at| {
        text[..*at].trim_end_matches([' ', '\t']).is_empty()
            || text[..*at].trim_end_matches([' ', '\t']).ends_with('\n')
    })?;
    let (inner, after) = text[start + open.len()..].split_once(&close)?;
    Some((&text[..start], inner, after))
}

/// The prompt without the notice about plan mode that a client may add to it.
fn without_notice(prompt: &str) -> &str {
    prompt
        .split_once("\n\nPlan mode is ")
        .map_or(prompt, |(text, _)| text)
}

/// The prompt without one pair of quotes around all of it.
fn unquoted(prompt: &str) -> &str {
    let inner = QUOTES.iter().find_map(|(open, close)| {
        let inner = prompt.strip_prefix(*open)?.strip_suffix(*close)?;
        (!inner.contains([*open, *close])).then_some(inner)
    });
    inner.unwrap_or(prompt)
}
