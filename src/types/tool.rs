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
        todo!("1.6: write ToolDefinition::new")
    }

    /// Adds a parameter of a plain JSON type: `"string"`, `"number"`, `"boolean"`.
    ///
    /// A name given a second time is still one parameter: the later call decides
    /// its schema and whether it is required.
    pub fn param(self, name: &str, type_: &str, description: &str, required: bool) -> Self {
        todo!("1.6: write ToolDefinition::param")
    }

    /// Adds a parameter with any schema: an enum, an array, an object in an object.
    ///
    /// A name given a second time is treated as by [`param`](Self::param).
    pub fn param_raw(mut self, name: &str, schema: Value, required: bool) -> Self {
        todo!("1.6: write ToolDefinition::param_raw")
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
        todo!("1.7: write ToolResult::text")
    }

    /// A failed call. `msg` is the error message for the model, without a prefix; the
    /// content is the [`result_content`] made of it.
    pub fn error(msg: impl Into<String>) -> Self {
        todo!("1.7: write ToolResult::error")
    }
}

/// What the content of a failed call begins with. [`result_content`] is the only code
/// that adds it, and [`result_message`] the only code that removes it.
const ERROR_PREFIX: &str = "error: ";

/// The text of a result for a model or a wire format that has no field for a failure:
/// `message` unchanged, or for a failed call `error: ` followed by `message`.
pub fn result_content(message: &str, is_error: bool) -> String {
    todo!("1.7: write result_content")
}

/// The inverse of [`result_content`]: the bare text, for a format that has a field for
/// a failure.
///
/// `is_error` alone decides. The content of a successful call is returned unchanged,
/// even if it begins with `error: `. The content of a failed call loses one prefix, and
/// is returned unchanged if another program wrote it without one.
pub fn result_message(content: &str, is_error: bool) -> &str {
    todo!("1.7: write result_message")
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
        todo!("1.8: write Tool::validate_input")
    }

    /// Whether the tool leaves everything as it was. By default, it does not.
    fn is_read_only(&self) -> bool {
        todo!("1.9: write Tool::is_read_only")
    }

    /// Whether several calls may run at the same time. By default, they may not.
    fn is_concurrent_safe(&self) -> bool {
        todo!("1.9: write Tool::is_concurrent_safe")
    }

    /// Whether the tool does what can't be undone. By default, it does not.
    fn is_destructive(&self) -> bool {
        todo!("1.9: write Tool::is_destructive")
    }

    /// One line for the terminal, `[name: detail]`. The detail is the first string
    /// among the arguments `command`, `path`, `question` and `pattern`, in that
    /// order; without any, the line is `[name]`.
    fn summary(&self, args: &Value) -> String {
        todo!("1.9: write Tool::summary")
    }

    /// What to show while the tool runs, such as `"Reading file..."`. By default
    /// `None`: the summary is shown.
    fn activity_description(&self, _args: &Value) -> Option<String> {
        todo!("1.9: write Tool::activity_description")
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
        todo!("1.10: write ToolSet::new")
    }

    /// Adds a tool and hands the set on, for building one in a single expression.
    pub fn with(mut self, tool: impl Tool + 'static) -> Self {
        todo!("1.10: write ToolSet::with")
    }

    /// Adds a tool under its definition's name. One of the same name gives way.
    pub fn push(&mut self, tool: impl Tool + 'static) {
        todo!("1.10: write ToolSet::push")
    }

    /// The tool of this very name.
    pub fn get(&self, name: &str) -> Option<&dyn Tool> {
        todo!("1.10: write ToolSet::get")
    }

    /// What the provider is told of: every tool's definition, in no fixed order.
    pub fn definitions(&self) -> Vec<&ToolDefinition> {
        todo!("1.10: write ToolSet::definitions")
    }

    /// The names of all tools, in no fixed order.
    pub fn names(&self) -> Vec<&str> {
        todo!("1.10: write ToolSet::names")
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        todo!("1.10: write ToolSet::len")
    }

    /// Whether there is no tool at all.
    pub fn is_empty(&self) -> bool {
        todo!("1.10: write ToolSet::is_empty")
    }
}

impl Default for ToolSet {
    fn default() -> Self {
        todo!("1.10: write ToolSet::default")
    }
}
