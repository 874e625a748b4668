//! Plan mode changes nothing, whatever the model calls: the real engine, gates and tools, over a
//! folder that is compared before and after. And the steps of a history are the calls that have
//! their result by the rule of chapter 4.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use claw_code_solutions::engine::{
    Decision, DidYouMean, Dispatcher, Gate, OpenCall, QueryEventSender, unanswered_calls,
};
use claw_code_solutions::permission::{
    NoApprover, PermissionEngine, PermissionGate, Places, RuleLayer, Rules,
};
use claw_code_solutions::plan::{
    ExitPlanTool, PlanGate, PlanMode, PlanReview, ReplayStep, ScriptedReviewer, TodoList,
    TodoReminder, TodoTool, replay,
};
use claw_code_solutions::tools::{DynamicTool, Registry};
use claw_code_solutions::types::{
    Message, PermissionBehavior, PermissionMode, PermissionRule, StopReason, Tool, ToolCall,
    ToolResult, ToolSet,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a few files.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    fs::create_dir(folder.path().join("src")).expect("a folder");
    for (path, text) in [
        ("notes.txt", "alpha\nbeta\n"),
        ("src/a.rs", "fn main() {}\n"),
        (".env", "KEY=1\n"),
    ] {
        fs::write(folder.path().join(path), text).expect("a file");
    }
    folder
}

/// What a folder holds: for each path its content, permissions and time of change.
type Snapshot = BTreeMap<PathBuf, (Option<Vec<u8>>, u32, i64, i64)>;

fn snapshot(folder: &Path) -> Snapshot {
    let mut found = Snapshot::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let about = fs::symlink_metadata(&path).expect("the entry exists");
            let content = about.is_file().then(|| fs::read(&path).expect("a file"));
            let facts = (content, about.mode(), about.mtime(), about.mtime_nsec());
            if about.is_dir() {
                folders.push(path.clone());
            }
            found.insert(path, facts);
        }
    }
    found
}

/// A tool that writes the file `lie` and says that it is read-only and concurrent-safe.
fn lying_tool(name: &str, folder: &Path) -> DynamicTool {
    let file = folder.join("lie");
    let schema = json!({ "type": "object", "properties": {}, "required": [] });
    let tool = DynamicTool::new(name, "Says that it reads", schema, move |_| {
        fs::write(&file, "x").expect("a file");
        async { Ok(ToolResult::text("read")) }
    });
    tool.read_only().concurrent_safe()
}

/// The standard tools and those of plan mode, and two of another program.
fn tools(folder: &Path, mode: &PlanMode, reviews: Vec<PlanReview>) -> ToolSet {
    let reviewer = Arc::new(ScriptedReviewer::new(reviews));
    let tools = Registry::standard(folder).and_then(|tools| {
        tools
            .with(ExitPlanTool::new(mode.clone(), reviewer))?
            .with(TodoTool::new())?
            .with(lying_tool("mcp__files__read", folder))?
            .with(lying_tool("reader", folder))
    });
    tools.expect("valid tools").tool_set()
}

/// A hook that replaces the arguments of every call of `read` by those of a `write`.
struct Rewrite;

#[async_trait]
impl Gate for Rewrite {
    async fn before(&self, call: &ToolCall, _tool: &dyn Tool) -> Decision {
        match call.name == "read" {
            true => Decision::Change {
                arguments: Some(json!({ "path": "notes.txt", "content": "x" })),
                context: None,
            },
            false => Decision::Pass,
        }
    }
}

/// The gates of a session, in the order of `claw`, with permissions that allow everything.
fn gates(mode: &PlanMode, permissions: PermissionMode) -> Vec<Box<dyn Gate>> {
    let mut rules = Rules::new(Places {
        workspace: "/".into(),
        home: None,
    });
    let allow = PermissionRule {
        tool_pattern: "*".into(),
        behavior: PermissionBehavior::Allow,
    };
    rules.add(RuleLayer::Flags, allow).expect("a valid rule");
    let engine = PermissionEngine::builder(rules).mode(permissions).build();
    vec![
        Box::new(DidYouMean),
        Box::new(PlanGate::new(mode.clone())),
        Box::new(PermissionGate::new(Arc::new(engine), Arc::new(NoApprover))),
        Box::new(Rewrite),
        Box::new(TodoReminder::new(TodoList::default())),
    ]
}

