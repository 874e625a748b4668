//! Objects of unknown kinds, and unknown fields, which newer programs write. They are kept and
//! written back unchanged.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::vec;

use serde::de::value::{CowStrDeserializer, MapAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer, ser};
use serde_json::{Map, Value};

use super::field_names::ROLE;
use super::nested::{NestedFields, merge, names_of, unknown_fields};
use super::strict_json::Name;

/// An object of an unknown kind, or with unknown fields.
///
/// As JSON, the object as it was read, without unknown fields that were `null`.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown<T> {
    /// The object without its unknown fields; `None` if its kind is unknown.
    pub known: Option<Box<T>>,
    /// The unknown fields; all fields if the kind is unknown. Those of an object inside a known
    /// field are in an object with the name of that field: `{"usage":{"cost":1}}`.
    pub fields: Map<String, Value>,
}

impl<T: Serialize> Serialize for Unknown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Through a `Value`: `#[serde(flatten)]` would nest serializer types without end, since
        // a `T` may hold an `Unknown<T>`.
        let known = serde_json::to_value(&self.known).map_err(ser::Error::custom)?;
        let mut object = match known {
            Value::Object(known) => known,
            _ => Map::new(),
        };
        merge(&mut object, &self.fields);
        object.serialize(serializer)
    }
}

impl<T: Tagged> Unknown<T> {
    /// The names of the unknown parts, for reports of losses: the kind if it is unknown,
    /// otherwise the unknown fields, such as `color` and `usage.cost`.
    pub fn names(&self) -> Vec<String> {
        let kind = self.fields.get("type").and_then(Value::as_str);
        match (&self.known, kind) {
            (None, Some(kind)) => vec![kind.to_string()],
            _ => names_of(&self.fields, T::NESTED),
        }
    }
}

/// An enum with a variant for each known kind of object, and one for unknown objects.
pub trait Tagged: Sized {
    /// The field that holds an object's kind.
    const TAG: &'static str;
    /// The known kinds: the name of each, and the names of its fields, separated by spaces.
    const KINDS: &'static [(&'static str, &'static str)];
    /// The objects inside known fields whose unknown fields are kept.
    const NESTED: NestedFields;

    /// Reads an object of a known kind without unknown fields.
    fn read_known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;

    /// The variant for unknown objects.
    fn other(unknown: Unknown<Self>) -> Self;
}

/// Implements [`Tagged`], `Serialize` and `Deserialize` for an enum whose variant `Other`
/// holds an [`Unknown`]. The enum needs `#[serde(remote = "Self")]`, which makes the derived
/// code plain functions instead of these traits.
#[macro_export]
macro_rules! tagged {
    ($object:ident, $tag:literal, $kinds:expr) => {
        tagged!($object, $tag, $kinds, &[]);
    };
    ($object:ident, $tag:literal, $kinds:expr, $nested:expr) => {
        impl $object {
            /// The value without unknown fields; `None` if its kind is unknown.
            pub fn known(&self) -> Option<&Self> {
                match self {
                    Self::Other(unknown) => unknown.known.as_deref(),
                    known => Some(known),
                }
            }

            /// Like [`known`](Self::known). Also calls `lost` with the [name](Unknown::names) of
            /// each unknown part.
            pub fn known_or(&self, lost: &mut dyn FnMut(&str)) -> Option<&Self> {
                if let Self::Other(unknown) = self {
                    unknown.names().iter().for_each(|name| lost(name));
                }
                self.known()
            }

            /// Like [`known`](Self::known), but consumes the value.
            pub fn into_known(self) -> Option<Self> {
                match self {
                    Self::Other(unknown) => unknown.known.map(|known| *known),
                    known => Some(known),
                }
            }
        }

        impl $crate::agent::json::unknown::Tagged for $object {
            const TAG: &'static str = $tag;
            const KINDS: &'static [(&'static str, &'static str)] = $kinds;
            const NESTED: $crate::agent::json::nested::NestedFields = $nested;

            fn read_known<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::deserialize(from)
            }

            fn other(unknown: Unknown<Self>) -> Self {
                Self::Other(unknown)
            }
        }

        impl serde::Serialize for $object {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    Self::Other(unknown) => unknown.serialize(serializer),
                    known => Self::serialize(known, serializer),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $object {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::agent::json::unknown::read_tagged(from)
            }
        }
    };
}

pub use tagged;

