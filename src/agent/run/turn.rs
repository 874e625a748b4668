//! One turn: the input, the model's reply, and the results of its calls.

use crate::agent::{AgentEvent, AgentLoop, AgentMessage, Message, StopReason, TurnTrigger, Usage};

impl AgentLoop {
    /// Runs one turn: adds `input` to the history, asks the model, and gives every call of the
    /// reply a result. Calls of a failed reply do not run and get an error result. Returns the
    /// reply's stop reason.
    pub async fn turn(&mut self, input: Vec<AgentMessage>) -> StopReason {
        todo!("steered-loop: write AgentLoop::turn")
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
