//! An agent's events on the screen.

use std::path::PathBuf;

use crate::agent::{AgentEvent, AgentMessage, Content, Message, StreamDelta};
use crate::claw::options::Options;
use crate::claw::output_format::{OutputFormat, PromptResult};
use crate::claw::preview::edit_diff;
use crate::claw::safe_text::one_line;
use crate::claw::terminal::Screen;
use crate::plan::{TODO, without_notice};
use crate::types::{ToolCall, ToolSet, result_content};

/// Shows the events of an agent on a screen.
pub struct EventPrinter {
    screen: Screen,
    /// The agent's tools, which summarize their calls.
    tools: ToolSet,
    /// The folder in which they work.
    folder: PathBuf,
    format: OutputFormat,
    /// Whether any piece of the current reply has arrived.
    has_pieces: bool,
}

impl EventPrinter {
    /// Shows as the options want it the events of an agent that has these tools, which work in `folder`.
    pub fn new(options: &Options, tools: ToolSet, folder: PathBuf) -> Self {
        let format = options.output_format.unwrap_or_default();
        let screen = match format {
            OutputFormat::Text => Screen::stdout(options.prompt.is_none()),
            OutputFormat::Json | OutputFormat::StreamJson => Screen::json_stdout(),
        };
        Self {
            format,
            screen,
            tools,
            folder,
            has_pieces: false,
        }
    }

    /// The screen itself, for what is not an event.
    pub fn screen(&mut self) -> &mut Screen {
        &mut self.screen
    }

    /// Shows one event.
    pub fn event(&mut self, event: &AgentEvent) {
        // Each update has the whole reply so far.
        let is_update = matches!(event, AgentEvent::MessageUpdate { .. });
        if self.format == OutputFormat::StreamJson && !is_update {
            self.screen.json(event);
        }
        match event {
            AgentEvent::MessageStart { .. } => {
                // Replies can follow each other with nothing in between.
                self.screen.end_line();
                self.has_pieces = false;
            }
            AgentEvent::MessageUpdate { delta, .. } => self.delta(delta),
            AgentEvent::MessageEnd { message, .. } => self.message_end(message),
            AgentEvent::ToolExecutionStart {
                tool_call_id,
                tool_name,
                args,
                ..
            } => {
                let summary = match self.tools.get(tool_name) {
                    Some(tool) => tool.summary(args),
                    None => format!("[{tool_name}]"),
                };
                let call = ToolCall {
                    id: tool_call_id.clone(),
                    name: tool_name.clone(),
                    arguments: args.clone(),
                };
                let diff = edit_diff(&call, &self.folder);
                self.screen.call(tool_call_id, &summary, diff);
            }
            AgentEvent::ToolExecutionUpdate {
                tool_call_id,
                partial_result,
                ..
            } => {
                let output = partial_result.details["output"].as_str();
                self.screen
                    .call_progress(tool_call_id, output.unwrap_or_default());
            }
            AgentEvent::ToolExecutionEnd {
                tool_call_id,
                tool_name,
                result,
                is_error: false,
                ..
            } if tool_name == TODO => {
                self.screen.end_call(tool_call_id);
                self.screen.todos(&text_of(&result.content));
            }
            AgentEvent::ToolExecutionEnd {
                tool_call_id,
                result,
                is_error,
                ..
            } => {
                let content = result_content(&text_of(&result.content), *is_error);
                self.screen.result(tool_call_id, &content, *is_error);
            }
            AgentEvent::InputRejected { reason, .. } => {
                self.screen.note(&format!("(input rejected: {reason})"));
            }
            AgentEvent::AgentEnd { .. } => self.screen.end_line(),
            AgentEvent::AgentStart { .. }
            | AgentEvent::TurnStart { .. }
            | AgentEvent::TurnEnd { .. }
            | AgentEvent::ProgressMessage { .. }
            | AgentEvent::Other(_) => {}
        }
    }

    /// Writes the result of a single prompt, unless the output is text.
    pub fn result(&mut self, result: &PromptResult) {
        if self.format != OutputFormat::Text {
            self.screen.json(result);
        }
    }

    fn delta(&mut self, delta: &StreamDelta) {
        match delta {
            StreamDelta::Text { delta } => self.screen.text(delta),
            StreamDelta::Thinking { delta } => self.screen.thinking(delta),
            StreamDelta::ToolCallDelta { .. } => return,
        }
        self.has_pieces = true;
    }

    /// Shows a complete reply that arrived without any pieces.
    fn message_end(&mut self, message: &AgentMessage) {
        let Some(Message::Assistant { content, .. }) = message.as_llm() else {
            return;
        };
        if self.has_pieces {
            return;
        }
        for block in content.iter().filter_map(Content::known) {
            match block {
                Content::Text { text } => self.screen.text(text),
                Content::Thinking { thinking, .. } => self.screen.thinking(thinking),
                Content::Image { .. } | Content::ToolCall { .. } | Content::Other(_) => {}
            }
        }
    }
}

/// The text blocks, joined with newlines.
pub fn text_of(content: &[Content]) -> String {
    let texts = content.iter().filter_map(|block| match block.known()? {
        Content::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The text of a model's message; empty for any other.
pub fn message_text(message: &AgentMessage) -> String {
    match message.as_llm() {
        Some(Message::Assistant { content, .. }) => text_of(content),
        _ => String::new(),
    }
}

/// The text of a user's or a model's message in one row; empty for any other message.
pub fn message_row(message: &AgentMessage) -> String {
    match message.as_llm() {
        Some(Message::User { content, .. }) => one_line(without_notice(&text_of(content))),
        Some(Message::Assistant { content, .. }) => one_line(&text_of(content)),
        _ => String::new(),
    }
}
