//! One loop: turn after turn, until there is nothing left to do.

use std::sync::Arc;

use serde_json::Value;

use crate::agent::settings::Equipment;
use crate::agent::steering::handle::{Outcome, Run};
use crate::agent::{
    AgentEvent, AgentHandle, AgentMessage, ContinuationKind, EventSink, LoopRecord, Message,
    Settings, StopReason, TurnId, TurnTrigger, Usage, admit, mend_messages,
};

/// What a loop's first event says of it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::agent) struct LoopStart {
    pub loop_id: String,
    pub agent_id: String,
    pub session_id: String,
    pub parent_loop_id: Option<String>,
    pub continuation_kind: ContinuationKind,
    pub trigger: TurnTrigger,
    pub metadata: Option<Value>,
}

/// A loop that runs, in a task of its own.
///
/// However it goes, the agent has its messages afterwards, and in them every call has its
/// result: dropping it ends it.
pub struct AgentLoop {
    pub(in crate::agent) equipment: Arc<Equipment>,
    pub(in crate::agent) settings: Settings,
    pub(in crate::agent) handle: AgentHandle,
    pub(in crate::agent) run: Arc<Run>,
    pub(in crate::agent) sink: EventSink,
    pub(in crate::agent) start: LoopStart,
    /// The history as it was before.
    pub(in crate::agent) before: Arc<Vec<AgentMessage>>,
    /// What the loop has added to it.
    pub(in crate::agent) added: Vec<AgentMessage>,
    /// What the model sees of both.
    pub(in crate::agent) lane: Vec<Message>,
    pub(in crate::agent) usage: Usage,
    pub(in crate::agent) turn_index: u64,
}

impl AgentLoop {
    /// Runs the loop to its end, with what the user said. It is let in as a whole or not
    /// at all; if it is not, the loop ends without a turn, with [`StopReason::GuardRail`].
    ///
    /// The agent is free for the next loop when the last event, `AgentEnd`, is sent.
    pub async fn run(mut self, prompt: Vec<AgentMessage>) {
        let start = self.start.clone();
        self.sink
            .send(AgentEvent::AgentStart {
                loop_id: start.loop_id,
                agent_id: start.agent_id,
                session_id: start.session_id,
                parent_loop_id: start.parent_loop_id,
                continuation_kind: start.continuation_kind,
                config_snapshot: Some(self.settings.snapshot()),
                timestamp: self.equipment.event_time(),
                metadata: start.metadata,
            })
            .await;
        let filters = &self.equipment.filters;
        let verdict = prompt.iter().try_for_each(|input| admit(filters, input));
        let (reason, rejection) = match verdict {
            Ok(()) => (self.turns(prompt).await, None),
            Err(reason) => {
                self.reject(reason.clone()).await;
                (StopReason::GuardRail, Some(reason))
            }
        };
        let end = AgentEvent::AgentEnd {
            loop_id: self.start.loop_id.clone(),
            messages: self.added.clone(),
            usage: self.usage,
            timestamp: self.equipment.event_time(),
            rejection,
        };
        self.end(reason);
        let mut sink = self.sink.take();
        // What comes now may take as long as the reader likes, and needs no history.
        drop(self);
        sink.send(end).await;
        sink.finish().await;
    }

    /// The turns, from the user's `prompt` to the reply that leaves nothing to do, and why
    /// they ended.
    ///
    /// The model is asked as long as the last message that it sees is not its own. Each
    /// turn takes in what is [due](Self::next_input), the first one behind the prompt.
    ///
    /// The loop ends at once with a reply that failed or was aborted, and after an abort;
    /// with [`StopReason::MaxTurns`] when the model may not be asked again and there is
    /// something left to do; and otherwise with the reason of the last reply.
    pub async fn turns(&mut self, prompt: Vec<AgentMessage>) -> StopReason {
        let mut reason = StopReason::Stop;
        let mut input = match speaks(&prompt) {
            true => prompt,
            false => self.aside(prompt).await,
        };
        let natural = input.is_empty() && !self.has_question();
        input.extend(self.next_input(natural).await);
        while !input.is_empty() || self.has_question() {
            reason = self.turn(input).await;
            if matches!(reason, StopReason::Error | StopReason::Aborted) {
                return reason;
            }
            if self.run.cancel.is_cancelled() {
                return StopReason::Aborted;
            }
            if self.turn_index >= self.settings.max_turns && self.has_work() {
                return StopReason::MaxTurns;
            }
            input = self.next_input(!self.has_question()).await;
        }
        reason
    }

