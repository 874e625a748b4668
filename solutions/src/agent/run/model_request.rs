//! One request to the model, and the events of its streamed reply.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agent::run::panic_guard::{ScopedReceiver, catch_panic};
use crate::agent::{
    AgentEvent, AgentLoop, AgentMessage, Content, EventSink, Message, ModelRequest, PartialReply,
    StopReason, StreamDelta, TurnId,
};
use crate::provider::{ProviderError, unique_call_id};

/// How many deltas may wait for a slow reader.
const DELTAS: usize = 64;

impl AgentLoop {
    /// Asks the model, sends `MessageStart` and a `MessageUpdate` per delta, and returns the
    /// reply. It does not send `MessageEnd` and does not change the history.
    ///
    /// There is a reply in every case. After an abort, an error or a panic of the model's
    /// connection, it holds what had arrived, the stop reason and, for the last two, the
    /// error message. The reply has the time at which it ended, and its calls have unique
    /// ids.
    pub async fn ask(&mut self) -> Message {
        let turn_id = self.turn_id();
        let model = self.settings.model.as_ref();
        let mut tools = self.services.dispatcher.tools.definitions();
        tools.sort_by_key(|definition| definition.name);
        let request = ModelRequest {
            system: &self.settings.system,
            messages: &self.lane,
            tools: &tools,
            thinking: self.settings.thinking,
            cache: self.settings.cache,
            max_tokens: self.settings.max_tokens,
        };
        let clock = &self.services.clock;
        let mut events = ReplyEvents {
            partial: PartialReply::new(model.provider(), model.model()),
            is_started: false,
            start_time: clock(),
            turn_id,
            sink: &mut self.sink,
        };
        let (sender, pieces) = mpsc::channel(DELTAS);
        let done = CancellationToken::new();
        let mut pieces = ScopedReceiver::new(pieces, &done);
        let asking = async {
            let reply = catch_panic(model.stream(&request, &sender));
            let reply = self.run.cancel.run_until_cancelled(reply).await;
            done.cancel();
            reply
        };
        let showing = async {
            while let Some(piece) = pieces.next().await {
                events.push(piece).await;
            }
        };
        let (reply, ()) = tokio::join!(asking, showing);
        let failed = |why: String| {
            events
                .partial
                .message(StopReason::Error, Some(why), clock())
        };
        let reply = match reply {
            None => events.partial.message(StopReason::Aborted, None, clock()),
            Some(Err(panic)) => failed(format!("the connection to the model crashed: {panic}")),
            Some(Ok(Err(error))) => error_reply(&error, failed),
            Some(Ok(Ok(reply))) => match finish_reply(reply, clock()) {
                Some(reply) => reply,
                None => failed("the connection to the model returned no reply".into()),
            },
        };
        events.start(&reply).await;
        reply
    }
}

/// Sends the events of one streamed reply.
struct ReplyEvents<'a> {
    partial: PartialReply,
    is_started: bool,
    start_time: u64,
    turn_id: TurnId,
    sink: &'a mut EventSink,
}

impl ReplyEvents<'_> {
    /// Sends `MessageStart` with `message` if it has not been sent.
    async fn start(&mut self, message: &Message) {
        if !self.is_started {
            self.is_started = true;
            let event = AgentEvent::MessageStart {
                loop_id: self.turn_id.loop_id.clone(),
                message: self.agent_message(message.clone()),
            };
            self.sink.send(event).await;
        }
    }

    /// Adds a delta to the reply and sends it.
    async fn push(&mut self, delta: StreamDelta) {
        // The stop reason is unknown while the reply streams, so `Stop` is a placeholder.
        let message_so_far =
            |partial: &PartialReply, at| partial.message(StopReason::Stop, None, at);
        self.start(&message_so_far(&self.partial, self.start_time))
            .await;
        self.partial.push(&delta);
        let event = AgentEvent::MessageUpdate {
            loop_id: self.turn_id.loop_id.clone(),
            message: self.agent_message(message_so_far(&self.partial, self.start_time)),
            delta,
        };
        self.sink.send(event).await;
    }

    fn agent_message(&self, message: Message) -> AgentMessage {
        AgentMessage::from(message).with_turn_id(Some(self.turn_id.clone()))
    }
}

/// The reply as the history keeps it: with the time at which it ended, and a unique id for
/// each call. `None` if the message is not an assistant message.
fn finish_reply(mut reply: Message, now: u64) -> Option<Message> {
    let Message::Assistant {
        content, timestamp, ..
    } = &mut reply
    else {
        return None;
    };
    *timestamp = now;
    let mut taken: Vec<String> = Vec::new();
    for block in content {
        if let Content::ToolCall { id, .. } = block {
            *id = unique_call_id(id, taken.iter().map(String::as_str));
            taken.push(id.clone());
        }
    }
    Some(reply)
}

/// The reply for a provider's error. The error message of a context overflow is one that
/// [`Message::is_context_overflow`] recognizes, whatever text the server sent.
fn error_reply(error: &ProviderError, failed: impl Fn(String) -> Message) -> Message {
    let reply = failed(error.to_string());
    match error {
        ProviderError::ContextOverflow(_) if !reply.is_context_overflow() => {
            failed(format!("context length exceeded: {error}"))
        }
        _ => reply,
    }
}
