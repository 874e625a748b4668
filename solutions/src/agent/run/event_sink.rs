//! Where a loop's events go.

use std::collections::VecDeque;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio_util::sync::CancellationToken;

use crate::agent::AgentEvent;

/// Sends events to a reader, each once and in order, and without filling the memory.
///
/// A reader who is behind is waited for, so no more events wait than the channel holds.
/// A cancel ends the waiting and not the telling: what does not fit then is kept, and sent
/// when the loop is over. That is little, since a loop that was cancelled only answers
/// the calls that are open, and ends. A reader who has gone is told nothing more.
pub struct EventSink {
    reader: mpsc::Sender<AgentEvent>,
    cancel: CancellationToken,
    late: VecDeque<AgentEvent>,
}

impl EventSink {
    /// To this reader, waiting for it until `cancel` says not to.
    pub fn new(reader: mpsc::Sender<AgentEvent>, cancel: CancellationToken) -> Self {
        Self {
            reader,
            cancel,
            late: VecDeque::new(),
        }
    }

    /// Sends an event, and waits while the reader is behind. After a cancel it does not
    /// wait, and keeps what does not fit. Events stay in order in any case.
    pub async fn send(&mut self, event: AgentEvent) {
        let room = self.cancel.run_until_cancelled(self.reader.reserve());
        // Nothing is waiting while there is no cancel: this is a loop's one sender.
        if let Some(room) = room.await {
            // An error means that the reader has gone.
            if let Ok(room) = room {
                room.send(event);
            }
            return;
        }
        self.late.push_back(event);
        self.catch_up();
    }

    /// Sends an event that may be missed, if there is room for it. Never waits.
    pub fn offer(&mut self, event: AgentEvent) {
        if self.late.is_empty() {
            // Full or gone: in both cases the event is one that may be missed.
            let _ = self.reader.try_send(event);
        }
    }

    /// Sends as much of what was kept as there is room for.
    fn catch_up(&mut self) {
        while let Some(event) = self.late.pop_front() {
            if let Err(TrySendError::Full(event)) = self.reader.try_send(event) {
                self.late.push_front(event);
                break;
            }
        }
    }

    /// The sink by itself, with what was kept. This one has nothing left to send.
    pub(in crate::agent) fn take(&mut self) -> Self {
        Self {
            reader: self.reader.clone(),
            cancel: self.cancel.clone(),
            late: std::mem::take(&mut self.late),
        }
    }

    /// Sends what was kept, however long the reader takes.
    pub async fn finish(mut self) {
        while let Some(event) = self.late.pop_front() {
            if self.reader.send(event).await.is_err() {
                break;
            }
        }
    }
}
