//! Chapter 4: a turn with a batch of two calls, a call that runs alone, and a cancel.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use claw_code::engine::{QueryEngine, QueryError, QueryEvent, unanswered_calls};
use claw_code::tools::report;
use claw_code::types::{Message, StopReason, ToolCall, ToolResult, ToolSet};
use serde_json::{Value, json, to_value};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::json::without;
use super::trace::{Recorded, Step, Trace};
use crate::support::{FnTool, ScriptedProvider, ScriptedReply};

/// What happens in the turn, in order.
enum Moment {
    Event(QueryEvent),
    /// The user cancels, this long after the start.
    Cancel(Duration),
}

/// Reading takes two seconds for `a.rs` and one for `b.rs`, side by side. The tests would take a
/// minute, alone.
fn tools() -> ToolSet {
    let read = FnTool::new("read", |arguments| async move {
        let (seconds, text) = match arguments["path"].as_str() {
            Some("a.rs") => (2, "mod b;"),
            _ => (1, "fn parse() {}"),
        };
        sleep(Duration::from_secs(seconds)).await;
        Ok(ToolResult::text(text))
    });
    let bash = FnTool::new("bash", |_| async {
        sleep(Duration::from_secs(1)).await;
        report("test parser ... ok");
        sleep(Duration::from_secs(60)).await;
        Ok(ToolResult::text("all tests pass"))
    });
    ToolSet::new().with(read.concurrent_safe()).with(bash)
}

/// A reply with four calls.
fn reply() -> ScriptedReply {
    let calls = [
        ("a", "read", json!({ "path": "a.rs" })),
        ("b", "read", json!({ "path": "b.rs" })),
        ("c", "bash", json!({ "command": "cargo test" })),
        ("d", "read", json!({ "path": "b.rs" })),
    ];
    let calls = calls.map(|(id, name, arguments)| ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    });
    ScriptedReply::text(&["I read both files and test."])
        .with_stop_reason(StopReason::ToolUse)
        .map(|reply| reply.tool_calls = calls.to_vec())
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_turn() {
    let provider = ScriptedProvider::new([reply()]);
    let engine = QueryEngine::builder(provider.clone()).tools(tools());
    let cancel = CancellationToken::new();
    let moments = Arc::new(Mutex::new(Vec::new()));
    let add = |moment| moments.lock().unwrap().push(moment);
    let mut history = vec![Message::user("Does the parser work?")];
    let (sender, mut events) = mpsc::channel(16);
    let start = Instant::now();
    let turn = async {
        let outcome = engine.chat_with_events(&mut history, sender, &cancel);
        outcome.await
    };
    let reader = async {
        while let Some(event) = events.recv().await {
            add(Moment::Event(event));
        }
    };
    let user = async {
        sleep(Duration::from_secs(5)).await;
        add(Moment::Cancel(start.elapsed()));
        cancel.cancel();
    };
    let (outcome, (), ()) = tokio::join!(turn, reader, user);
    assert_eq!(outcome, Err(QueryError::Cancelled));

    let mut trace = Trace::new("a turn with four calls and a cancel");
    trace.add(Step {
        lane: "Engine",
        title: "The model is asked",
        value: Recorded::json(&without_id(&provider.requests()[0].messages[0])),
        code: "engine::model_request::QueryEngine::stream_reply",
        about: "The request has the whole history, here one message.",
    });
    for moment in moments.lock().unwrap().iter() {
        match moment {
            Moment::Event(event) => {
                trace.add(event_step(event));
                if matches!(event, QueryEvent::Text(_)) {
                    trace.add(reply_step(&history[1]));
                }
            }
            Moment::Cancel(elapsed) => trace.add(Step {
                lane: "You",
                title: "You press Ctrl-C",
                value: Recorded::text(&format!("cancelled after {elapsed:?}")),
                code: "engine::model_request::QueryEngine::answer_calls",
                about: "`run_until_cancelled` drops the work: the future of call `c` is gone in the middle of its await, and call `d` never starts.",
            }),
        }
    }
    trace.add(Step {
        lane: "History",
        title: "Four calls, four results",
        value: Recorded::json_lines(history[2..].iter().map(without_id)),
        code: "engine::open_reply::OpenReply::close",
        about: "The results are in call order, although `b` finished before `a`. Two calls have their output. The other two say how far they got.",
    });
    trace.add(Step {
        lane: "History",
        title: "Nothing is unanswered",
        value: Recorded::json(&unanswered_calls(&history)),
        code: "engine::pairing::unanswered_calls",
        about: "The history follows the rule, so your next message can be sent.",
    });
    trace.check("cancelled-turn");
}

