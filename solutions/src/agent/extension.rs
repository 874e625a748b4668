//! Messages that only the application sees.

use serde::de::{Deserialize, Deserializer, Error, MapAccess};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::agent::json::field_names::ROLE;
use crate::agent::json::other_fields::ObjectWriter;
use crate::agent::json::strict_json::{ByRole, Draft, field, read_by_role, required};

/// The role of every extension message.
pub(super) const EXTENSION: &str = "extension";

/// A message for the application only, such as a notification or a debug note. It never
/// enters a model's context, because nothing converts it to an
/// [`LlmMessage`](super::LlmMessage). It belongs to the application's lane:
///
/// ```
/// use claw_code_solutions::agent::{AgentMessage, ExtensionMessage};
///
/// let note = ExtensionMessage::new("notification", "Saved.");
/// let entry: AgentMessage = note.into();
/// ```
///
/// Code that puts it into the model's lane does not compile:
///
/// ```compile_fail
/// use claw_code_solutions::agent::{ExtensionMessage, LlmMessage};
///
/// let note = ExtensionMessage::new("notification", "Saved.");
/// let entry: LlmMessage = note.into();
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ExtensionMessage {
    /// `extension`. Any other value is written as `extension`, too.
    pub role: String,
    /// The application's name for this kind of message, such as `notification` or `debug`.
    pub kind: String,
    /// The application's data.
    pub data: Value,
    /// The fields that this program does not know.
    pub other: Map<String, Value>,
}

impl ExtensionMessage {
    /// A message of a kind. Data that can't be written as JSON becomes `null`, since a note
    /// for the screen must not stop an agent.
    pub fn new(kind: impl Into<String>, data: impl Serialize) -> Self {
        Self {
            role: EXTENSION.to_string(),
            kind: kind.into(),
            data: serde_json::to_value(data).unwrap_or(Value::Null),
            other: Map::new(),
        }
    }
}

impl Serialize for ExtensionMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = ObjectWriter::new(serializer.serialize_map(None)?, &self.other);
        out.serialize_entry(ROLE, EXTENSION)?;
        out.serialize_entry("kind", &self.kind)?;
        out.serialize_entry("data", &self.data)?;
        out.end()
    }
}

impl<'de> Deserialize<'de> for ExtensionMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_by_role::<ExtensionDraft, D>(deserializer)
    }
}

/// The fields of an [`ExtensionMessage`] that have been read so far.
#[derive(Default)]
pub(super) struct ExtensionDraft {
    kind: Option<String>,
    data: Option<Value>,
    other: Map<String, Value>,
}

impl ByRole for ExtensionDraft {
    const ROLES: &'static [&'static str] = &[EXTENSION];

    fn of(role: &str) -> Option<Self> {
        (role == EXTENSION).then(Self::default)
    }
}

impl Draft for ExtensionDraft {
    type Output = ExtensionMessage;

    const EXPECTED: &'static str = "an extension message: an object with the role `extension`";

    fn accept<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        match name {
            ROLE => Err(A::Error::duplicate_field(ROLE)),
            "kind" => field(&mut self.kind, "kind", map),
            "data" => field(&mut self.data, "data", map),
            _ => {
                self.other.insert(name.to_string(), map.next_value()?);
                Ok(true)
            }
        }
    }

    fn finish<E: Error>(self) -> Result<ExtensionMessage, E> {
        Ok(ExtensionMessage {
            role: EXTENSION.to_string(),
            kind: required(self.kind, "kind")?,
            data: required(self.data, "data")?,
            other: self.other,
        })
    }
}
