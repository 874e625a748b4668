//! The handle with which other tasks control a running agent.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::SetOnce;
use tokio_util::sync::CancellationToken;

use crate::agent::{AgentMessage, LoopRecord, Message, Queue, QueueMode, Queues};

/// Controls an agent from any task. A clone is cheap, and only
/// [`finished`](Self::finished) waits.
///
/// A message stays queued until a loop takes it. If no loop runs, or the loop ends first, it
/// waits for the next loop.
#[derive(Clone, Default)]
pub struct AgentHandle(Arc<Shared>);

#[derive(Default)]
struct Shared {
    // std mutexes, not tokio's, since neither is held across an await.
    queues: Mutex<Queues>,
    run: Mutex<Option<Arc<Run>>>,
}

impl AgentHandle {
    /// Redirects the agent. The message takes effect at the next tool boundary: running calls
    /// finish, calls that have not begun are skipped, and the next request includes the
    /// message, unless earlier ones wait.
    pub fn steer(&self, message: impl Into<AgentMessage>) {
        let message = message.into();
        self.with_queues(|queues| queues.steering.waiting.push_back(message));
    }

    /// Queues something to do next. The message takes effect when the model has nothing left
    /// to do: its reply calls no tool and the steering queue is empty.
    pub fn follow_up(&self, message: impl Into<AgentMessage>) {
        let message = message.into();
        self.with_queues(|queues| queues.follow_up.waiting.push_back(message));
    }

    /// Ends the running loop, if any. The reply keeps what has arrived, and every call gets a
    /// result. Queued messages stay queued.
    pub fn abort(&self) {
        if let Some(run) = self.run() {
            run.cancel.cancel();
        }
    }

    /// Whether a loop runs: from the call that starts it until its messages are part of the
    /// history. Its `AgentEnd` is sent after that.
    pub fn is_streaming(&self) -> bool {
        self.run().is_some_and(|run| run.outcome().is_none())
    }

    /// Waits until no loop runs.
    pub async fn finished(&self) {
        if let Some(run) = self.run() {
            run.outcome.wait().await;
        }
    }

    /// Sets how many messages leave each queue at a time.
    pub fn set_modes(&self, steering: QueueMode, follow_up: QueueMode) {
        self.with_queues(|queues| {
            queues.steering.mode = steering;
            queues.follow_up.mode = follow_up;
        });
    }

    /// A copy of both queues.
    pub fn queues(&self) -> Queues {
        self.with_queues(|queues| queues.clone())
    }

    /// Empties both queues and returns their messages.
    pub fn clear_queues(&self) -> Queues {
        self.with_queues(|queues| {
            let empty = |queue: &mut Queue| Queue {
                mode: queue.mode,
                waiting: std::mem::take(&mut queue.waiting),
            };
            Queues {
                steering: empty(&mut queues.steering),
                follow_up: empty(&mut queues.follow_up),
            }
        })
    }

    /// Runs `with` while both queues are locked.
    pub(in crate::agent) fn with_queues<T>(&self, with: impl FnOnce(&mut Queues) -> T) -> T {
        with(&mut lock(&self.0.queues))
    }

    /// The current or last loop.
    pub(in crate::agent) fn run(&self) -> Option<Arc<Run>> {
        lock(&self.0.run).clone()
    }

    /// Registers a new loop.
    pub(in crate::agent) fn begin(&self) -> Arc<Run> {
        let run = Arc::new(Run::default());
        *lock(&self.0.run) = Some(run.clone());
        run
    }
}

/// The shared state of one loop: its cancellation and its outcome.
#[derive(Default)]
pub(in crate::agent) struct Run {
    /// Cancels the loop.
    pub cancel: CancellationToken,
    /// Empty until the loop has ended.
    outcome: SetOnce<Outcome>,
    /// The part of the complete history that the model sees, for the next loop.
    lane: Mutex<Option<Vec<Message>>>,
}

/// The result of a loop.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::agent) struct Outcome {
    /// The messages that the loop has added to the history.
    pub added: Vec<AgentMessage>,
    /// The record of the loop.
    pub record: LoopRecord,
}

impl Run {
    /// Sets the outcome, which ends the loop. Only the first call has an effect.
    pub fn end(&self, outcome: Outcome) {
        // An error means that the loop has ended before.
        let _ = self.outcome.set(outcome);
    }

    /// Keeps the lane of a loop that has ended.
    pub fn keep_lane(&self, lane: Vec<Message>) {
        *lock(&self.lane) = Some(lane);
    }

    /// Takes the lane; `None` if the loop did not keep it.
    pub fn take_lane(&self) -> Option<Vec<Message>> {
        lock(&self.lane).take()
    }

    /// The outcome; `None` until the loop has ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.get()
    }
}

/// Locks the mutex even if a thread panicked while it held the lock: the state under these
/// locks is always consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
