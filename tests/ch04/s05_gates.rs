//! Section 4.5: Gates

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::provider::arguments_problem;
use claw_code::tools::execute;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch4_first_refusal_is_final() {
    let log = Log::default();
    let dispatcher = dispatcher_with_gates([
        LoggingGate::new("one", &log),
        LoggingGate::new("two", &log).refusing_call("a", "not on a Sunday"),
        LoggingGate::new("three", &log),
    ]);
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(
        wait(dispatcher.admit(&mut open)),
        Err("not on a Sunday".to_string()),
        "the call is refused with the gate's reason"
    );
    assert_eq!(
        open.state,
        CallState::Waiting,
        "its caller stores the reason"
    );
    assert_eq!(
        log.lines(),
        ["one checks {}", "two checks {}"],
        "gates are asked in order, and none is asked after a refusal"
    );
}

#[test]
fn test_ch4_arguments_are_validated_after_the_checks() {
    let log = Log::default();
    let tools = ToolSet::new().with(noop_tool("t").with_required("path"));
    let dispatcher = with_gates(dispatcher(tools), [LoggingGate::new("gate", &log)]);
    let refusal = wait(dispatcher.admit(&mut OpenCall::new(call("a", "t"))));
    let reason = refusal.expect_err("`path` is required and missing, so the call must not run");
    assert!(
        reason.contains("path"),
        "the reason names the parameter: {reason:?}"
    );
    assert_eq!(
        log.lines(),
        ["gate checks {}"],
        "the checks come first, then the validation, and `before` sees only valid calls"
    );
}

#[test]
fn test_ch4_panicking_validation_refuses_the_call() {
    let dispatcher = dispatcher(ToolSet::new().with(PanickingTool {
        tool: noop_tool("t"),
        panics_in: &["validate_input"],
    }));
    let mut open = OpenCall::new(call("a", "t"));
    let refusal = wait(catch_tool_panic(
        "a panic in `validate_input` must not end the turn: `validate_call` catches it",
        dispatcher.admit(&mut open),
    ));
    let reason = refusal.expect_err("a validation that panicked has not accepted the arguments");
    assert!(
        reason.contains("crashed"),
        "the reason says that the validation crashed: {reason:?}"
    );
}