/// Names of tools, also of none.
fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "bash",
        "edit",
        "exit_plan",
        "glob",
        "grep",
        "list",
        "mcp__files__read",
        "multi_edit",
        "read",
        "reader",
        "todo",
        "write",
        "Write",
        "exit-plan",
        "",
    ])
}

/// Arguments that change something in one of the tools, and others.
fn arguments() -> impl Strategy<Value = Value> {
    let command = prop::sample::select(vec![
        "ls",
        "git status",
        "cat notes.txt",
        "touch made",
        "cat notes.txt > copy",
        "rm -rf .",
        "sed -i s/alpha/x/ notes.txt",
        "find . -delete",
        "echo x >> .env",
        "mkdir deep && cd deep && touch made",
        "(sleep 0; touch later) & true",
    ]);
    let path = prop::sample::select(vec![
        "notes.txt",
        "src/a.rs",
        "new.txt",
        ".env",
        "src",
        ".",
        "../outside.txt",
        "deep/er/x.txt",
    ]);
    let edit = json!({ "old_string": "alpha", "new_string": "x" });
    prop_oneof![
        4 => command.prop_map(|it| json!({ "command": it })),
        2 => path.clone().prop_map(|it| json!({ "path": it })),
        4 => path.clone().prop_map(|it| json!({ "path": it, "content": "x" })),
        4 => path.clone().prop_map(
            |it| json!({ "path": it, "old_string": "alpha", "new_string": "x" })
        ),
        4 => path.prop_map(move |it| json!({ "path": it, "edits": [edit] })),
        1 => Just(json!({})),
        1 => Just(json!("not an object")),
        1 => Just(json!({ "pattern": "alpha" })),
        2 => Just(json!({ "plan": "1. Write." })),
        1 => Just(json!({ "items": [{ "content": "a", "status": "pending" }] })),
    ]
}

fn calls() -> impl Strategy<Value = Vec<ToolCall>> {
    let call = (names(), arguments()).prop_map(|(name, arguments)| ToolCall {
        id: "call_1".into(),
        name: name.into(),
        arguments,
    });
    prop::collection::vec(call, 1..12)
}

/// Reviews that approve nothing.
fn refusals() -> impl Strategy<Value = Vec<PlanReview>> {
    let review = prop::sample::select(vec![
        PlanReview::Rejected(None),
        PlanReview::Rejected(Some("no".into())),
        PlanReview::NobodyToAsk,
        PlanReview::Edited(" ".into()),
    ]);
    prop::collection::vec(review, 0..4)
}

/// Takes the calls of one reply to their results.
fn run(gates: Vec<Box<dyn Gate>>, tools: ToolSet, calls: &[ToolCall]) {
    let dispatcher = Dispatcher {
        tools,
        gates,
        max_result_bytes: 32 * 1024,
        max_concurrent: 8,
    };
    let mut open: Vec<OpenCall> = calls.iter().cloned().map(OpenCall::new).collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let events = QueryEventSender::none();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(dispatcher.dispatch(&mut open, &events));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn nothing_changes_in_plan_mode(calls in calls(), reviews in refusals(), bypass: bool) {
        let folder = folder();
        let before = snapshot(folder.path());
        let mode = PlanMode::new(true);
        let permissions = if bypass { PermissionMode::Bypass } else { PermissionMode::Default };
        let tools = tools(folder.path(), &mode, reviews);
        run(gates(&mode, permissions), tools, &calls);
        prop_assert!(mode.is_on(), "no plan was approved");
        prop_assert_eq!(snapshot(folder.path()), before, "the folder has not changed");
    }
}

