//! The two lanes of a history: messages for the model, and messages for the application.

use serde::de::{Deserialize, Deserializer, Error, MapAccess};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::extension::{EXTENSION, ExtensionDraft};
use super::{ExtensionMessage, Message};
use crate::agent::json::field_names::{ASSISTANT, TOOL_RESULT, USER};
use crate::agent::json::message_json::{MessageDraft, optional};
use crate::agent::json::nested::WithUnknown;
use crate::agent::json::other_fields::{ObjectWriter, keep_unknown};
use crate::agent::json::strict_json::{ByRole, Draft, field, read, read_by_role, required};

/// The id of a turn: its loop and its number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub struct TurnId {
    /// The loop's id.
    pub loop_id: String,
    /// The number of the turn in its loop, from 0.
    pub turn_index: u64,
}

impl<'de> Deserialize<'de> for TurnId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read::<TurnIdDraft, D>(deserializer)
    }
}

/// The fields of a [`TurnId`] that have been read so far.
#[derive(Default)]
struct TurnIdDraft {
    loop_id: Option<String>,
    turn_index: Option<u64>,
}

impl Draft for TurnIdDraft {
    type Output = TurnId;

    const EXPECTED: &'static str = "a turn: an object with `loopId` and `turnIndex`";

    fn accept<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        todo!("reading-turn-id: write TurnIdDraft::accept")
    }

    fn finish<E: Error>(self) -> Result<TurnId, E> {
        todo!("reading-turn-id: write TurnIdDraft::finish")
    }
}

/// A message that the model sees, and the turn that it belongs to.
///
/// As JSON, the object of its [`Message`] with one more field, `turnId`, if the turn is known.
/// Unknown fields are kept.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmMessage {
    /// The message.
    pub message: Message,
    /// The turn that it belongs to. `None` for a message from outside a loop, or from a
    /// program that recorded no turns.
    pub turn_id: Option<TurnId>,
    /// The fields that this program does not know. Those of `usage` and `turnId` are in objects
    /// with these names. They are not sent to models.
    pub other: Map<String, Value>,
}

impl LlmMessage {
    /// A message without a turn.
    pub fn new(message: Message) -> Self {
        todo!("turn-id-beside-fields: write LlmMessage::new")
    }

    /// A message of a turn.
    pub fn with_turn(message: Message, turn_id: TurnId) -> Self {
        todo!("turn-id-beside-fields: write LlmMessage::with_turn")
    }
}

const TURN_ID: &str = "turnId";

impl Serialize for LlmMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        todo!("turn-id-beside-fields: write LlmMessage::serialize")
    }
}

impl<'de> Deserialize<'de> for LlmMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_by_role::<LlmDraft, D>(deserializer)
    }
}

/// The fields of an [`LlmMessage`] that have been read so far.
struct LlmDraft {
    message: MessageDraft,
    turn_id: Option<Option<WithUnknown<TurnIdDraft>>>,
    other: Map<String, Value>,
}

impl ByRole for LlmDraft {
    const ROLES: &'static [&'static str] = MessageDraft::ROLES;

    fn of(role: &str) -> Option<Self> {
        todo!("reading-message-with-its-turn: write LlmDraft::of")
    }
}

impl Draft for LlmDraft {
    type Output = LlmMessage;

    const EXPECTED: &'static str = MessageDraft::EXPECTED;

    fn accept<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        todo!("reading-message-with-its-turn: write LlmDraft::accept")
    }

    fn finish<E: Error>(mut self) -> Result<LlmMessage, E> {
        todo!("reading-message-with-its-turn: write LlmDraft::finish")
    }
}

/// An entry of an agent's history, in the model's lane or in the application's lane.
///
/// As JSON, the object of the message that it holds. The field `role` decides the lane.
///
/// Any message converts into an entry. To get back a message for the model, ask
/// [`as_llm`](Self::as_llm):
///
/// ```
/// use claw_code::agent::{AgentMessage, LlmMessage, Message};
///
/// let entry = AgentMessage::from(LlmMessage::new(Message::user("Hi.")));
/// let message: Option<&Message> = entry.as_llm();
/// ```
///
/// No other conversion leads back:
///
/// ```compile_fail
/// use claw_code::agent::{AgentMessage, LlmMessage, Message};
///
/// let entry = AgentMessage::from(LlmMessage::new(Message::user("Hi.")));
/// let message: LlmMessage = entry.into();
/// ```
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub enum AgentMessage {
    /// A message that the model sees.
    Llm(LlmMessage),
    /// A message that the model never sees.
    Extension(ExtensionMessage),
}

impl AgentMessage {
    /// The role of the message that it holds.
    pub fn role(&self) -> &'static str {
        todo!("two-lanes: write AgentMessage::role")
    }

    /// The message, if it is in the model's lane.
    pub fn as_llm(&self) -> Option<&Message> {
        todo!("two-lanes: write AgentMessage::as_llm")
    }

    /// The turn that it belongs to, if that is known.
    pub fn turn_id(&self) -> Option<&TurnId> {
        todo!("two-lanes: write AgentMessage::turn_id")
    }

    /// The entry with this turn, or without a turn for `None`. The fields in `other` stay, except
    /// for an object `turnId`: it belongs to the old turn. An extension has no turn and stays
    /// unchanged.
    pub fn with_turn_id(mut self, turn_id: Option<TurnId>) -> Self {
        todo!("two-lanes: write AgentMessage::with_turn_id")
    }
}

impl From<Message> for LlmMessage {
    fn from(message: Message) -> Self {
        todo!("two-lanes: write <LlmMessage as From<Message>>::from")
    }
}

impl From<Message> for AgentMessage {
    fn from(message: Message) -> Self {
        todo!("two-lanes: write <AgentMessage as From<Message>>::from")
    }
}

impl From<LlmMessage> for AgentMessage {
    fn from(message: LlmMessage) -> Self {
        todo!("two-lanes: write <AgentMessage as From<LlmMessage>>::from")
    }
}

impl From<ExtensionMessage> for AgentMessage {
    fn from(message: ExtensionMessage) -> Self {
        todo!("two-lanes: write <AgentMessage as From<ExtensionMessage>>::from")
    }
}

impl<'de> Deserialize<'de> for AgentMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_by_role::<AgentDraft, D>(deserializer)
    }
}

/// The fields of an [`AgentMessage`] that have been read so far.
#[allow(
    clippy::large_enum_variant,
    reason = "only one exists at a time, on the stack"
)]
enum AgentDraft {
    Llm(LlmDraft),
    Extension(ExtensionDraft),
}

impl ByRole for AgentDraft {
    const ROLES: &'static [&'static str] = &[USER, ASSISTANT, TOOL_RESULT, EXTENSION];

    fn of(role: &str) -> Option<Self> {
        todo!("role-decides-lane: write AgentDraft::of")
    }
}

impl Draft for AgentDraft {
    type Output = AgentMessage;

    const EXPECTED: &'static str = MessageDraft::EXPECTED;

    fn accept<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        todo!("role-decides-lane: write AgentDraft::accept")
    }

    fn finish<E: Error>(self) -> Result<AgentMessage, E> {
        todo!("role-decides-lane: write AgentDraft::finish")
    }
}

/// The part of a history that the model sees: the messages of its lane in their order, each
/// with only its [known](Message::known) parts.
pub fn convert_to_llm(messages: &[AgentMessage]) -> Vec<Message> {
    todo!("model-view: write convert_to_llm")
}