#[test]
fn test_ch4_arguments_that_are_not_json_are_refused() {
    let tools = ToolSet::new().with(noop_tool("t").with_required("path"));
    let incomplete = call_with("a", "t", json!(r#"{"path": "src/ma"#));
    let problem = arguments_problem(&incomplete).expect("section 2.7 finds the problem");
    assert_eq!(
        wait(dispatcher(tools).admit(&mut OpenCall::new(incomplete))),
        Err(problem),
        "arguments that are not JSON are refused with the message that `execute` uses too"
    );
}

#[test]
fn test_ch4_before_is_asked_after_all_checks() {
    let log = Log::default();
    let dispatcher = dispatcher_with_gates(["one", "two"].map(|n| LoggingGate::new(n, &log)));
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(
        wait(dispatcher.admit(&mut open)),
        Ok(()),
        "no gate refuses the call"
    );
    assert_eq!(
        log.lines(),
        [
            "one checks {}",
            "two checks {}",
            "one before {}",
            "two before {}"
        ],
        "every `check` comes before the first `before`"
    );
    assert_eq!(
        open.state,
        CallState::Waiting,
        "an admitted call has not started"
    );
}

#[test]
fn test_ch4_rewritten_call_is_checked_again() {
    let log = Log::default();
    let new = json!({ "path": "b" });
    let rewrite = change(Some(new.clone()), None);
    let tools = ToolSet::new().with(noop_tool("t").with_required("path"));
    let gates = [
        LoggingGate::new("guard", &log),
        LoggingGate::new("hook", &log).deciding(rewrite),
        LoggingGate::new("later", &log),
    ];
    let dispatcher = with_gates(dispatcher(tools), gates);
    let mut open = OpenCall::new(call_with("a", "t", json!({ "path": "a" })));
    assert_eq!(wait(dispatcher.admit(&mut open)), Ok(()));
    assert_eq!(open.call.arguments, new, "the call has the new arguments");
    assert_eq!(
        log.lines()[3..],
        [
            r#"guard before {"path":"a"}"#,
            r#"hook before {"path":"a"}"#,
            r#"guard checks {"path":"b"}"#,
            r#"hook checks {"path":"b"}"#,
            r#"later checks {"path":"b"}"#,
            r#"later before {"path":"b"}"#,
        ],
        "every check sees the arguments that run, and each `before` is asked once"
    );
}

#[test]
fn test_ch4_rewritten_arguments_are_validated() {
    let broken = change(Some(json!({ "pfad": "b" })), Some("moved"));
    let tools = ToolSet::new().with(noop_tool("t").with_required("path"));
    let gate = LoggingGate::new("hook", &Log::default()).deciding(broken);
    let dispatcher = with_gates(dispatcher(tools), [gate]);
    let mut open = OpenCall::new(call_with("a", "t", json!({ "path": "a" })));
    let refusal = wait(dispatcher.admit(&mut open));
    assert!(
        refusal.is_err_and(|reason| reason.contains("path")),
        "a gate's arguments are validated like a model's: these lack `path`"
    );
    assert_eq!(
        open.state,
        CallState::Waiting,
        "a call that is refused after a change stays `Waiting` too: its caller stores the reason"
    );
    assert_eq!(
        open.call.arguments,
        json!({ "pfad": "b" }),
        "the user sees the arguments that were refused"
    );
    assert_eq!(
        open.notes,
        ["moved"],
        "the gate's context is noted before its arguments are checked, so that the model \
         reads it with the refusal"
    );
}

#[test]
fn test_ch4_each_version_of_the_arguments_is_validated_once() {
    let first = [
        r#"hook checks {"path":"a"}"#,
        "validated a",
        r#"hook before {"path":"a"}"#,
    ];
    let again = [r#"hook checks {"path":"b"}"#, "validated b"];
    let rewrite = change(Some(json!({ "path": "b" })), None);
    for (decision, expected) in [
        (Decision::Pass, first.to_vec()),
        (rewrite, [&first[..], &again].concat()),
    ] {
        let log = Log::default();
        let tools = ToolSet::new().with(PathLoggingTool::new(&log));
        let hook = LoggingGate::new("hook", &log).deciding(decision);
        let dispatcher = with_gates(dispatcher(tools), [hook]);
        let mut open = OpenCall::new(call_with("a", "t", json!({ "path": "a" })));
        assert_eq!(wait(dispatcher.admit(&mut open)), Ok(()));
        assert_eq!(
            log.lines(),
            expected,
            "each version of the arguments is validated once, after the checks"
        );
    }
}

#[test]
fn test_ch4_before_can_block_a_call_and_add_context() {
    let log = Log::default();
    let dispatcher = dispatcher_with_gates([
        LoggingGate::new("one", &log).deciding(change(None, Some("tabs, not spaces"))),
        LoggingGate::new("two", &log).deciding(change(None, Some("no unsafe"))),
        LoggingGate::new("three", &log).deciding(Decision::Block("frozen".into())),
        LoggingGate::new("four", &log).deciding(change(None, Some("never asked"))),
    ]);
    let mut open = OpenCall::new(call("a", "t"));
    let admitted = wait(dispatcher.admit(&mut open));
    assert_eq!(
        admitted,
        Err("frozen".into()),
        "a blocked call does not run"
    );
    assert_eq!(
        open.state,
        CallState::Waiting,
        "its caller stores the reason"
    );
    assert_eq!(
        open.notes,
        ["tabs, not spaces", "no unsafe"],
        "each context is noted for the result, even if a later gate blocks the call"
    );
    let lines = log.lines();
    let checks = lines.iter().filter(|line| line.contains("checks")).count();
    let rule = "the arguments did not change, so no check is repeated";
    assert_eq!(checks, 4, "{rule}: {lines:?}");
}

#[test]
fn test_ch4_unknown_tool_passes_no_gate() {
    let log = Log::default();
    let dispatcher = dispatcher_with_gates([LoggingGate::new("gate", &log)]);
    let mut open = OpenCall::new(call("a", "nope"));
    let admitted = wait(dispatcher.admit(&mut open));
    let rule = "`admit` returns `Ok`: the result is stored, and no reason is left to report";
    assert_eq!(admitted, Ok(()), "{rule}");
    assert_eq!(
        log.lines(),
        [""; 0],
        "neither `check` nor `before` is asked about a tool that does not exist"
    );
    assert_eq!(
        open.state,
        CallState::Finished(wait(execute(&dispatcher.tools, &open.call))),
        "the call is finished with the error of `execute`"
    );
    assert_eq!(open.notes, [""; 0], "this gate adds no note");
}

#[test]
fn test_ch4_gates_can_add_to_the_error_of_an_unknown_tool() {
    let dispatcher = dispatcher_with_gates([Guess("perhaps `t`"), Guess("or `t`")]);
    let mut open = OpenCall::new(call("a", "T"));
    assert_eq!(wait(dispatcher.admit(&mut open)), Ok(()));
    assert_eq!(
        open.notes,
        ["of 1 tool, for T: perhaps `t`", "of 1 tool, for T: or `t`"],
        "each gate's `unknown` is asked once, with the call and the tools, and its text is \
         noted in the order of the gates"
    );
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(wait(dispatcher.admit(&mut open)), Ok(()));
    assert_eq!(
        open.notes, [""; 0],
        "`unknown` is not asked if the tool exists"
    );
}

#[test]
fn test_ch4_unknown_tool_has_its_error_before_a_gate_is_asked() {
    let mut dispatcher = dispatcher_with_gates([Guess("perhaps `t`")]);
    dispatcher.gates.push(Box::new(EndlessGuess));
    let mut open = OpenCall::new(call("a", "T"));
    wait(drop_after_a_second(
        "the second gate never answers",
        dispatcher.admit(&mut open),
    ));
    assert_eq!(
        open.state,
        CallState::Finished(wait(execute(&dispatcher.tools, &open.call))),
        "dropped while a gate is asked: the error is stored already"
    );
    assert_eq!(
        open.notes,
        ["of 1 tool, for T: perhaps `t`"],
        "the first gate's text is noted"
    );
}

fn change(arguments: Option<serde_json::Value>, context: Option<&str>) -> Decision {
    Decision::Change {
        arguments,
        context: context.map(str::to_string),
    }
}

/// A gate that adds a guess to the error of an unknown tool.
struct Guess(&'static str);

#[async_trait]
impl Gate for Guess {
    async fn unknown(&self, call: &ToolCall, tools: &ToolSet) -> Option<String> {
        let (guess, count) = (self.0, tools.len());
        Some(format!("of {count} tool, for {}: {guess}", call.name))
    }
}

/// A gate whose `unknown` never returns.
struct EndlessGuess;

#[async_trait]
impl Gate for EndlessGuess {
    async fn unknown(&self, _: &ToolCall, _: &ToolSet) -> Option<String> {
        std::future::pending().await
    }
}
