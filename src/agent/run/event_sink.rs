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
        todo!("slow-readers: write EventSink::send")
    }

    /// Sends an event if the channel has room, and discards it otherwise. Never waits.
    pub fn offer(&mut self, event: AgentEvent) {
        todo!("slow-readers: write EventSink::offer")
    }

    /// Sends as many of the late events as the channel has room for.
    fn send_late(&mut self) {
        todo!("slow-readers: write EventSink::send_late")
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
        todo!("slow-readers: write EventSink::finish")
    }
}