/// Reads an object with a tag. If an object of a known kind lacks a field or has a wrong one,
/// the error names the kind. An object without the tag is an error, and so is a message of an
/// unknown role.
pub fn read_tagged<'de, T: Tagged, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_map(TaggedObject(PhantomData))
}

struct TaggedObject<T>(PhantomData<T>);

impl<'de, T: Tagged> Visitor<'de> for TaggedObject<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "an object with a field `{}`", T::TAG)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut earlier = Vec::new();
        let Name(kind) = loop {
            match map.next_key()? {
                Some(Name(name)) if name == T::TAG => break map.next_value()?,
                Some(Name(name)) => earlier.push((name, map.next_value()?)),
                None => return Err(A::Error::missing_field(T::TAG)),
            }
        };
        let Some((kind, names)) = T::KINDS.iter().find(|(name, _)| *name == kind) else {
            return read_unknown(&kind, earlier, map);
        };
        let mut fields = KnownFields {
            tag: T::TAG,
            kind: Some(kind),
            names,
            nested: T::NESTED,
            path: None,
            earlier: earlier.into_iter(),
            value: None,
            map,
            unknown: Map::new(),
        };
        let known = T::read_known(MapAccessDeserializer::new(&mut fields))
            .map_err(|error| A::Error::custom(format_args!("in `{kind}`: {error}")))?;
        let fields = fields.unknown;
        Ok(match fields.is_empty() {
            true => known,
            false => T::other(Unknown {
                known: Some(Box::new(known)),
                fields,
            }),
        })
    }
}

/// Reads the rest of an object of an unknown kind.
fn read_unknown<'de, T: Tagged, A: MapAccess<'de>>(
    kind: &str,
    earlier: Vec<(Cow<'de, str>, Value)>,
    mut map: A,
) -> Result<T, A::Error> {
    if T::TAG == ROLE {
        let known: Vec<&str> = T::KINDS.iter().map(|(name, _)| *name).collect();
        let known = known.join("`, `");
        return Err(A::Error::custom(format_args!(
            "unknown role `{kind}`, expected one of `{known}`"
        )));
    }
    let owned = |(name, value): (Cow<str>, Value)| (name.into_owned(), value);
    let mut fields: Map<String, Value> = earlier.into_iter().map(owned).collect();
    fields.insert(T::TAG.to_string(), kind.into());
    while let Some((name, value)) = map.next_entry()? {
        if name == T::TAG {
            return Err(A::Error::duplicate_field(T::TAG));
        }
        fields.insert(name, value);
    }
    let known = None;
    Ok(T::other(Unknown { known, fields }))
}

/// Gives the known fields of an object, the tag first, and collects the unknown ones.
struct KnownFields<'de, A> {
    tag: &'static str,
    /// The kind, until it is given as the value of the tag.
    kind: Option<&'static str>,
    names: &'static str,
    nested: NestedFields,
    /// The path of the current field in `nested`, if it is there.
    path: Option<&'static str>,
    /// The fields before the tag.
    earlier: vec::IntoIter<(Cow<'de, str>, Value)>,
    /// The value of the current field, if it is an earlier one.
    value: Option<Value>,
    /// The fields after the tag.
    map: A,
    unknown: Map<String, Value>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for KnownFields<'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        if self.kind.is_some() {
            return seed.deserialize(self.tag.into_deserializer()).map(Some);
        }
        loop {
            let name = match self.earlier.next() {
                Some((name, value)) => {
                    self.value = Some(value);
                    name
                }
                None => match self.map.next_key()? {
                    Some(Name(name)) => name,
                    None => return Ok(None),
                },
            };
            if name == self.tag || self.names.split(' ').any(|known| known == name) {
                let mut paths = self.nested.iter().map(|(path, _)| *path);
                self.path = paths.find(|path| *path == name);
                return seed.deserialize(CowStrDeserializer::new(name)).map(Some);
            }
            let value: Value = self.next_value()?;
            if !value.is_null() {
                self.unknown.insert(name.into_owned(), value);
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        if let Some(kind) = self.kind.take() {
            return seed.deserialize(kind.into_deserializer());
        }
        let value = match (self.value.take(), self.path) {
            (None, None) => return self.map.next_value_seed(seed),
            (None, Some(_)) => self.map.next_value()?,
            (Some(value), _) => value,
        };
        if let Some(path) = self.path.take()
            && let Some(unknown) = unknown_fields(&value, path, self.nested)
        {
            self.unknown.insert(path.to_string(), unknown);
        }
        seed.deserialize(value).map_err(A::Error::custom)
    }
}
