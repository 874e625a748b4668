//! JSON objects, read strictly: a field is read once, what does not fit is named, and an
//! array is no object.
//!
//! A [`Draft`] is a value of which some fields are known. It is filled from the object,
//! in whatever order the fields come, and finished when the object ends. What serde
//! derives reads the same objects, but its errors do not name the field, it takes an
//! array for an object, and it keeps the whole of an object whose tag decides its shape.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use crate::agent::json::field_names::ROLE;

/// A value of which some fields are known.
pub(in crate::agent) trait Draft: Sized {
    /// What it becomes.
    type Whole;

    /// What is read, for errors: `a message`.
    const EXPECTED: &'static str;

    /// Reads the value of the field `name`, or returns false and leaves it alone when
    /// there is no such field.
    fn accept<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A)
    -> Result<bool, A::Error>;

    /// The whole value; an error names the first field that is missing.
    fn finish<E: Error>(self) -> Result<Self::Whole, E>;
}

/// A draft whose shape depends on the field `role`.
pub(in crate::agent) trait ByRole: Draft {
    /// Every role there is.
    const ROLES: &'static [&'static str];

    /// An empty draft for a role; `None` for a role that is not among [`ROLES`](Self::ROLES).
    fn of(role: &str) -> Option<Self>;
}

/// Reads the next value into its place. A place that is taken is an error, and so is a
/// value that does not fit; both name the field.
pub(in crate::agent) fn field<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    place: &mut Option<T>,
    name: &'static str,
    map: &mut A,
) -> Result<bool, A::Error> {
    todo!("14.7: write field")
}

/// What was read for a field that there must be.
pub(in crate::agent) fn required<T, E: Error>(
    place: Option<T>,
    name: &'static str,
) -> Result<T, E> {
    place.ok_or_else(|| E::missing_field(name))
}

/// Puts a field's name before whatever went wrong with it.
fn named<T, E: Error>(name: &str, read: Result<T, E>) -> Result<T, E> {
    todo!("14.7: write named")
}

/// Reads the fields that are left in an object. Those that the draft does not know are
/// passed over: they are of a newer program.
fn fill<'de, T: Draft, A: MapAccess<'de>>(draft: &mut T, map: &mut A) -> Result<(), A::Error> {
    todo!("14.7: write fill")
}

/// Fields that stood before the one that says what they mean.
type Kept = Vec<(String, Value)>;

/// Finds an object's role, wherever it stands, and begins the draft for it. The fields
/// before it are kept as JSON, where of a field that stands twice *inside* one of them
/// the later counts. In what this project writes, nothing stands before the role.
fn begin<'de, T: ByRole, A: MapAccess<'de>>(map: &mut A) -> Result<(T, Kept), A::Error> {
    todo!("14.8: write begin")
}

/// Reads an object with the fields of `T`.
pub(in crate::agent) fn read<'de, T: Draft + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T::Whole, D::Error> {
    deserializer.deserialize_map(Plain(PhantomData::<T>))
}

/// Reads an object whose field `role` decides which fields it has.
pub(in crate::agent) fn read_by_role<'de, T: ByRole, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T::Whole, D::Error> {
    deserializer.deserialize_map(Roles(PhantomData::<T>))
}

struct Plain<T>(PhantomData<T>);

impl<'de, T: Draft + Default> Visitor<'de> for Plain<T> {
    type Value = T::Whole;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T::Whole, A::Error> {
        todo!("14.7: write Plain::visit_map")
    }
}

struct Roles<T>(PhantomData<T>);

impl<'de, T: ByRole> Visitor<'de> for Roles<T> {
    type Value = T::Whole;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T::Whole, A::Error> {
        todo!("14.8: write Roles::visit_map")
    }
}

/// A string that is lent by the input where it can be.
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
