//! Section 4.6: Gates

use std::panic::{AssertUnwindSafe, resume_unwind};

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::provider::arguments_problem;
use claw_code::types::*;
use futures_util::FutureExt;
use serde_json::json;

use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch4_the_first_refusal_is_final() {
    let log = Log::default();
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")))
        .with(Watch::new("one", &log))
        .with(Watch::new("two", &log).refusing("not on a Sunday"))
        .with(Watch::new("three", &log));
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(
        dispatcher.0.admit(&mut open).await,
        Err("not on a Sunday".to_string()),
        "a refused call is refused for the reason that the gate gave"
    );
    assert_eq!(
        log.lines(),
        ["one checks {}", "two checks {}"],
        "gates are asked in order, and nobody is asked after a refusal"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_arguments_are_validated_behind_the_checks() {
    let log = Log::default();
    let picky = noop("t").needing("path");
    let dispatcher = dispatcher(ToolSet::new().with(picky)).with(Watch::new("gate", &log));
    let mut open = OpenCall::new(call("a", "t"));
    let refused = dispatcher.0.admit(&mut open).await;
    let reason = refused.expect_err("`path` is required and missing: the call must not run");
    assert!(
        reason.contains("path"),
        "the reason names what is wrong: {reason:?}"
    );
    assert_eq!(
        log.lines(),
        ["gate checks {}"],
        "permission comes first, then validation, and only a valid call meets the hooks"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_validation_that_panics_refuses_the_call() {
    let dispatcher = dispatcher(ToolSet::new().with(noop("t").crashing_on_sight()));
    let mut open = OpenCall::new(call("a", "t"));
    let admit = AssertUnwindSafe(dispatcher.0.admit(&mut open));
    match admit.catch_unwind().await {
        Ok(refused) => assert!(
            refused.is_err_and(|reason| reason.contains("crashed")),
            "arguments that nobody could check have not passed"
        ),
        Err(panic) if panic_says(&*panic, "a bug in the tool") => {
            panic!("the tool's panic must not end the turn: `validated` catches it")
        }
        Err(panic) => resume_unwind(panic),
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_arguments_that_are_not_json_are_refused() {
    let dispatcher = dispatcher(ToolSet::new().with(noop("t").needing("path")));
    let torn = call_with("a", "t", json!(r#"{"path": "src/ma"#));
    let problem = arguments_problem(&torn).expect("section 2.5 finds these torn");
    assert_eq!(
        dispatcher.0.admit(&mut OpenCall::new(torn)).await,
        Err(problem),
        "arguments that are not JSON are refused with their problem, as by `execute`"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_hooks_come_behind_all_checks() {
    let log = Log::default();
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")))
        .with(Watch::new("one", &log))
        .with(Watch::new("two", &log));
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(
        dispatcher.0.admit(&mut open).await,
        Ok(()),
        "nobody objects"
    );
    assert_eq!(
        log.lines(),
        [
            "one checks {}",
            "two checks {}",
            "one before {}",
            "two before {}"
        ],
        "every check, then every hook"
    );
    assert_eq!(open.state, CallState::Waiting, "admitted is not yet run");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_rewritten_call_is_checked_again() {
    let log = Log::default();
    let new = json!({ "path": "b" });
    let dispatcher = dispatcher(ToolSet::new().with(noop("t").needing("path")))
        .with(Watch::new("guard", &log))
        .with(Watch::new("hook", &log).deciding(Decision::Change {
            arguments: Some(new.clone()),
            context: None,
        }))
        .with(Watch::new("later", &log));
    let mut open = OpenCall::new(call_with("a", "t", json!({ "path": "a" })));
    assert_eq!(dispatcher.0.admit(&mut open).await, Ok(()));
    assert_eq!(open.call.arguments, new, "the new arguments are the call's");
    let lines = log.lines();
    assert_eq!(
        lines[3..],
        [
            r#"guard before {"path":"a"}"#,
            r#"hook before {"path":"a"}"#,
            r#"guard checks {"path":"b"}"#,
            r#"hook checks {"path":"b"}"#,
            r#"later checks {"path":"b"}"#,
            r#"later before {"path":"b"}"#,
        ],
        "what runs is what every check has seen last; each hook is asked once"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_rewrite_may_be_refused() {
    let log = Log::default();
    let broken = Decision::Change {
        arguments: Some(json!({ "pfad": "b" })),
        context: Some("moved".into()),
    };
    let dispatcher = dispatcher(ToolSet::new().with(noop("t").needing("path")))
        .with(Watch::new("hook", &log).deciding(broken));
    let mut open = OpenCall::new(call_with("a", "t", json!({ "path": "a" })));
    let refused = dispatcher.0.admit(&mut open).await;
    assert!(
        refused.is_err_and(|reason| reason.contains("path")),
        "a hook's arguments are validated like a model's: these lack `path`"
    );
    assert_eq!(
        open.notes,
        ["moved"],
        "what the hook added is noted before its arguments are checked, so that the model reads it with the refusal"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_hooks_block_and_add_context() {
    let log = Log::default();
    let context = |text: &str| Decision::Change {
        arguments: None,
        context: Some(text.into()),
    };
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")))
        .with(Watch::new("one", &log).deciding(context("tabs, not spaces")))
        .with(Watch::new("two", &log).deciding(Decision::Block("frozen".into())))
        .with(Watch::new("three", &log).deciding(context("never asked")));
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(
        dispatcher.0.admit(&mut open).await,
        Err("frozen".to_string()),
        "a blocked call does not run"
    );
    assert_eq!(
        open.notes,
        ["tabs, not spaces"],
        "context is noted for the result, even if the call is blocked later"
    );
    let checks = log.lines().iter().filter(|l| l.contains("checks")).count();
    assert_eq!(
        checks, 3,
        "the arguments are the same: no check is repeated"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_unknown_tool_meets_no_gate() {
    let log = Log::default();
    let dispatcher = dispatcher(ToolSet::new().with(noop("t"))).with(Watch::new("gate", &log));
    let mut open = OpenCall::new(call("a", "nope"));
    assert_eq!(dispatcher.0.admit(&mut open).await, Ok(()));
    assert_eq!(
        log.lines(),
        [""; 0],
        "nobody is asked about a tool that does not exist"
    );
    match &open.state {
        CallState::Finished(result) => assert!(
            result.is_error
                && result.content.starts_with("error: ")
                && result.content.contains("nope"),
            "the call is finished with what `execute` says of it, and got {:?}",
            result.content
        ),
        other => panic!("the call is finished already, with an error; it is {other:?}"),
    }
    assert_eq!(open.notes, [""; 0], "and nobody has anything to add");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_gates_may_add_to_the_answer_of_an_unknown_tool() {
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")))
        .with(Guess("perhaps `t`"))
        .with(Guess("or `t`"));
    let mut open = OpenCall::new(call("a", "T"));
    assert_eq!(dispatcher.0.admit(&mut open).await, Ok(()));
    assert_eq!(
        open.notes,
        ["of 1 tool, for T: perhaps `t`", "of 1 tool, for T: or `t`"],
        "each gate's `unknown` is asked once, with the call and the tools there are, and its words are noted in the gates' order"
    );
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(dispatcher.0.admit(&mut open).await, Ok(()));
    assert_eq!(
        open.notes, [""; 0],
        "of a call whose tool is there, `unknown` is not asked"
    );
}

/// A gate with something to say about tools that do not exist.
struct Guess(&'static str);

#[async_trait]
impl Gate for Guess {
    async fn unknown(&self, call: &ToolCall, tools: &ToolSet) -> Option<String> {
        Some(format!(
            "of {} tool, for {}: {}",
            tools.len(),
            call.name,
            self.0
        ))
    }
}
