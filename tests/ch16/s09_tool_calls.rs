//! Section 16.9: Running calls between steers

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::engine::{CUT_OFF, Gate, NOT_RUN, QueryConfig, Reporter, report};
use claw_code::tools::{Attachment, attach};
use claw_code::types::{Tool, ToolCall, ToolResult, ToolSet};
use serde_json::json;
use tokio::time::sleep;

use super::grammar::{name, text_of};
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_results_follow_call_order() {
    let mut agent = agent_with(
        &ScriptedModel::default(),
        ToolSet::new()
            .with(FnTool::delayed("slow", 30, "slow is done").concurrent_safe())
            .with(FnTool::delayed("fast", 1, "fast is done").concurrent_safe())
            .with(FnTool::new("fail", |_| async {
                Ok(ToolResult::error("no such file"))
            })),
    );
    let calls = [
        ("a", "slow"),
        ("b", "fast"),
        ("c", "fail"),
        ("d", "nothing"),
    ];
    let (results, events) = answer(&mut agent, &calls, StopReason::ToolUse).await;
    assert_eq!(
        event_trace(&events),
        "+a +b -b -a +c -c +d -d say:a say:b say:c say:d",
        "`+` is a call's start and `-` its end: the first two calls run together, and results follow in call order"
    );
    assert_eq!(
        result_lines(&results)[..3],
        [
            "a ok slow is done",
            "b ok fast is done",
            "c error no such file"
        ],
        "`is_error` marks the failure, so the text has no prefix `error: `"
    );
    assert!(
        result_lines(&results)[3].starts_with("d error there is no tool"),
        "{:?}",
        result_lines(&results)
    );
    for event in &events {
        if let AgentEvent::ToolExecutionEnd {
            tool_call_id,
            tool_name,
            is_error,
            ..
        } = event
        {
            let at = calls.iter().position(|(id, _)| id == tool_call_id).unwrap();
            assert_eq!(tool_name, calls[at].1, "the event names the tool");
            assert_eq!(
                *is_error,
                at > 1,
                "is_error of the event for call {tool_call_id}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_output_that_begins_with_error_is_no_failure() {
    let mut agent = agent_with(
        &ScriptedModel::default(),
        ToolSet::new()
            .with(FnTool::new("output", |_| async {
                Ok(ToolResult::text("error: 3 warnings"))
            }))
            .with(FnTool::new("failure", |_| async {
                Ok(ToolResult::error("error: 3 warnings"))
            })),
    );
    let calls = [("a", "output"), ("b", "failure")];
    let (results, events) = answer(&mut agent, &calls, StopReason::ToolUse).await;
    assert_eq!(
        result_lines(&results),
        ["a ok error: 3 warnings", "b error error: 3 warnings"],
        "the tool's `is_error` decides, and the text arrives unchanged"
    );
    let ends: Vec<(Vec<Content>, bool)> = events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::ToolExecutionEnd {
                result, is_error, ..
            } => Some((result.content.clone(), *is_error)),
            _ => None,
        })
        .collect();
    assert_eq!(
        ends,
        [false, true].map(|is_error| {
            let text = "error: 3 warnings".to_string();
            (vec![Content::Text { text }], is_error)
        }),
        "the events carry the same text and flag"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_steering_skips_waiting_calls() {
    let mut agent = agent_with(
        &ScriptedModel::default(),
        ToolSet::new()
            .with(FnTool::delayed("read", 20, "text").concurrent_safe())
            .with(FnTool::delayed("write", 20, "written")),
    );
    let handle = agent.handle();
    let steering = async {
        sleep(Duration::from_millis(10)).await;
        handle.steer(Message::user("Stop, not that file."));
    };
    let calls = [("a", "read"), ("b", "read"), ("c", "write"), ("d", "read")];
    let ((results, events), ()) =
        tokio::join!(answer(&mut agent, &calls, StopReason::ToolUse), steering);
    assert_eq!(
        result_lines(&results),
        [
            "a ok text",
            "b ok text",
            "c error Skipped due to queued user message.",
            "d error Skipped due to queued user message.",
        ],
        "running calls finish, waiting calls are skipped, and each call has a result"
    );
    assert_eq!(
        event_trace(&events),
        "+a +b -a -b +c -c +d -d say:a say:b say:c say:d",
        "a skipped call sends its start and end too, so that the screen shows its row"
    );
    assert_eq!(
        agent.handle().queues().steering.waiting.len(),
        1,
        "the steering message stays queued for the next turn"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_steering_before_first_call_skips_all_calls() {
    let ran = Arc::new(Mutex::new(0));
    let mut agent = agent_with(
        &ScriptedModel::default(),
        ToolSet::new().with(counting("rm", &ran)),
    );
    agent.steer(note("only for the screen"));
    let (results, _) = answer(&mut agent, &[("a", "rm")], StopReason::ToolUse).await;
    assert_eq!(
        result_lines(&results),
        ["a ok ok"],
        "an extension does not interrupt the calls"
    );
    agent.steer(Message::user("No!"));
    let (results, _) = answer(&mut agent, &[("a", "rm"), ("b", "rm")], StopReason::ToolUse).await;
    assert_eq!(
        result_lines(&results),
        [
            "a error Skipped due to queued user message.",
            "b error Skipped due to queued user message.",
        ],
        "steering that arrives while the model streams takes effect before the first call"
    );
    assert_eq!(
        *ran.lock().unwrap(),
        1,
        "the tool ran once, before the steering message"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_steering_interrupts_long_batch() {
    let mut agent = Agent::builder(ScriptedModel::default())
        .tools(ToolSet::new().with(FnTool::delayed("read", 20, "text").concurrent_safe()))
        .limits(QueryConfig {
            max_concurrent: 2,
            ..QueryConfig::default()
        })
        .build();
    let handle = agent.handle();
    let steering = async {
        sleep(Duration::from_millis(30)).await;
        handle.steer(Message::user("Enough."));
    };
    let calls = ["a", "b", "c", "d", "e", "f"].map(|id| (id, "read"));
    let ((results, _), ()) =
        tokio::join!(answer(&mut agent, &calls, StopReason::ToolUse), steering);
    assert_eq!(results.len(), 6, "each call has a result, skipped or not");
    let ok = result_lines(&results)
        .iter()
        .filter(|line| line.ends_with("ok text"))
        .count();
    assert_eq!(
        ok,
        4,
        "two calls run at a time, and the third pair had not begun when the steering message came: {:?}",
        result_lines(&results)
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_abort_gives_every_call_a_result() {
    let mut agent = agent_with(
        &ScriptedModel::default(),
        ToolSet::new()
            .with(FnTool::delayed("fast", 1, "done").concurrent_safe())
            .with(FnTool::delayed("slow", 1_000, "late").concurrent_safe())
            .with(FnTool::delayed("write", 1, "written")),
    );
    let handle = agent.handle();
    let aborting = async {
        sleep(Duration::from_millis(100)).await;
        handle.abort();
    };
    let calls = [("a", "fast"), ("b", "slow"), ("c", "write")];
    let ((results, events), ()) =
        tokio::join!(answer(&mut agent, &calls, StopReason::ToolUse), aborting);
    assert_eq!(
        result_lines(&results),
        [
            "a ok done".to_string(),
            format!("b error {CUT_OFF}"),
            format!("c error {NOT_RUN}"),
        ],
        "each result says how far its call got"
    );
    assert_eq!(
        event_trace(&events),
        "+a +b -a -b +c -c say:a say:b say:c",
        "every call has a start and an end, even after an abort"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_calls_of_failed_reply_are_not_run() {
    let ran = Arc::new(Mutex::new(0));
    for reason in [StopReason::Error, StopReason::Aborted] {
        let mut agent = agent_with(
            &ScriptedModel::default(),
            ToolSet::new().with(counting("rm", &ran)),
        );
        let (results, events) = answer(&mut agent, &[("a", "rm")], reason).await;
        assert_eq!(result_lines(&results), [format!("a error {NOT_RUN}")]);
        assert_eq!(event_trace(&events), "+a -a say:a");
    }
    assert_eq!(
        *ran.lock().unwrap(),
        0,
        "the calls of an incomplete reply must not run"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_tool_reports_become_events() {
    let mut agent = agent_with(
        &ScriptedModel::default(),
        ToolSet::new().with(FnTool::new("build", |_| async {
            report("compiling");
            report(json!({ "done": 3 }));
            runs_loop("child.sub.1");
            Ok(ToolResult::text("built"))
        })),
    );
    let (results, events) = answer(&mut agent, &[("a", "build")], StopReason::ToolUse).await;
    let AgentEvent::ProgressMessage {
        tool_call_id,
        tool_name,
        text,
        ..
    } = &events[1]
    else {
        panic!(
            "a text report becomes a ProgressMessage, not {:?}",
            events[1]
        );
    };
    assert_eq!(
        (tool_call_id.as_str(), tool_name.as_str(), text.as_str()),
        ("a", "build", "compiling")
    );
    let AgentEvent::ToolExecutionUpdate { partial_result, .. } = &events[2] else {
        panic!(
            "any other report becomes a ToolExecutionUpdate, not {:?}",
            events[2]
        );
    };
    assert_eq!(partial_result.details, json!({ "done": 3 }));
    let AgentEvent::ToolExecutionEnd {
        child_loop_id,
        result,
        ..
    } = &events[3]
    else {
        panic!(
            "the call should end after its reports, not with {:?}",
            events[3]
        );
    };
    assert_eq!(
        child_loop_id.as_deref(),
        Some("child.sub.1"),
        "the event names the loop that the tool ran"
    );
    assert_eq!(result.child_loop_id.as_deref(), Some("child.sub.1"));
    let Message::ToolResult { child_loop_id, .. } = &results[0] else {
        panic!("the message should be a tool result");
    };
    assert_eq!(
        child_loop_id.as_deref(),
        Some("child.sub.1"),
        "the result in the history names the loop too"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_progress_after_call_end_is_dropped() {
    let left = Arc::new(Mutex::new(None));
    let leaves = left.clone();
    let tools = ToolSet::new()
        .with(
            FnTool::new("quick", move |_| {
                *leaves.lock().unwrap() = Reporter::current();
                async { Ok(ToolResult::text("done")) }
            })
            .concurrent_safe(),
        )
        .with(
            FnTool::new("slow", move |_| {
                let left = left.clone();
                async move {
                    sleep(Duration::from_secs(1)).await;
                    let reporter = left.lock().unwrap().take();
                    reporter
                        .expect("the quick call has run")
                        .report("still here");
                    Ok(ToolResult::text("done"))
                }
            })
            .concurrent_safe(),
        );
    let mut agent = agent_with(&ScriptedModel::default(), tools);
    let calls = [("a", "quick"), ("b", "slow")];
    let (results, events) = answer(&mut agent, &calls, StopReason::ToolUse).await;
    assert_eq!(result_lines(&results), ["a ok done", "b ok done"]);
    let late = events.iter().find(|event| name(event) == "ProgressMessage");
    assert_eq!(
        late, None,
        "the grammar allows no progress after a call's ToolExecutionEnd"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_attached_image_follows_its_result_text() {
    let mut agent = agent_with(
        &ScriptedModel::default(),
        ToolSet::new()
            .with(
                FnTool::new("look", |_| async {
                    let is_taken = attach(Attachment {
                        media_type: "image/png".into(),
                        data: vec![0x89, b'P', b'N', b'G'],
                    });
                    Ok(ToolResult::text(format!("attached: {is_taken}")))
                })
                .concurrent_safe(),
            )
            .with(FnTool::delayed("read", 5, "x".repeat(2_000).leak()).concurrent_safe()),
    );
    let (results, _) = answer(
        &mut agent,
        &[("a", "read"), ("b", "look")],
        StopReason::ToolUse,
    )
    .await;
    let Message::ToolResult { content, .. } = &results[1] else {
        panic!("the message should be a tool result");
    };
    assert_eq!(
        content,
        &[
            text("attached: true"),
            Content::Image {
                data: "iVBORw==".into(),
                mime_type: "image/png".into(),
            },
        ],
        "the image follows the text of its own call, in base64"
    );
    let Message::ToolResult { content, .. } = &results[0] else {
        panic!("the message should be a tool result");
    };
    assert_eq!(content.len(), 1, "the other result has no image");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_panicking_gate_gives_error_result() {
    struct Crashing;
    #[async_trait]
    impl Gate for Crashing {
        async fn check(&self, call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
            match call.id.as_str() {
                "a" => panic_silently("a bug in the gate"),
                _ => Ok(()),
            }
        }
    }
    let mut agent = Agent::builder(ScriptedModel::default())
        .tools(ToolSet::new().with(FnTool::delayed("write", 1, "written")))
        .gate(Crashing)
        .build();
    let calls = [("a", "write"), ("b", "write")];
    let (results, events) = answer(&mut agent, &calls, StopReason::ToolUse).await;
    let lines = result_lines(&results);
    assert!(
        lines[0].starts_with("a error ") && lines[0].contains("a bug in the gate"),
        "the result should tell the model why its call did not run: {lines:?}"
    );
    assert_eq!(lines[1], "b ok written", "the next call is not affected");
    assert_eq!(event_trace(&events), "+a -a +b -b say:a say:b");
}

fn counting(name: &'static str, ran: &Arc<Mutex<u32>>) -> FnTool {
    let ran = ran.clone();
    FnTool::new(name, move |_| {
        *ran.lock().unwrap() += 1;
        async { Ok(ToolResult::text("ok")) }
    })
}

/// Answers a reply with these calls, each `(id, tool)`, and returns the results and the
/// events.
async fn answer(
    agent: &mut Agent,
    calls: &[(&str, &str)],
    reason: StopReason,
) -> (Vec<Message>, Vec<AgentEvent>) {
    let (mut work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let reply = model_reply("", calls, reason);
    within_limit(async {
        tokio::join!(
            async move {
                let results = work.answer_calls(&reply).await;
                drop(work);
                results
            },
            collect_events(events)
        )
    })
    .await
}

/// Results as `id ok text` or `id error text`.
fn result_lines(results: &[Message]) -> Vec<String> {
    let lines = results.iter().map(|result| match result {
        Message::ToolResult {
            tool_call_id,
            is_error,
            ..
        } => {
            let state = if *is_error { "error" } else { "ok" };
            format!("{tool_call_id} {state} {}", text_of(&result.clone().into()))
        }
        other => format!("not a tool result: {other:?}"),
    });
    lines.collect()
}

/// The events of calls: `+id` for a start, `-id` for an end, `say:id` for a result that was
/// added to the history.
fn event_trace(events: &[AgentEvent]) -> String {
    let words = events.iter().filter_map(|event| match event {
        AgentEvent::ToolExecutionStart { tool_call_id, .. } => Some(format!("+{tool_call_id}")),
        AgentEvent::ToolExecutionEnd { tool_call_id, .. } => Some(format!("-{tool_call_id}")),
        AgentEvent::MessageEnd { message, .. } => match message.as_llm() {
            Some(Message::ToolResult { tool_call_id, .. }) => Some(format!("say:{tool_call_id}")),
            _ => None,
        },
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}
