//! What a screen is told while a turn runs.

use tokio::sync::mpsc;

use super::QueryError;
use crate::tools::Reporter;
use crate::types::{ProgressMessage, TokenUsage, ToolCall, ToolResultMessage};

/// One piece of news from a turn.
///
/// A turn sends, for each reply of the model: its text in pieces, its usage if the
/// provider says it, then `ToolStarted`, any `Progress` and `ToolFinished` for each call
/// that was taken up. Calls that run together interleave. `TurnFinished` comes last.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryEvent {
    /// More of the model's text.
    Text(String),
    /// A call is taken up. One that a gate refused is too, and finishes at once.
    ToolStarted {
        /// The call as it runs, with arguments that a gate may have rewritten.
        call: ToolCall,
        /// The tool's line for the terminal.
        summary: String,
        /// What to show while it runs; without it, the summary.
        activity: Option<String>,
    },
    /// News from a tool that runs. It is never part of the history, and it is the one
    /// event that a reader who is behind does not get.
    Progress(ProgressMessage),
    /// A call has its result. These come as the calls finish, in any order.
    ToolFinished {
        /// The call's id.
        call_id: String,
        /// The message that the history gets.
        result: ToolResultMessage,
    },
    /// What one reply cost.
    Usage(TokenUsage),
    /// The turn is over.
    TurnFinished {
        /// Why it ended without a last reply, if it did.
        error: Option<QueryError>,
    },
}

/// Where a turn's events go: to a reader, or nowhere.
#[derive(Debug, Clone)]
pub struct Events(Option<mpsc::Sender<QueryEvent>>);

impl Events {
    /// To this reader.
    pub fn to(reader: mpsc::Sender<QueryEvent>) -> Self {
        Self(Some(reader))
    }

    /// To nobody.
    pub fn nowhere() -> Self {
        Self(None)
    }

    /// A reporter for one call: what the call reports becomes
    /// [`Progress`](QueryEvent::Progress), offered and never waited for.
    pub fn reporter(&self, call_id: impl Into<String>) -> Reporter {
        let events = self.clone();
        Reporter::new(call_id, move |progress| {
            events.offer(QueryEvent::Progress(progress));
        })
    }

    /// Sends an event, and waits while the reader is behind. Without a reader, or when
    /// it has gone, nothing happens.
    pub async fn send(&self, event: QueryEvent) {
        if let Some(reader) = &self.0 {
            // A reader that has gone wants no more events; the turn goes on without it.
            let _ = reader.send(event).await;
        }
    }

    /// Sends an event if there is room for it. Never waits.
    pub fn offer(&self, event: QueryEvent) {
        if let Some(reader) = &self.0 {
            // Full or gone: in both cases the event is one that may be missed.
            let _ = reader.try_send(event);
        }
    }
}
