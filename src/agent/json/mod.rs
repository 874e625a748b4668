//! Strict JSON for the agent's types.
//!
//! - `strict_json`: reads an object field by field. Its errors name the field.
//! - `field_names`, `message_json`: the fields of a [`Message`](super::Message), and how they
//!   are written and read.
//! - `unknown`: keeps the objects and fields that this program does not know; `nested`, those
//!   of objects inside known fields. `other_fields` (chapter 15) keeps those of a
//!   message.

pub(super) mod field_names;
pub(super) mod message_json;
pub mod nested;
#[cfg(feature = "ch15")]
pub(super) mod other_fields;
pub(super) mod strict_json;
pub mod unknown;
