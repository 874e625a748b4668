//! The fields of a [`Message`] as JSON, written and read.
//!
//! Chapter 15 adds fields to this object. It writes with [`Message::write`] and reads with a
//! [`MessageDraft`], so the fields of a message are listed only here.

use serde::de::{Deserialize, Deserializer, Error, MapAccess};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::agent::json::field_names::*;
use crate::agent::json::nested::WithUnknown;
use crate::agent::json::strict_json::{ByRole, Draft, field, read_by_role, required};
use crate::agent::usage::UsageDraft;
use crate::agent::{Content, Message, StopReason};

impl Message {
    /// Writes the role and the other fields to an object and leaves the object open. Fields
    /// that are `None` are left out.
    pub(in crate::agent) fn write<M: SerializeMap>(&self, out: &mut M) -> Result<(), M::Error> {
        todo!("writing-message: write Message::write")
    }
}

/// Writes a field if its value is not `None`.
pub(in crate::agent) fn optional<M: SerializeMap>(
    out: &mut M,
    name: &'static str,
    value: &Option<impl Serialize>,
) -> Result<(), M::Error> {
    todo!("writing-message: write optional")
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        todo!("writing-message: write Message::serialize")
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_by_role::<MessageDraft, D>(deserializer)
    }
}

/// The role of a [`MessageDraft`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Assistant,
    ToolResult,
}

/// The role of a message, and the fields that have been read so far.
pub(in crate::agent) struct MessageDraft {
    role: Role,
    content: Option<Vec<Content>>,
    timestamp: Option<u64>,
    stop_reason: Option<StopReason>,
    model: Option<String>,
    provider: Option<String>,
    pub usage: Option<WithUnknown<UsageDraft>>,
    // The outer `Option` says whether the field was present. `null` is `Some(None)`.
    error_message: Option<Option<String>>,
    tool_call_id: Option<String>,
    tool_name: Option<String>,
    is_error: Option<bool>,
    child_loop_id: Option<Option<String>>,
}

impl ByRole for MessageDraft {
    const ROLES: &'static [&'static str] = &[USER, ASSISTANT, TOOL_RESULT];

    fn of(role: &str) -> Option<Self> {
        let role = match role {
            USER => Role::User,
            ASSISTANT => Role::Assistant,
            TOOL_RESULT => Role::ToolResult,
            _ => return None,
        };
        Some(Self {
            role,
            content: None,
            timestamp: None,
            stop_reason: None,
            model: None,
            provider: None,
            usage: None,
            error_message: None,
            tool_call_id: None,
            tool_name: None,
            is_error: None,
            child_loop_id: None,
        })
    }
}

impl Draft for MessageDraft {
    type Output = Message;

    const EXPECTED: &'static str = "a message: an object with a `role`";

    /// Fields that belong to other roles are not accepted.
    fn accept<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        todo!("reading-message-by-its-role: write MessageDraft::accept")
    }

    fn finish<E: Error>(self) -> Result<Message, E> {
        todo!("reading-message-by-its-role: write MessageDraft::finish")
    }
}
