//! Section 16.9: Answering one batch

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::engine::{Gate, OpenCall, Reporter, report};
use claw_code::tools::{Attachment, attach};
use claw_code::types::{Tool, ToolCall, ToolResult, ToolSet};
use serde_json::json;
use tokio::time::sleep;

use super::grammar::name;
use super::support::*;

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
    let (results, events) = answer(&mut agent, &[&calls]).await;
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
    let (results, events) = answer(&mut agent, &[&[("a", "build")]]).await;
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
    let (results, events) = answer(&mut agent, &[&calls]).await;
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
    let (results, _) = answer(&mut agent, &[&[("a", "read"), ("b", "look")]]).await;
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
    let batches: [&[(&str, &str)]; 2] = [&[("a", "write")], &[("b", "write")]];
    let (results, events) = answer(&mut agent, &batches).await;
    let lines = result_lines(&results);
    assert!(
        lines[0].starts_with("a error ") && lines[0].contains("a bug in the gate"),
        "the result should tell the model why its call did not run: {lines:?}"
    );
    assert_eq!(lines[1], "b ok written", "the next batch is not affected");
    assert_eq!(event_trace(&events), "+a -a +b -b");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_refused_batch_does_not_run() {
    let mut agent = agent_with(
        &ScriptedModel::default(),
        ToolSet::new().with(FnTool::new("rm", |_| async {
            panic_silently("a refused call must not run")
        })),
    );
    let (mut work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    drop(events);
    let mut batch = open_calls(&[("a", "rm"), ("b", "rm")]);
    let results = within_limit(work.answer_batch(&mut batch, Some("not now"))).await;
    assert_eq!(
        result_lines(&results),
        ["a error not now", "b error not now"],
        "the refusal is the error of each call"
    );
}

/// Answers these batches, each call `(id, tool)`, and returns the results and the events.
async fn answer(agent: &mut Agent, batches: &[&[(&str, &str)]]) -> (Vec<Message>, Vec<AgentEvent>) {
    let (mut work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let answering = async move {
        let mut results = Vec::new();
        for batch in batches {
            let mut batch = open_calls(batch);
            results.extend(work.answer_batch(&mut batch, None).await);
        }
        results
    };
    within_limit(async { tokio::join!(answering, collect_events(events)) }).await
}

fn open_calls(calls: &[(&str, &str)]) -> Vec<OpenCall> {
    let open = |(id, name): &(&str, &str)| {
        OpenCall::new(ToolCall {
            id: id.to_string(),
            name: name.to_string(),
            arguments: json!({}),
        })
    };
    calls.iter().map(open).collect()
}
