//! One request to the model, and the reply as it grows.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agent::run::panic_guard::{News, caught};
use crate::agent::{
    AgentEvent, AgentLoop, AgentMessage, Content, EventSink, Message, ModelRequest, PartialReply,
    StopReason, StreamDelta, TurnId,
};
use crate::provider::{ProviderError, unique_call_id};

/// How many pieces of a reply may wait for a reader who is behind.
const PIECES: usize = 64;

impl AgentLoop {
    /// Asks the model, tells of its reply as it grows, up to but not including its end, and
    /// returns it. The history is not changed.
    ///
    /// There is a reply in any case. What had come before an abort, an error or a panic of
    /// the model's connection is kept, with the reason to stop that fits and, for the last
    /// two, what went wrong. A reply has the time at which it ended, and its calls have
    /// ids of their own.
    pub async fn ask(&mut self) -> Message {
        let turn_id = self.turn_id();
        let model = self.settings.model.as_ref();
        let mut tools = self.equipment.dispatcher.tools.definitions();
        tools.sort_by_key(|definition| definition.name);
        let request = ModelRequest {
            system: &self.settings.system,
            messages: &self.lane,
            tools: &tools,
            thinking: self.settings.thinking,
            cache: self.settings.cache,
            max_tokens: self.settings.max_tokens,
        };
        let clock = &self.equipment.clock;
        let mut growing = Growing {
            partial: PartialReply::new(model.provider(), model.model()),
            is_told: false,
            began: clock(),
            turn_id,
            sink: &mut self.sink,
        };
        let (sender, pieces) = mpsc::channel(PIECES);
        let is_over = CancellationToken::new();
        let mut pieces = News::new(pieces, &is_over);
        let asking = async {
            let reply = caught(model.stream(&request, &sender));
            let reply = self.run.cancel.run_until_cancelled(reply).await;
            is_over.cancel();
            reply
        };
        let showing = async {
            while let Some(piece) = pieces.next().await {
                growing.grow(piece).await;
            }
        };
        let (reply, ()) = tokio::join!(asking, showing);
        let failed = |why: String| {
            growing
                .partial
                .message(StopReason::Error, Some(why), clock())
        };
        let reply = match reply {
            None => growing.partial.message(StopReason::Aborted, None, clock()),
            Some(Err(panic)) => failed(format!("the connection to the model crashed: {panic}")),
            Some(Ok(Err(error))) => failure(&error, failed),
            Some(Ok(Ok(reply))) => match own(reply, clock()) {
                Some(reply) => reply,
                None => failed("the connection to the model gave back no reply".into()),
            },
        };
        growing.begin(&reply).await;
        reply
    }
}

/// A reply on its way to the reader.
struct Growing<'a> {
    partial: PartialReply,
    is_told: bool,
    began: u64,
    turn_id: TurnId,
    sink: &'a mut EventSink,
}

impl Growing<'_> {
    /// Tells the start of a reply with `message`, if it was not told yet.
    async fn begin(&mut self, message: &Message) {
        if !self.is_told {
            self.is_told = true;
            let event = AgentEvent::MessageStart {
                loop_id: self.turn_id.loop_id.clone(),
                message: self.entry(message.clone()),
            };
            self.sink.send(event).await;
        }
    }

    /// Takes in a piece and tells of it.
    async fn grow(&mut self, delta: StreamDelta) {
        // Why it stops is not known yet; a message must say something.
        let so_far = |partial: &PartialReply, at| partial.message(StopReason::Stop, None, at);
        self.begin(&so_far(&self.partial, self.began)).await;
        self.partial.push(&delta);
        let event = AgentEvent::MessageUpdate {
            loop_id: self.turn_id.loop_id.clone(),
            message: self.entry(so_far(&self.partial, self.began)),
            delta,
        };
        self.sink.send(event).await;
    }

    fn entry(&self, message: Message) -> AgentMessage {
        AgentMessage::from(message).with_turn_id(Some(self.turn_id.clone()))
    }
}

/// A model's reply as the history gets it: with the time at which it ended, and an id of
/// its own for each call. `None` for a message that is no reply.
fn own(mut reply: Message, now: u64) -> Option<Message> {
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

/// The reply that a provider's error leaves, so that [`Message::is_context_overflow`] finds
/// an overflow whatever words the server had for it.
fn failure(error: &ProviderError, failed: impl Fn(String) -> Message) -> Message {
    let reply = failed(error.to_string());
    match error {
        ProviderError::ContextOverflow(_) if !reply.is_context_overflow() => {
            failed(format!("context length exceeded: {error}"))
        }
        _ => reply,
    }
}
