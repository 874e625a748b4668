//! Signatures for the rule model's thoughts.
//!
//! A signature is a checksum, so any process can check a thought without a key and without
//! a list of the thoughts that were sent. It detects mistakes. Detecting forgery would take
//! a secret key.

use crate::digest::digest;
use crate::thought::Thought;

/// The start of every signature.
const PREFIX: &str = "claw-offline-";

/// Signs the thought in the reply to the request with this digest.
pub(crate) fn sign(thought: &str, request_digest: u64) -> String {
    let sum = digest(format!("{request_digest:016x} {thought}").as_bytes());
    format!("{PREFIX}{request_digest:016x}-{sum:016x}")
}

/// Whether a thought of the rule model is unchanged. `None` if the rule model did not sign
/// it.
pub(crate) fn verify(thought: &Thought) -> Option<bool> {
    let (text, signature, id) = match thought {
        Thought::Thinking { text, signature } => (text, signature, None),
        Thought::Reasoning {
            text,
            encrypted,
            id,
        } => (text, encrypted, id.as_deref()),
        Thought::Redacted { .. } => return None,
    };
    let (request, _) = signature
        .strip_prefix(PREFIX)?
        .split_once('-')
        .unwrap_or_default();
    let is_text_unchanged =
        u64::from_str_radix(request, 16).is_ok_and(|digest| sign(text, digest) == *signature);
    let is_id_unchanged = id.is_none_or(|id| id.strip_prefix("rs_") == Some(request));
    Some(is_text_unchanged && is_id_unchanged)
}
