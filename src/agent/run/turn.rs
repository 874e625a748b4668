//! One turn: the input, the model's reply, and the results of its calls.

use crate::agent::{AgentEvent, AgentLoop, AgentMessage, Message, StopReason, TurnTrigger, Usage};

impl AgentLoop {
    /// Runs one turn and returns the stop reason of its reply.
    ///
    /// The turn adds `input` to the history, asks the model, adds the reply, and gives every
    /// call of the reply a result. Its events are those of `turn` in the grammar of
    /// [`AgentEvent`]. The usage of the reply is added to the loop's before the calls run. At the
    /// end, the turn index grows by one.
    pub async fn turn(&mut self, input: Vec<AgentMessage>) -> StopReason {
        todo!("one-turn: write AgentLoop::turn")
    }

    /// Sends `TurnStart`. The loop's origin triggers its first turn.
    async fn send_turn_start(&mut self) {
        let triggered_by = match self.turn_index {
            0 => self.start.trigger,
            _ => TurnTrigger::Continuation,
        };
        let event = AgentEvent::TurnStart {
            loop_id: self.start.loop_id.clone(),
            turn_index: self.turn_index,
            timestamp: self.services.event_time(),
            triggered_by,
        };
        self.sink.send(event).await;
    }

    /// Sends `TurnEnd` with the reply, its usage and the results of its calls.
    async fn send_turn_end(&mut self, reply: Message, usage: Usage, tool_results: Vec<Message>) {
        let event = AgentEvent::TurnEnd {
            loop_id: self.start.loop_id.clone(),
            message: AgentMessage::from(reply).with_turn_id(Some(self.turn_id())),
            usage,
            timestamp: self.services.event_time(),
            tool_results,
        };
        self.sink.send(event).await;
    }

    /// Adds a complete message to the history and sends its start and its end.
    pub(in crate::agent) async fn add_message(&mut self, message: AgentMessage) {
        let message = self.record(message);
        self.send_message_event(message.clone(), false).await;
        self.send_message_event(message, true).await;
    }

    /// Adds a message to the history and returns it as the history keeps it: a message without
    /// a turn id gets that of this turn.
    fn record(&mut self, message: AgentMessage) -> AgentMessage {
        let message = match message.turn_id() {
            Some(_) => message,
            None => message.with_turn_id(Some(self.turn_id())),
        };
        self.lane.extend(message.as_llm().map(Message::known));
        self.added.push(message.clone());
        message
    }

    /// Sends the `MessageStart` of a message or, with `is_end`, its `MessageEnd`.
    async fn send_message_event(&mut self, message: AgentMessage, is_end: bool) {
        let loop_id = self.start.loop_id.clone();
        let event = match is_end {
            false => AgentEvent::MessageStart { loop_id, message },
            true => AgentEvent::MessageEnd { loop_id, message },
        };
        self.sink.send(event).await;
    }
}

/// The usage and the stop reason of a reply.
fn usage_and_stop(reply: &Message) -> (Usage, StopReason) {
    match reply {
        Message::Assistant {
            usage, stop_reason, ..
        } => (*usage, *stop_reason),
        _ => (Usage::default(), StopReason::Error),
    }
}
