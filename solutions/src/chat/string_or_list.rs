//! What the APIs write as a bare string, or as a list where a string does not suffice.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

/// Words alone, or a list of pieces. Each is written in the form in which it was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TextOr<T> {
    /// Words alone.
    Text(String),
    /// Pieces, in order.
    List(Vec<T>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TextOr<T> {
    /// An error inside a piece is that piece's own, as with chapter 18's tool results.
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
