//! The two lanes: what a model sees, and what only the application sees.

use serde::de::{Deserialize, Deserializer, Error, MapAccess};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::extension::{EXTENSION, ExtensionDraft};
use super::{ExtensionMessage, Message};
use crate::agent::json::field_names::{ASSISTANT, TOOL_RESULT, USER};
use crate::agent::json::message_json::{MessageDraft, optional};
use crate::agent::json::strict_json::{ByRole, Draft, field, read, read_by_role, required};

/// Which turn of which loop.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub struct TurnId {
    /// The loop.
    pub loop_id: String,
    /// The turn within it, from 0.
    pub turn_index: u64,
}

impl<'de> Deserialize<'de> for TurnId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read::<TurnIdDraft, D>(deserializer)
    }
}

/// A [`TurnId`] of which some fields are known.
#[derive(Default)]
struct TurnIdDraft {
    loop_id: Option<String>,
    turn_index: Option<u64>,
}

impl Draft for TurnIdDraft {
    type Whole = TurnId;

    const EXPECTED: &'static str = "a turn: an object with `loopId` and `turnIndex`";

    fn accept<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        todo!("15.2: write TurnIdDraft::accept")
    }

    fn finish<E: Error>(self) -> Result<TurnId, E> {
        todo!("15.2: write TurnIdDraft::finish")
    }
}

/// A message that a model sees, and the turn that made it.
///
/// As JSON it is the object of its [`Message`], with a field `turnId` beside the others
/// when the turn is known. Fields that this program does not know are kept.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmMessage {
    /// The message.
    pub message: Message,
    /// The turn that made it. `None` for what was said outside a loop, or before turns
    /// were recorded.
    pub turn_id: Option<TurnId>,
    /// The fields that this program does not know. No model is sent them.
    pub other: Map<String, Value>,
}

impl LlmMessage {
    /// A message of no known turn.
    pub fn new(message: Message) -> Self {
        todo!("15.1: write LlmMessage::new")
    }

    /// A message of a turn.
    pub fn with_turn(message: Message, turn_id: TurnId) -> Self {
        todo!("15.1: write LlmMessage::with_turn")
    }
}

const TURN_ID: &str = "turnId";

impl Serialize for LlmMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        todo!("15.1: write LlmMessage::serialize")
    }
}

impl<'de> Deserialize<'de> for LlmMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_by_role::<LlmDraft, D>(deserializer)
    }
}

/// An [`LlmMessage`] of which some fields are known.
struct LlmDraft {
    message: MessageDraft,
    turn_id: Option<Option<TurnId>>,
    other: Map<String, Value>,
}

impl ByRole for LlmDraft {
    const ROLES: &'static [&'static str] = MessageDraft::ROLES;

    fn of(role: &str) -> Option<Self> {
        todo!("15.3: write LlmDraft::of")
    }
}

impl Draft for LlmDraft {
    type Whole = LlmMessage;

    const EXPECTED: &'static str = MessageDraft::EXPECTED;

    fn accept<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        todo!("15.3: write LlmDraft::accept")
    }

    fn finish<E: Error>(self) -> Result<LlmMessage, E> {
        todo!("15.3: write LlmDraft::finish")
    }
}

/// An entry of an agent's history: in the model's lane or in the application's.
///
/// As JSON it is the object of what it holds; the field `role` tells the lanes apart.
///
/// Everything goes in, and only [`as_llm`](Self::as_llm) says whether a model may see it:
///
/// ```
/// use claw_code::agent::{AgentMessage, LlmMessage, Message};
///
/// let entry = AgentMessage::from(LlmMessage::new(Message::user("Hi.")));
/// let message: Option<&Message> = entry.as_llm();
/// ```
///
/// There is no way back that does not ask:
///
/// ```compile_fail
/// use claw_code::agent::{AgentMessage, LlmMessage, Message};
///
/// let entry = AgentMessage::from(LlmMessage::new(Message::user("Hi.")));
/// let message: LlmMessage = entry.into();
/// ```
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub enum AgentMessage {
    /// Sent to the model.
    Llm(LlmMessage),
    /// Never sent to the model.
    Extension(ExtensionMessage),
}

impl AgentMessage {
    /// The role of what it holds.
    pub fn role(&self) -> &'static str {
        todo!("15.5: write AgentMessage::role")
    }

    /// The message in the model's lane, if it is in that lane.
    pub fn as_llm(&self) -> Option<&Message> {
        todo!("15.5: write AgentMessage::as_llm")
    }

    /// The turn that made it, if that is known.
    pub fn turn_id(&self) -> Option<&TurnId> {
        todo!("15.5: write AgentMessage::turn_id")
    }

    /// The same entry with another turn, or none. An extension has no turn and stays as
    /// it is.
    pub fn with_turn_id(mut self, turn_id: Option<TurnId>) -> Self {
        todo!("15.5: write AgentMessage::with_turn_id")
    }
}

impl From<Message> for LlmMessage {
    fn from(message: Message) -> Self {
        todo!("15.5: write <LlmMessage as From<Message>>::from")
    }
}

impl From<Message> for AgentMessage {
    fn from(message: Message) -> Self {
        todo!("15.5: write <AgentMessage as From<Message>>::from")
    }
}

impl From<LlmMessage> for AgentMessage {
    fn from(message: LlmMessage) -> Self {
        todo!("15.5: write <AgentMessage as From<LlmMessage>>::from")
    }
}

impl From<ExtensionMessage> for AgentMessage {
    fn from(message: ExtensionMessage) -> Self {
        todo!("15.5: write <AgentMessage as From<ExtensionMessage>>::from")
    }
}

impl<'de> Deserialize<'de> for AgentMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_by_role::<AgentDraft, D>(deserializer)
    }
}

/// An [`AgentMessage`] of which some fields are known.
#[allow(
    clippy::large_enum_variant,
    reason = "there is one at a time, on the stack"
)]
enum AgentDraft {
    Llm(LlmDraft),
    Extension(ExtensionDraft),
}

impl ByRole for AgentDraft {
    const ROLES: &'static [&'static str] = &[USER, ASSISTANT, TOOL_RESULT, EXTENSION];

    fn of(role: &str) -> Option<Self> {
        todo!("15.6: write AgentDraft::of")
    }
}

impl Draft for AgentDraft {
    type Whole = AgentMessage;

    const EXPECTED: &'static str = MessageDraft::EXPECTED;

    fn accept<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        todo!("15.6: write AgentDraft::accept")
    }

    fn finish<E: Error>(self) -> Result<AgentMessage, E> {
        todo!("15.6: write AgentDraft::finish")
    }
}

/// What a model is to see of a history: the [known](Message::known) part of the messages of
/// its lane, in their order.
pub fn convert_to_llm(messages: &[AgentMessage]) -> Vec<Message> {
    todo!("15.7: write convert_to_llm")
}
