//! JSON objects, read with errors that name the field.

use std::fmt::Display;

use serde_json::{Map, Value};

use crate::request_error::RequestError;

/// A JSON object and its path in the request body, such as `messages[0].content`.
pub(super) struct JsonObject<'a> {
    fields: &'a Map<String, Value>,
    path: String,
}

impl<'a> JsonObject<'a> {
    /// The body of a request as an object.
    pub(super) fn body(value: &'a Value) -> Result<Self, RequestError> {
        match value.as_object() {
            Some(fields) => Ok(Self {
                fields,
                path: String::new(),
            }),
            None => Err(RequestError::new("the body is not a JSON object")),
        }
    }

    fn new(value: &'a Value, path: String) -> Result<Self, RequestError> {
        match value.as_object() {
            Some(fields) => Ok(Self { fields, path }),
            None => Err(RequestError::new(format!("{path}: expected an object")).at(path)),
        }
    }

    /// The path of a field.
    pub(super) fn path(&self, name: &str) -> String {
        match self.path.as_str() {
            "" => name.into(),
            path => format!("{path}.{name}"),
        }
    }

    /// An error about a field.
    pub(super) fn error(&self, name: &str, problem: impl Display) -> RequestError {
        let path = self.path(name);
        RequestError::new(format!("{path}: {problem}")).at(path)
    }

    /// A field, or `None` if it is absent or null.
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// A required field.
    pub(super) fn require(&self, name: &str) -> Result<&'a Value, RequestError> {
        self.get(name)
            .ok_or_else(|| self.error(name, "this field is required"))
    }

    /// A required string.
    pub(super) fn string(&self, name: &str) -> Result<&'a str, RequestError> {
        self.require(name)?
            .as_str()
            .ok_or_else(|| self.error(name, "expected a string"))
    }

    /// An optional boolean, false if it is absent.
    pub(super) fn flag(&self, name: &str) -> Result<bool, RequestError> {
        match self.get(name) {
            None => Ok(false),
            Some(value) => value
                .as_bool()
                .ok_or_else(|| self.error(name, "expected true or false")),
        }
    }

    /// An optional whole number of at least `min`.
    pub(super) fn number(&self, name: &str, min: u64) -> Result<Option<u64>, RequestError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value.as_u64().filter(|number| *number >= min) {
            Some(number) => Ok(Some(number)),
            None => Err(self.error(name, format!("expected a number of {min} or more"))),
        }
    }

    /// A required object.
    pub(super) fn object(&self, name: &str) -> Result<Self, RequestError> {
        Self::new(self.require(name)?, self.path(name))
    }

    /// A required array of objects.
    pub(super) fn objects(&self, name: &str) -> Result<Vec<Self>, RequestError> {
        let Some(values) = self.require(name)?.as_array() else {
            return Err(self.error(name, "expected an array"));
        };
        Self::list(values, &self.path(name))
    }

    /// The values of an array with this path, all of them objects.
    pub(super) fn list(values: &'a [Value], path: &str) -> Result<Vec<Self>, RequestError> {
        let indexed = values.iter().enumerate();
        indexed
            .map(|(index, value)| Self::new(value, format!("{path}[{index}]")))
            .collect()
    }

    /// An optional array of objects, empty if it is absent.
    pub(super) fn objects_or_empty(&self, name: &str) -> Result<Vec<Self>, RequestError> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(_) => self.objects(name),
        }
    }

    /// The length of this object as JSON.
    pub(super) fn byte_len(&self) -> usize {
        // Serializing a map of JSON values cannot fail.
        serde_json::to_string(self.fields).map_or(0, |json| json.len())
    }
}
