//! The events of a running agent.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    AgentMessage, Content, ContinuationKind, LoopConfigSnapshot, Message, MessageSoFar,
    StreamDelta, TurnTrigger, Unknown, Usage,
};
use crate::agent::json::unknown::tagged;

/// One event of a loop.
///
/// A grammar describes the order of a loop's events (EBNF; a name in quotes is an event):
///
/// ```text
/// loop    = "AgentStart", { aside }, { turn, { aside } }, "AgentEnd" ;
/// aside   = input | "InputRejected" ;
/// turn    = "TurnStart", { input }, message, { call }, { result }, "TurnEnd" ;
/// message = "MessageStart", { "MessageUpdate" }, "MessageEnd" ;
/// call    = "ToolExecutionStart", { "ToolExecutionUpdate" | "ProgressMessage" }, "ToolExecutionEnd" ;
/// input   = "MessageStart", "MessageEnd" ;
/// result  = "MessageStart", "MessageEnd" ;
/// ```
///
/// `input` is a message from the user or an extension; in an `aside`, only an extension.
/// `message` is the reply.
///
/// Three rules are not part of the grammar:
///
/// - The events of calls that run concurrently interleave. `call` holds for each call id.
/// - Every call of the reply has one `call` and one `result`. The results are in call order.
/// - A loop whose prompt was rejected has no turn. Its `AgentEnd` repeats the reason.
///
/// As JSON, an object whose `type` is the variant's name. `None` is written as `null`, except
/// for a snapshot, which is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum AgentEvent {
    /// A loop begins.
    AgentStart {
        /// The loop's id.
        loop_id: String,
        /// The agent that runs the loop.
        agent_id: String,
        /// The session of the loop.
        session_id: String,
        /// The loop that this one continues, or that started it as a tool.
        parent_loop_id: Option<String>,
        /// How the loop was started.
        continuation_kind: ContinuationKind,
        /// The settings of the loop.
        #[serde(skip_serializing_if = "Option::is_none")]
        config_snapshot: Option<LoopConfigSnapshot>,
        /// The time of the event.
        timestamp: DateTime<Utc>,
        /// The application's metadata.
        metadata: Option<Value>,
    },
    /// A loop has ended. It is the loop's last event.
    AgentEnd {
        /// The loop's id.
        loop_id: String,
        /// The messages that the loop added to the history.
        messages: Vec<AgentMessage>,
        /// The token counts of all its replies. In JSON the field may be missing; then all
        /// counts are 0.
        #[serde(default)]
        usage: Usage,
        /// The time of the event.
        timestamp: DateTime<Utc>,
        /// The reason why its prompt was rejected, if it was.
        rejection: Option<String>,
    },
    /// A turn begins. A request to the model follows.
    TurnStart {
        /// The loop's id.
        loop_id: String,
        /// The number of the turn in its loop, from 0.
        turn_index: u64,
        /// The time of the event.
        timestamp: DateTime<Utc>,
        /// What triggered the turn.
        triggered_by: TurnTrigger,
    },
    /// A turn has ended. Every call of the reply has its result.
    TurnEnd {
        /// The loop's id.
        loop_id: String,
        /// The reply.
        message: AgentMessage,
        /// The token counts of the reply.
        usage: Usage,
        /// The time of the event.
        timestamp: DateTime<Utc>,
        /// The results of the reply's calls, in call order.
        tool_results: Vec<Message>,
    },
    /// A message begins. Only a reply may change until its end.
    MessageStart {
        /// The loop's id.
        loop_id: String,
        /// The message so far.
        message: AgentMessage,
    },
    /// A delta of a reply has arrived.
    MessageUpdate {
        /// The loop's id.
        loop_id: String,
        /// The reply so far, including the delta. It is copied only when it is read.
        message: MessageSoFar,
        /// The delta.
        delta: StreamDelta,
    },
    /// A message is complete, as the history keeps it.
    MessageEnd {
        /// The loop's id.
        loop_id: String,
        /// The message.
        message: AgentMessage,
    },
    /// A tool call begins.
    ToolExecutionStart {
        /// The loop's id.
        loop_id: String,
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// The arguments. A gate may have rewritten the model's.
        args: Value,
    },
    /// A running tool reports a partial result. A slow reader may miss some of these.
    ToolExecutionUpdate {
        /// The loop's id.
        loop_id: String,
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// The result so far.
        partial_result: ToolExecutionResult,
    },
    /// A tool call has its result.
    ToolExecutionEnd {
        /// The loop's id.
        loop_id: String,
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// The result.
        result: ToolExecutionResult,
        /// Whether the call failed.
        is_error: bool,
        /// The loop that ran as this call, if the tool is an agent.
        child_loop_id: Option<String>,
    },
    /// A running tool reports progress to the user. A slow reader may miss some of these.
    ProgressMessage {
        /// The loop's id.
        loop_id: String,
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// The text.
        text: String,
    },
    /// The user's input was rejected.
    InputRejected {
        /// The loop's id.
        loop_id: String,
        /// The reason, for the user.
        reason: String,
    },
    /// An event of an unknown type or with unknown fields, from another program.
    /// [`known`](Self::known) gives its known part.
    #[serde(skip)]
    Other(Unknown<Self>),
}

