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
#[serde(rename_all = "camelCase")]
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
        match name {
            "loopId" => field(&mut self.loop_id, "loopId", map),
            "turnIndex" => field(&mut self.turn_index, "turnIndex", map),
            _ => Ok(false),
        }
    }

    fn finish<E: Error>(self) -> Result<TurnId, E> {
        Ok(TurnId {
            loop_id: required(self.loop_id, "loopId")?,
            turn_index: required(self.turn_index, "turnIndex")?,
        })
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
        Self {
            message,
            turn_id: None,
            other: Map::new(),
        }
    }

    /// A message of a turn.
    pub fn with_turn(message: Message, turn_id: TurnId) -> Self {
        Self {
            turn_id: Some(turn_id),
            ..Self::new(message)
        }
    }
}

const TURN_ID: &str = "turnId";

impl Serialize for LlmMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = ObjectWriter::new(serializer.serialize_map(None)?, &self.other);
        self.message.write(&mut out)?;
        optional(&mut out, TURN_ID, &self.turn_id)?;
        out.end()
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
        Some(Self {
            message: MessageDraft::of(role)?,
            turn_id: None,
            other: Map::new(),
        })
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
        match name {
            TURN_ID => field(&mut self.turn_id, TURN_ID, map),
            _ if self.message.accept(name, map)? => Ok(true),
            _ => {
                self.other.insert(name.to_string(), map.next_value()?);
                Ok(true)
            }
        }
    }

    fn finish<E: Error>(mut self) -> Result<LlmMessage, E> {
        self.message.keep_unknown(&mut self.other);
        let message = self.message.finish()?;
        let mut turn_id = self.turn_id.flatten();
        keep_unknown(&mut turn_id, TURN_ID, &mut self.other);
        Ok(LlmMessage {
            message,
            turn_id: turn_id.map(|turn_id| turn_id.known),
            other: self.other,
        })
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
/// use claw_code_solutions::agent::{AgentMessage, LlmMessage, Message};
///
/// let entry = AgentMessage::from(LlmMessage::new(Message::user("Hi.")));
/// let message: Option<&Message> = entry.as_llm();
/// ```
///
/// No other conversion leads back:
///
/// ```compile_fail
/// use claw_code_solutions::agent::{AgentMessage, LlmMessage, Message};
///
/// let entry = AgentMessage::from(LlmMessage::new(Message::user("Hi.")));
/// let message: LlmMessage = entry.into();
/// ```
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum AgentMessage {
    /// A message that the model sees.
    Llm(LlmMessage),
    /// A message that the model never sees.
    Extension(ExtensionMessage),
}

impl AgentMessage {
    /// The role of the message that it holds.
    pub fn role(&self) -> &'static str {
        match self {
            Self::Llm(llm) => llm.message.role(),
            Self::Extension(_) => EXTENSION,
        }
    }

    /// The message, if it is in the model's lane.
    pub fn as_llm(&self) -> Option<&Message> {
        match self {
            Self::Llm(llm) => Some(&llm.message),
            Self::Extension(_) => None,
        }
    }

    /// The turn that it belongs to, if that is known.
    pub fn turn_id(&self) -> Option<&TurnId> {
        match self {
            Self::Llm(llm) => llm.turn_id.as_ref(),
            Self::Extension(_) => None,
        }
    }

    /// The entry with this turn, or without a turn for `None`. The fields in `other` stay, except
    /// for an object `turnId`: it belongs to the old turn. An extension has no turn and stays
    /// unchanged.
    pub fn with_turn_id(mut self, turn_id: Option<TurnId>) -> Self {
        if let Self::Llm(llm) = &mut self {
            llm.turn_id = turn_id;
            llm.other.remove(TURN_ID);
        }
        self
    }
}

impl From<Message> for LlmMessage {
    fn from(message: Message) -> Self {
        Self::new(message)
    }
}

impl From<Message> for AgentMessage {
    fn from(message: Message) -> Self {
        Self::Llm(message.into())
    }
}

impl From<LlmMessage> for AgentMessage {
    fn from(message: LlmMessage) -> Self {
        Self::Llm(message)
    }
}

impl From<ExtensionMessage> for AgentMessage {
    fn from(message: ExtensionMessage) -> Self {
        Self::Extension(message)
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
        match LlmDraft::of(role) {
            Some(draft) => Some(Self::Llm(draft)),
            None => ExtensionDraft::of(role).map(Self::Extension),
        }
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
        match self {
            Self::Llm(draft) => draft.accept(name, map),
            Self::Extension(draft) => draft.accept(name, map),
        }
    }

    fn finish<E: Error>(self) -> Result<AgentMessage, E> {
        match self {
            Self::Llm(draft) => draft.finish().map(AgentMessage::Llm),
            Self::Extension(draft) => draft.finish().map(AgentMessage::Extension),
        }
    }
}

/// The part of a history that the model sees: the messages of its lane in their order, each
/// with only its [known](Message::known) parts.
pub fn convert_to_llm(messages: &[AgentMessage]) -> Vec<Message> {
    messages
        .iter()
        .filter_map(AgentMessage::as_llm)
        .map(Message::known)
        .collect()
}
