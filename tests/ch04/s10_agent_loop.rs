//! Section 4.10: The agent loop

use std::error::Error;

use claw_code::engine::*;
use claw_code::provider::ProviderError;
use claw_code::types::*;
use tokio_util::sync::CancellationToken;

use super::support::*;

#[test]
fn test_ch4_reply_without_calls_ends_the_turn() {
    let provider = ScriptedProvider::new([
        ScriptedReply::text(&["Hello."]),
        ScriptedReply::text(&["not requested"]),
    ]);
    let mut history = vec![user("hi")];
    let outcome = wait(run_turn(&engine_for(&provider), &mut history));
    assert_eq!(
        outcome.map(Message::Assistant).ok().as_ref(),
        history.last(),
        "the last reply is appended to the history and returned"
    );
    assert_eq!(outline(&history), "user, says(Hello.)");
    assert_eq!(provider.requests().len(), 1);
}

#[test]
fn test_ch4_empty_reply_is_not_appended() {
    let empty_text = ScriptedReply::text(&[""]).map(|reply| reply.text = Some(String::new()));
    for reply in [ScriptedReply::text(&[]), empty_text] {
        let mut history = vec![user("hi")];
        let outcome = wait(run_turn(
            &engine_for(&ScriptedProvider::new([reply])),
            &mut history,
        ));
        assert!(outcome.is_ok(), "it ends the turn like any other reply");
        assert_eq!(
            outline(&history),
            "user",
            "the reply has neither text nor calls, and some servers refuse a history with one"
        );
    }
    let blank = ScriptedProvider::new([ScriptedReply::text(&["\n"])]);
    let mut history = vec![user("hi")];
    let outcome = wait(run_turn(&engine_for(&blank), &mut history));
    assert!(outcome.is_ok(), "it ends the turn like any other reply");
    assert_eq!(
        outline(&history),
        "user, says(\n)",
        "white space is text: only a reply whose text is `None` or `Some(\"\")` is left out"
    );
}

#[test]
fn test_ch4_calls_have_results_before_the_next_request() {
    let provider = ScriptedProvider::new([
        ScriptedReply::calls(&[("a", "t"), ("b", "t")]),
        ScriptedReply::calls(&[("c", "t")]).map(|reply| reply.text = Some("Let me look.".into())),
        ScriptedReply::text(&["Done."]),
    ]);
    let mut history = vec![user("go")];
    let outcome = wait(run_turn(&engine_for(&provider), &mut history));
    let rule = "only a reply without calls ends the turn, even if another one has text";
    assert_eq!(
        outcome.map(|reply| reply.text),
        Ok(Some("Done.".into())),
        "{rule}"
    );
    assert_eq!(
        outline(&history),
        "user, calls(a b), result(a), result(b), calls(c), result(c), says(Done.)"
    );
    let requests = provider.requests();
    let sent: Vec<String> = requests.iter().map(|r| outline(&r.messages)).collect();
    assert_eq!(
        sent,
        [
            "user",
            "user, calls(a b), result(a), result(b)",
            "user, calls(a b), result(a), result(b), calls(c), result(c)"
        ],
        "each request is the history so far, in which every call has its result"
    );
}

#[test]
fn test_ch4_calls_decide_and_not_the_stop_reason() {
    let provider = ScriptedProvider::new([
        ScriptedReply::calls(&[("a", "t")]).with_stop_reason(StopReason::Stop),
        ScriptedReply::text(&["Done."])
            .with_stop_reason(StopReason::ToolUse)
            .with_usage(&TokenUsage::default()),
        ScriptedReply::text(&["not requested"]),
    ]);
    let mut history = vec![user("go")];
    let outcome = wait(run_turn(&engine_for(&provider), &mut history));
    let (outline, last) = (outline(&history), history.last());
    assert!(
        outline.starts_with("user, calls(a), result(a)"),
        "the calls of a reply run even if its stop reason is Stop: {outline}"
    );
    assert_eq!(
        outline, "user, calls(a), result(a), says(Done.)",
        "a reply without calls ends the turn even if its stop reason is ToolUse"
    );
    let returned = outcome.map(Message::Assistant).ok();
    assert_eq!(returned.as_ref(), last, "the reply itself is appended");
}

