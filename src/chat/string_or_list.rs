//! Content that APIs write as a string or as a list of pieces.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

/// A string or a list of pieces. It is written in the form in which it was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TextOr<T> {
    /// A string.
    Text(String),
    /// A list of pieces.
    List(Vec<T>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TextOr<T> {
    /// An invalid piece is an error that describes that piece.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StringOrList(PhantomData))
    }
}

struct StringOrList<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for StringOrList<T> {
    type Value = TextOr<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(TextOr::Text(text.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, pieces: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(pieces)).map(TextOr::List)
    }
}
