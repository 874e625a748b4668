//! Reading JSON with errors that name the field.

use serde_json::{Map, Value};

use crate::request::BadRequest;

/// A JSON object, and where in the body it stands.
pub(crate) struct Fields<'a> {
    fields: &'a Map<String, Value>,
    at: String,
}

impl<'a> Fields<'a> {
    /// The value as an object. `at` is its place for error messages: empty for the body.
    pub(crate) fn of(value: &'a Value, at: impl Into<String>) -> Result<Self, BadRequest> {
        let at = at.into();
        match value.as_object() {
            Some(fields) => Ok(Self { fields, at }),
            None if at.is_empty() => Err(BadRequest("the body is not a JSON object".into())),
            None => Err(BadRequest(format!("{at}: expected an object"))),
        }
    }

    /// A field's place, for error messages.
    pub(crate) fn place(&self, name: &str) -> String {
        match self.at.as_str() {
            "" => name.into(),
            at => format!("{at}.{name}"),
        }
    }

    /// A field, unless it is absent or null.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// A field that must be there.
    pub(crate) fn need(&self, name: &str) -> Result<&'a Value, BadRequest> {
        self.get(name)
            .ok_or_else(|| BadRequest(format!("{}: this field is required", self.place(name))))
    }

    /// A text that must be there.
    pub(crate) fn text(&self, name: &str) -> Result<&'a str, BadRequest> {
        let value = self.need(name)?;
        value
            .as_str()
            .ok_or_else(|| BadRequest(format!("{}: expected a string", self.place(name))))
    }

    /// A switch that is off unless it is there.
    pub(crate) fn switch(&self, name: &str) -> Result<bool, BadRequest> {
        match self.get(name) {
            None => Ok(false),
            Some(value) => value
                .as_bool()
                .ok_or_else(|| BadRequest(format!("{}: expected true or false", self.place(name)))),
        }
    }

    /// The objects of an array that must be there.
    pub(crate) fn objects(&self, name: &str) -> Result<Vec<Fields<'a>>, BadRequest> {
        let place = self.place(name);
        let Some(values) = self.need(name)?.as_array() else {
            return Err(BadRequest(format!("{place}: expected an array")));
        };
        let numbered = values.iter().enumerate();
        numbered
            .map(|(index, value)| Fields::of(value, format!("{place}[{index}]")))
            .collect()
    }

    /// The objects of an array, none if it is absent.
    pub(crate) fn objects_or_none(&self, name: &str) -> Result<Vec<Fields<'a>>, BadRequest> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(_) => self.objects(name),
        }
    }

    /// An object in this one.
    pub(crate) fn object(&self, name: &str) -> Result<Fields<'a>, BadRequest> {
        Fields::of(self.need(name)?, self.place(name))
    }

    /// An error about a field.
    pub(crate) fn wrong(&self, name: &str, what: impl std::fmt::Display) -> BadRequest {
        BadRequest(format!("{}: {what}", self.place(name)))
    }

    /// The length of this object as JSON.
    pub(crate) fn bytes(&self) -> usize {
        // A map of JSON values can always be written.
        serde_json::to_string(self.fields).map_or(0, |json| json.len())
    }

    /// The text of a message: a string, or parts whose `text` fields are joined by line
    /// ends. Parts of other types are named in brackets, so that the model can say that
    /// it was shown something. Nothing at all is an empty text.
    pub(crate) fn content(&self, name: &str) -> Result<String, BadRequest> {
        match self.get(name) {
            None => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Array(_)) => {
                let parts = self.objects(name)?;
                let texts: Result<Vec<_>, _> = parts.iter().map(Fields::part).collect();
                Ok(texts?.join("\n"))
            }
            Some(_) => Err(self.wrong(name, "expected a string or an array of parts")),
        }
    }

    /// A part of a message as text.
    pub(crate) fn part(&self) -> Result<String, BadRequest> {
        match self.text("type")? {
            "text" | "input_text" | "output_text" => Ok(self.text("text")?.into()),
            "refusal" => Ok(self.text("refusal")?.into()),
            other => Ok(format!("[{other}]")),
        }
    }
}
