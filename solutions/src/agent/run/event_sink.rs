//! The sender of a loop's events.

use std::collections::VecDeque;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio_util::sync::CancellationToken;

use crate::agent::AgentEvent;

/// Sends events to a reader, each once and in order, with bounded memory.
///
/// The sink waits for a slow reader, so at most as many events wait as the channel holds.
/// After a cancel it does not wait: it keeps the events that do not fit and sends them when
/// the loop has ended. These are few, because a cancelled loop only answers its open calls
/// and ends. If the reader has dropped its end, events are discarded.
pub struct EventSink {
    reader: mpsc::Sender<AgentEvent>,
    cancel: CancellationToken,
    late: VecDeque<AgentEvent>,
}

impl EventSink {
    /// A sink that waits for `reader` until `cancel` is cancelled.
    pub fn new(reader: mpsc::Sender<AgentEvent>, cancel: CancellationToken) -> Self {
        Self {
            reader,
            cancel,
            late: VecDeque::new(),
        }
    }

    /// Sends an event and waits while the channel is full. After a cancel it does not wait
    /// and keeps an event that does not fit. Events always stay in order.
    pub async fn send(&mut self, event: AgentEvent) {
        let room = self.cancel.run_until_cancelled(self.reader.reserve());
        // `late` is empty until a cancel, since the loop has only this sender.
        if let Some(room) = room.await {
            // An error means that the reader has dropped its end.
            if let Ok(room) = room {
                room.send(event);
            }
            return;
        }
        self.late.push_back(event);
        self.send_late();
    }

    /// Sends an event if the channel has room, and discards it otherwise. Never waits.
    pub fn offer(&mut self, event: AgentEvent) {
        if self.late.is_empty() {
            // Full or closed: callers offer only events that a reader may miss.
            let _ = self.reader.try_send(event);
        }
    }

    /// Sends as many of the late events as the channel has room for.
    fn send_late(&mut self) {
        while let Some(event) = self.late.pop_front() {
            if let Err(TrySendError::Full(event)) = self.reader.try_send(event) {
                self.late.push_front(event);
                break;
            }
        }
    }

    /// Moves the late events to a new sink. This one has none left.
    pub(in crate::agent) fn take(&mut self) -> Self {
        Self {
            reader: self.reader.clone(),
            cancel: self.cancel.clone(),
            late: std::mem::take(&mut self.late),
        }
    }

    /// Sends the late events and waits for the reader as long as it takes.
    pub async fn finish(mut self) {
        while let Some(event) = self.late.pop_front() {
            if self.reader.send(event).await.is_err() {
                break;
            }
        }
    }
}
