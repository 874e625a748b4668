//! The agent's loop: turns, until there is nothing left to do.

use std::sync::Arc;

use serde_json::Value;

use crate::agent::settings::Services;
use crate::agent::steering::handle::{Outcome, Run};
use crate::agent::{
    AgentEvent, AgentHandle, AgentMessage, ContinuationKind, EventSink, LoopRecord, Message,
    Settings, StopReason, TurnId, TurnTrigger, Usage, admit, repair_history,
};

/// The facts about a loop that its first event carries.
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

/// A loop, run in its own task.
///
/// However the loop ends, the agent gets its messages, and every call in them has a result.
/// Dropping the loop ends it.
pub struct AgentLoop {
    pub(in crate::agent) services: Arc<Services>,
    pub(in crate::agent) settings: Settings,
    pub(in crate::agent) handle: AgentHandle,
    pub(in crate::agent) run: Arc<Run>,
    pub(in crate::agent) sink: EventSink,
    pub(in crate::agent) start: LoopStart,
    /// The messages that the loop has added.
    pub(in crate::agent) added: Vec<AgentMessage>,
    /// The part of the history and of these messages that the model sees.
    pub(in crate::agent) lane: Vec<Message>,
    pub(in crate::agent) usage: Usage,
    pub(in crate::agent) turn_index: u64,
}

impl AgentLoop {
    /// Runs the loop to its end with the user's input. The input filters accept all of
    /// `prompt` or none of it. If they reject it, the loop ends without a turn, with
    /// [`StopReason::GuardRail`].
    ///
    /// Before the last event, `AgentEnd`, is sent, the agent is free for the next loop.
    pub async fn run(mut self, prompt: Vec<AgentMessage>) {
        self.send_agent_start().await;
        let filters = &self.services.filters;
        let verdict = prompt.iter().try_for_each(|input| admit(filters, input));
        let (reason, rejection) = match verdict {
            Ok(()) => (self.turns(prompt).await, None),
            Err(reason) => {
                self.reject(reason.clone()).await;
                (StopReason::GuardRail, Some(reason))
            }
        };
        let end = self.agent_end(rejection);
        self.end(reason);
        let mut sink = self.sink.take();
        // Sending the rest may take as long as the reader likes and needs no history.
        drop(self);
        sink.send(end).await;
        sink.finish().await;
    }

    /// Sends `AgentStart`.
    async fn send_agent_start(&mut self) {
        let start = self.start.clone();
        let event = AgentEvent::AgentStart {
            loop_id: start.loop_id,
            agent_id: start.agent_id,
            session_id: start.session_id,
            parent_loop_id: start.parent_loop_id,
            continuation_kind: start.continuation_kind,
            config_snapshot: Some(self.settings.snapshot()),
            timestamp: self.services.event_time(),
            metadata: start.metadata,
        };
        self.sink.send(event).await;
    }

    /// The loop's `AgentEnd`, with the messages that it has added.
    fn agent_end(&self, rejection: Option<String>) -> AgentEvent {
        AgentEvent::AgentEnd {
            loop_id: self.start.loop_id.clone(),
            messages: self.added.clone(),
            usage: self.usage,
            timestamp: self.services.event_time(),
            rejection,
        }
    }

    /// Runs the turns, from the user's `prompt` to a reply that leaves nothing to do, and
    /// returns the stop reason.
    ///
    /// The model is asked while the last message that it sees is not its own. Each turn
    /// takes in the [next input](Self::next_input); in the first turn it follows the prompt.
    ///
    /// The loop ends at once after a reply that failed or was aborted, and after an abort. If
    /// it was aborted before its first turn, it takes nothing from the queues, and ends with
    /// [`StopReason::Aborted`]; the history still gets its prompt. At the turn limit it takes nothing more from the queues, and ends with
    /// [`StopReason::MaxTurns`] if there is something left to do. Otherwise, it ends with the
    /// stop reason of the last reply.
    pub async fn turns(&mut self, prompt: Vec<AgentMessage>) -> StopReason {
        let mut reason = StopReason::Stop;
        let mut input = match has_model_input(&prompt) {
            true => prompt,
            false => self.add_extensions(prompt).await,
        };
        let natural = input.is_empty() && !self.needs_reply();
        match self.run.cancel.is_cancelled() {
            true => reason = StopReason::Aborted,
            false => input.extend(self.next_input(natural).await),
        }
        while !input.is_empty() || self.needs_reply() {
            reason = self.turn(input).await;
            if matches!(reason, StopReason::Error | StopReason::Aborted) {
                return reason;
            }
            if self.run.cancel.is_cancelled() {
                return StopReason::Aborted;
            }
            if self.turn_index >= self.settings.max_turns {
                return match self.has_work() {
                    true => StopReason::MaxTurns,
                    false => reason,
                };
            }
            input = self.next_input(!self.needs_reply()).await;
        }
        reason
    }

