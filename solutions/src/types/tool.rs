//! Tool calls, tool results, tool definitions, and the [`Tool`] trait.

use std::collections::HashMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A request of the model to run a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id for this call, such as `"call_abc123"`. The result repeats it.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments. They should be an object that matches the tool's schema, but the
    /// model can write any JSON.
    pub arguments: Value,
}

/// The description of a tool for the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// The name with which the model calls the tool.
    pub name: &'static str,
    /// What the tool does and when to use it, written for the model.
    pub description: &'static str,
    /// A JSON Schema of type `object`. Its `required` lists each name at most once.
    pub parameters: Value,
}

impl ToolDefinition {
    /// A tool without parameters. Its schema is an object with empty `properties` and
    /// an empty `required`.
    pub fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            parameters: json!({ "type": "object", "properties": {}, "required": [] }),
        }
    }

    /// Adds a parameter of a simple JSON type: `"string"`, `"number"`, `"boolean"`.
    ///
    /// A second call with the same name replaces the parameter: it sets the schema and
    /// whether the parameter is required.
    pub fn param(self, name: &str, type_: &str, description: &str, required: bool) -> Self {
        let schema = json!({ "type": type_, "description": description });
        self.param_raw(name, schema, required)
    }

    /// Adds a parameter with any schema, such as an enum, an array or a nested object.
    ///
    /// A second call with the same name replaces the parameter, as in
    /// [`param`](Self::param).
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
    /// The text that the model reads. For a failed call it is the prefix `error: ` and then the
    /// error message; see [`result_content`].
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

    /// The result of a failed call. `msg` is the error message for the model, without a
    /// prefix. The content is its [`result_content`].
    pub fn error(msg: impl Into<String>) -> Self {
        Self {
            content: result_content(&msg.into(), true),
            is_error: true,
            is_truncated: false,
        }
    }
}

/// The prefix of a failed call's content. Only [`result_content`] adds it, and only
/// [`result_message`] removes it.
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

/// The outcome of a tool's check of its arguments.
#[derive(Debug, Clone, PartialEq)]
pub enum ValidationResult {
    /// The arguments are valid.
    Ok,
    /// The arguments are invalid.
    Error {
        /// What is wrong, so that the model can correct it.
        message: String,
        /// A number for programs, which separates invalid input from a denied permission.
        code: u32,
    },
}

/// A tool that a model can call.
///
/// Tasks share tools, so an implementation must be `Send` and `Sync`. The defaults are
/// safe: a tool that overrides none of them is treated as one that changes things and
/// must run alone.
#[async_trait]
pub trait Tool: Send + Sync {
    /// The tool's name, description and parameters. Every call returns the same.
    fn definition(&self) -> &ToolDefinition;

    /// Runs the tool. `Err` is a failure of the tool itself. A problem that the model can
    /// correct is `Ok` with a [`ToolResult::error`].
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult>;

    /// Checks the arguments before the tool runs. The default accepts all arguments.
    fn validate_input(&self, _args: &Value) -> ValidationResult {
        ValidationResult::Ok
    }

    /// Whether the tool changes nothing. The default is `false`.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Whether several calls may run at the same time. The default is `false`.
    fn is_concurrent_safe(&self) -> bool {
        false
    }

    /// Whether the tool's effects can't be undone. The default is `false`.
    fn is_destructive(&self) -> bool {
        false
    }

    /// One line for the terminal. The default is `[name: detail]`. The detail is the
    /// first string among the arguments `command`, `path`, `question` and `pattern`, in
    /// that order, unchanged. If none of them is a string, the default is `[name]`.
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

    /// What to show while the tool runs, such as `"Reading file..."`. The default is
    /// `None`, and then the summary is shown.
    fn activity_description(&self, _args: &Value) -> Option<String> {
        None
    }
}

/// The tools of an agent, by name.
pub struct ToolSet {
    /// The tools by the name in their definition.
    tools: HashMap<String, Box<dyn Tool>>,
}

impl ToolSet {
    /// An empty set.
    pub fn new() -> Self {
        Self {
            tools: HashMap::new(),
        }
    }

    /// Adds a tool and returns the set, to build a set in a single expression.
    pub fn with(mut self, tool: impl Tool + 'static) -> Self {
        self.push(tool);
        self
    }

    /// Adds a tool under the name in its definition. It replaces a tool with that name.
    pub fn push(&mut self, tool: impl Tool + 'static) {
        let name = tool.definition().name.to_string();
        self.tools.insert(name, Box::new(tool));
    }

    /// The tool with exactly this name.
    pub fn get(&self, name: &str) -> Option<&dyn Tool> {
        self.tools.get(name).map(|tool| tool.as_ref())
    }

    /// The definitions of all tools, for the provider, in no fixed order.
    pub fn definitions(&self) -> Vec<&ToolDefinition> {
        self.tools.values().map(|tool| tool.definition()).collect()
    }

    /// The names of all tools, in no fixed order.
    pub fn names(&self) -> Vec<&str> {
        self.tools.keys().map(String::as_str).collect()
    }

    /// The number of tools.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether the set has no tools.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl Default for ToolSet {
    fn default() -> Self {
        Self::new()
    }
}
