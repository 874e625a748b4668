//! Section 16.8: Answering one batch

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::engine::{Gate, OpenCall, QueryConfig, Reporter, report};
use claw_code::tools::{Attachment, attach};
use claw_code::types::{Tool, ToolCall, ToolResult, ToolSet};
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::grammar::name;
use super::support::*;

#[test]
fn test_ch16_output_that_begins_with_error_is_no_failure() {
    let output = "error: 3 warnings";
    let tools = ToolSet::new()
        .with(FnTool::text("warn", output))
        .with(FnTool::new("fail", |_| async {
            Ok(ToolResult::error("error: 3 warnings"))
        }));
    let mut agent = agent_with(&ScriptedModel::default(), tools);
    let (results, events) = answer(&mut agent, &[("a", "warn"), ("b", "fail")], None);
    assert_eq!(
        result_lines(&results),
        ["a ok error: 3 warnings", "b error error: 3 warnings"],
        "the tool's `is_error` decides, and the text arrives unchanged"
    );
    let ends = events.iter().filter_map(|event| match event {
        AgentEvent::ToolExecutionEnd {
            result, is_error, ..
        } => Some((result.content.clone(), *is_error)),
        _ => None,
    });
    assert_eq!(
        ends.collect::<Vec<_>>(),
        [false, true].map(|is_error| (vec![text(output)], is_error)),
        "the events carry the same text and flag as the results"
    );
}

#[test]
fn test_ch16_reports_become_progress_events() {
    let (_, events) = answer(&mut building(), &[("a", "build")], None);
    assert_json(
        "a text report becomes a ProgressMessage of its call",
        &to_json(&events[1]),
        &json!({ "type": "ProgressMessage", "loop_id": "s.c.1", "tool_call_id": "a",
                 "tool_name": "build", "text": "compiling" }),
    );
    let update = to_json(&events[2]);
    assert_json(
        "any other report becomes the details of a ToolExecutionUpdate",
        &json!([update["type"], update["partial_result"]["details"]]),
        &json!(["ToolExecutionUpdate", { "done": 3 }]),
    );
}

#[test]
fn test_ch16_call_names_its_child_loop() {
    let (results, events) = answer(&mut building(), &[("a", "build")], None);
    let end = to_json(&events[3]);
    assert_json(
        "the call ends after its reports, and its end names the loop that the tool ran, twice",
        &json!([
            end["type"],
            end["child_loop_id"],
            end["result"]["child_loop_id"]
        ]),
        &json!(["ToolExecutionEnd", "child.sub.1", "child.sub.1"]),
    );
    let result = to_json(&results[0]);
    assert_json(
        "the result in the history names that loop too, and has the time of the agent's clock",
        &json!([result["childLoopId"], result["timestamp"]]),
        &json!(["child.sub.1", TIME]),
    );
}