#[test]
fn test_ch4_only_the_last_reply_of_the_history_is_checked() {
    let provider = ScriptedProvider::new([ScriptedReply::text(&["Done."])]);
    let mut history = vec![user("go"), calls(&["a"]), says("Hm."), user("well?")];
    let outcome = wait(run_turn(&engine_for(&provider), &mut history));
    assert!(
        outcome.is_ok(),
        "the last reply, `says(Hm.)`, has no calls; earlier ones are not checked: {outcome:?}"
    );
}

#[test]
fn test_ch4_an_id_may_repeat_in_a_later_reply() {
    let replies = [
        ScriptedReply::calls(&[("call_0", "t")]),
        ScriptedReply::calls(&[("call_0", "t")]),
        ScriptedReply::text(&["Done."]),
    ];
    let mut history = vec![user("go")];
    let outcome = wait(run_turn(
        &engine_for(&ScriptedProvider::new(replies)),
        &mut history,
    ));
    assert!(outcome.is_ok(), "the script replies: {outcome:?}");
    assert_eq!(
        outline(&history),
        "user, calls(call_0), result(call_0), calls(call_0), result(call_0), says(Done.)",
        "only the calls of one reply need different ids"
    );
}

#[test]
fn test_ch4_turn_limit_ends_an_endless_turn() {
    let (provider, mut history) = endless_script();
    let outcome = wait(run_turn(&engine_with_turns(3, &provider), &mut history));
    assert_eq!(outcome, Err(QueryError::TurnLimit(3)), "no request is left");
    assert_eq!(
        provider.requests().len(),
        3,
        "max_turns is 3, so the model gets 3 requests"
    );
    let outcome = wait(run_turn(&engine_with_turns(0, &provider), &mut history));
    assert_eq!(outcome, Err(QueryError::TurnLimit(0)), "max_turns is 0");
    assert_eq!(
        outline(&history),
        "user, calls(c0), result(c0), calls(c1), result(c1), calls(c2), result(c2)",
        "the calls of the last reply have results, and a turn with max_turns 0 adds none"
    );
}

#[test]
fn test_ch4_turn_limit_counts_each_turn_anew() {
    let (provider, mut history) = endless_script();
    let engine = engine_with_turns(3, &provider);
    let outcome = wait(run_turn(&engine, &mut history));
    assert_eq!(outcome, Err(QueryError::TurnLimit(3)));
    provider.set_replies([ScriptedReply::text(&["Done."])]);
    history.push(user("go on"));
    let outcome = wait(run_turn(&engine, &mut history));
    assert!(outcome.is_ok(), "the count starts at 0 again: {outcome:?}");
}

#[test]
fn test_ch4_provider_error_keeps_the_earlier_results() {
    let provider = ScriptedProvider::new([
        ScriptedReply::calls(&[("a", "t")]),
        ScriptedReply::fails(&["Now "], network_error()),
        ScriptedReply::text(&["Done."]),
    ]);
    let engine = engine_for(&provider);
    let mut history = vec![user("go")];
    let outcome = wait(run_turn(&engine, &mut history));
    let error = QueryError::Provider(network_error());
    assert_eq!(outcome, Err(error), "an error ends the turn at once");
    assert_eq!(
        outline(&history),
        "user, calls(a), result(a)",
        "the reply and the result from before the error stay"
    );
    let outcome = wait(run_turn(&engine, &mut history));
    assert!(outcome.is_ok(), "the turn can be continued: {outcome:?}");
    assert_eq!(outline(&history), "user, calls(a), result(a), says(Done.)");
}

