//! Section 4.11: run, chat and chat_with_events

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::provider::{EventSender, Provider, ProviderError};
use claw_code::types::*;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::random_turns::*;
use super::support::*;

#[test]
fn test_ch4_run_asks_one_question() {
    let provider = ScriptedProvider::new([
        ScriptedReply::calls(&[("a", "t")]),
        ScriptedReply::text(&["4", "2\n"]),
    ]);
    let engine = QueryEngine::builder(provider.clone()).tools(ToolSet::new().with(noop_tool("t")));
    assert_eq!(
        wait(engine.run(" 6 * 7?\n")),
        Ok("42\n".to_string()),
        "the text of the reply, unchanged"
    );
    match &provider.requests()[0].messages[..] {
        [Message::User(first)] => assert_eq!(first.content, " 6 * 7?\n"),
        other => panic!("the first request has only the question, but it is {other:?}"),
    }
}

#[test]
fn test_ch4_run_without_text_is_empty() {
    let first = ScriptedReply::calls(&[("a", "t")]).map(|r| r.text = Some("Let me look.".into()));
    let engine = engine([first, ScriptedReply::text(&[])]);
    assert_eq!(
        wait(engine.run("say nothing")),
        Ok(String::new()),
        "the last reply has no text, and the text of earlier replies does not count"
    );
}

#[test]
fn test_ch4_run_returns_the_error_of_the_turn() {
    let engine = engine([ScriptedReply::fails(&["Let "], network_error())]);
    let answer = wait(engine.run("6 * 7?"));
    let error = QueryError::Provider(network_error());
    assert_eq!(answer, Err(error), "a turn that failed has no last reply");
}

#[test]
fn test_ch4_chat_appends_to_the_history() {
    let replies = [&["One."][..], &["Two."], &[]].map(ScriptedReply::text);
    let engine = QueryEngine::new(Arc::new(ScriptedProvider::new(replies)));
    let cancel = CancellationToken::new();
    let mut history = vec![Message::system("Be brief.")];
    for text in [Some("One."), Some("Two."), None] {
        history.push(user("next"));
        let before = history.clone();
        let reply = wait(engine.chat(&mut history, &cancel));
        let expected = Ok(text.map(str::to_string));
        assert_eq!(reply.map(|reply| reply.text), expected, "the last reply");
        assert_eq!(history[..before.len()], before, "earlier messages stay");
    }
    assert_eq!(
        outline(&history),
        "system, user, says(One.), user, says(Two.), user",
        "each reply is appended, except the last, which has no text"
    );
}

#[test]
fn test_ch4_chat_does_not_repair_the_history() {
    let engine = engine([ScriptedReply::text(&["not requested"])]);
    let mut history = vec![calls(&["a", "b"])];
    let outcome = wait(engine.chat(&mut history, &CancellationToken::new()));
    let error = QueryError::Unanswered(vec!["a".into(), "b".into()]);
    assert_eq!(outcome, Err(error), "the caller decides about a repair");
    assert_eq!(outline(&history), "calls(a b)", "nothing changes");
}

#[test]
fn test_ch4_cancel_reaches_the_running_turn() {
    for has_reader in [false, true] {
        let slow = ScriptedReply::text(&["The bug ", "is in ", "line 7"]);
        let engine = engine([slow.with_pause(Duration::from_secs(10))]);
        let mut history = vec![user("where?")];
        let cancel = cancel_after(Duration::from_secs(25));
        let (sender, _reader) = mpsc::channel(8);
        let outcome = match has_reader {
            false => wait(engine.chat(&mut history, &cancel)),
            true => wait(engine.chat_with_events(&mut history, sender, &cancel)),
        };
        assert_eq!(
            (outcome, outline(&history).as_str()),
            (Err(QueryError::Cancelled), "user, says(The bug is in )"),
            "(outcome, history) after 25 seconds: the caller's token stops the request"
        );
    }
}

#[test]
fn test_ch4_events_follow_the_turn() {
    let usage = TokenUsage {
        input_tokens: 5,
        ..TokenUsage::default()
    };
    let reporting = FnTool::new("t", |_| async {
        report(1);
        Ok(ToolResult::text("fine"))
    });
    let engine = engine([
        ScriptedReply::calls(&[("a", "t"), ("b", "nope")]).with_usage(&usage),
        ScriptedReply::text(&["Do", "ne."]).with_usage(&usage),
    ])
    .tools(ToolSet::new().with(reporting));
    let mut history = vec![user("go")];
    let (reply, events) = wait(chat_with_events(&engine, &mut history));
    assert!(reply.is_ok());
    assert_eq!(
        event_outline(&events),
        "usage started(a) progress(a) finished(a) started(b) finished(b) text(Do) text(ne.) usage end",
        "each reply sends its text, its usage and the events of its calls; the turn's end is last"
    );
    assert!(
        !history.iter().any(|m| matches!(m, Message::Progress(_))),
        "progress is never part of the history"
    );
}

#[test]
fn test_ch4_last_event_has_the_error() {
    let engine = engine([ScriptedReply::fails(&["Let "], network_error())]);
    let (outcome, events) = wait(chat_with_events(&engine, &mut vec![user("go")]));
    let error = QueryError::Provider(network_error());
    assert_eq!(outcome, Err(error.clone()));
    assert_eq!(
        events,
        [
            text("Let "),
            QueryEvent::TurnFinished { error: Some(error) }
        ],
        "a reader in another task learns why the turn ended"
    );
}