tagged!(
    AgentEvent,
    "type",
    &[
        (
            "AgentStart",
            "loop_id agent_id session_id parent_loop_id continuation_kind config_snapshot timestamp metadata",
        ),
        ("AgentEnd", "loop_id messages usage timestamp rejection"),
        ("TurnStart", "loop_id turn_index timestamp triggered_by"),
        ("TurnEnd", "loop_id message usage timestamp tool_results"),
        ("MessageStart", "loop_id message"),
        ("MessageUpdate", "loop_id message delta"),
        ("MessageEnd", "loop_id message"),
        ("ToolExecutionStart", "loop_id tool_call_id tool_name args"),
        (
            "ToolExecutionUpdate",
            "loop_id tool_call_id tool_name partial_result"
        ),
        (
            "ToolExecutionEnd",
            "loop_id tool_call_id tool_name result is_error child_loop_id"
        ),
        ("ProgressMessage", "loop_id tool_call_id tool_name text"),
        ("InputRejected", "loop_id reason"),
    ],
    &[
        (
            "usage",
            "input output reasoning cache_read cacheRead cache_write cacheWrite total_tokens totalTokens",
        ),
        (
            "tool_results",
            "role toolCallId toolName content isError timestamp childLoopId",
        ),
        ("delta", "Text Thinking ToolCallDelta"),
        ("delta.Text", "delta"),
        ("delta.Thinking", "delta"),
        ("delta.ToolCallDelta", "delta"),
        ("continuation_kind", "Rerun Branch"),
        ("continuation_kind.Rerun", "tag"),
        ("continuation_kind.Branch", "tag"),
        ("config_snapshot", "*"),
        ("config_snapshot.cache_config", "enabled strategy"),
        ("config_snapshot.cache_config.strategy", "manual"),
        (
            "config_snapshot.cache_config.strategy.manual",
            "cache_system cache_tools cache_messages",
        ),
    ]
);

impl AgentEvent {
    /// The id of the event's loop; empty for an event of an unknown type without one.
    pub fn loop_id(&self) -> &str {
        match self {
            Self::Other(event) => match &event.known {
                Some(known) => known.loop_id(),
                None => event
                    .fields
                    .get("loop_id")
                    .and_then(Value::as_str)
                    .unwrap_or_default(),
            },
            Self::AgentStart { loop_id, .. }
            | Self::AgentEnd { loop_id, .. }
            | Self::TurnStart { loop_id, .. }
            | Self::TurnEnd { loop_id, .. }
            | Self::MessageStart { loop_id, .. }
            | Self::MessageUpdate { loop_id, .. }
            | Self::MessageEnd { loop_id, .. }
            | Self::ToolExecutionStart { loop_id, .. }
            | Self::ToolExecutionUpdate { loop_id, .. }
            | Self::ToolExecutionEnd { loop_id, .. }
            | Self::ProgressMessage { loop_id, .. }
            | Self::InputRejected { loop_id, .. } => loop_id,
        }
    }
}

/// A tool's result in an event.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolExecutionResult {
    /// The content for the model.
    pub content: Vec<Content>,
    /// Data for programs only; `null` if there is none.
    #[serde(default)]
    pub details: Value,
    /// The loop that ran as this call, if the tool is an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_loop_id: Option<String>,
    /// The fields that this program does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A time in milliseconds since 1970 as the timestamp of an event. A time after the last
/// representable one becomes that one.
pub fn event_time(milliseconds: u64) -> DateTime<Utc> {
    todo!("events-as-json: write event_time")
}
