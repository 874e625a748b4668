//! Section 4.12: run, chat and chat_with_events

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::types::*;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch4_run_asks_one_question() {
    let script = Script::new([Step::calls(&[("a", "t")]), Step::says(&["4", "2"])]);
    let seen = script.requests.clone();
    let engine = QueryEngine::builder(script).tools(ToolSet::new().with(noop("t")));
    assert_eq!(soon(engine.run("6 * 7?")).await, Ok("42".to_string()));
    match &seen.lock().unwrap()[0].0[..] {
        [Message::User(first)] => assert_eq!(first.content, "6 * 7?"),
        other => panic!("the first request is the question alone; it was {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_run_without_text_is_empty() {
    let engine = QueryEngine::builder(Script::new([Step::says(&[])]));
    assert_eq!(soon(engine.run("say nothing")).await, Ok(String::new()));
}

#[tokio::test(start_paused = true)]
async fn test_ch4_chat_appends_to_the_history() {
    let script = Script::new([Step::says(&["One."]), Step::says(&["Two."])]);
    let engine = QueryEngine::new(Arc::new(script));
    let cancel = CancellationToken::new();
    let mut history = vec![Message::system("Be brief."), user("first")];
    let reply = soon(engine.chat(&mut history, &cancel)).await;
    assert_eq!(reply.map(|reply| reply.text), Ok(Some("One.".into())));
    history.push(user("second"));
    let before = history.clone();
    let reply = soon(engine.chat(&mut history, &cancel)).await;
    assert_eq!(reply.map(|reply| reply.text), Ok(Some("Two.".into())));
    assert_eq!(history[..before.len()], before, "what was there stays");
    assert_eq!(
        shape(&history),
        "system, user, says(One.), user, says(Two.)"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_turn_tells_its_story() {
    let usage = TokenUsage {
        input_tokens: 5,
        ..TokenUsage::default()
    };
    let script = Script::new([
        Step::calls(&[("a", "t"), ("b", "nope")]).costing(&usage),
        Step::says(&["Do", "ne."]).costing(&usage),
    ]);
    let busy = tool("t", |_| async {
        report(1);
        Ok(ToolResult::text("fine"))
    });
    let engine = QueryEngine::builder(script).tools(ToolSet::new().with(busy));
    let (sender, reader) = mpsc::channel(64);
    let mut history = vec![user("go")];
    let cancel = CancellationToken::new();
    let reply = soon(engine.chat_with_events(&mut history, sender, &cancel)).await;
    assert!(reply.is_ok());
    assert_eq!(
        kinds(&all(reader).await),
        "usage started(a) progress(a) finished(a) started(b) finished(b) text(Do) text(ne.) usage end"
    );
    assert!(
        !history.iter().any(|m| matches!(m, Message::Progress(_))),
        "progress never reaches the history"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_the_last_event_says_what_went_wrong() {
    let engine = QueryEngine::builder(Script::new([Step::breaks(&["Let "], network())]));
    let (sender, reader) = mpsc::channel(64);
    let mut history = vec![user("go")];
    let cancel = CancellationToken::new();
    let outcome = soon(engine.chat_with_events(&mut history, sender, &cancel)).await;
    let error = QueryError::Provider(network());
    assert_eq!(outcome, Err(error.clone()));
    assert_eq!(
        all(reader).await,
        [
            text("Let "),
            QueryEvent::TurnFinished { error: Some(error) }
        ],
        "a reader in another task learns how the turn ended"
    );

    let engine = QueryEngine::builder(Script::new([Step::says(&["Do", "ne."])]));
    let (sender, mut reader) = mpsc::channel(1);
    let reading = tokio::spawn(async move {
        let mut read = Vec::new();
        while let Some(event) = reader.recv().await {
            read.push(event);
            sleep(Duration::from_millis(10)).await;
        }
        read
    });
    let outcome = soon(engine.chat_with_events(&mut history, sender, &cancel)).await;
    assert!(outcome.is_ok(), "the script replies: {outcome:?}");
    assert_eq!(
        kinds(&reading.await.expect("the reader does not panic")),
        "text(Do) text(ne.) end",
        "a reader who is behind and reads on gets the last event, too"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_the_end_is_not_held_up_by_a_cancelled_reader() {
    let engine = QueryEngine::builder(Script::new([Step::says(&["Done."])]));
    // Room for the text alone: the last event has to wait until somebody cancels.
    let (sender, _reader) = mpsc::channel(1);
    let mut history = vec![user("go")];
    let cancel = cancelled_after(Duration::from_secs(5));
    let reply = in_time(
        "the reply is there; a reader who has stalled can't keep it after a cancel",
        engine.chat_with_events(&mut history, sender, &cancel),
    )
    .await;
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("Done.".into())),
        "a reply that was complete before the cancel is not lost"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_cancelled_turn_still_tells_its_end() {
    let engine = QueryEngine::builder(Script::new([Step::says(&["never"])]));
    let (sender, reader) = mpsc::channel(4);
    let mut history = vec![user("go")];
    let cancel = CancellationToken::new();
    cancel.cancel();
    let outcome = soon(engine.chat_with_events(&mut history, sender, &cancel)).await;
    assert_eq!(
        outcome,
        Err(QueryError::Cancelled),
        "the turn was cancelled before it began: the model is not asked"
    );
    assert_eq!(shape(&history), "user");
    let error = Some(QueryError::Cancelled);
    assert_eq!(
        all(reader).await,
        [QueryEvent::TurnFinished { error }],
        "there was room for it"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_one_engine_serves_many_conversations() {
    let script = Script::new((0..8).map(|_| Step::says(&["Hi."])));
    let engine = Arc::new(QueryEngine::builder(script));
    let tasks: Vec<_> = (0..8)
        .map(|n| {
            let engine = engine.clone();
            tokio::spawn(async move {
                let mut history = vec![user(&format!("conversation {n}"))];
                let reply = soon(engine.chat(&mut history, &CancellationToken::new())).await;
                (reply.is_ok(), history.len())
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.ok(), Some((true, 2)));
    }
}

/// The rule itself: 800 conversations in which everything goes wrong that can.
#[tokio::test(start_paused = true)]
async fn test_ch4_the_rule_holds_whatever_fails() {
    for seed in 0..800 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let script = Script::new((0..rng.usize(1..6)).map(|_| random_step(&mut rng)));
        let (steps, seen) = (script.steps.clone(), script.requests.clone());
        let (max_turns, limit) = (rng.usize(1..6), rng.usize(20..200));
        let mut engine = QueryEngine::builder(script)
            .tools(mixed_tools(seed))
            .config(QueryConfig {
                max_turns,
                max_result_bytes: limit,
                max_concurrent: rng.usize(1..4),
            });
        if rng.bool() {
            engine = engine.gate(Fickle(Mutex::new(fastrand::Rng::with_seed(seed))));
        }
        let mut history = vec![user("go")];
        for round in 0..3 {
            let before = history.clone();
            let context = format!("seed {seed}, turn {round}");
            random_turn(&engine, &mut history, &mut rng, &context).await;
            assert_eq!(
                history[..before.len()],
                before,
                "{context}: a turn only appends"
            );
            assert_whole(&history, &context);
            for message in &history {
                if let Message::ToolResult(result) = message {
                    assert!(
                        result.content.len() <= limit,
                        "{context}: max_result_bytes is {limit}, and this result is longer: {:?}",
                        result.content
                    );
                }
            }
            history.push(user("go on"));
        }
        for (request, _) in seen.lock().unwrap().iter() {
            assert_whole(request, &format!("seed {seed}, in a request"));
        }
        *steps.lock().unwrap() = [Step::says(&["Fine."])].into();
        let reply = soon(engine.chat(&mut history, &CancellationToken::new())).await;
        assert_eq!(
            reply.map(|reply| reply.text),
            Ok(Some("Fine.".into())),
            "seed {seed}: whatever went wrong, the next turn works"
        );
    }
}

/// One turn: to its end, cancelled or dropped at some moment, with some reader or none.
async fn random_turn(
    engine: &QueryEngine,
    history: &mut Vec<Message>,
    rng: &mut fastrand::Rng,
    context: &str,
) {
    let cancel = CancellationToken::new();
    let moment = Duration::from_millis(rng.u64(0..60));
    let (sender, mut reader) = mpsc::channel(rng.usize(1..4));
    let how = rng.u8(0..5);
    if how == 0 {
        drop(reader);
    } else if how < 4 {
        tokio::spawn(async move { while reader.recv().await.is_some() {} });
    } else {
        // Never read, so that only a cancel ends the turn.
        tokio::spawn(async move {
            sleep(Duration::from_secs(600)).await;
            drop(reader);
        });
    }
    let interrupt = if how == 4 { 1 } else { rng.u8(0..3) };
    if interrupt == 1 {
        let cancel = cancel.clone();
        tokio::spawn(async move {
            sleep(moment).await;
            cancel.cancel();
        });
    }
    let chat = engine.chat_with_events(history, sender, &cancel);
    let limit = if interrupt == 2 {
        moment
    } else {
        Duration::from_secs(3600)
    };
    // A tool that panics is caught; only a gate's panic comes through, and there is none.
    let outcome = timeout(limit, without_panic(chat)).await;
    match outcome {
        Err(_) => assert_eq!(interrupt, 2, "{context}: the turn hangs"),
        Ok(Err(QueryError::Cancelled)) => assert_eq!(interrupt, 1, "{context}: nobody cancelled"),
        Ok(Err(QueryError::Unanswered(ids))) => panic!("{context}: {ids:?} came unanswered"),
        Ok(_) => {}
    }
}

fn random_step(rng: &mut fastrand::Rng) -> Step {
    let texts = ["Let ", "me ", "see", "."];
    let text = &texts[..rng.usize(0..=texts.len())];
    let mut step = match rng.u8(0..8) {
        0 => Step::breaks(text, network()),
        1 => Step::says(text),
        _ => {
            let mut step = Step::says(text).stopping(StopReason::ToolUse);
            if let Ok(reply) = &mut step.reply {
                reply.tool_calls = (0..rng.usize(0..6)).map(|_| random_call(rng)).collect();
            }
            step
        }
    };
    if rng.bool() {
        step = step.pausing(Duration::from_millis(rng.u64(1..15)));
    }
    if rng.u8(0..4) == 0 {
        step = step.stopping(StopReason::Stop);
    }
    step
}

fn random_call(rng: &mut fastrand::Rng) -> ToolCall {
    // Few ids, so that they collide; one is empty.
    let id = ["call_0", "call_1", "call_2", "call_3", ""][rng.usize(0..5)];
    let names = [
        "quick", "slow", "write", "fails", "panics", "picky", "endless", "nope",
    ];
    // The endless one is rare: only an interrupt ends it, or it fails after a while.
    let name = names[rng.usize(0..names.len())];
    let arguments = match rng.u8(0..4) {
        0 => json!("not an object"),
        1 => Value::Null,
        2 => json!({ "path": "src" }),
        _ => json!({}),
    };
    call_with(id, name, arguments)
}

fn mixed_tools(seed: u64) -> ToolSet {
    let nap = move |name| {
        let rng = Mutex::new(fastrand::Rng::with_seed(seed));
        tool(name, move |_| {
            let time = rng.lock().unwrap().u64(0..20);
            async move {
                report(time);
                sleep(Duration::from_millis(time)).await;
                Ok(ToolResult::text("y".repeat(time as usize * 20)))
            }
        })
    };
    ToolSet::new()
        .with(fixed("quick", "done").safe())
        .with(nap("slow").safe())
        .with(nap("write"))
        .with(
            tool("fails", |_| async {
                sleep(Duration::from_millis(3)).await;
                anyhow::bail!("it does not work")
            })
            .safe(),
        )
        .with(panicking("panics").safe())
        .with(noop("picky").needing("path").safe())
        .with(tool("endless", |_| async {
            sleep(Duration::from_secs(20)).await;
            Ok(ToolResult::text("at last"))
        }))
}

/// Every call has exactly one result, in call order, right behind its reply; there is no
/// result without a call. Written out here, so that nothing of the chapter tests itself.
fn assert_whole(history: &[Message], context: &str) {
    let mut due: VecDeque<&str> = VecDeque::new();
    for (at, message) in history.iter().enumerate() {
        let place = || format!("{context}, message {at} of {}", shape(history));
        match message {
            Message::ToolResult(result) => assert_eq!(
                due.pop_front(),
                Some(result.tool_use_id.as_str()),
                "a result stands where another is due, or none: {}",
                place()
            ),
            other => {
                assert!(due.is_empty(), "calls {due:?} have no result: {}", place());
                if let Message::Assistant(reply) = other {
                    let text = reply.text.as_deref().unwrap_or("");
                    assert!(
                        !text.is_empty() || !reply.tool_calls.is_empty(),
                        "a reply says nothing: {}",
                        place()
                    );
                    due.extend(reply.tool_calls.iter().map(|call| call.id.as_str()));
                    let mut ids: Vec<_> = due.iter().collect();
                    ids.sort();
                    ids.dedup();
                    assert_eq!(ids.len(), due.len(), "two calls share an id: {}", place());
                }
            }
        }
        assert!(
            !matches!(message, Message::Progress(_)),
            "progress is for the screen: {}",
            place()
        );
    }
    assert!(
        due.is_empty(),
        "{context}: calls {due:?} have no result at the end"
    );
}

/// A gate that does a little of everything.
struct Fickle(Mutex<fastrand::Rng>);

#[async_trait]
impl Gate for Fickle {
    async fn check(&self, _call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        let (time, refuse) = {
            let mut rng = self.0.lock().unwrap();
            (rng.u64(0..5), rng.u8(0..6) == 0)
        };
        sleep(Duration::from_millis(time)).await;
        if refuse {
            Err("not now".into())
        } else {
            Ok(())
        }
    }

    async fn before(&self, _call: &ToolCall, _tool: &dyn Tool) -> Decision {
        match self.0.lock().unwrap().u8(0..4) {
            0 => Decision::Change {
                arguments: Some(json!({ "path": "elsewhere" })),
                context: Some("rewritten".into()),
            },
            1 => Decision::Block("blocked".into()),
            _ => Decision::Pass,
        }
    }

    async fn after(&self, _call: &ToolCall, _result: &ToolResult) -> Option<String> {
        let time = self.0.lock().unwrap().u64(0..5);
        sleep(Duration::from_millis(time)).await;
        Some("seen".into())
    }
}
