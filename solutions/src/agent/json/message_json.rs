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
        out.serialize_entry(ROLE, self.role())?;
        match self {
            Self::User { content, timestamp } => {
                out.serialize_entry(CONTENT, content)?;
                out.serialize_entry(TIMESTAMP, timestamp)
            }
            Self::Assistant {
                content,
                stop_reason,
                model,
                provider,
                usage,
                timestamp,
                error_message,
            } => {
                out.serialize_entry(CONTENT, content)?;
                out.serialize_entry(STOP_REASON, stop_reason)?;
                out.serialize_entry(MODEL, model)?;
                out.serialize_entry(PROVIDER, provider)?;
                out.serialize_entry(USAGE, usage)?;
                out.serialize_entry(TIMESTAMP, timestamp)?;
                optional(out, ERROR_MESSAGE, error_message)
            }
            Self::ToolResult {
                tool_call_id,
                tool_name,
                content,
                is_error,
                timestamp,
                child_loop_id,
            } => {
                out.serialize_entry(TOOL_CALL_ID, tool_call_id)?;
                out.serialize_entry(TOOL_NAME, tool_name)?;
                out.serialize_entry(CONTENT, content)?;
                out.serialize_entry(IS_ERROR, is_error)?;
                out.serialize_entry(TIMESTAMP, timestamp)?;
                optional(out, CHILD_LOOP_ID, child_loop_id)
            }
        }
    }
}

/// Writes a field if its value is not `None`.
pub(in crate::agent) fn optional<M: SerializeMap>(
    out: &mut M,
    name: &'static str,
    value: &Option<impl Serialize>,
) -> Result<(), M::Error> {
    match value {
        Some(value) => out.serialize_entry(name, value),
        None => Ok(()),
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        self.write(&mut out)?;
        out.end()
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
        use Role::*;
        match (self.role, name) {
            (_, ROLE) => Err(A::Error::duplicate_field(ROLE)),
            (_, CONTENT) => field(&mut self.content, CONTENT, map),
            (_, TIMESTAMP) => field(&mut self.timestamp, TIMESTAMP, map),
            (Assistant, STOP_REASON) => field(&mut self.stop_reason, STOP_REASON, map),
            (Assistant, MODEL) => field(&mut self.model, MODEL, map),
            (Assistant, PROVIDER) => field(&mut self.provider, PROVIDER, map),
            (Assistant, USAGE) => field(&mut self.usage, USAGE, map),
            (Assistant, ERROR_MESSAGE | ERROR_MESSAGE_CAMEL) => {
                field(&mut self.error_message, ERROR_MESSAGE, map)
            }
            (ToolResult, TOOL_CALL_ID) => field(&mut self.tool_call_id, TOOL_CALL_ID, map),
            (ToolResult, TOOL_NAME) => field(&mut self.tool_name, TOOL_NAME, map),
            (ToolResult, IS_ERROR) => field(&mut self.is_error, IS_ERROR, map),
            (ToolResult, CHILD_LOOP_ID) => field(&mut self.child_loop_id, CHILD_LOOP_ID, map),
            _ => Ok(false),
        }
    }

    fn finish<E: Error>(self) -> Result<Message, E> {
        let content = required(self.content, CONTENT)?;
        let timestamp = required(self.timestamp, TIMESTAMP)?;
        Ok(match self.role {
            Role::User => Message::User { content, timestamp },
            Role::Assistant => Message::Assistant {
                content,
                stop_reason: required(self.stop_reason, STOP_REASON)?,
                model: required(self.model, MODEL)?,
                provider: required(self.provider, PROVIDER)?,
                usage: required(self.usage, USAGE)?.known,
                timestamp,
                error_message: self.error_message.flatten(),
            },
            Role::ToolResult => Message::ToolResult {
                tool_call_id: required(self.tool_call_id, TOOL_CALL_ID)?,
                tool_name: required(self.tool_name, TOOL_NAME)?,
                content,
                is_error: required(self.is_error, IS_ERROR)?,
                timestamp,
                child_loop_id: self.child_loop_id.flatten(),
            },
        })
    }
}