/// The step for the reply, as it is in the history.
fn reply_step(reply: &Message) -> Step {
    let reply = to_value(reply).expect("a message is JSON");
    Step {
        lane: "Model",
        title: "The reply has four calls",
        value: Recorded::json_lines(reply["tool_calls"].as_array().into_iter().flatten()),
        code: "engine::model_request::QueryEngine::ask_model",
        about: "From here on, the history owes four results. `OpenReply` holds the calls, and when it is dropped, each of them gets one.",
    }
}

/// The step for an event, in the order in which the events come.
fn event_step(event: &QueryEvent) -> Step {
    let (lane, title, code, about) = match event {
        QueryEvent::Text(_) => (
            "Model",
            "Text arrives",
            "engine::model_request::QueryEngine::stream_reply",
            "The reader sees the text of the reply as it streams.",
        ),
        QueryEvent::ToolStarted { call, .. } => match call.id.as_str() {
            "a" => (
                "Call a",
                "The first call begins",
                "engine::dispatch::Dispatcher::run_call",
                "`read` is concurrent-safe, and so is the next call's tool. Both are one batch.",
            ),
            "b" => (
                "Call b",
                "The second call begins beside it",
                "engine::dispatch::Dispatcher::run_batch",
                "Call `a` has not finished. Both run inside one task and take turns at their awaits.",
            ),
            _ => (
                "Call c",
                "The third call runs alone",
                "engine::dispatch::Dispatcher::dispatch",
                "`bash` is not concurrent-safe, so it is a batch of its own. It begins when both reads have finished, and call `d` waits for it.",
            ),
        },
        QueryEvent::ToolFinished { call_id, .. } => match call_id.as_str() {
            "b" => (
                "Call b",
                "The second call finishes first",
                "engine::dispatch::Dispatcher::run_call",
                "It took one second. Events come in the order in which things happen.",
            ),
            "a" => (
                "Call a",
                "The first call finishes",
                "engine::dispatch::Dispatcher::run_call",
                "It took two seconds. The batch is done.",
            ),
            _ => (
                "Call c",
                "The cut call is closed",
                "engine::open_reply::OpenReply::close",
                "The reader shows call `c` as running, so it gets an end. Call `d` was never announced and has no event.",
            ),
        },
        QueryEvent::Progress(_) => (
            "Call c",
            "Progress",
            "engine::event::QueryEventSender::offer",
            "The tool reports a line. It is for the screen and never reaches the history.",
        ),
        QueryEvent::TurnFinished { .. } => (
            "Engine",
            "The turn is over",
            "engine::query_engine::QueryEngine::chat_with_events",
            "The last event says why the turn ended early. The caller gets the same error.",
        ),
        QueryEvent::Usage(_) => panic!("the script reports no usage"),
    };
    Step {
        lane,
        title,
        value: Recorded::json(&event_json(event)),
        code,
        about,
    }
}

/// An event as an object with one field, its name.
fn event_json(event: &QueryEvent) -> Value {
    match event {
        QueryEvent::Text(text) => json!({ "Text": text }),
        QueryEvent::ToolStarted { call, summary, .. } => {
            json!({ "ToolStarted": { "id": call.id, "summary": summary } })
        }
        QueryEvent::Progress(progress) => json!({ "Progress": progress }),
        QueryEvent::ToolFinished { result, .. } => {
            json!({ "ToolFinished": without(json!(result), LEFT_OUT) })
        }
        QueryEvent::Usage(usage) => json!({ "Usage": usage }),
        QueryEvent::TurnFinished { error } => {
            json!({ "TurnFinished": { "error": error.as_ref().map(|it| format!("{it:?}")) } })
        }
    }
}

/// The id of a message is random, and no output here is truncated.
const LEFT_OUT: &[&str] = &["id", "is_truncated"];

/// A message without its id.
fn without_id(message: &Message) -> Value {
    without(json!(message), LEFT_OUT)
}
