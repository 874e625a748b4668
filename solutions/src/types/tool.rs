//! What a model may ask for, and what answers it.

use std::collections::HashMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One tool that the model wants run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Given by the provider, such as `"call_abc123"`. The result repeats it.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// A JSON object in the shape that the tool's schema asks for, or whatever
    /// the model wrote in its place.
    pub arguments: Value,
}

/// How a tool presents itself to the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// The name by which the model calls it.
    pub name: &'static str,
    /// What it does and when to use it, written for the model.
    pub description: &'static str,
    /// A JSON Schema of type `object`. Its `required` lists each name at most once.
    pub parameters: Value,
}

impl ToolDefinition {
    /// A tool without parameters: an object schema whose `properties` and
    /// `required` are there and empty.
    pub fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            parameters: json!({ "type": "object", "properties": {}, "required": [] }),
        }
    }

    /// Adds a parameter of a plain JSON type: `"string"`, `"number"`, `"boolean"`.
    ///
    /// A name given a second time is still one parameter: the later call decides
    /// its schema and whether it is required.
    pub fn param(self, name: &str, type_: &str, description: &str, required: bool) -> Self {
        let schema = json!({ "type": type_, "description": description });
        self.param_raw(name, schema, required)
    }

    /// Adds a parameter with any schema: an enum, an array, an object in an object.
    ///
    /// A name given a second time is treated as by [`param`](Self::param).
    pub fn param_raw(mut self, name: &str, schema: Value, required: bool) -> Self {
        self.parameters["properties"][name] = schema;
        if let Some(names) = self.parameters["required"].as_array_mut() {
            names.retain(|known| known != name);
            if required {
                names.push(name.into());
            }
        }
        self
    }
}

/// What a tool returns for one call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The text that the model reads. For a failed call it is the prefix `error: `
    /// and then the error message; see [`result_content`].
    pub content: String,
    /// Whether the call failed. Only this field says so: the output of a successful
    /// call may also begin with `error: `.
    pub is_error: bool,
    /// Whether the output was cut short.
    pub is_truncated: bool,
}

impl ToolResult {
    /// The complete output of a successful call.
    pub fn text(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            is_error: false,
            is_truncated: false,
        }
    }

    /// A failed call. `msg` is the error message for the model, without a prefix; the
    /// content is the [`result_content`] made of it.
    pub fn error(msg: impl Into<String>) -> Self {
        Self {
            content: result_content(&msg.into(), true),
            is_error: true,
            is_truncated: false,
        }
    }
}

/// What the content of a failed call begins with. [`result_content`] is the only code
/// that adds it, and [`result_message`] the only code that removes it.
const ERROR_PREFIX: &str = "error: ";

/// The text of a result for a model or a wire format that has no field for a failure:
/// `message` unchanged, or for a failed call `error: ` followed by `message`.
pub fn result_content(message: &str, is_error: bool) -> String {
    match is_error {
        true => format!("{ERROR_PREFIX}{message}"),
        false => message.to_string(),
    }
}

/// The inverse of [`result_content`]: the bare text, for a format that has a field for
/// a failure.
///
/// `is_error` alone decides. The content of a successful call is returned unchanged,
/// even if it begins with `error: `. The content of a failed call loses one prefix, and
/// is returned unchanged if another program wrote it without one.
pub fn result_message(content: &str, is_error: bool) -> &str {
    match is_error {
        true => content.strip_prefix(ERROR_PREFIX).unwrap_or(content),
        false => content,
    }
}

/// What a tool thinks of its arguments before it runs.
#[derive(Debug, Clone, PartialEq)]
pub enum ValidationResult {
    /// They will do.
    Ok,
    /// They will not.
    Error {
        /// What is wrong, for the model to mend.
        message: String,
        /// A number for programs: tells bad input from, say, a refusal.
        code: u32,
    },
}

/// Something that a model can have done.
///
/// Tools are shared between tasks, so an implementation must be `Send` and `Sync`.
/// The defaults are the careful answers: a tool that says nothing of itself is
/// taken to change things and to need the place to itself.
#[async_trait]
pub trait Tool: Send + Sync {
    /// The tool's name, description and parameters: the same at every call.
    fn definition(&self) -> &ToolDefinition;

    /// Does the work. An `Err` is a failure of the tool itself; what the model can
    /// mend comes back as [`ToolResult::error`].
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult>;

    /// Checks the arguments before anything happens. By default, all will do.
    fn validate_input(&self, _args: &Value) -> ValidationResult {
        ValidationResult::Ok
    }

    /// Whether the tool leaves everything as it was. By default, it does not.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Whether several calls may run at the same time. By default, they may not.
    fn is_concurrent_safe(&self) -> bool {
        false
    }

    /// Whether the tool does what can't be undone. By default, it does not.
    fn is_destructive(&self) -> bool {
        false
    }

    /// One line for the terminal, `[name: detail]`. The detail is the first string
    /// among the arguments `command`, `path`, `question` and `pattern`, in that
    /// order; without any, the line is `[name]`.
    fn summary(&self, args: &Value) -> String {
        let name = self.definition().name;
        let detail = ["command", "path", "question", "pattern"]
            .iter()
            .find_map(|key| args.get(key)?.as_str());
        match detail {
            Some(detail) => format!("[{name}: {detail}]"),
            None => format!("[{name}]"),
        }
    }

    /// What to show while the tool runs, such as `"Reading file..."`. By default
    /// `None`: the summary is shown.
    fn activity_description(&self, _args: &Value) -> Option<String> {
        None
    }
}

/// The tools of an agent, found by name.
pub struct ToolSet {
    /// Each tool under its definition's name.
    tools: HashMap<String, Box<dyn Tool>>,
}

impl ToolSet {
    /// A set without tools.
    pub fn new() -> Self {
        Self {
            tools: HashMap::new(),
        }
    }

    /// Adds a tool and hands the set on, for building one in a single expression.
    pub fn with(mut self, tool: impl Tool + 'static) -> Self {
        self.push(tool);
        self
    }

    /// Adds a tool under its definition's name. One of the same name gives way.
    pub fn push(&mut self, tool: impl Tool + 'static) {
        let name = tool.definition().name.to_string();
        self.tools.insert(name, Box::new(tool));
    }

    /// The tool of this very name.
    pub fn get(&self, name: &str) -> Option<&dyn Tool> {
        self.tools.get(name).map(|tool| tool.as_ref())
    }

    /// What the provider is told of: every tool's definition, in no fixed order.
    pub fn definitions(&self) -> Vec<&ToolDefinition> {
        self.tools.values().map(|tool| tool.definition()).collect()
    }

    /// The names of all tools, in no fixed order.
    pub fn names(&self) -> Vec<&str> {
        self.tools.keys().map(String::as_str).collect()
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is no tool at all.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl Default for ToolSet {
    fn default() -> Self {
        Self::new()
    }
}
