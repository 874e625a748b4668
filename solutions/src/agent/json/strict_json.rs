//! A strict reader for JSON objects: a duplicate field is an error, errors name the field, and
//! an array is not accepted as an object.
//!
//! A [`Draft`] holds the fields that have been read so far. It accepts them in any order and
//! is finished when the object ends. The code that serde derives reads the same objects, but
//! its errors do not name the field, it accepts an array, and it copies an object into memory
//! before it looks at the tag.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use crate::agent::json::field_names::ROLE;

/// A value whose fields are being read.
pub(in crate::agent) trait Draft: Sized {
    /// The finished value.
    type Output;

    /// A description of the value for errors, such as `a message`.
    const EXPECTED: &'static str;

    /// Reads the value of the field `name` and returns true. For an unknown name, returns
    /// false and reads nothing.
    fn accept<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A)
    -> Result<bool, A::Error>;

    /// The finished value. The error names a missing field.
    fn finish<E: Error>(self) -> Result<Self::Output, E>;
}

/// A draft whose fields depend on the field `role`.
pub(in crate::agent) trait ByRole: Draft {
    /// All known roles.
    const ROLES: &'static [&'static str];

    /// An empty draft for a role; `None` for a role that is not in [`ROLES`](Self::ROLES).
    fn of(role: &str) -> Option<Self>;
}

/// Reads the next value into `slot` and returns true. A slot that is already filled is serde's
/// error of a duplicate field, before the value is read. An error of the value is [`named`].
pub(in crate::agent) fn field<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    slot: &mut Option<T>,
    name: &'static str,
    map: &mut A,
) -> Result<bool, A::Error> {
    if slot.is_some() {
        return Err(A::Error::duplicate_field(name));
    }
    *slot = Some(named(name, map.next_value())?);
    Ok(true)
}

/// The value of a required field. A missing one is an error that names it.
pub(in crate::agent) fn required<T, E: Error>(slot: Option<T>, name: &'static str) -> Result<T, E> {
    slot.ok_or_else(|| E::missing_field(name))
}

/// Prefixes an error with the field's name in backticks, a colon and a space.
fn named<T, E: Error>(name: &str, read: Result<T, E>) -> Result<T, E> {
    read.map_err(|error| E::custom(format_args!("`{name}`: {error}")))
}

/// Reads the remaining fields of an object. Fields that the draft does not know are skipped,
/// since a newer program may have written them.
fn fill<'de, T: Draft, A: MapAccess<'de>>(draft: &mut T, map: &mut A) -> Result<(), A::Error> {
    while let Some(Name(name)) = map.next_key()? {
        if !draft.accept(&name, map)? {
            map.next_value::<IgnoredAny>()?;
        }
    }
    Ok(())
}

/// The fields before the role, in order.
type EarlierFields = Vec<(String, Value)>;

/// Finds an object's role, in any position, and begins the draft for it. Returns the draft and
/// the fields before the role as JSON. If an object *inside* one of these has a duplicate
/// field, the later one counts. This project writes the role first, so there usually are
/// none.
fn begin<'de, T: ByRole, A: MapAccess<'de>>(map: &mut A) -> Result<(T, EarlierFields), A::Error> {
    let mut earlier = Vec::new();
    while let Some(Name(name)) = map.next_key()? {
        if name == ROLE {
            let Name(role) = named(ROLE, map.next_value())?;
            let draft = T::of(&role).ok_or_else(|| A::Error::unknown_variant(&role, T::ROLES));
            return Ok((named(ROLE, draft)?, earlier));
        }
        let value = named(&name, map.next_value())?;
        earlier.push((name.into_owned(), value));
    }
    Err(A::Error::missing_field(ROLE))
}

/// Reads an object with the fields of `T`.
pub(in crate::agent) fn read<'de, T: Draft + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T::Output, D::Error> {
    deserializer.deserialize_map(Plain(PhantomData::<T>))
}

/// Reads an object whose field `role` decides the other fields.
pub(in crate::agent) fn read_by_role<'de, T: ByRole, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T::Output, D::Error> {
    deserializer.deserialize_map(Roles(PhantomData::<T>))
}

struct Plain<T>(PhantomData<T>);

impl<'de, T: Draft + Default> Visitor<'de> for Plain<T> {
    type Value = T::Output;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T::Output, A::Error> {
        let mut draft = T::default();
        fill(&mut draft, &mut map)?;
        draft.finish()
    }
}

struct Roles<T>(PhantomData<T>);

impl<'de, T: ByRole> Visitor<'de> for Roles<T> {
    type Value = T::Output;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T::Output, A::Error> {
        let (mut draft, earlier) = begin::<T, A>(&mut map)?;
        let mut earlier = MapDeserializer::new(earlier.into_iter());
        fill::<T, MapDeserializer<_, serde_json::Error>>(&mut draft, &mut earlier)
            .map_err(A::Error::custom)?;
        fill(&mut draft, &mut map)?;
        draft.finish()
    }
}

/// A string, borrowed from the input if possible.
pub(super) struct Name<'de>(pub Cow<'de, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(text.to_string())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
