//! Section 12.13: Hooks in settings

use claw_code::hooks::*;
use serde_json::{Value, json};

use super::support::*;
use crate::support::TempFolder;

/// Hooks from these settings in a folder.
#[track_caller]
fn load(folder: &TempFolder, settings: &Value) -> (Hooks, Vec<String>) {
    let (mut hooks, _) = Hooks::new(session(folder.path()));
    let warnings = hooks.add_settings(&settings.to_string());
    let warnings = warnings.unwrap_or_else(|error| panic!("{settings}: {error:#}"));
    (hooks, warnings)
}

/// Settings with one group of hooks before each call.
fn before_calls(group: Value) -> Value {
    json!({ "hooks": { "PreToolUse": [group] } })
}

/// The error of settings that can't be read.
#[track_caller]
fn error(settings: &Value) -> String {
    let (mut hooks, _) = Hooks::new(work_session());
    match hooks.add_settings(&settings.to_string()) {
        Ok(_) => panic!("these settings have a mistake: {settings}"),
        Err(error) => format!("{error:#}"),
    }
}

#[tokio::test]
async fn test_ch12_published_settings_are_read() {
    let folder = TempFolder::new();
    let settings = json!({
        "$schema": "https://json.schemastore.org/claude-code-settings.json",
        "permissions": { "allow": ["Bash(ls:*)"] },
        "disableAllHooks": false,
        "hooks": {
            "PreToolUse": [
                { "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "exit 2" }] },
                { "matcher": "Bash", "hooks": [
                    { "type": "command", "command": "true", "timeout": 60, "statusMessage": "…" },
                    { "type": "command", "command": "echo no >&2; exit 2", "shell": "bash" },
                ] },
            ],
            "Stop": [{ "hooks": [{ "type": "command", "command": "exit 2" }] }],
        },
    });
    let (hooks, warnings) = load(&folder, &settings);
    assert_eq!(warnings, [] as [String; 0], "nothing is ignored");
    let answer = in_time(hooks.raise(before_bash("ls"))).await;
    assert_eq!(answer, denies("no"), "the two hooks for `Bash` ran");
}

#[tokio::test]
async fn test_ch12_hook_with_args_needs_no_shell() {
    let folder = TempFolder::new();
    let args = ["-c", "echo \"$0\" >&2; exit 2", "${CLAUDE_PROJECT_DIR}/x"];
    let handler = json!({ "type": "command", "command": "sh", "args": args });
    let settings = before_calls(json!({ "hooks": [handler] }));
    let (hooks, _) = load(&folder, &settings);
    let answer = in_time(hooks.raise(before_bash("ls"))).await;
    let expected = format!("{}/x", folder.path().display());
    assert_eq!(answer, denies(&expected), "a program and its arguments");
}

#[tokio::test]
async fn test_ch12_settings_without_hooks_have_none() {
    let folder = TempFolder::new();
    let command = json!({ "type": "command", "command": "exit 2" });
    let mut disabled = before_calls(json!({ "hooks": [command] }));
    disabled["disableAllHooks"] = json!(true);
    for settings in [json!({}), json!({ "hooks": {} }), disabled] {
        let (hooks, _) = load(&folder, &settings);
        let answer = hooks.raise(before_bash("ls")).await;
        assert_eq!(answer, HookAnswer::default(), "no hook runs: {settings}");
    }
    for value in [json!(false), json!("false"), json!(0)] {
        let mut settings =
            before_calls(json!({ "hooks": [{ "type": "command", "command": "exit 2" }] }));
        settings["disableAllHooks"] = value;
        let (hooks, _) = load(&folder, &settings);
        let answer = in_time(hooks.raise(before_bash("ls"))).await;
        assert_eq!(
            answer,
            denies(NO_REASON),
            "only `true` disables: {settings}"
        );
    }
}

#[tokio::test]
async fn test_ch12_event_that_is_never_raised_is_a_warning() {
    let folder = TempFolder::new();
    let mut settings =
        before_calls(json!({ "hooks": [{ "type": "command", "command": "exit 2" }] }));
    let http = json!({ "hooks": [{ "type": "http" }] });
    settings["hooks"]["FileChanged"] = json!([http, http]);
    let (hooks, warnings) = load(&folder, &settings);
    assert_eq!(
        warnings,
        ["hooks of `FileChanged` never run: claw has no such event"],
        "the user learns which hooks don't run, from one warning for each event"
    );
    let answer = in_time(hooks.raise(before_bash("ls"))).await;
    assert_eq!(answer, denies(NO_REASON), "hooks of other events run");
}

#[test]
fn test_ch12_hook_that_cannot_run_as_meant_is_an_error() {
    let cases = [
        (json!({ "type": "http", "url": "x" }), "`http`"),
        (json!({ "type": "prompt", "command": "a" }), "`prompt`"),
        (json!({ "type": "command" }), "no `command`"),
        (json!({ "type": "command", "command": " " }), "no `command`"),
        (
            json!({ "type": "command", "command": "a", "if": "Bash(rm *)" }),
            "`if`",
        ),
        (
            json!({ "type": "command", "command": "a", "if": "" }),
            "`if`",
        ),
        (
            json!({ "type": "command", "command": "a", "shell": "zsh" }),
            "`shell`",
        ),
        (
            json!({ "type": "command", "command": "a", "shell": "sh" }),
            "`shell`",
        ),
        (
            json!({ "type": "command", "command": "a", "timeout": 0 }),
            "`timeout`",
        ),
        (
            json!({ "type": "command", "command": "a", "timeout": -1 }),
            "`timeout`",
        ),
    ];
    for (handler, part) in cases {
        let error = error(&before_calls(json!({ "hooks": [handler] })));
        assert!(error.contains(part), "the error names {part}: {error}");
    }
}

#[test]
fn test_ch12_error_names_the_event_and_the_position() {
    let good = json!({ "hooks": [] });
    let bad = json!({ "matcher": "Edit(", "hooks": [] });
    let error = error(&json!({ "hooks": { "PreToolUse": [good, bad] } }));
    assert!(
        error.contains("hooks.PreToolUse[1]"),
        "the second group has the mistake: {error}"
    );
}

#[test]
fn test_ch12_settings_of_another_shape_are_errors() {
    let cases = [
        (json!([]), "not a JSON object"),
        (json!({ "hooks": [] }), "`hooks` must be an object"),
        (
            json!({ "hooks": { "Stop": {} } }),
            "`hooks.Stop` must be a list",
        ),
        (json!({ "hooks": { "Stop": [7] } }), "hooks.Stop[0]"),
    ];
    for (settings, part) in cases {
        let error = error(&settings);
        assert!(error.contains(part), "the error says {part:?}: {error}");
    }
}

#[tokio::test]
async fn test_ch12_time_limits_depend_on_the_event() {
    let start = HookEvent::SessionStart {
        source: "startup".into(),
    };
    let end = HookEvent::SessionEnd {
        reason: "other".into(),
    };
    let cases = [(prompt("hi"), "30 s"), (end, "1.5 s"), (start, "600 s")];
    let folder = HookFolder::new();
    let hang = json!([{ "hooks": [{ "type": "command", "command": "cat never" }] }]);
    for (event, limit) in cases {
        let settings = json!({ "hooks": { event.name(): hang } });
        let (hooks, _) = load(&folder, &settings);
        // The clock jumps to the time limit.
        tokio::time::pause();
        let answer = hooks.raise(event).await;
        tokio::time::resume();
        let expected =
            format!("the hook `cat never` failed: it did not end within {limit} and was killed");
        assert_eq!(answer.messages, [expected], "without a `timeout`");
    }
}

#[tokio::test]
async fn test_ch12_timeout_is_in_seconds() {
    let folder = HookFolder::new();
    let hang = json!({ "type": "command", "command": "cat never", "timeout": 0.5 });
    let (hooks, _) = load(&folder, &before_calls(json!({ "hooks": [hang] })));
    tokio::time::pause();
    let answer = hooks.raise(before_bash("ls")).await;
    tokio::time::resume();
    assert!(
        answer.messages[0].contains("within 0.5 s"),
        "the hook's own time limit: {:?}",
        answer.messages
    );
}