    /// Whether the model is to say something: the last message it sees is not its own.
    fn has_question(&self) -> bool {
        matches!(
            self.lane.last(),
            Some(Message::User { .. } | Message::ToolResult { .. })
        )
    }

    /// Whether another turn would have something to do.
    fn has_work(&self) -> bool {
        let waits = |queues: &mut crate::agent::Queues| {
            queues.steering.speaks_to_model() || queues.follow_up.speaks_to_model()
        };
        self.has_question() || self.handle.with_queues(waits)
    }

    /// What is due in line: steering or, when there is none and the model has `natural`ly
    /// come to its end, what follows. What is not let in is told as rejected, what no
    /// model sees is put into the history at once, and the next in line is looked at. So
    /// what comes back has something for the model, or is empty.
    pub async fn next_input(&mut self, natural: bool) -> Vec<AgentMessage> {
        loop {
            let taken = self.handle.with_queues(|queues| {
                let steering = queues.steering.take();
                match steering.is_empty() && natural {
                    true => queues.follow_up.take(),
                    false => steering,
                }
            });
            if taken.is_empty() {
                return taken;
            }
            let mut input = Vec::new();
            for message in taken {
                match admit(&self.equipment.filters, &message) {
                    Ok(()) => input.push(message),
                    Err(reason) => self.reject(reason).await,
                }
            }
            if speaks(&input) {
                return input;
            }
            self.aside(input).await;
        }
    }

    /// Tells that something was not let in.
    async fn reject(&mut self, reason: String) {
        let loop_id = self.start.loop_id.clone();
        self.sink
            .send(AgentEvent::InputRejected { loop_id, reason })
            .await;
    }

    /// Puts messages that no model sees into the history, outside of any turn. Nothing is
    /// left of them to take in.
    async fn aside(&mut self, messages: Vec<AgentMessage>) -> Vec<AgentMessage> {
        for message in messages {
            self.say(message).await;
        }
        Vec::new()
    }

    /// The turn that runs, or comes next.
    pub(in crate::agent) fn turn_id(&self) -> TurnId {
        TurnId {
            loop_id: self.start.loop_id.clone(),
            turn_index: self.turn_index,
        }
    }

    /// Hands the history over; the first reason counts.
    fn end(&mut self, reason: StopReason) {
        let added = std::mem::take(&mut self.added);
        let before = &self.before;
        let record = LoopRecord {
            loop_id: self.start.loop_id.clone(),
            parent_loop_id: self.start.parent_loop_id.clone(),
            stop_reason: reason,
            usage: self.usage,
        };
        self.run.end(|| {
            let mut messages = before.as_ref().clone();
            messages.extend(added);
            Outcome {
                messages: Arc::new(messages),
                record,
            }
        });
    }
}

/// Whether there is something for the model among `input`.
fn speaks(input: &[AgentMessage]) -> bool {
    input.iter().any(|message| message.as_llm().is_some())
}

impl Drop for AgentLoop {
    fn drop(&mut self) {
        // A loop that was dropped on its way may have calls that are open.
        if !self.added.is_empty() {
            mend_messages(&mut self.added, (self.equipment.clock)());
        }
        self.end(match std::thread::panicking() {
            true => StopReason::Error,
            false => StopReason::Aborted,
        });
    }
}
