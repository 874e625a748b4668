//! Strict JSON for this vocabulary: `strict_json` reads the fields of an object, and
//! `message_json` uses it for a [`Message`](super::Message).

pub(super) mod message_json;
pub(super) mod strict_json;
pub(crate) mod unknown;
