//! What a running agent tells.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    AgentMessage, Content, ContinuationKind, LoopConfigSnapshot, Message, StreamDelta, TurnTrigger,
    Unknown, Usage,
};
use crate::agent::json::unknown::tagged;

/// One piece of news from a loop.
///
/// The events of one loop come in an order that a grammar describes (EBNF; a word in
/// quotes is an event):
///
/// ```text
/// loop    = "AgentStart", { aside }, { turn, { aside } }, "AgentEnd" ;
/// aside   = said | "InputRejected" ;
/// turn    = "TurnStart", { said }, message, { call }, { result }, "TurnEnd" ;
/// message = "MessageStart", { "MessageUpdate" }, "MessageEnd" ;
/// call    = "ToolExecutionStart", { "ToolExecutionUpdate" | "ProgressMessage" }, "ToolExecutionEnd" ;
/// said    = "MessageStart", "MessageEnd" ;
/// result  = said ;
/// ```
///
/// `said` is what the user said, and in an `aside` an extension; `message` is the reply.
///
/// Three things that no grammar says. The events of calls that run together interleave,
/// so `call` is to be read for each id by itself. Every call of the reply has one `call`
/// and one `result`, and the results stand in call order. And a loop whose prompt was
/// rejected has no turn, and the reason again in `AgentEnd`.
///
/// As JSON it is one object, whose `type` is the variant's name. What is `None` is `null`,
/// but for a snapshot, which is left out then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum AgentEvent {
    /// A loop begins.
    AgentStart {
        /// The loop.
        loop_id: String,
        /// The agent that runs it.
        agent_id: String,
        /// The session that it belongs to.
        session_id: String,
        /// The loop that it goes on from, or that started it as a tool.
        parent_loop_id: Option<String>,
        /// How it came about.
        continuation_kind: ContinuationKind,
        /// The settings that it runs with.
        #[serde(skip_serializing_if = "Option::is_none")]
        config_snapshot: Option<LoopConfigSnapshot>,
        /// When.
        timestamp: DateTime<Utc>,
        /// Whatever the application gave the agent.
        metadata: Option<Value>,
    },
    /// A loop has ended. Nothing follows.
    AgentEnd {
        /// The loop.
        loop_id: String,
        /// What it added to the history.
        messages: Vec<AgentMessage>,
        /// What its replies cost together; nothing, in a recording that does not say it.
        #[serde(default)]
        usage: Usage,
        /// When.
        timestamp: DateTime<Utc>,
        /// Why its input was not let in, if it was not.
        rejection: Option<String>,
    },
    /// A turn begins: the model is about to be asked.
    TurnStart {
        /// The loop.
        loop_id: String,
        /// Which turn of the loop, from 0.
        turn_index: u64,
        /// When.
        timestamp: DateTime<Utc>,
        /// What brought it about.
        triggered_by: TurnTrigger,
    },
    /// A turn has ended: every call of the reply has its result.
    TurnEnd {
        /// The loop.
        loop_id: String,
        /// The reply.
        message: AgentMessage,
        /// What it cost.
        usage: Usage,
        /// When.
        timestamp: DateTime<Utc>,
        /// The results of its calls, in call order.
        tool_results: Vec<Message>,
    },
    /// A message is there. A reply may still grow.
    MessageStart {
        /// The loop.
        loop_id: String,
        /// The message so far.
        message: AgentMessage,
    },
    /// A reply has grown.
    MessageUpdate {
        /// The loop.
        loop_id: String,
        /// The reply so far, the piece included.
        message: AgentMessage,
        /// The piece.
        delta: StreamDelta,
    },
    /// A message is whole, as the history has it.
    MessageEnd {
        /// The loop.
        loop_id: String,
        /// The message.
        message: AgentMessage,
    },
    /// A call is taken up.
    ToolExecutionStart {
        /// The loop.
        loop_id: String,
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// What the tool is given; a gate may have rewritten it.
        args: Value,
    },
    /// A tool that runs reports what it has so far. A reader who is behind misses some.
    ToolExecutionUpdate {
        /// The loop.
        loop_id: String,
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// What there is so far.
        partial_result: ToolExecutionResult,
    },
    /// A call has its result.
    ToolExecutionEnd {
        /// The loop.
        loop_id: String,
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// The result.
        result: ToolExecutionResult,
        /// Whether it is a failure.
        is_error: bool,
        /// The loop that ran as this call, when the tool is an agent.
        child_loop_id: Option<String>,
    },
    /// A tool that runs says something to the user. A reader who is behind misses some.
    ProgressMessage {
        /// The loop.
        loop_id: String,
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// The words.
        text: String,
    },
    /// What the user said was not let in.
    InputRejected {
        /// The loop.
        loop_id: String,
        /// Why.
        reason: String,
    },
    /// An event of an unknown type or with unknown fields, from another program.
    /// [`known`](Self::known) is what this program knows of it.
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
    ]
);

impl AgentEvent {
    /// The loop that tells it; empty in an event of an unknown type that does not say.
    pub fn loop_id(&self) -> &str {
        todo!("16.1: write AgentEvent::loop_id")
    }
}

/// What a tool has to show, for an event.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolExecutionResult {
    /// What the model reads.
    pub content: Vec<Content>,
    /// What only programs read; `null` when there is nothing.
    #[serde(default)]
    pub details: Value,
    /// The loop that ran as this call, when the tool is an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_loop_id: Option<String>,
    /// The fields that this program does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A time in milliseconds since 1970, as events have it. What is beyond the years that
/// can be written is the last time that can.
pub fn event_time(milliseconds: u64) -> DateTime<Utc> {
    todo!("16.1: write event_time")
}
