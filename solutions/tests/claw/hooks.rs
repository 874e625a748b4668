//! `--hooks`: settings files with hooks, run by the whole program.

use std::fs;
use std::path::Path;

use claw_offline::{Reply, Script};
use serde_json::{Value, json};

use crate::support::{Run, ScriptedServer, Workspace};

/// A workspace whose file `hooks.json` has these hooks, one command for each event and matcher.
fn workspace(hooks: &[(&str, &str, &str)]) -> Workspace {
    let mut events = json!({});
    for (event, matcher, command) in hooks {
        let hook = json!({ "type": "command", "command": command });
        events[event] = json!([{ "matcher": matcher, "hooks": [hook] }]);
    }
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let settings = json!({ "hooks": events }).to_string();
    fs::write(workspace.path().join("hooks.json"), settings).expect("the file");
    workspace
}

/// Runs one prompt with the hooks, and without questions.
fn ask(workspace: &Workspace, prompt: &str) -> Run {
    let arguments = ["--offline", "--hooks", "hooks.json", "-p", prompt];
    workspace.claw(&arguments).run()
}

/// The inputs that a hook has appended to a file, one on each line.
fn inputs(folder: &Path, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(file)).expect("a hook ran");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn a_hook_blocks_a_call_and_the_model_reads_the_reason() {
    let workspace = workspace(&[("PreToolUse", "Bash", "echo 'no shell today' >&2; exit 2")]);
    let run = ask(&workspace, "run touch made").succeeds();
    assert!(!workspace.path().join("made").exists(), "{run:?}");
    assert!(
        run.stdout
            .contains("a hook blocked this call: no shell today"),
        "{run:?}"
    );
}

#[test]
fn a_hook_that_is_missing_blocks_a_call_and_is_reported() {
    let workspace = workspace(&[("PreToolUse", "bash", "./no-such-guard.sh")]);
    let run = ask(&workspace, "run touch made").succeeds();
    assert!(!workspace.path().join("made").exists(), "{run:?}");
    assert!(
        run.stderr
            .contains("the hook `./no-such-guard.sh` failed: exit code 127"),
        "{run:?}"
    );
}

#[test]
fn a_hook_rewrites_a_call() {
    let answer = r#"echo '{"hookSpecificOutput": {"updatedInput": {"command": "touch other"}}}'"#;
    let workspace = workspace(&[("PreToolUse", "Bash", answer)]);
    ask(&workspace, "run touch made").succeeds();
    assert!(
        workspace.path().join("other").exists(),
        "the hook's command ran"
    );
    assert!(
        !workspace.path().join("made").exists(),
        "and not the model's"
    );
}

#[test]
fn a_rewritten_call_needs_permission_too() {
    let answer = r#"echo '{"hookSpecificOutput": {"updatedInput": {"command": "touch other"}}}'"#;
    let workspace = workspace(&[("PreToolUse", "Bash", answer)]);
    let allow = [
        "--permission-mode",
        "default",
        "--allow",
        "bash(touch made)",
    ];
    let hooks = ["--hooks", "hooks.json", "--offline", "-p"];
    let run = workspace
        .claw(&[&allow[..], &hooks, &["run touch made"]].concat())
        .run();
    run.fails(3, "--allow 'bash(touch other)'");
    assert!(
        !workspace.path().join("other").exists(),
        "no rule allows it"
    );
}

#[test]
fn a_hook_that_allows_saves_no_question() {
    let answer = r#"echo '{"hookSpecificOutput": {"permissionDecision": "allow"}}'"#;
    let workspace = workspace(&[("PreToolUse", "Bash", answer)]);
    let options = ["--permission-mode", "default", "--hooks", "hooks.json"];
    let prompt = ["--offline", "-p", "run touch made"];
    let run = workspace.claw(&[&options[..], &prompt].concat()).run();
    run.fails(3, "nobody can be asked");
    assert!(!workspace.path().join("made").exists(), "nobody agreed");
}

#[test]
fn a_question_of_a_hook_names_no_option_that_allows_the_call() {
    let answer = r#"echo '{"hookSpecificOutput": {"permissionDecision": "ask"}}'"#;
    let workspace = workspace(&[("PreToolUse", "", answer)]);
    let run = ask(&workspace, "run touch made");
    let run = run.fails(3, "to be asked, run claw in a terminal");
    assert!(!run.stderr.contains("--allow"), "{run:?}");
    assert!(!workspace.path().join("made").exists(), "it did not run");
}

#[test]
fn every_event_of_a_session_reaches_its_hook() {
    let log = "tr -d '\\n' >>log; echo >>log";
    let events = ["SessionStart", "UserPromptSubmit", "PreToolUse"];
    let more = ["PostToolUse", "Stop", "SessionEnd"];
    let all: Vec<&str> = events.into_iter().chain(more).collect();
    let hooks: Vec<_> = all.iter().map(|event| (*event, "", log)).collect();
    let workspace = workspace(&hooks);
    ask(&workspace, "read notes.txt").succeeds();
    let inputs = inputs(workspace.path(), "log");
    let names: Vec<&Value> = inputs.iter().map(|it| &it["hook_event_name"]).collect();
    assert_eq!(names, all, "in the order of the session");
    for input in &inputs {
        assert_eq!(input["session_id"], inputs[0]["session_id"], "one session");
        assert_eq!(input["permission_mode"], "bypassPermissions");
    }
    assert_eq!(inputs[0]["source"], "startup");
    assert_eq!(inputs[1]["prompt"], "read notes.txt");
    assert_eq!(inputs[2]["tool_name"], "Read");
    let path = inputs[2]["tool_input"]["file_path"].as_str();
    assert!(
        path.is_some_and(|it| it.starts_with('/') && it.ends_with("/notes.txt")),
        "an absolute path: {path:?}"
    );
    assert_eq!(inputs[3]["tool_response"]["success"], true);
    let reply = inputs[4]["last_assistant_message"].as_str();
    assert!(reply.is_some_and(|it| it.contains("alpha")), "{reply:?}");
    assert_eq!(inputs[5]["reason"], "other", "outside a terminal");
}