#[test]
fn test_ch4_cancel_ends_the_turn_and_not_the_conversation() {
    let provider = ScriptedProvider::new([
        ScriptedReply::calls(&[("a", "cancel"), ("b", "t")]),
        ScriptedReply::text(&["Done."]),
    ]);
    let cancel = CancellationToken::new();
    let token = cancel.clone();
    let cancel_task = FnTool::new("cancel", move |_| {
        token.cancel();
        std::future::pending()
    });
    let engine = engine_with_turns(1, &provider)
        .tools(ToolSet::new().with(cancel_task).with(noop_tool("t")));
    let mut history = vec![user("go")];
    let events = QueryEventSender::none();
    let outcome = wait(engine.run_turn(&mut history, &events, &cancel));
    assert_eq!(outcome, Err(QueryError::Cancelled));
    assert_eq!(
        provider.requests().len(),
        1,
        "no request follows the cancel"
    );
    assert_eq!(outline(&history), "user, calls(a b), result(a), result(b)");
    history.push(user("do something else"));
    let outcome = wait(run_turn(&engine, &mut history));
    assert_eq!(outcome.map(|reply| reply.text), Ok(Some("Done.".into())));
}

#[test]
fn test_ch4_incomplete_history_is_not_sent() {
    let provider = ScriptedProvider::new([ScriptedReply::text(&["Done."])]);
    let calls = calls(&["a", "b", "c"]);
    let incomplete = vec![user("go"), calls, result("b"), user("well?")];
    let mut history = incomplete.clone();
    let outcome = wait(run_turn(&engine_for(&provider), &mut history));
    assert_eq!(
        outcome,
        Err(QueryError::Unanswered(vec!["a".into(), "c".into()])),
        "the error lists all calls without a result"
    );
    assert_eq!(history, incomplete, "the history stays as it was");
    assert!(provider.requests().is_empty(), "no request was due");
}

#[test]
fn test_ch4_repaired_history_is_sent() {
    let provider = ScriptedProvider::new([ScriptedReply::text(&["Done."])]);
    let engine = engine_for(&provider);
    let mut history = vec![user("go"), calls(&["a", "b"]), result("a"), user("well?")];
    let outcome = wait(run_turn(&engine, &mut history));
    assert!(outcome.is_err(), "`b` has no result");
    repair_history(&mut history);
    let outcome = wait(run_turn(&engine, &mut history));
    assert!(outcome.is_ok(), "no result is missing now: {outcome:?}");
}

#[test]
fn test_ch4_provider_error_is_the_source_of_the_turns_error() {
    let no_replies = engine_for(&ScriptedProvider::default());
    let outcome = wait(run_turn(&no_replies, &mut vec![user("hi")]));
    let error = outcome.expect_err("the script has no reply");
    assert!(
        error.to_string().contains(SCRIPT_IS_OVER),
        "the message includes the provider's message: {error}"
    );
    assert_eq!(
        error.source().map(|source| source.to_string()),
        Some(ProviderError::BadRequest(SCRIPT_IS_OVER.into()).to_string()),
        "the source is the provider's error"
    );
}

#[test]
fn test_ch4_unanswered_error_names_the_calls_and_the_repair() {
    let no_replies = engine_for(&ScriptedProvider::default());
    let outcome = wait(run_turn(&no_replies, &mut vec![calls(&["a"])]));
    let error = outcome.expect_err("call `a` has no result");
    assert!(
        error.to_string().contains("(a)") && error.to_string().contains("repair_history"),
        "the message names the calls and what to do: {error}"
    );
    assert!(error.source().is_none());
}

/// An engine with the tool `t`.
fn engine_for(provider: &ScriptedProvider) -> QueryEngine {
    let tool = FnTool::text("t", "fine").concurrent_safe();
    QueryEngine::builder(provider.clone()).tools(ToolSet::new().with(tool))
}

fn engine_with_turns(max_turns: usize, provider: &ScriptedProvider) -> QueryEngine {
    engine_for(provider).config(QueryConfig {
        max_turns,
        ..QueryConfig::default()
    })
}

/// A model that always calls a tool, and a history with a question.
fn endless_script() -> (ScriptedProvider, Vec<Message>) {
    let replies = (0..10).map(|n| ScriptedReply::calls(&[(&format!("c{n}"), "t")]));
    (ScriptedProvider::new(replies), vec![user("go")])
}
