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
    let (results, _) = answer(
        &mut warning_and_failing(),
        &[&[("a", "warn"), ("b", "fail")]],
    )
    .await;
    assert_eq!(
        result_lines(&results),
        ["a ok error: 3 warnings", "b error error: 3 warnings"],
        "the tool's `is_error` decides, and the text arrives unchanged"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_end_of_a_call_carries_text_and_flag() {
    let (_, events) = answer(
        &mut warning_and_failing(),
        &[&[("a", "warn"), ("b", "fail")]],
    )
    .await;
    let ends = events.iter().filter_map(|event| match event {
        AgentEvent::ToolExecutionEnd {
            result, is_error, ..
        } => Some((result.content.clone(), *is_error)),
        _ => None,
    });
    assert_eq!(
        ends.collect::<Vec<_>>(),
        [false, true].map(|is_error| (vec![text("error: 3 warnings")], is_error)),
        "the events carry the same text and flag as the results"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_text_report_becomes_progress_message() {
    let (_, events) = answer(&mut building(), &[&[("a", "build")]]).await;
    assert_json(
        "a text report becomes a ProgressMessage of its call",
        &to_json(&events[1]),
        &json!({ "type": "ProgressMessage", "loop_id": "s.c.1", "tool_call_id": "a",
                 "tool_name": "build", "text": "compiling" }),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_other_report_becomes_an_update() {
    let (_, events) = answer(&mut building(), &[&[("a", "build")]]).await;
    let AgentEvent::ToolExecutionUpdate { partial_result, .. } = &events[2] else {
        panic!(
            "any other report becomes a ToolExecutionUpdate, not {:?}",
            events[2]
        );
    };
    assert_eq!(
        partial_result.details,
        json!({ "done": 3 }),
        "the update carries the report"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_end_of_a_call_names_its_child_loop() {
    let (_, events) = answer(&mut building(), &[&[("a", "build")]]).await;
    let end = to_json(&events[3]);
    assert_json(
        "the call ends after its reports, and the event and its result name the loop that the tool ran",
        &json!([
            end["type"],
            end["child_loop_id"],
            end["result"]["child_loop_id"]
        ]),
        &json!(["ToolExecutionEnd", "child.sub.1", "child.sub.1"]),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_result_names_its_child_loop() {
    let (results, _) = answer(&mut building(), &[&[("a", "build")]]).await;
    let Message::ToolResult { child_loop_id, .. } = &results[0] else {
        panic!("the message should be a tool result: {results:?}");
    };
    assert_eq!(
        child_loop_id.as_deref(),
        Some("child.sub.1"),
        "the result in the history names the loop that the tool ran"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_progress_after_call_end_is_dropped() {
    let mut agent = agent_with(&ScriptedModel::default(), tools_with_a_late_report());
    let calls = [("a", "quick"), ("b", "slow")];
    let (results, events) = answer(&mut agent, &[&calls]).await;
    assert_eq!(
        result_lines(&results),
        ["a ok done", "b ok done"],
        "`b` reports progress for `a`, which has ended"
    );
    let late = events.iter().find(|event| name(event) == "ProgressMessage");
    assert_eq!(
        late, None,
        "the grammar allows no progress after a call's ToolExecutionEnd"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_attached_image_follows_its_result_text() {
    let (results, _) = answer(&mut looking(), &[&[("a", "read"), ("b", "look")]]).await;
    assert_eq!(
        content(&results[1]),
        [
            text("attached: true"),
            Content::Image {
                data: "iVBORw==".into(),
                mime_type: "image/png".into(),
            },
        ],
        "the image follows the text of its own call, in base64"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_attached_image_is_not_in_other_results() {
    let (results, _) = answer(&mut looking(), &[&[("a", "read"), ("b", "look")]]).await;
    assert_eq!(
        content(&results[0]).len(),
        1,
        "the result of the call that ran at the same time has no image"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_panicking_gate_gives_error_result() {
    let mut agent = Agent::builder(ScriptedModel::default())
        .tools(ToolSet::new().with(FnTool::delayed("write", 1, "written")))
        .gate(PanicsForA)
        .build();
    let (results, events) = answer(&mut agent, &[&[("a", "write")], &[("b", "write")]]).await;
    let lines = result_lines(&results);
    assert!(
        lines[0].starts_with("a error ") && lines[0].contains("a bug in the gate"),
        "the result should tell the model why its call did not run: {lines:?}"
    );
    assert_eq!(lines[1], "b ok written", "the next batch is not affected");
    assert_eq!(
        event_trace(&events),
        "+a -a +b -b",
        "each call has a start and an end"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_refused_batch_does_not_run() {
    let mut agent = agent_with(
        &ScriptedModel::default(),
        ToolSet::new().with(FnTool::new("rm", |_| async {
            panic_silently("a refused call must not run")
        })),
    );
    let mut batch = open_calls(&[("a", "rm"), ("b", "rm")]);
    let (results, _) = in_loop(&mut agent, async |work| {
        work.answer_batch(&mut batch, Some("not now")).await
    })
    .await;
    assert_eq!(
        result_lines(&results),
        ["a error not now", "b error not now"],
        "the refusal is the error of each call"
    );
}

/// Answers these batches, each call `(id, tool)`, and returns the results and the events.
async fn answer(agent: &mut Agent, batches: &[&[(&str, &str)]]) -> (Vec<Message>, Vec<AgentEvent>) {
    in_loop(agent, async |work| {
        let mut results = Vec::new();
        for batch in batches {
            let mut batch = open_calls(batch);
            results.extend(work.answer_batch(&mut batch, None).await);
        }
        results
    })
    .await
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

/// An agent with two tools that return the same text, one as output and one as a failure.
fn warning_and_failing() -> Agent {
    let warn = FnTool::text("warn", "error: 3 warnings");
    let fail = FnTool::new("fail", |_| async {
        Ok(ToolResult::error("error: 3 warnings"))
    });
    let tools = ToolSet::new().with(warn).with(fail);
    agent_with(&ScriptedModel::default(), tools)
}

/// An agent with a tool that reports progress twice and names the loop that it ran.
fn building() -> Agent {
    let build = FnTool::new("build", |_| async {
        report("compiling");
        report(json!({ "done": 3 }));
        runs_loop("child.sub.1");
        Ok(ToolResult::text("built"))
    });
    agent_with(&ScriptedModel::default(), ToolSet::new().with(build))
}

/// Two concurrent tools: `quick` ends at once, and a second later `slow` reports progress
/// with the reporter of `quick`.
fn tools_with_a_late_report() -> ToolSet {
    let left = Arc::new(Mutex::new(None));
    let leaves = left.clone();
    let quick = FnTool::new("quick", move |_| {
        *leaves.lock().unwrap() = Reporter::current();
        async { Ok(ToolResult::text("done")) }
    });
    let slow = FnTool::new("slow", move |_| {
        let left = left.clone();
        async move {
            sleep(Duration::from_secs(1)).await;
            let reporter = left.lock().unwrap().take();
            let reporter = reporter.expect("the quick call has run");
            reporter.report("still here");
            Ok(ToolResult::text("done"))
        }
    });
    ToolSet::new()
        .with(quick.concurrent_safe())
        .with(slow.concurrent_safe())
}

/// An agent with two concurrent tools: `look` attaches an image, and `read` returns a long
/// text.
fn looking() -> Agent {
    let look = FnTool::new("look", |_| async {
        let is_taken = attach(Attachment {
            media_type: "image/png".into(),
            data: vec![0x89, b'P', b'N', b'G'],
        });
        Ok(ToolResult::text(format!("attached: {is_taken}")))
    });
    let read = FnTool::delayed("read", 5, "x".repeat(2_000).leak());
    let tools = ToolSet::new()
        .with(look.concurrent_safe())
        .with(read.concurrent_safe());
    agent_with(&ScriptedModel::default(), tools)
}

/// A gate that panics for the call `a`.
struct PanicsForA;

#[async_trait]
impl Gate for PanicsForA {
    async fn check(&self, call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        match call.id.as_str() {
            "a" => panic_silently("a bug in the gate"),
            _ => Ok(()),
        }
    }
}
