//! Hooks from the published settings.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{CommandHook, HookEvent, Hooks, Matcher};

/// The hooks that run for the same subjects of an event.
#[derive(Deserialize)]
struct MatcherGroup {
    #[serde(default)]
    matcher: String,
    hooks: Vec<Handler>,
}

/// One hook of a group. Fields that are not here are ignored.
#[derive(Deserialize)]
struct Handler {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    command: String,
    args: Option<Vec<String>>,
    /// In seconds.
    timeout: Option<f64>,
    shell: Option<String>,
    #[serde(rename = "if")]
    condition: Option<String>,
}

impl Hooks {
    /// Adds the hooks of a settings file, such as
    /// `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "…"}]}]}}`.
    /// Other settings are ignored. With `"disableAllHooks": true`, nothing is added. Of two equal keys in
    /// an object, only the last counts.
    ///
    /// Returns a warning, which names the event, for each event that is not one of
    /// [`HookEvent::NAMES`]. Its hooks are not added.
    ///
    /// A file that can't be read in full is an error, and so is a hook that can't run as it is
    /// meant. An error in a group names the event and the position of the group, as in
    /// `hooks.PreToolUse[0]`. Some hooks may have been added then.
    pub fn add_settings(&mut self, text: &str) -> Result<Vec<String>> {
        todo!("hook-settings: write Hooks::add_settings")
    }

    /// Adds the hooks of one group.
    fn add_group(&mut self, event: &str, group: &Value) -> Result<()> {
        let group = MatcherGroup::deserialize(group)?;
        let matcher = Matcher::parse(&group.matcher)?;
        for handler in group.hooks {
            self.add(event, matcher.clone(), command_hook(handler, event)?);
        }
        Ok(())
    }
}

/// The hook of a handler. What this program can't run as it is meant is an error: a handler that
/// is not a command, has none, has the condition `if`, or needs another shell; and a time limit
/// that is not a positive number of seconds.
fn command_hook(handler: Handler, event: &str) -> Result<CommandHook> {
    let Handler {
        kind,
        command,
        args,
        timeout,
        shell,
        condition,
    } = handler;
    ensure!(
        kind == "command",
        "claw runs only hooks of the type `command`, and this one is `{kind}`"
    );
    ensure!(!command.trim().is_empty(), "the hook has no `command`");
    ensure!(
        condition.is_none(),
        "claw can't evaluate `if`; check the tool's input in the hook `{command}`"
    );
    ensure!(
        !matches!(shell.as_deref(), Some(shell) if shell != "bash"),
        "claw runs the hook `{command}` with `bash`, or with `sh` where there is no bash, and not with another `shell`"
    );
    Ok(CommandHook {
        command,
        args,
        timeout: time_limit(timeout, event)?,
    })
}

/// The time limit of a hook, from its settings in seconds or from its event.
fn time_limit(seconds: Option<f64>, event: &str) -> Result<Duration> {
    let Some(seconds) = seconds else {
        return Ok(default_timeout(event));
    };
    let limit = Duration::try_from_secs_f64(seconds).ok();
    limit
        .filter(|limit| !limit.is_zero())
        .with_context(|| format!("`timeout` must be a number of seconds above 0, not {seconds}"))
}

/// How long a hook of this event may run if its settings don't say it: 30 s before a prompt, 1.5 s
/// at the end of a session, otherwise 600 s.
pub fn default_timeout(event: &str) -> Duration {
    match event {
        "UserPromptSubmit" => Duration::from_secs(30),
        "SessionEnd" => Duration::from_millis(1500),
        _ => Duration::from_secs(600),
    }
}