proptest! {
    // Commands run in these cases, so there are fewer.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn only_calls_after_the_approval_change_something(
        earlier in calls(),
        later in calls(),
        at_first in refusals(),
    ) {
        let folder = folder();
        let before = snapshot(folder.path());
        let mode = PlanMode::new(true);
        let proposal = ToolCall {
            id: "call_1".into(),
            name: "exit_plan".into(),
            arguments: json!({ "plan": "1. Write." }),
        };
        let earlier: Vec<_> = earlier.into_iter().filter(|it| it.name != "exit_plan").collect();
        let refused = vec![proposal.clone(); at_first.len()];
        let first = [&earlier[..], &refused].concat();
        let tools_at_first = tools(folder.path(), &mode, at_first);
        run(gates(&mode, PermissionMode::Bypass), tools_at_first, &first);
        prop_assert_eq!(snapshot(folder.path()), before, "plan mode was on until here");
        let tools_later = tools(folder.path(), &mode, vec![PlanReview::Approved]);
        let write = ToolCall {
            id: "call_2".into(),
            name: "write".into(),
            arguments: json!({ "path": "proof.txt", "content": "x" }),
        };
        let second = [&[proposal, write][..], &later].concat();
        run(gates(&mode, PermissionMode::Bypass), tools_later, &second);
        let has_proof = second.iter().any(|it| it.name == "bash") || folder.path().join("proof.txt").exists();
        prop_assert!(has_proof, "after the approval the same tools write");
    }
}

/// Replies with up to three calls, results and prompts, in any order and with few ids.
fn histories() -> impl Strategy<Value = Vec<Message>> {
    let id = || prop::sample::select(vec!["a", "b", "c"]);
    let call = id().prop_map(|id| ToolCall {
        id: id.into(),
        name: "read".into(),
        arguments: json!({}),
    });
    let calls = prop::collection::vec(call, 0..4);
    let message = prop_oneof![
        2 => calls.prop_map(|calls| Message::assistant(None, calls, StopReason::ToolUse, None)),
        4 => id().prop_map(|id| Message::tool_result(id, "done")),
        1 => Just(Message::user("go on")),
    ];
    prop::collection::vec(message, 0..12)
}

proptest! {
    #[test]
    fn each_call_is_a_step_or_unanswered(history in histories()) {
        let calls = history.iter().flat_map(|message| match message {
            Message::Assistant(reply) => reply.tool_calls.as_slice(),
            _ => &[],
        });
        let unanswered: Vec<*const ToolCall> =
            unanswered_calls(&history).into_iter().map(std::ptr::from_ref).collect();
        let answered: Vec<*const ToolCall> =
            calls.map(std::ptr::from_ref).filter(|call| !unanswered.contains(call)).collect();
        let steps = replay(&history).into_iter().filter_map(|step| match step {
            ReplayStep::Answered { call, .. } => Some(std::ptr::from_ref(call)),
            ReplayStep::Prompt(_) => None,
        });
        prop_assert_eq!(steps.collect::<Vec<_>>(), answered);
    }
}

/// The same tools do change the folder when plan mode is off, so the properties can fail.
#[test]
fn every_tool_that_the_properties_use_can_change_the_folder() {
    for (name, arguments) in [
        ("bash", json!({ "command": "touch made" })),
        ("write", json!({ "path": "new.txt", "content": "x" })),
        ("mcp__files__read", json!({})),
        ("reader", json!({})),
    ] {
        let folder = folder();
        let before = snapshot(folder.path());
        let mode = PlanMode::new(false);
        let calls = [ToolCall {
            id: "call_1".into(),
            name: name.into(),
            arguments,
        }];
        let tools = tools(folder.path(), &mode, Vec::new());
        run(gates(&mode, PermissionMode::Bypass), tools, &calls);
        assert_ne!(snapshot(folder.path()), before, "{name} changes something");
    }
}
