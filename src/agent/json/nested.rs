//! Unknown fields of an object inside another one, such as `usage` in a message. The outer object
//! keeps them with its own unknown fields, in an object with the name of the inner one.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use super::strict_json::{Draft, Name};

/// The objects inside an object: the path of each, and the names of its known fields, separated
/// by spaces. A path has a dot between names. The elements of a list have the path of the list.
/// An entry whose path ends with a dot and a `type` is for the objects of this type only. `*` in
/// place of the names is for an object that keeps its own unknown fields: the entry leads to the
/// objects in it.
pub type NestedFields = &'static [(&'static str, &'static str)];

/// The unknown fields of the object at `path` and of the objects in it, without those that are
/// `null`. `None` if there are none, or if `nested` does not have the path. For a list, a list
/// with an object for each element.
pub(super) fn unknown_fields(value: &Value, path: &str, nested: NestedFields) -> Option<Value> {
    match value {
        Value::Array(elements) => {
            let unknown = elements.iter().map(|it| unknown_fields(it, path, nested));
            let unknown: Vec<Option<Value>> = unknown.collect();
            let has_any = unknown.iter().any(Option::is_some);
            let unknown = unknown
                .into_iter()
                .map(|it| it.unwrap_or_else(|| json!({})));
            has_any.then(|| unknown.collect())
        }
        Value::Object(fields) => {
            let entry = |path: &str| nested.iter().find(|(name, _)| *name == path);
            let of_type = fields.get("type").and_then(Value::as_str);
            let of_type = of_type.and_then(|of_type| entry(&format!("{path}.{of_type}")));
            let (_, known) = of_type.or_else(|| entry(path))?;
            let unknown = fields.iter().filter_map(|(name, value)| {
                let unknown = match *known == "*" || known.split(' ').any(|known| known == name) {
                    true => unknown_fields(value, &format!("{path}.{name}"), nested),
                    false => Some(value.clone()).filter(|value| !value.is_null()),
                };
                Some((name.clone(), unknown?))
            });
            let unknown: Map<String, Value> = unknown.collect();
            (!unknown.is_empty()).then_some(Value::Object(unknown))
        }
        _ => None,
    }
}

/// Adds unknown fields to the JSON of the known ones. A field that is there stays.
pub(super) fn merge(known: &mut Map<String, Value>, unknown: &Map<String, Value>) {
    for (name, value) in unknown {
        match known.get_mut(name) {
            Some(known) => merge_value(known, value),
            None => {
                known.insert(name.clone(), value.clone());
            }
        }
    }
}

pub(super) fn merge_value(known: &mut Value, unknown: &Value) {
    match (known, unknown) {
        (Value::Object(known), Value::Object(unknown)) => merge(known, unknown),
        (Value::Array(known), Value::Array(unknown)) => {
            let pairs = known.iter_mut().zip(unknown);
            pairs.for_each(|(known, unknown)| merge_value(known, unknown));
        }
        _ => {}
    }
}

/// The names of unknown fields, for reports of losses. The fields of an object inside have its
/// name and a dot before theirs: `usage.cost`.
pub fn names_of(unknown: &Map<String, Value>, nested: NestedFields) -> Vec<String> {
    let is_nested = |name: &str| nested.iter().any(|(path, _)| *path == name);
    let names = unknown.iter().flat_map(|(name, value)| match value {
        Value::Object(inner) if is_nested(name) => inner
            .keys()
            .map(|inner| format!("{name}.{inner}"))
            .collect(),
        _ => vec![name.clone()],
    });
    names.collect()
}

/// A value that was read with its unknown fields.
pub(in crate::agent) struct WithUnknown<T: Draft> {
    /// The value itself.
    pub known: T::Output,
    /// The unknown fields that were not `null`.
    #[cfg_attr(
        not(feature = "ch15"),
        allow(dead_code, reason = "chapter 15 reads it")
    )]
    pub unknown: Map<String, Value>,
}

impl<'de, T: Draft + Default> Deserialize<'de> for WithUnknown<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(WithUnknownVisitor(PhantomData))
    }
}

struct WithUnknownVisitor<T>(PhantomData<T>);

impl<'de, T: Draft + Default> Visitor<'de> for WithUnknownVisitor<T> {
    type Value = WithUnknown<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WithUnknown<T>, A::Error> {
        let mut draft = T::default();
        let mut unknown = Map::new();
        while let Some(Name(name)) = map.next_key()? {
            if draft.accept(&name, &mut map)? {
                continue;
            }
            let value: Value = map.next_value()?;
            if !value.is_null() {
                unknown.insert(name.into_owned(), value);
            }
        }
        let known = draft.finish()?;
        Ok(WithUnknown { known, unknown })
    }
}
