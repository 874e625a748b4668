//! What other tasks hold of an agent while it runs.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::agent::{AgentMessage, LoopRecord, Queue, QueueMode, Queues};

/// Talks to an agent from any task: cheap to clone, and nothing here waits but
/// [`finished`](Self::finished).
///
/// What is said is kept until a loop takes it. If none runs, or if it ends before it came
/// to it, the message waits for the next loop.
#[derive(Clone, Default)]
pub struct AgentHandle(Arc<Shared>);

#[derive(Default)]
struct Shared {
    // std's mutexes, not tokio's: neither is held across an await.
    queues: Mutex<Queues>,
    run: Mutex<Option<Arc<Run>>>,
}

impl AgentHandle {
    /// Redirects the agent. The message comes in at the next tool boundary: calls that
    /// run are let finish, calls that have not begun are skipped, and the model reads the
    /// message with its next request.
    pub fn steer(&self, message: impl Into<AgentMessage>) {
        let message = message.into();
        self.with_queues(|queues| queues.steering.waiting.push_back(message));
    }

    /// Gives the agent something to do next. The message comes in when the model has
    /// nothing left to do: a reply that calls nothing, and no steering in line.
    pub fn follow_up(&self, message: impl Into<AgentMessage>) {
        let message = message.into();
        self.with_queues(|queues| queues.follow_up.waiting.push_back(message));
    }

    /// Ends the loop that runs, if one does: the reply keeps what it has, and every call
    /// gets a result. What waits in line stays there.
    pub fn abort(&self) {
        if let Some(run) = self.run() {
            run.cancel.cancel();
        }
    }

    /// Whether a loop runs: from the call that starts it until its messages are part of
    /// the history. Then, and not earlier, its `AgentEnd` is sent.
    pub fn is_streaming(&self) -> bool {
        self.run().is_some_and(|run| run.outcome().is_none())
    }

    /// Waits until no loop runs.
    pub async fn finished(&self) {
        if let Some(run) = self.run() {
            run.ended.cancelled().await;
        }
    }

    /// Sets how many messages leave the two lines at a time.
    pub fn set_modes(&self, steering: QueueMode, follow_up: QueueMode) {
        self.with_queues(|queues| {
            queues.steering.mode = steering;
            queues.follow_up.mode = follow_up;
        });
    }

    /// What waits in line.
    pub fn queues(&self) -> Queues {
        self.with_queues(|queues| queues.clone())
    }

    /// Empties both lines, and returns what was in them.
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

    /// Does something with both lines at once.
    pub(in crate::agent) fn with_queues<T>(&self, with: impl FnOnce(&mut Queues) -> T) -> T {
        with(&mut lock(&self.0.queues))
    }

    /// The loop that runs, or ran last.
    pub(in crate::agent) fn run(&self) -> Option<Arc<Run>> {
        lock(&self.0.run).clone()
    }

    /// Takes up a new loop.
    pub(in crate::agent) fn begin(&self) -> Arc<Run> {
        let run = Arc::new(Run::default());
        *lock(&self.0.run) = Some(run.clone());
        run
    }
}

/// One loop, from outside: how to end it, and what came of it.
#[derive(Default)]
pub(in crate::agent) struct Run {
    /// Ends it.
    pub cancel: CancellationToken,
    ended: CancellationToken,
    outcome: OnceLock<Outcome>,
}

/// What came of a loop.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::agent) struct Outcome {
    /// The whole history, the loop's messages at its end.
    pub messages: Arc<Vec<AgentMessage>>,
    /// What else is kept of it.
    pub record: LoopRecord,
}

impl Run {
    /// Ends it; the first outcome counts.
    pub fn end(&self, outcome: impl FnOnce() -> Outcome) {
        self.outcome.get_or_init(outcome);
        self.ended.cancel();
    }

    /// What came of it, once it has ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.get()
    }
}

/// The lock, even if somebody panicked while holding it: what is done under these locks
/// is whole or did not happen.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
