//! Properties of the permission engine that no list of examples can show. The commands are run
//! by a real shell.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use claw_code_solutions::permission::{
    Approval, Approvals, CallPattern, Certainty, PermissionEngine, Places, RuleLayer, Rules,
    exact_rule, offered_rule, simple_words,
};
use claw_code_solutions::tools::DynamicTool;
use claw_code_solutions::types::{
    Permission, PermissionBehavior, PermissionMode, PermissionRule, ToolCall, ToolResult,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;

fn places() -> Places {
    Places {
        workspace: PathBuf::from("/work/app"),
        home: Some(PathBuf::from("/home/ada")),
    }
}

fn call(tool: &str, key: &str, value: &str) -> ToolCall {
    ToolCall {
        id: "call_1".into(),
        name: tool.into(),
        arguments: json!({ key: value }),
    }
}

/// Calls of a few tools, with commands and paths that are alike.
fn calls() -> impl Strategy<Value = ToolCall> {
    let commands = prop::collection::vec(pieces(), 1..6).prop_map(|it| it.concat());
    let paths = prop::sample::select(vec![
        "src/a.rs",
        "src/../x",
        "/etc/passwd",
        "../y",
        ".",
        "src",
        "src/b/c.rs",
    ]);
    prop_oneof![
        commands.prop_map(|command| call("bash", "command", &command)),
        (prop::sample::select(vec!["edit", "write", "read"]), paths)
            .prop_map(|(tool, path)| call(tool, "path", path)),
    ]
}

/// Calls of `bash` with simple commands.
fn simple_calls() -> impl Strategy<Value = ToolCall> {
    let words = prop::sample::select(vec![" a", " 'a b'", " \"c d\"", " -x"]);
    prop::collection::vec(words, 0..4)
        .prop_map(|words| call("bash", "command", &format!("p{}", words.concat())))
}

/// Pieces of commands, among them everything that begins or hides another one.
fn pieces() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "p",
        "p a",
        "p b",
        " ",
        " a",
        " -x",
        ";",
        "&&",
        "||",
        "|",
        "&",
        "\n",
        "\r",
        "$(p z)",
        "`p z`",
        "'",
        "\"",
        "\\",
        ">f",
        "<f",
        "(",
        ")",
        "{",
        "}",
        "#",
        "*",
        "?",
        "~",
        "!",
        "p 'a b' -x",
        "$IFS",
        "=",
        "X=1 ",
        "\t",
        "é",
        "a=b",
        "--o=1",
        ",",
        "%",
        "@",
        "^",
        "+",
    ])
    .prop_map(String::from)
}

fn rules() -> impl Strategy<Value = Vec<(RuleLayer, PermissionRule)>> {
    let layer = prop::sample::select(vec![
        RuleLayer::Flags,
        RuleLayer::Local,
        RuleLayer::Project,
        RuleLayer::User,
    ]);
    let behavior = prop::sample::select(vec![
        PermissionBehavior::Allow,
        PermissionBehavior::Ask,
        PermissionBehavior::Deny,
    ]);
    let pattern = prop::sample::select(vec![
        "*",
        "bash",
        "bash(p *)",
        "bash(p a)",
        "bash(p * -x)",
        "edit",
        "edit(src/**)",
        "write(/etc/*)",
        "*(src/**)",
        "read(**)",
    ]);
    let rule = (layer, behavior, pattern).prop_map(|(layer, behavior, pattern)| {
        let tool_pattern = pattern.to_string();
        (
            layer,
            PermissionRule {
                tool_pattern,
                behavior,
            },
        )
    });
    prop::collection::vec(rule, 0..6)
}

fn modes() -> impl Strategy<Value = PermissionMode> {
    prop::sample::select(vec![
        PermissionMode::Default,
        PermissionMode::Auto,
        PermissionMode::Plan,
        PermissionMode::DontAsk,
    ])
}

fn tool(name: &str) -> DynamicTool {
    let schema = json!({ "type": "object", "properties": {}, "required": [] });
    let tool = DynamicTool::new(name, "", schema, |_| async { Ok(ToolResult::text("")) });
    match name {
        "read" => tool.read_only(),
        "bash" => tool.destructive(),
        _ => tool,
    }
}

