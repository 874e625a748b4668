//! Section 4.11: The loop

use claw_code::engine::*;
use claw_code::provider::ProviderError;
use claw_code::types::*;
use tokio_util::sync::CancellationToken;

use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch4_a_reply_without_calls_ends_the_turn() {
    let script = Script::new([Step::says(&["Hello."]), Step::says(&["never asked for"])]);
    let (outcome, history, requests) = turn(script, ToolSet::new(), vec![user("hi")]).await;
    assert_eq!(
        outcome.map(Message::Assistant).ok().as_ref(),
        history.last(),
        "the last reply is in the history, and it is what comes back"
    );
    assert_eq!(shape(&history), "user, says(Hello.)");
    assert_eq!(requests.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_empty_reply_is_not_kept() {
    for step in [Step::says(&[]), Step::says(&[""]).with_text("")] {
        let script = Script::new([step]);
        let (outcome, history, _) = turn(script, ToolSet::new(), vec![user("hi")]).await;
        assert!(outcome.is_ok(), "it ends the turn like any other");
        assert_eq!(
            shape(&history),
            "user",
            "a reply with neither text nor calls says nothing, and some servers refuse a history with one"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_calls_are_answered_before_the_next_request() {
    let script = Script::new([
        Step::calls(&[("a", "t"), ("b", "t")]),
        Step::calls(&[("c", "t")]),
        Step::says(&["Done."]),
    ]);
    let tools = ToolSet::new().with(fixed("t", "fine").safe());
    let (outcome, history, requests) = turn(script, tools, vec![user("go")]).await;
    assert_eq!(outcome.map(|reply| reply.text), Ok(Some("Done.".into())));
    assert_eq!(
        shape(&history),
        "user, calls(a b), result(a), result(b), calls(c), result(c), says(Done.)"
    );
    let sent: Vec<String> = requests.iter().map(|request| shape(request)).collect();
    assert_eq!(
        sent,
        [
            "user",
            "user, calls(a b), result(a), result(b)",
            "user, calls(a b), result(a), result(b), calls(c), result(c)"
        ],
        "each request is the history so far, with every call answered"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_calls_decide_and_not_the_stop_reason() {
    let script = Script::new([
        Step::calls(&[("a", "t")]).stopping(StopReason::Stop),
        Step::says(&["Done."]).stopping(StopReason::ToolUse),
        Step::says(&["never asked for"]),
    ]);
    let tools = ToolSet::new().with(fixed("t", "fine"));
    let (outcome, history, _) = turn(script, tools, vec![user("go")]).await;
    assert_eq!(
        shape(&history),
        "user, calls(a), result(a), says(Done.)",
        "a reply with calls is answered even if it says Stop; one without calls ends the turn even if it says ToolUse"
    );
    assert_eq!(outcome.map(|reply| reply.text), Ok(Some("Done.".into())));
}

#[tokio::test(start_paused = true)]
async fn test_ch4_the_turn_limit_ends_a_model_that_does_not() {
    let script = Script::new((0..10).map(|n| Step::calls(&[(&format!("c{n}"), "t")])));
    let seen = script.requests.clone();
    let steps = script.steps.clone();
    let engine = QueryEngine::builder(script)
        .tools(ToolSet::new().with(fixed("t", "fine")))
        .config(QueryConfig {
            max_turns: 3,
            ..QueryConfig::default()
        });
    let mut history = vec![user("go")];
    let (events, cancel) = (Events::nowhere(), CancellationToken::new());
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert_eq!(outcome, Err(QueryError::TurnLimit(3)));
    assert_eq!(seen.lock().unwrap().len(), 3, "the model was asked 3 times");
    assert_eq!(
        shape(&history),
        "user, calls(c0), result(c0), calls(c1), result(c1), calls(c2), result(c2)",
        "the calls of the last reply are answered"
    );
    *steps.lock().unwrap() = [Step::says(&["Done."])].into();
    history.push(user("go on"));
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert!(outcome.is_ok(), "the next turn counts afresh: {outcome:?}");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_error_in_the_second_round_keeps_the_first() {
    let script = Script::new([
        Step::calls(&[("a", "t")]),
        Step::breaks(&["Now "], network()),
        Step::says(&["Done."]),
    ]);
    let engine = QueryEngine::builder(script).tools(ToolSet::new().with(fixed("t", "fine")));
    let mut history = vec![user("go")];
    let (events, cancel) = (Events::nowhere(), CancellationToken::new());
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert_eq!(outcome, Err(QueryError::Provider(network())));
    assert_eq!(
        shape(&history),
        "user, calls(a), result(a)",
        "what the first round did is not lost"
    );
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert!(outcome.is_ok(), "and the turn can be taken up again");
    assert_eq!(shape(&history), "user, calls(a), result(a), says(Done.)");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_cancel_ends_the_turn_and_not_the_conversation() {
    let script = Script::new([
        Step::calls(&[("a", "cancel"), ("b", "t")]),
        Step::says(&["Done."]),
    ]);
    let seen = script.requests.clone();
    let cancel = CancellationToken::new();
    let inner = cancel.clone();
    let trigger = tool("cancel", move |_| {
        inner.cancel();
        std::future::pending()
    });
    let tools = ToolSet::new().with(trigger).with(noop("t"));
    let engine = QueryEngine::builder(script).tools(tools);
    let events = Events::nowhere();
    let mut history = vec![user("go")];
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert_eq!(outcome, Err(QueryError::Cancelled));
    assert_eq!(
        seen.lock().unwrap().len(),
        1,
        "the model is not asked again"
    );
    assert_eq!(shape(&history), "user, calls(a b), result(a), result(b)");
    history.push(user("do something else"));
    let outcome = soon(engine.turn(&mut history, &events, &CancellationToken::new())).await;
    assert_eq!(outcome.map(|reply| reply.text), Ok(Some("Done.".into())));
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_broken_history_is_not_sent() {
    let broken = vec![user("go"), calls(&["a", "b"]), result("a"), user("well?")];
    let script = Script::new([Step::says(&["Done."])]);
    let (outcome, history, requests) = turn(script, ToolSet::new(), broken.clone()).await;
    assert_eq!(
        outcome,
        Err(QueryError::Unanswered(vec!["b".to_string()])),
        "the error names the calls without a result"
    );
    assert_eq!(history, broken, "and the history is left as it came");
    assert!(requests.is_empty(), "the model was asked all the same");

    let mut mended = broken;
    mend(&mut mended);
    let script = Script::new([Step::says(&["Done."])]);
    let (outcome, ..) = turn(script, ToolSet::new(), mended).await;
    assert!(outcome.is_ok(), "once mended, it can go on");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_error_says_what_to_do() {
    let (outcome, ..) = turn(Script::new([]), ToolSet::new(), vec![user("hi")]).await;
    let error = outcome.expect_err("the script has no reply");
    assert!(
        error.to_string().contains("the script is at its end"),
        "the provider's own words are part of it: {error}"
    );
    let cause = std::error::Error::source(&error).map(|cause| cause.to_string());
    assert_eq!(
        cause,
        Some(ProviderError::BadRequest("the script is at its end".into()).to_string()),
        "and its error is the cause"
    );
    let (outcome, ..) = turn(Script::new([]), ToolSet::new(), vec![calls(&["a"])]).await;
    let error = outcome.expect_err("the history is broken");
    assert!(
        error.to_string().contains("(a)") && error.to_string().contains("mend"),
        "it names the calls, and the way out: {error}"
    );
    assert!(std::error::Error::source(&error).is_none());
}
