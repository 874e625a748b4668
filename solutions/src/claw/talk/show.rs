//! An agent's events on the screen.

use crate::agent::{AgentEvent, AgentMessage, Content, Message, StreamDelta};
use crate::claw::Screen;
use crate::claw::screen::one_line;
use crate::types::ToolSet;

/// Puts the events of an agent on a screen.
pub struct Show {
    screen: Screen,
    /// What calls look like, the tools say.
    tools: ToolSet,
    /// Whether anything of the reply that is being written was shown.
    has_pieces: bool,
}

impl Show {
    /// On this screen, for an agent that has these tools.
    pub fn new(screen: Screen, tools: ToolSet) -> Self {
        Self {
            screen,
            tools,
            has_pieces: false,
        }
    }

    /// The screen itself, for what no event tells.
    pub fn screen(&mut self) -> &mut Screen {
        &mut self.screen
    }

    /// Shows one event.
    pub fn event(&mut self, event: &AgentEvent) {
        match event {
            AgentEvent::MessageStart { .. } => {
                // Replies can follow each other with nothing in between.
                self.screen.finish();
                self.has_pieces = false;
            }
            AgentEvent::MessageUpdate { delta, .. } => self.piece(delta),
            AgentEvent::MessageEnd { message, .. } => self.whole(message),
            AgentEvent::ToolExecutionStart {
                tool_name, args, ..
            } => {
                let summary = match self.tools.get(tool_name) {
                    Some(tool) => tool.summary(args),
                    None => format!("[{tool_name}]"),
                };
                self.screen.call(&summary);
            }
            AgentEvent::ToolExecutionEnd {
                result, is_error, ..
            } => {
                let text = words(&result.content);
                match is_error {
                    true => self.screen.result(&format!("error: {text}")),
                    false => self.screen.result(&text),
                }
            }
            AgentEvent::InputRejected { reason, .. } => {
                self.screen.note(&format!("(not let in: {reason})"));
            }
            AgentEvent::AgentEnd { .. } => self.screen.finish(),
            AgentEvent::AgentStart { .. }
            | AgentEvent::TurnStart { .. }
            | AgentEvent::TurnEnd { .. }
            | AgentEvent::ToolExecutionUpdate { .. }
            | AgentEvent::ProgressMessage { .. } => {}
        }
    }

    fn piece(&mut self, delta: &StreamDelta) {
        match delta {
            StreamDelta::Text { delta } => self.screen.text(delta),
            StreamDelta::Thinking { delta } => self.screen.thinking(delta),
            StreamDelta::ToolCallDelta { .. } => return,
        }
        self.has_pieces = true;
    }

    /// A message that has come to its end: only a reply that came without pieces is still
    /// to be shown.
    fn whole(&mut self, message: &AgentMessage) {
        let Some(Message::Assistant { content, .. }) = message.as_llm() else {
            return;
        };
        if self.has_pieces {
            return;
        }
        for block in content {
            match block {
                Content::Text { text } => self.screen.text(text),
                Content::Thinking { thinking, .. } => self.screen.thinking(thinking),
                Content::Image { .. } | Content::ToolCall { .. } => {}
            }
        }
    }
}

/// The text of a message's blocks.
fn words(content: &[Content]) -> String {
    let texts = content.iter().filter_map(|block| match block {
        Content::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The words of a message, in one row.
pub(super) fn words_of(message: &AgentMessage) -> String {
    match message.as_llm() {
        Some(Message::User { content, .. } | Message::Assistant { content, .. }) => {
            one_line(&words(content))
        }
        _ => String::new(),
    }
}
