//! The events of a session, and the JSON that a hook reads about them.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

/// The fields that begin the input of every hook.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HookSession {
    /// The session's id.
    pub session_id: String,
    /// The path of a JSONL file with the conversation; empty if there is none.
    pub transcript_path: String,
    /// The absolute path of the folder in which the tools work.
    pub cwd: PathBuf,
    /// The permission mode, by its [published name](super::published_mode).
    pub permission_mode: &'static str,
}

/// An event of a session. Its JSON has the variant's name in `hook_event_name`, and beside it
/// the fields.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum HookEvent {
    /// A session starts, before the first prompt.
    SessionStart {
        /// `startup` for a new session, `resume` for one that continues.
        source: String,
    },
    /// A session ends.
    SessionEnd {
        /// `prompt_input_exit` if the user ended it, otherwise `other`.
        reason: String,
    },
    /// The user sent a prompt, which the model has not read yet.
    UserPromptSubmit {
        /// The prompt.
        prompt: String,
    },
    /// The model calls a tool, which has not run yet.
    PreToolUse {
        /// The tool's [published name](super::published_name).
        tool_name: String,
        /// The arguments, as the [published tool](super::published_input) has them.
        tool_input: Value,
        /// The call's id.
        tool_use_id: String,
    },
    /// A tool has run and did not fail.
    PostToolUse {
        /// The tool's [published name](super::published_name).
        tool_name: String,
        /// The arguments, as the [published tool](super::published_input) has them.
        tool_input: Value,
        /// The [result](super::published_response).
        tool_response: Value,
        /// The call's id.
        tool_use_id: String,
    },
    /// The history is about to be shortened.
    PreCompact {
        /// `manual` if the user asked for it, otherwise `auto`.
        trigger: String,
        /// What the user asked to keep; may be empty.
        custom_instructions: String,
    },
    /// The model has finished its turn.
    Stop {
        /// Whether a hook has made this turn continue before.
        stop_hook_active: bool,
        /// The text of the model's last reply.
        last_assistant_message: String,
    },
    /// A subagent has finished.
    SubagentStop {
        /// Whether a hook has made the subagent continue before.
        stop_hook_active: bool,
        /// The subagent's id.
        agent_id: String,
        /// The kind of subagent.
        agent_type: String,
        /// The text of the subagent's last reply.
        last_assistant_message: String,
    },
    /// The user should look at the terminal.
    Notification {
        /// The text of the notification.
        message: String,
        /// The kind of notification, such as `permission_prompt`.
        notification_type: String,
    },
}

/// The input of a hook: one JSON object with the fields of both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HookInput {
    /// The session.
    pub session: HookSession,
    /// The event.
    pub event: HookEvent,
}

impl HookEvent {
    /// The names of all events.
    pub const NAMES: [&str; 9] = [
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "Stop",
        "SubagentStop",
        "Notification",
    ];

    /// The event's name: that of the variant.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SessionStart { .. } => "SessionStart",
            Self::SessionEnd { .. } => "SessionEnd",
            Self::UserPromptSubmit { .. } => "UserPromptSubmit",
            Self::PreToolUse { .. } => "PreToolUse",
            Self::PostToolUse { .. } => "PostToolUse",
            Self::PreCompact { .. } => "PreCompact",
            Self::Stop { .. } => "Stop",
            Self::SubagentStop { .. } => "SubagentStop",
            Self::Notification { .. } => "Notification",
        }
    }

    /// The text that matchers are compared with: the name of the tool, the source of a start,
    /// the reason of an end, the trigger of a compaction, the kind of a subagent or
    /// notification. A prompt and the end of a turn have none.
    pub fn subject(&self) -> Option<&str> {
        todo!("hook-input: write HookEvent::subject")
    }

    /// Whether hooks guard what follows the event: the call or the prompt. If such a hook fails,
    /// it has not agreed, so what it guards does not happen.
    pub fn is_guarded(&self) -> bool {
        matches!(
            self,
            Self::PreToolUse { .. } | Self::UserPromptSubmit { .. }
        )
    }

    /// Whether plain text on a hook's standard output is context for the model.
    pub fn takes_plain_text(&self) -> bool {
        matches!(
            self,
            Self::SessionStart { .. } | Self::UserPromptSubmit { .. }
        )
    }
}