#[test]
fn a_stop_hook_reads_the_whole_reply() {
    let workspace = workspace(&[("Stop", "", "cat >log")]);
    let reply = format!("{}\n\nDone.", "a long line ".repeat(20).trim_end());
    let server = ScriptedServer::new(Script::new().reply(Reply::text(&reply)));
    let arguments = ["--hooks", "hooks.json", "-p", "go"];
    workspace.claw(&arguments).asks(&server).run().succeeds();
    let inputs = inputs(workspace.path(), "log");
    assert_eq!(inputs[0]["last_assistant_message"], reply);
}

#[test]
fn a_blocked_prompt_does_not_reach_the_model() {
    let guard = "grep -q password && { echo 'it holds a password' >&2; exit 2; }; true";
    let workspace = workspace(&[("UserPromptSubmit", "", guard)]);
    let run = ask(&workspace, "my password is x");
    let run = run.fails(1, "a hook blocked this prompt: it holds a password");
    assert_eq!(run.stdout, "", "no reply");
    ask(&workspace, "read notes.txt").succeeds();
}

#[test]
fn a_stop_hook_continues_the_turn_and_sees_that_it_did() {
    let hook = "grep -q '\"stop_hook_active\":true' || { echo 'read notes.txt' >&2; exit 2; }";
    let workspace = workspace(&[("Stop", "", hook)]);
    let run = ask(&workspace, "hello").succeeds();
    assert!(run.stdout.contains("alpha"), "the second turn: {run:?}");
}

#[test]
fn a_hook_can_stop_the_agent() {
    let hook = r#"echo '{"continue": false, "stopReason": "the build is broken"}'"#;
    let workspace = workspace(&[("PreToolUse", "", hook)]);
    let run = ask(&workspace, "run touch made");
    let run = run.fails(1, "a hook stopped the agent: the build is broken");
    assert!(!workspace.path().join("made").exists(), "{run:?}");
}

#[test]
fn an_objection_to_a_start_or_an_end_is_only_shown() {
    let objects = |event| (event, "", "echo \"no $0\" >&2; exit 2");
    let workspace = workspace(&[objects("SessionStart"), objects("SessionEnd")]);
    let run = ask(&workspace, "read notes.txt").succeeds();
    assert!(run.stdout.contains("alpha"), "{run:?}");
    let objections = run.stderr.matches("claw: a hook objects: no ").count();
    assert_eq!(objections, 2, "{run:?}");
}

#[test]
fn hooks_do_not_see_the_keys() {
    let workspace = workspace(&[("SessionStart", "", "env >env")]);
    let mode = ["--offline", "--hooks", "hooks.json", "-p", "hello"];
    let keys = ["ANTHROPIC_API_KEY", "CLAW_API_KEY", "OPENAI_API_KEY"];
    let mut claw = workspace.claw(&mode);
    for key in keys {
        claw = claw.env(key, "secret-1");
    }
    claw.run().succeeds();
    let environment = fs::read_to_string(workspace.path().join("env")).expect("the hook ran");
    assert!(environment.contains("PATH="), "the rest is there");
    assert!(!environment.contains("secret-1"), "{environment}");
}

#[test]
fn settings_with_a_mistake_are_an_error_before_anything_runs() {
    let workspace = workspace(&[("PreToolUse", "Bash(", "true")]);
    let run = ask(&workspace, "run touch made");
    run.fails(
        2,
        "cannot use the hooks of hooks.json: hooks.PreToolUse[0]: the matcher `Bash(`",
    );
    let missing = ["--hooks", "nowhere.json", "--offline", "-p", "hello"];
    let run = workspace.claw(&missing).run();
    run.fails(2, "cannot use the hooks of nowhere.json");
}

#[test]
fn hooks_of_unknown_events_are_reported() {
    let workspace = workspace(&[("FileChanged", "", "true")]);
    let run = ask(&workspace, "hello").succeeds();
    let warning = "hooks.json: hooks of `FileChanged` never run: claw has no such event";
    assert!(run.stderr.contains(warning), "{run:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_hook_of_the_start_and_sends_no_prompt() {
    let workspace = workspace(&[("SessionStart", "", "echo begun >started; sleep 1000")]);
    let arguments = ["--offline", "--hooks", "hooks.json", "-p", "hello"];
    let running = workspace.claw(&arguments).start();
    workspace.wait_for("started", "begun");
    running.interrupt();
    let run = running.finish();
    assert_eq!(run.code, Some(130), "{run:?}");
    assert_eq!(run.stdout, "", "nothing was asked");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_hook_of_the_end() {
    let workspace = Workspace::new();
    let command = "echo begun >ending; sleep 1000";
    let hook = json!({ "type": "command", "command": command, "timeout": 300 });
    let settings = json!({ "hooks": { "SessionEnd": [{ "hooks": [hook] }] } });
    workspace.write("hooks.json", settings.to_string());
    let arguments = ["--offline", "--hooks", "hooks.json", "-p", "hello"];
    let running = workspace.claw(&arguments).start();
    workspace.wait_for("ending", "begun");
    running.interrupt();
    assert_eq!(running.finish().code, Some(130), "the hook is stopped");
}
