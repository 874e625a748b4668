//! What the rule model's thoughts are known by. The seal proves itself, so that another
//! process can tell a thought of the rules too: there is no key and no list to share. It
//! guards against mistakes; against forgers it would take a key.

use crate::request::{Sealed, digest};

/// What every seal begins with.
const MARK: &str = "claw-offline-";

/// The seal on a thought, in the answer to the request with this digest.
pub(crate) fn seal(thought: &str, request: u64) -> String {
    let sum = digest(format!("{request:016x} {thought}").as_bytes());
    format!("{MARK}{request:016x}-{sum:016x}")
}

/// Whether a thought of the rule model is as it was sent; `None` for one of somebody else's.
pub(crate) fn is_whole(thought: &Sealed) -> Option<bool> {
    let (text, mark, id) = match thought {
        Sealed::Thinking { text, signature } => (text, signature, None),
        Sealed::Reasoning {
            text,
            encrypted,
            id,
        } => (text, encrypted, id.as_deref()),
        Sealed::Redacted(_) => return None,
    };
    let (request, _) = mark.strip_prefix(MARK)?.split_once('-').unwrap_or_default();
    let is_text = u64::from_str_radix(request, 16).is_ok_and(|it| seal(text, it) == *mark);
    let is_id = id.is_none_or(|id| id.strip_prefix("rs_") == Some(request));
    Some(is_text && is_id)
}