proptest! {
    /// Whatever the rules, the mode, the order of the calls and the approvals before: a call that
    /// a rule denies does not run.
    #[test]
    fn a_denied_call_never_runs(
        rules in rules(),
        mode in modes(),
        history in prop::collection::vec((calls(), any::<bool>()), 0..6),
        call in calls(),
    ) {
        let mut all = Rules::new(places());
        for (layer, rule) in &rules {
            all.add(*layer, rule.clone()).expect("a valid rule");
        }
        let engine = PermissionEngine::builder(all).mode(mode).build();
        for (approved, exactly) in history.iter().chain([&(call.clone(), true)]) {
            let approval = if *exactly { Approval::ThisCall } else { Approval::ThisTool };
            engine.approve(approval, approved);
        }
        let is_denied = rules.iter().any(|(_, rule)| {
            let pattern = CallPattern::parse(&rule.tool_pattern, &places()).expect("a valid rule");
            rule.behavior == PermissionBehavior::Deny && pattern.matches(&call, Certainty::Possible)
        });
        if is_denied {
            let decision = engine.evaluate(&call, &tool(&call.name));
            prop_assert!(
                matches!(decision.permission, Permission::Deny(_)),
                "{:?} of {:?}", decision, call
            );
        }
    }

    /// An approval covers the approved call and, if it is for the tool, the calls that the shown
    /// rule matches. Nothing else.
    #[test]
    fn an_approval_never_widens(approved in calls(), other in calls(), exactly in any::<bool>()) {
        let approval = if exactly { Approval::ThisCall } else { Approval::ThisTool };
        let mut approvals = Approvals::default();
        approvals.add(approval, &approved, &places());
        let is_equal = approved.name == other.name && approved.arguments == other.arguments;
        let is_shown = offered_rule(&approved, &places()).is_some_and(|rule| {
            let pattern = CallPattern::parse(&rule, &places()).expect("an offered rule is valid");
            pattern.matches(&other, Certainty::Certain)
        });
        let allowed = if exactly { is_equal } else { is_shown };
        prop_assert_eq!(approvals.cover(&other), allowed, "{:?} after {:?}", other, approved);
    }

    /// An exact rule covers its own call, and of all others only those with the same words or the
    /// same path.
    #[test]
    fn an_exact_rule_covers_one_command_or_path(
        allowed in prop_oneof![calls(), simple_calls()],
        other in prop_oneof![calls(), simple_calls()],
    ) {
        if let Some(rule) = exact_rule(&allowed, &places()) {
            let pattern = CallPattern::parse(&rule, &places()).expect("an exact rule is valid");
            let target = |call: &ToolCall| {
                let text = |key| call.arguments.get(key).and_then(serde_json::Value::as_str);
                let path = text("path").map(|path| places().absolute(path));
                (call.name.clone(), text("command").map(simple_words), path)
            };
            prop_assert!(pattern.matches(&allowed, Certainty::Certain), "{} {:?}", rule, allowed);
            let is_same = target(&allowed) == target(&other);
            prop_assert_eq!(pattern.matches(&other, Certainty::Certain), is_same, "{:?}", other);
        }
    }

    /// What matches with certainty also matches possibly, so that a rule that denies is never
    /// narrower than one that allows.
    #[test]
    fn a_certain_match_is_possible(
        call in prop_oneof![calls(), simple_calls()],
        rules in rules(),
    ) {
        for (_, rule) in rules {
            let pattern = CallPattern::parse(&rule.tool_pattern, &places()).expect("a valid rule");
            let certain = pattern.matches(&call, Certainty::Certain);
            prop_assert!(!certain || pattern.matches(&call, Certainty::Possible), "{:?}", call);
        }
    }
}

/// A folder with a program `p` that appends its arguments to the file `log`, each in brackets and
/// each run on a line.
fn folder_with_program() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("p");
    let script = "#!/bin/sh\n{ for word; do printf '[%s]' \"$word\"; done; echo; } >> log\n";
    fs::write(&program, script).expect("the program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it can run");
    folder
}

/// What `p` logs when bash runs the command.
fn runs(command: &str, folder: &Path) -> String {
    let log = folder.join("log");
    let _ = fs::remove_file(&log);
    let status = Command::new("/bin/bash")
        .args(["--norc", "-c", "--", command])
        .env("PATH", folder)
        .current_dir(folder)
        .output();
    status.expect("bash runs");
    fs::read_to_string(log).unwrap_or_default()
}

#[test]
fn a_simple_command_runs_one_program_with_its_words() {
    let folder = folder_with_program();
    // Always the same cases, so that a failure is reproducible.
    let mut runner = TestRunner::deterministic();
    let commands = prop::collection::vec(pieces(), 1..5).prop_map(|it| format!("p{}", it.concat()));
    let mut simple = 0;
    for _ in 0..3000 {
        let command = commands.new_tree(&mut runner).expect("a case").current();
        let Some(words) = simple_words(&command).filter(|words| words[0] == "p") else {
            continue;
        };
        simple += 1;
        let arguments: String = words[1..].iter().map(|word| format!("[{word}]")).collect();
        assert_eq!(
            runs(&command, folder.path()),
            format!("{arguments}\n"),
            "bash reads {command:?} as other words, or as more than one command"
        );
    }
    assert!(simple > 100, "only {simple} commands were simple");
}
