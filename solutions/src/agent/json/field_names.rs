//! The field names and roles of a [`Message`](crate::agent::Message) in JSON.

pub(in crate::agent) const ROLE: &str = "role";
pub(in crate::agent) const USER: &str = "user";
pub(in crate::agent) const ASSISTANT: &str = "assistant";
pub(in crate::agent) const TOOL_RESULT: &str = "toolResult";
pub(in crate::agent) const CONTENT: &str = "content";
pub(in crate::agent) const TIMESTAMP: &str = "timestamp";
pub(in crate::agent) const STOP_REASON: &str = "stopReason";
pub(in crate::agent) const MODEL: &str = "model";
pub(in crate::agent) const PROVIDER: &str = "provider";
pub(in crate::agent) const USAGE: &str = "usage";
pub(in crate::agent) const ERROR_MESSAGE: &str = "error_message";
/// Read, never written.
pub(in crate::agent) const ERROR_MESSAGE_CAMEL: &str = "errorMessage";
pub(in crate::agent) const TOOL_CALL_ID: &str = "toolCallId";
pub(in crate::agent) const TOOL_NAME: &str = "toolName";
pub(in crate::agent) const IS_ERROR: &str = "isError";
pub(in crate::agent) const CHILD_LOOP_ID: &str = "childLoopId";
