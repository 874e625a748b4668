//! The token limit and the stop sequences of a request, applied to a reply.

use crate::model_request::BYTES_PER_TOKEN;
use crate::reply::{Ending, Reply, ToolCall};
use crate::reply_settings::ReplySettings;

/// The reply as far as the settings let it come.
pub(super) fn limit(reply: Reply, settings: &ReplySettings) -> Reply {
    let reply = stop(reply, &settings.stop_sequences);
    match settings.max_tokens {
        Some(tokens) => truncate(reply, tokens),
        None => reply,
    }
}

/// Ends the reply before the first stop sequence in its text. Of several that start at the
/// same place, the first in the list counts.
fn stop(mut reply: Reply, sequences: &[String]) -> Reply {
    let text = reply.full_text().unwrap_or_default();
    let found = sequences.iter().filter_map(|it| Some((text.find(it)?, it)));
    let Some((at, sequence)) = found.min_by_key(|(at, _)| *at) else {
        return reply;
    };
    reply.pieces = pieces(&text[..at]);
    reply.calls.clear();
    reply.ending = Ending::StopSequence(sequence.clone());
    reply
}

/// Cuts the reply to this many tokens, counted as the usage counts them: the text first,
/// then the arguments of calls. A thought is sent whole or, with all that follows it, not at
/// all.
fn truncate(mut reply: Reply, tokens: u64) -> Reply {
    let limit = usize::try_from(tokens).unwrap_or(usize::MAX);
    let limit = limit.saturating_mul(BYTES_PER_TOKEN);
    let thinking = reply.thinking.as_ref().map_or(0, |it| it.text.len());
    let text = reply.full_text().unwrap_or_default();
    let calls: usize = reply.calls.iter().map(ToolCall::byte_len).sum();
    if thinking + text.len() + calls <= limit {
        return reply;
    }
    reply.ending = Ending::TokenLimit;
    let Some(left) = limit.checked_sub(thinking) else {
        return Reply {
            ending: Ending::TokenLimit,
            ..Reply::empty()
        };
    };
    if text.len() > left {
        reply.pieces = pieces(cut(&text, left));
        reply.calls.clear();
    } else {
        truncate_calls(&mut reply.calls, left - text.len());
    }
    reply
}

/// Cuts the calls to this many bytes. A call without any arguments left goes.
fn truncate_calls(calls: &mut Vec<ToolCall>, mut left: usize) {
    for index in 0..calls.len() {
        let call = &mut calls[index];
        if call.byte_len() <= left {
            left -= call.byte_len();
            continue;
        }
        let arguments = left.saturating_sub(call.name.len());
        let end = cut(&call.arguments, arguments).len();
        call.arguments.truncate(end);
        calls.truncate(index + usize::from(end > 0));
        return;
    }
}

/// The start of a text: whole characters, and at most this many bytes.
fn cut(text: &str, max_bytes: usize) -> &str {
    let ends = text
        .char_indices()
        .map(|(at, letter)| at + letter.len_utf8());
    let end = ends.take_while(|end| *end <= max_bytes).last();
    &text[..end.unwrap_or(0)]
}

fn pieces(text: &str) -> Option<Vec<String>> {
    Reply::text(text).pieces.filter(|pieces| !pieces.is_empty())
}
