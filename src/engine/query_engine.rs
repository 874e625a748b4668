//! The agent loop and its limits.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Dispatcher, Gate, QueryError, QueryEvent, QueryEventSender, unanswered_calls};
use crate::provider::Provider;
use crate::tools::RESULT_LIMIT;
use crate::types::{AssistantMessage, Message, ToolSet};

/// The limits of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryConfig {
    /// The most requests that one turn may send to the model.
    pub max_turns: usize,
    /// The longest result that the model reads, in bytes, including the text that gates
    /// add. A limit above [`RESULT_LIMIT`] has no effect on a tool's output, because
    /// [`execute`](crate::tools::execute) truncates it to that.
    pub max_result_bytes: usize,
    /// The most calls that run at the same time; at least 1.
    pub max_concurrent: usize,
}

impl Default for QueryConfig {
    fn default() -> Self {
        Self {
            max_turns: 50,
            max_result_bytes: RESULT_LIMIT,
            max_concurrent: 8,
        }
    }
}

/// The agent loop over one provider and a set of tools.
///
/// The caller owns the history, which is the only state of a conversation. So one engine can
/// serve any number of conversations at the same time.
pub struct QueryEngine {
    pub(super) provider: Arc<dyn Provider>,
    pub(super) dispatcher: Dispatcher,
    max_turns: usize,
}

impl QueryEngine {
    /// An engine that owns its provider. [`new`](Self::new) takes a shared one.
    pub fn builder(provider: impl Provider + 'static) -> Self {
        Self::new(Arc::new(provider))
    }

    /// An engine without tools or gates, with the default limits.
    pub fn new(provider: Arc<dyn Provider>) -> Self {
        let config = QueryConfig::default();
        Self {
            provider,
            dispatcher: Dispatcher {
                tools: ToolSet::new(),
                gates: Vec::new(),
                max_result_bytes: config.max_result_bytes,
                max_concurrent: config.max_concurrent,
            },
            max_turns: config.max_turns,
        }
    }

    /// Sets the tools, and replaces any that were set before.
    pub fn tools(mut self, tools: ToolSet) -> Self {
        self.dispatcher.tools = tools;
        self
    }

    /// Sets the limits.
    pub fn config(mut self, config: QueryConfig) -> Self {
        self.max_turns = config.max_turns;
        self.dispatcher.max_result_bytes = config.max_result_bytes;
        self.dispatcher.max_concurrent = config.max_concurrent.max(1);
        self
    }

    /// Adds a gate after the existing ones.
    pub fn gate(mut self, gate: impl Gate + 'static) -> Self {
        self.dispatcher.gates.push(Box::new(gate));
        self
    }

    /// Asks one question in a new conversation and returns the text of the last reply; an
    /// empty string if that reply has no text.
    pub async fn run(&self, prompt: &str) -> Result<String, QueryError> {
        todo!("run-chat-and-chat-with-events: write QueryEngine::run")
    }

    /// Runs one turn, from the user's message at the end of `history` to the reply that ends
    /// the turn, and returns that reply.
    ///
    /// Messages are only appended. After an error, and after the future is dropped, every
    /// call in `history` still has its result, so the next turn can follow.
    pub async fn chat(
        &self,
        history: &mut Vec<Message>,
        cancel: &CancellationToken,
    ) -> Result<AssistantMessage, QueryError> {
        todo!("run-chat-and-chat-with-events: write QueryEngine::chat")
    }

    /// Like [`chat`](Self::chat), and sends events while the turn runs. Read `events`
    /// meanwhile: the turn waits while the channel is full, until it is cancelled. If the
    /// reader is dropped, the turn continues without it.
    pub async fn chat_with_events(
        &self,
        history: &mut Vec<Message>,
        events: mpsc::Sender<QueryEvent>,
        cancel: &CancellationToken,
    ) -> Result<AssistantMessage, QueryError> {
        todo!("run-chat-and-chat-with-events: write QueryEngine::chat_with_events")
    }

    /// One turn: asks the model, runs the calls of its reply, and repeats both until a reply
    /// has no calls. That reply is returned, and appended to the history unless it has no
    /// text: some servers refuse a message without content.
    ///
    /// After [`max_turns`](QueryConfig::max_turns) requests, the turn ends with
    /// [`QueryError::TurnLimit`], and the calls of the last reply have their results. If the
    /// last reply in `history` has calls without results, the turn ends with
    /// [`QueryError::Unanswered`], and nothing changes.
    pub async fn run_turn(
        &self,
        history: &mut Vec<Message>,
        events: &QueryEventSender,
        cancel: &CancellationToken,
    ) -> Result<AssistantMessage, QueryError> {
        todo!("agent-loop: write QueryEngine::run_turn")
    }
}