    /// Whether the model owes a reply: the last message that it sees is not its own.
    fn needs_reply(&self) -> bool {
        matches!(
            self.lane.last(),
            Some(Message::User { .. } | Message::ToolResult { .. })
        )
    }

    /// Whether there is something left to do for another turn.
    fn has_work(&self) -> bool {
        let waits = |queues: &mut crate::agent::Queues| {
            queues.steering.has_model_input() || queues.follow_up.has_model_input()
        };
        self.needs_reply() || self.handle.with_queues(waits)
    }

    /// The next input from the queues, as [`Queues::take`](crate::agent::Queues::take) gives
    /// it at a `natural` stop or before one. A message that a filter rejects sends an
    /// `InputRejected` event. Input without a message for the model goes into the history
    /// at once, and the queues are asked again. So the result contains a message for the
    /// model, or is empty.
    pub async fn next_input(&mut self, natural: bool) -> Vec<AgentMessage> {
        loop {
            let taken = self.handle.with_queues(|queues| queues.take(natural));
            if taken.is_empty() {
                return taken;
            }
            let input = self.admit_each(taken).await;
            if has_model_input(&input) {
                return input;
            }
            self.add_extensions(input).await;
        }
    }

    /// The messages that the input filters accept. Each rejected one sends an `InputRejected`
    /// event.
    async fn admit_each(&mut self, messages: Vec<AgentMessage>) -> Vec<AgentMessage> {
        let mut input = Vec::new();
        for message in messages {
            match admit(&self.services.filters, &message) {
                Ok(()) => input.push(message),
                Err(reason) => self.reject(reason).await,
            }
        }
        input
    }

    /// Sends the event for rejected input.
    async fn reject(&mut self, reason: String) {
        let loop_id = self.start.loop_id.clone();
        self.sink
            .send(AgentEvent::InputRejected { loop_id, reason })
            .await;
    }

    /// Adds messages that the model does not see to the history, outside a turn. Returns an
    /// empty list, since no input is left.
    async fn add_extensions(&mut self, messages: Vec<AgentMessage>) -> Vec<AgentMessage> {
        for message in messages {
            self.add_message(message).await;
        }
        Vec::new()
    }

    /// The id of the current or next turn.
    pub(in crate::agent) fn turn_id(&self) -> TurnId {
        TurnId {
            loop_id: self.start.loop_id.clone(),
            turn_index: self.turn_index,
        }
    }

    /// Ends a complete loop: [hands over](Self::hand_over) what it has added, and its lane, with
    /// which the next loop continues without a copy.
    fn end(&mut self, reason: StopReason) {
        self.run.keep_lane(std::mem::take(&mut self.lane));
        self.hand_over(reason);
    }

    /// Hands the messages that the loop has added to the agent. Only the first call has an effect.
    fn hand_over(&mut self, reason: StopReason) {
        let added = std::mem::take(&mut self.added);
        let record = LoopRecord {
            loop_id: self.start.loop_id.clone(),
            parent_loop_id: self.start.parent_loop_id.clone(),
            stop_reason: reason,
            usage: self.usage,
        };
        self.run.end(Outcome { added, record });
    }
}

/// Whether `input` contains a message for the model.
fn has_model_input(input: &[AgentMessage]) -> bool {
    input.iter().any(|message| message.as_llm().is_some())
}

impl Drop for AgentLoop {
    fn drop(&mut self) {
        // A loop that is dropped in the middle of a turn may have calls without results.
        if !self.added.is_empty() {
            repair_history(&mut self.added, (self.services.clock)());
        }
        self.hand_over(match std::thread::panicking() {
            true => StopReason::Error,
            false => StopReason::Aborted,
        });
    }
}