#[test]
fn test_ch4_slow_reader_gets_the_last_event() {
    for reply in [
        ScriptedReply::text(&["Done."]),
        ScriptedReply::fails(&["Done."], network_error()),
    ] {
        let engine = engine([reply]);
        let (sender, reader) = mpsc::channel(1);
        let reading = spawn(read_slowly(reader));
        let mut history = vec![user("go")];
        let cancel = CancellationToken::new();
        let outcome = wait(engine.chat_with_events(&mut history, sender, &cancel));
        assert_eq!(
            event_outline(&wait(reading).expect("the reader does not panic")),
            "text(Done.) end",
            "a reader that is slow, but still reads, gets the last event after {outcome:?}"
        );
    }
}

#[test]
fn test_ch4_cancel_frees_a_reply_from_a_stalled_reader() {
    let engine = engine([ScriptedReply::text(&["Done."])]);
    // The channel has room for the text, so the last event waits until the cancel.
    let (sender, _stalled_reader) = mpsc::channel(1);
    let mut history = vec![user("go")];
    let cancel = cancel_after(Duration::from_secs(1800));
    let reply = wait(finish_or(
        "the reply is complete; a stalled reader can't hold it back after a cancel",
        engine.chat_with_events(&mut history, sender, &cancel),
    ));
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("Done.".into())),
        "a reply that was complete before the cancel is not lost"
    );
    assert!(
        cancel.is_cancelled(),
        "only a cancel ends the wait for a stalled reader"
    );
}

#[test]
fn test_ch4_last_event_after_a_cancel_has_the_outcome() {
    let cancel = CancellationToken::new();
    let engine = QueryEngine::builder(CancellingProvider(cancel.clone()));
    let (sender, mut reader) = mpsc::channel(4);
    let outcome = wait(engine.chat_with_events(&mut vec![], sender, &cancel));
    assert!(
        outcome.is_ok(),
        "the reply is complete, so it is not lost: {outcome:?}"
    );
    let error = outcome.err();
    assert_eq!(
        received(&mut reader),
        [QueryEvent::TurnFinished { error }],
        "the last event has the outcome of the turn, even if the cancel came after the outcome"
    );
}

#[test]
fn test_ch4_cancelled_turn_sends_its_last_event() {
    let engine = engine([ScriptedReply::text(&["not requested"])]);
    let (sender, mut reader) = mpsc::channel(4);
    let mut history = vec![user("go")];
    let cancel = CancellationToken::new();
    cancel.cancel();
    let outcome = wait(engine.chat_with_events(&mut history, sender, &cancel));
    assert_eq!(
        outcome,
        Err(QueryError::Cancelled),
        "the turn was cancelled before it started, so no request is sent"
    );
    assert_eq!(outline(&history), "user");
    let error = Some(QueryError::Cancelled);
    assert_eq!(
        received(&mut reader),
        [QueryEvent::TurnFinished { error }],
        "the channel has room for the last event"
    );
    let mut incomplete = vec![calls(&["a"])];
    let outcome = wait(engine.chat(&mut incomplete, &cancel));
    let error = QueryError::Unanswered(vec!["a".into()]);
    assert_eq!(outcome, Err(error), "the history is checked first");
}

#[test]
fn test_ch4_one_engine_serves_many_conversations() {
    // More pieces than any channel in between holds.
    let replies = (0..8).map(|_| ScriptedReply::text(&["x"; 300]));
    let engine = Arc::new(engine(replies));
    let tasks: Vec<_> = (0..8)
        .map(|n| {
            let engine = engine.clone();
            spawn(async move {
                let mut history = vec![user(&format!("conversation {n}"))];
                let reply = engine.chat(&mut history, &CancellationToken::new()).await;
                (reply.is_ok(), history.len())
            })
        })
        .collect();
    for task in tasks {
        let rule = "`chat` sends no events, so none waits for a reader";
        let finished = wait(finish_or(rule, task));
        assert_eq!(finished.ok(), Some((true, 2)), "{rule}");
    }
}

/// 100 conversations in which cancels, panics, errors and dropped futures happen at random.
#[test]
fn test_ch4_random_failures_leave_complete_histories() {
    for seed in 0..100 {
        let mut conversation = RandomConversation::new(seed);
        let mut history = vec![user("go")];
        for turn in 0..3 {
            let before = history.clone();
            let case = format!("seed {seed}, turn {turn}");
            wait(conversation.run_turn(&mut history, &case));
            assert_eq!(
                history[..before.len()],
                before,
                "{case}: a turn only appends messages"
            );
            assert_complete(&history, &case);
            assert_within_limit(&history, conversation.max_result_bytes, &case);
            history.push(user("go on"));
        }
        for request in conversation.provider.requests() {
            assert_complete(&request.messages, &format!("seed {seed}, in a request"));
        }
        assert_eq!(
            wait(conversation.ask_again(&mut history)),
            Ok(Some("Fine.".into())),
            "seed {seed}: whatever failed before, the next turn works"
        );
    }
}

/// Runs a turn with a channel that has room for all of its events.
async fn chat_with_events(
    engine: &QueryEngine,
    history: &mut Vec<Message>,
) -> (Result<AssistantMessage, QueryError>, Vec<QueryEvent>) {
    let (sender, mut reader) = mpsc::channel(64);
    let cancel = CancellationToken::new();
    let outcome = finish(engine.chat_with_events(history, sender, &cancel)).await;
    (outcome, received(&mut reader))
}

/// A provider that replies at once and cancels this token while it does.
struct CancellingProvider(CancellationToken);

type Reply = Result<AssistantMessage, ProviderError>;

#[async_trait]
impl Provider for CancellingProvider {
    async fn chat(&self, _: &[Message], _: &[&ToolDefinition]) -> Reply {
        panic!("the request must be streamed: call `stream`");
    }

    async fn stream(&self, _: &[Message], _: &[&ToolDefinition], _: &EventSender) -> Reply {
        self.0.cancel();
        Ok(reply(&[]))
    }
}