#[test]
fn test_ch16_progress_after_call_end_is_dropped() {
    let mut agent = agent_with(&ScriptedModel::default(), tools_with_a_late_report());
    let calls = [("a", "quick"), ("b", "slow")];
    let (results, events) = answer(&mut agent, &calls, None);
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

#[test]
fn test_ch16_kept_reporter_does_not_delay_the_results() {
    let kept = Arc::new(Mutex::new(None));
    let keeps = kept.clone();
    let work = FnTool::new("work", move |_| {
        *keeps.lock().unwrap() = Reporter::current();
        async { Ok(ToolResult::text("done")) }
    });
    let mut agent = agent_with(&ScriptedModel::default(), ToolSet::new().with(work));
    let mut batch = open_calls(&[("a", "work")]);
    let (results, _) = in_loop(&mut agent, async |work| {
        timeout(Duration::from_secs(60), work.answer_batch(&mut batch, None)).await
    });
    assert!(
        results.is_ok(),
        "a task of the tool still holds a sender, and the batch has run: nothing waits for the task"
    );
    assert!(kept.lock().unwrap().is_some(), "the tool had a reporter");
}

#[test]
fn test_ch16_start_is_sent_while_the_call_runs() {
    let mut agent = agent_with(&ScriptedModel::default(), read_tool(60_000));
    let mut batch = open_calls(&[("a", "read")]);
    let (cut, events) = in_loop(&mut agent, async |work| {
        timeout(Duration::from_secs(1), work.answer_batch(&mut batch, None)).await
    });
    assert!(cut.is_err(), "the tool takes a minute");
    let rule = "events are forwarded while the calls run, not after them";
    assert_eq!(event_trace(&events), "+a", "{rule}");
}

#[test]
fn test_ch16_truncated_result_has_details() {
    for (limit, details) in [(10, json!({ "is_truncated": true })), (100, json!(null))] {
        let limits = QueryConfig {
            max_result_bytes: limit,
            ..QueryConfig::default()
        };
        let read = FnTool::text("read", "a text of more than ten bytes");
        let mut agent = Agent::builder(ScriptedModel::default())
            .tools(ToolSet::new().with(read))
            .limits(limits)
            .build();
        let (_, events) = answer(&mut agent, &[("a", "read")], None);
        assert_json(
            &format!("the details of a result, with a limit of {limit} bytes"),
            &to_json(&events[1])["result"]["details"],
            &details,
        );
    }
}

#[test]
fn test_ch16_empty_output_is_one_block() {
    let mut agent = agent_with(&ScriptedModel::default(), read_tool(1));
    let (results, _) = answer(&mut agent, &[("a", "read")], None);
    assert_json(
        "the text of a result is one block, even if it is empty",
        &to_json(&results[0])["content"],
        &json!([text("")]),
    );
}

#[test]
fn test_ch16_result_has_the_time_of_its_end() {
    let time = Arc::new(AtomicU64::new(1));
    let clock = time.clone();
    let work = FnTool::new("work", move |_| {
        time.store(2, Ordering::Relaxed);
        async { Ok(ToolResult::text("done")) }
    });
    let mut agent = Agent::builder(ScriptedModel::default())
        .tools(ToolSet::new().with(work))
        .clock(Arc::new(move || clock.load(Ordering::Relaxed)))
        .build();
    let (results, _) = answer(&mut agent, &[("a", "work")], None);
    let timestamp = &to_json(&results[0])["timestamp"];
    assert_eq!(timestamp, 2, "the time that the clock shows after the call");
}

#[test]
fn test_ch16_attached_image_follows_its_result_text() {
    let (results, _) = answer(&mut looking(), &[("a", "read"), ("b", "look")], None);
    let image = Content::Image {
        data: "iVBORw==".into(),
        mime_type: "image/png".into(),
    };
    assert_eq!(
        content(&results[1]),
        [text("attached: true"), image],
        "the image follows the text of its own call, in base64"
    );
    assert_eq!(
        content(&results[0]).len(),
        1,
        "the result of the call that ran at the same time has no image"
    );
}

#[test]
fn test_ch16_panicking_gate_gives_error_result() {
    let mut agent = Agent::builder(ScriptedModel::default())
        .tools(ToolSet::new().with(FnTool::delayed("write", 1, "written")))
        .gate(PanicsForA)
        .build();
    let (results, events) = answer(&mut agent, &[("a", "write")], None);
    let lines = result_lines(&results);
    assert!(
        lines[0].starts_with("a error a check around this call crashed")
            && lines[0].ends_with("a bug in the gate"),
        "the error should be the text of `CRASHED`, and then the panic's message: {lines:?}"
    );
    assert_eq!(
        event_trace(&events),
        "+a -a",
        "a call has a start and an end"
    );
    let (results, _) = answer(&mut agent, &[("b", "write")], None);
    let lines = result_lines(&results);
    assert_eq!(lines, ["b ok written"], "the next batch is not affected");
}

#[test]
fn test_ch16_panicking_gate_leaves_finished_calls() {
    let tools = [("fast", 1), ("middle", 5), ("slow", 1_000)]
        .map(|(name, time)| FnTool::delayed(name, time, "done").concurrent_safe());
    let mut agent = Agent::builder(ScriptedModel::default())
        .tools(tools.into_iter().fold(ToolSet::new(), ToolSet::with))
        .gate(PanicsForA)
        .build();
    let calls = [("x", "fast"), ("late", "middle"), ("y", "slow")];
    let lines = result_lines(&answer(&mut agent, &calls, None).0);
    assert_eq!(
        lines[..2],
        ["x ok done", "late ok done"],
        "calls that had their output before the panic keep it"
    );
    assert!(
        lines[2].starts_with("y error a check around this call crashed"),
        "the unfinished call gets an error: {lines:?}"
    );
}

#[test]
fn test_ch16_refused_batch_does_not_run() {
    let rm = FnTool::new("rm", |_| async {
        panic_silently("a refused call must not run")
    });
    let mut agent = agent_with(&ScriptedModel::default(), ToolSet::new().with(rm));
    let calls = [("a", "rm"), ("b", "rm"), ("c", "nothing")];
    let (results, _) = answer(&mut agent, &calls, Some("not now"));
    assert_eq!(
        result_lines(&results),
        ["a error not now", "b error not now", "c error not now"],
        "the refusal is the error of each call, and the dispatcher does not get the batch"
    );
}

/// Answers one batch of calls, `(id, tool)` each, and returns the results and the events.
fn answer(
    agent: &mut Agent,
    calls: &[(&str, &str)],
    refusal: Option<&str>,
) -> (Vec<Message>, Vec<AgentEvent>) {
    let mut batch = open_calls(calls);
    in_loop(agent, async |work| {
        work.answer_batch(&mut batch, refusal).await
    })
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

/// An agent with two concurrent tools: `read` ends after `look` has attached an image, and before
/// `look` ends.
fn looking() -> Agent {
    let look = FnTool::new("look", |_| async {
        let is_taken = attach(Attachment {
            media_type: "image/png".into(),
            data: vec![0x89, b'P', b'N', b'G'],
        });
        sleep(Duration::from_millis(10)).await;
        Ok(ToolResult::text(format!("attached: {is_taken}")))
    });
    let read = FnTool::delayed("read", 5, "text");
    let tools = ToolSet::new()
        .with(look.concurrent_safe())
        .with(read.concurrent_safe());
    agent_with(&ScriptedModel::default(), tools)
}

/// A gate that panics before the call `a`, and after the call `late`.
struct PanicsForA;

#[async_trait]
impl Gate for PanicsForA {
    async fn check(&self, call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        match call.id.as_str() {
            "a" => panic_silently("a bug in the gate"),
            _ => Ok(()),
        }
    }

    async fn after(&self, call: &ToolCall, _result: &ToolResult) -> Option<String> {
        (call.id == "late").then(|| panic_silently("a bug in the gate"))
    }
}
