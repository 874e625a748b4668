//! The events of a turn, and the channel that carries them.

use tokio::sync::mpsc;

use super::QueryError;
use crate::tools::Reporter;
use crate::types::{ProgressMessage, TokenUsage, ToolCall, ToolResultMessage};

/// One event of a turn.
///
/// For each reply of the model, a turn sends: the text in pieces, the usage if the provider
/// reports it, then for each call that begins `ToolStarted`, any number of `Progress`,
/// and `ToolFinished`. The events of calls that run together interleave. `TurnFinished` is
/// the last event.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryEvent {
    /// The next piece of the model's text.
    Text(String),
    /// A call begins. A call that a gate refused begins too, and finishes at once.
    ToolStarted {
        /// The call that runs. A gate may have rewritten its arguments.
        call: ToolCall,
        /// The tool's line for the terminal.
        summary: String,
        /// What to show while the call runs; `None` means the summary.
        activity: Option<String>,
    },
    /// Progress of a running tool. It is never part of the history. Before a cancel, it is the
    /// only event that a slow reader may miss.
    Progress(ProgressMessage),
    /// A call has its result. These events come as the calls finish, in any order.
    ToolFinished {
        /// The call's id.
        call_id: String,
        /// The message that goes into the history.
        result: ToolResultMessage,
    },
    /// The token usage of one reply.
    Usage(TokenUsage),
    /// The turn is over.
    TurnFinished {
        /// Why the turn ended early; `None` if it ended with a reply.
        error: Option<QueryError>,
    },
}

/// Sends a turn's events to a reader, or discards them.
#[derive(Debug, Clone)]
pub struct QueryEventSender(Option<mpsc::Sender<QueryEvent>>);

impl QueryEventSender {
    /// Sends to the reader of this channel.
    pub fn new(channel: mpsc::Sender<QueryEvent>) -> Self {
        Self(Some(channel))
    }

    /// Discards every event.
    pub fn none() -> Self {
        Self(None)
    }

    /// A reporter for one call. Each of its reports is [offered](Self::offer) as a
    /// [`Progress`](QueryEvent::Progress) event.
    pub fn reporter(&self, call_id: impl Into<String>) -> Reporter {
        let events = self.clone();
        Reporter::new(call_id, move |progress| {
            events.offer(QueryEvent::Progress(progress));
        })
    }

    /// Sends an event, and waits while the channel is full. Without a reader, or after the
    /// reader was dropped, this does nothing.
    pub async fn send(&self, event: QueryEvent) {
        todo!("events-and-progress: write QueryEventSender::send")
    }

    /// Sends an event if the channel has room, and drops it otherwise. Never waits. Without
    /// a reader, or after the reader was dropped, this does nothing.
    pub fn offer(&self, event: QueryEvent) {
        todo!("events-and-progress: write QueryEventSender::offer")
    }
}
