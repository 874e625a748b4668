//! One turn: what is said, the model's reply, and the results of its calls.

use crate::agent::{AgentEvent, AgentLoop, AgentMessage, Message, StopReason, TurnTrigger, Usage};

impl AgentLoop {
    /// One turn. It puts `input` into the history, asks the model, and answers the calls
    /// of the reply; those of a reply that failed are not run, and answered all the same.
    /// Returns the reply's reason to stop.
    pub async fn turn(&mut self, input: Vec<AgentMessage>) -> StopReason {
        let triggered_by = match self.turn_index {
            0 => self.start.trigger,
            _ => TurnTrigger::Continuation,
        };
        self.sink
            .send(AgentEvent::TurnStart {
                loop_id: self.start.loop_id.clone(),
                turn_index: self.turn_index,
                timestamp: self.services.event_time(),
                triggered_by,
            })
            .await;
        for message in input {
            self.add_message(message).await;
        }
        let reply = self.ask().await;
        let (usage, stop_reason) = match &reply {
            Message::Assistant {
                usage, stop_reason, ..
            } => (*usage, *stop_reason),
            _ => (Usage::default(), StopReason::Error),
        };
        self.usage = self.usage.combine(&usage);
        let message = self.record(reply.clone().into());
        self.send_message_event(message.clone(), true).await;
        let tool_results = self.answer(&reply).await;
        self.sink
            .send(AgentEvent::TurnEnd {
                loop_id: self.start.loop_id.clone(),
                message,
                usage,
                timestamp: self.services.event_time(),
                tool_results,
            })
            .await;
        self.turn_index += 1;
        stop_reason
    }

    /// Puts a message into the history and tells of it, as a whole.
    pub(in crate::agent) async fn add_message(&mut self, message: AgentMessage) {
        let message = self.record(message);
        self.send_message_event(message.clone(), false).await;
        self.send_message_event(message, true).await;
    }

    /// Puts a message into the history and returns it as it stands there. One that has no
    /// turn is of this turn.
    fn record(&mut self, message: AgentMessage) -> AgentMessage {
        let message = match message.turn_id() {
            Some(_) => message,
            None => message.with_turn_id(Some(self.turn_id())),
        };
        self.lane.extend(message.as_llm().map(Message::known));
        self.added.push(message.clone());
        message
    }

    /// Tells the start or the end of a message.
    async fn send_message_event(&mut self, message: AgentMessage, end: bool) {
        let loop_id = self.start.loop_id.clone();
        let event = match end {
            false => AgentEvent::MessageStart { loop_id, message },
            true => AgentEvent::MessageEnd { loop_id, message },
        };
        self.sink.send(event).await;
    }
}
