//! The end of a conversation: the last user message and the tool calls since then.

use super::outcome::outcome;
use super::prompt_text::prompt_text;
use super::result_summary::summarize;
use crate::command_output::CommandOutput;
use crate::conversation::{ToolResult, ToolStatus, Turn};
use crate::reply::ToolCall;
use crate::tool_kind::ToolKind;

/// The last user message and what was done for it.
pub(super) struct Exchange<'a> {
    /// The text of the message, empty if there is none.
    pub(super) prompt: String,
    /// The number of images in the message.
    pub(super) images: usize,
    /// The tool calls since the message, oldest first.
    pub(super) rounds: Vec<ToolRound<'a>>,
}

/// Tool calls of one assistant turn, each with its result.
pub(super) struct ToolRound<'a> {
    pub(super) results: Vec<(&'a ToolCall, &'a ToolResult)>,
}

impl<'a> Exchange<'a> {
    /// The last exchange of a conversation.
    pub(super) fn last(turns: &'a [Turn]) -> Self {
        let mut exchange = Self {
            prompt: String::new(),
            images: 0,
            rounds: Vec::new(),
        };
        let mut calls: &[ToolCall] = &[];
        for turn in turns {
            match turn {
                Turn::User(content) => {
                    let prompt = prompt_text(&content.text);
                    // A message with nothing but context continues the exchange.
                    if prompt.is_some() || content.images > 0 {
                        exchange = Self {
                            prompt: prompt.unwrap_or_default(),
                            images: content.images,
                            rounds: Vec::new(),
                        };
                    }
                }
                Turn::Assistant { calls: made, .. } if !made.is_empty() => {
                    calls = made;
                    exchange.rounds.push(ToolRound {
                        results: Vec::new(),
                    });
                }
                Turn::ToolResult(result) => {
                    let call = calls.iter().find(|call| call.id == result.id);
                    if let (Some(call), Some(round)) = (call, exchange.rounds.last_mut()) {
                        round.results.push((call, result));
                    }
                }
                _ => {}
            }
        }
        exchange
    }
}

impl ToolRound<'_> {
    /// The texts of all results, joined by line ends. Of a command, it is what the command
    /// printed.
    pub(super) fn output(&self) -> String {
        let results = self.results.iter();
        let texts: Vec<&str> = results
            .map(|(call, result)| match ToolKind::of_call(call) {
                Some(ToolKind::Run) => CommandOutput::parse(&result.content.text).text,
                _ => &result.content.text,
            })
            .collect();
        texts.join("\n")
    }

    /// Whether a call is known to have failed.
    pub(super) fn has_failed(&self) -> bool {
        let mut results = self.results.iter();
        results.any(|(call, result)| outcome(call, result) == ToolStatus::Failed)
    }

    /// The results in a sentence or two each.
    pub(super) fn summary(&self) -> String {
        let results = self.results.iter();
        let summaries: Vec<String> = results
            .map(|(call, result)| summarize(call, result))
            .collect();
        summaries.join(" ")
    }
}

/// One more than the highest number of any call in the conversation. Ids stay unique even
/// if the client dropped the start of the conversation.
pub(super) fn next_call_number(turns: &[Turn]) -> u64 {
    let calls = turns.iter().flat_map(|turn| match turn {
        Turn::Assistant { calls, .. } => calls.as_slice(),
        _ => &[],
    });
    let numbers = calls.filter_map(|call| call.id.strip_prefix("call_")?.parse::<u64>().ok());
    // `u64::MAX` has no successor, and the model never counts that far itself.
    numbers
        .max()
        .and_then(|max| max.checked_add(1))
        .unwrap_or(1)
}
