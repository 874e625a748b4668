//! The loop itself.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Dispatcher, Events, Gate, QueryError, QueryEvent, unanswered};
use crate::provider::Provider;
use crate::tools::RESULT_LIMIT;
use crate::types::{AssistantMessage, Message, ToolSet};

/// The limits of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryConfig {
    /// How many times the model is asked at most, from one message of the user's to the
    /// reply that ends the turn.
    pub max_turns: usize,
    /// How many bytes of a tool's result the model reads at most, what gates add to it
    /// included. [`execute`](crate::tools::execute) keeps no more of an output than
    /// [`RESULT_LIMIT`] whatever this says.
    pub max_result_bytes: usize,
    /// How many calls run at the same time at most; at least 1.
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

/// A provider and tools, and the loop between them.
///
/// The history is the only state of a conversation and belongs to the caller: an engine
/// can serve any number of them at the same time.
pub struct QueryEngine {
    pub(super) provider: Arc<dyn Provider>,
    pub(super) dispatcher: Dispatcher,
    max_turns: usize,
}

impl QueryEngine {
    /// An engine that asks `provider`; [`new`](Self::new) for one that is shared.
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

    /// Gives the engine these tools, in place of any it has.
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

    /// Adds a gate behind those that are there.
    pub fn gate(mut self, gate: impl Gate + 'static) -> Self {
        self.dispatcher.gates.push(Box::new(gate));
        self
    }

    /// Asks one question, in a conversation of its own, and returns the text of the
    /// reply that ends the turn; without text, an empty string.
    pub async fn run(&self, prompt: &str) -> Result<String, QueryError> {
        todo!("4.12: write QueryEngine::run")
    }

    /// Carries a conversation on, from the user's message at the end of `history` to the
    /// reply that ends the turn, and returns that reply.
    ///
    /// Messages are only ever appended. Whatever happens, an error included, `history`
    /// keeps the rule and the next turn can follow; the same if the future is dropped.
    pub async fn chat(
        &self,
        history: &mut Vec<Message>,
        cancel: &CancellationToken,
    ) -> Result<AssistantMessage, QueryError> {
        todo!("4.12: write QueryEngine::chat")
    }

    /// [`chat`](Self::chat), told as it happens. Read `events` while it runs: the turn
    /// waits for a reader who is behind, unless it is cancelled, and does without one
    /// who has gone.
    pub async fn chat_with_events(
        &self,
        history: &mut Vec<Message>,
        events: mpsc::Sender<QueryEvent>,
        cancel: &CancellationToken,
    ) -> Result<AssistantMessage, QueryError> {
        todo!("4.12: write QueryEngine::chat_with_events")
    }

    /// One turn: asks the model, answers the calls of its reply, and repeats both until
    /// a reply has no calls. That reply is returned, and put into the history unless
    /// it says nothing: some servers refuse a message without content.
    ///
    /// After [`max_turns`](QueryConfig::max_turns) requests, it ends with
    /// [`QueryError::TurnLimit`]; the calls of the last reply have been answered. A
    /// history whose last reply has calls without results is refused as it is.
    pub async fn turn(
        &self,
        history: &mut Vec<Message>,
        events: &Events,
        cancel: &CancellationToken,
    ) -> Result<AssistantMessage, QueryError> {
        todo!("4.11: write QueryEngine::turn")
    }
}
