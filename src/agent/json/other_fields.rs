//! The unknown fields of a message and of the objects in it: into `other` and back.

use std::collections::BTreeMap;

use serde::ser::{Error, Serialize, SerializeMap};
use serde_json::{Map, Value};

use super::field_names::USAGE;
use super::message_json::MessageDraft;
use super::nested::{WithUnknown, merge_value};
use super::strict_json::Draft;

/// Moves the unknown fields of an object, if there are any, to `other`, into an object called
/// `name`.
pub(in crate::agent) fn keep_unknown<T: Draft>(
    object: &mut Option<WithUnknown<T>>,
    name: &str,
    other: &mut Map<String, Value>,
) {
    if let Some(object) = object
        && !object.unknown.is_empty()
    {
        let unknown = std::mem::take(&mut object.unknown);
        other.insert(name.to_string(), Value::Object(unknown));
    }
}

impl MessageDraft {
    /// Moves the unknown fields of the usage, if there are any, to `other`, into an object
    /// called `usage`.
    pub fn keep_unknown(&mut self, other: &mut Map<String, Value>) {
        keep_unknown(&mut self.usage, USAGE, other);
    }
}

/// Writes the fields of an object, and then its unknown fields. Unknown fields of an object
/// inside are added to that one.
pub(in crate::agent) struct ObjectWriter<'a, M> {
    out: M,
    /// The unknown fields that are not written yet.
    unknown: BTreeMap<&'a str, &'a Value>,
}

impl<'a, M: SerializeMap> ObjectWriter<'a, M> {
    /// Writes to an open object that has these unknown fields.
    pub fn new(out: M, unknown: &'a Map<String, Value>) -> Self {
        let unknown = unknown.iter().map(|(name, value)| (name.as_str(), value));
        let unknown = unknown.collect();
        Self { out, unknown }
    }
}

impl<M: SerializeMap> SerializeMap for ObjectWriter<'_, M> {
    type Ok = M::Ok;
    type Error = M::Error;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, name: &K) -> Result<(), M::Error> {
        self.out.serialize_key(name)
    }

    fn serialize_value<V: Serialize + ?Sized>(&mut self, value: &V) -> Result<(), M::Error> {
        self.out.serialize_value(value)
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        name: &K,
        value: &V,
    ) -> Result<(), M::Error> {
        if self.unknown.is_empty() {
            return self.out.serialize_entry(name, value);
        }
        let key = serde_json::to_value(name).map_err(M::Error::custom)?;
        let Some(unknown) = self.unknown.remove(key.as_str().unwrap_or_default()) else {
            return self.out.serialize_entry(name, value);
        };
        let mut merged = serde_json::to_value(value).map_err(M::Error::custom)?;
        merge_value(&mut merged, unknown);
        self.out.serialize_entry(name, &merged)
    }

    fn end(mut self) -> Result<M::Ok, M::Error> {
        for (name, value) in &self.unknown {
            self.out.serialize_entry(name, value)?;
        }
        self.out.end()
    }
}
