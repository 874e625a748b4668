//! Section 16.9: Running calls between steers

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use claw_code::agent::*;
use claw_code::engine::{CUT_OFF, NOT_RUN, QueryConfig};
use claw_code::types::{ToolResult, ToolSet};
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch16_results_follow_call_order() {
    let (_, events) = answer_four_calls();
    assert_eq!(
        event_trace(&events),
        "+a +b -b -a +c -c +d -d say:a say:b say:c say:d",
        "the first two calls run together (+ start, - end), and results follow in call order"
    );
}

#[test]
fn test_ch16_failure_is_marked_by_its_flag() {
    let (results, _) = answer_four_calls();
    let lines = result_lines(&results);
    let expected = [
        "a ok slow is done",
        "b ok fast is done",
        "c error no such file",
    ];
    assert_eq!(
        lines[..3],
        expected,
        "the text of `c` has no prefix `error: `"
    );
    assert!(
        lines[3].starts_with("d error there is no tool"),
        "the result should tell the model that the tool does not exist: {lines:?}"
    );
}

#[test]
fn test_ch16_end_of_a_call_has_its_tool_and_flag() {
    let (_, events) = answer_four_calls();
    let ends = events.iter().map(to_json);
    let ends = ends.filter(|event| event["type"] == "ToolExecutionEnd");
    let ends: Vec<Value> = ends
        .map(|end| json!([end["tool_call_id"], end["tool_name"], end["is_error"]]))
        .collect();
    assert_json(
        "each ToolExecutionEnd names its call and its tool, and whether the call failed",
        &json!(ends),
        &json!([
            ["b", "fast", false],
            ["a", "slow", false],
            ["c", "fail", true],
            ["d", "nothing", true],
        ]),
    );
}

#[test]
fn test_ch16_steering_skips_waiting_calls() {
    let (results, events, _) = answer_and_steer();
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
}

#[test]
fn test_ch16_steering_stays_queued_for_the_next_turn() {
    let (_, _, agent) = answer_and_steer();
    let waiting = agent.handle().queues().steering.waiting;
    assert_eq!(waiting.len(), 1, "the next turn takes the message");
}

#[test]
fn test_ch16_extension_does_not_interrupt_calls() {
    let (lines, ran) = call_rm(Some(note("for the screen")), StopReason::ToolUse);
    assert_eq!(lines, ["a ok ok"], "an extension does not interrupt calls");
    assert_eq!(ran, 1, "the tool ran");
}

#[test]
fn test_ch16_steering_before_first_call_skips_all_calls() {
    let (lines, ran) = call_rm(Some(user_text("No!")), StopReason::ToolUse);
    assert_eq!(
        lines,
        ["a error Skipped due to queued user message."],
        "steering that arrives while the model streams takes effect before the first call"
    );
    assert_eq!(ran, 0, "the tool did not run");
}

#[test]
fn test_ch16_calls_of_failed_reply_are_not_run() {
    let failed = [StopReason::Error, StopReason::Aborted];
    let steered = failed.map(|reason| (reason, Some(user_text("No!"))));
    for (reason, steering) in failed
        .map(|reason| (reason, None))
        .into_iter()
        .chain(steered)
    {
        let (lines, ran) = call_rm(steering, reason);
        let expected = format!("a error {NOT_RUN}");
        assert_eq!(
            lines,
            [expected],
            "the call of a reply with {reason:?}, steered or not"
        );
        assert_eq!(ran, 0, "the calls of an incomplete reply must not run");
    }
}

#[test]
fn test_ch16_steering_skips_the_rest_of_a_reply() {
    let taken_back = steer_at_first_call(|handle| drop(handle.clear_queues()));
    assert_eq!(
        result_lines(&taken_back),
        [
            "a ok written",
            "b error Skipped due to queued user message.",
            "c error Skipped due to queued user message.",
        ],
        "after a skipped call, all later calls of the reply are skipped"
    );
}

#[test]
fn test_ch16_abort_after_a_steer_leaves_calls_not_run() {
    let aborted = steer_at_first_call(AgentHandle::abort);
    let lines = [
        "a ok written",
        "b error Skipped due to queued user message.",
        &format!("c error {NOT_RUN}"),
    ];
    let rule = "the abort comes first, although the user had steered";
    assert_eq!(result_lines(&aborted), lines, "{rule}");
}

#[test]
fn test_ch16_steering_interrupts_long_batch() {
    let limits = QueryConfig {
        max_concurrent: 2,
        ..QueryConfig::default()
    };
    let mut agent = Agent::builder(ScriptedModel::default())
        .tools(ToolSet::new().with(FnTool::delayed("read", 20, "text").concurrent_safe()))
        .limits(limits)
        .build();
    steer_after(30, &agent, "Enough.");
    let calls = ["a", "b", "c", "d", "e", "f"].map(|id| (id, "read"));
    let (results, _) = answer(&mut agent, &calls, StopReason::ToolUse);
    let lines = result_lines(&results);
    assert_eq!(lines.len(), 6, "each call has a result, skipped or not");
    let ok = lines.iter().filter(|line| line.ends_with("ok text"));
    assert_eq!(
        ok.count(),
        4,
        "two calls run at a time, and the third pair came after the steering: {lines:?}"
    );
}

#[test]
fn test_ch16_abort_gives_every_call_a_result() {
    let tools = ToolSet::new()
        .with(FnTool::delayed("fast", 1, "done").concurrent_safe())
        .with(FnTool::delayed("slow", 1_000, "late").concurrent_safe())
        .with(FnTool::delayed("write", 1, "written"));
    let mut agent = agent_with(&ScriptedModel::default(), tools);
    abort_after(100, &agent);
    let calls = [("a", "fast"), ("b", "slow"), ("c", "write")];
    let (results, events) = answer(&mut agent, &calls, StopReason::ToolUse);
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

/// Answers a call of a tool that counts its calls, with this message in the steering queue, in
/// a reply with this stop reason. Returns the line of the result, and the count.
fn call_rm(steering: Option<AgentMessage>, reason: StopReason) -> (Vec<String>, u32) {
    let count = Arc::new(AtomicU32::new(0));
    let ran = count.clone();
    let rm = FnTool::new("rm", move |_| {
        ran.fetch_add(1, Ordering::Relaxed);
        async { Ok(ToolResult::text("ok")) }
    });
    let mut agent = agent_with(&ScriptedModel::default(), ToolSet::new().with(rm));
    steering
        .into_iter()
        .for_each(|message| agent.steer(message));
    let (results, _) = answer(&mut agent, &[("a", "rm")], reason);
    (result_lines(&results), count.load(Ordering::Relaxed))
}

/// Answers calls of a slow, a fast and a failing tool, and of one that does not exist.
fn answer_four_calls() -> (Vec<Message>, Vec<AgentEvent>) {
    let tools = ToolSet::new()
        .with(FnTool::delayed("slow", 30, "slow is done").concurrent_safe())
        .with(FnTool::delayed("fast", 1, "fast is done").concurrent_safe())
        .with(FnTool::new("fail", |_| async {
            Ok(ToolResult::error("no such file"))
        }));
    let calls = [
        ("a", "slow"),
        ("b", "fast"),
        ("c", "fail"),
        ("d", "nothing"),
    ];
    let mut agent = agent_with(&ScriptedModel::default(), tools);
    answer(&mut agent, &calls, StopReason::ToolUse)
}

/// Answers four calls and steers while the first two run.
fn answer_and_steer() -> (Vec<Message>, Vec<AgentEvent>, Agent) {
    let tools = ToolSet::new()
        .with(FnTool::delayed("read", 20, "text").concurrent_safe())
        .with(FnTool::delayed("write", 20, "written"));
    let mut agent = agent_with(&ScriptedModel::default(), tools);
    steer_after(10, &agent, "Stop, not that file.");
    let calls = [("a", "read"), ("b", "read"), ("c", "write"), ("d", "read")];
    let (results, events) = answer(&mut agent, &calls, StopReason::ToolUse);
    (results, events, agent)
}

/// Answers three calls, and steers when the first starts. Calls `at_second` when the second
/// starts, which is skipped for it.
fn steer_at_first_call(at_second: fn(&AgentHandle)) -> Vec<Message> {
    let mut agent = Agent::builder(ScriptedModel::default())
        .tools(ToolSet::new().with(FnTool::delayed("write", 20, "written")))
        .event_buffer(1)
        .build();
    let handle = agent.handle();
    let (mut work, mut events) = prepare(&mut agent);
    let calls = ["a", "b", "c"].map(|id| (id, "write"));
    let reply = model_reply("", &calls, StopReason::ToolUse);
    let answering = async move { work.answer_calls(&reply).await };
    let reading = async {
        while let Some(event) = events.recv().await {
            let AgentEvent::ToolExecutionStart { tool_call_id, .. } = event else {
                continue;
            };
            match tool_call_id.as_str() {
                "a" => handle.steer(Message::user("Stop.")),
                "b" => at_second(&handle),
                _ => {}
            }
        }
    };
    wait(both(answering, reading)).0
}

/// Answers a reply with these calls, each `(id, tool)`, and returns the results and the
/// events.
fn answer(
    agent: &mut Agent,
    calls: &[(&str, &str)],
    reason: StopReason,
) -> (Vec<Message>, Vec<AgentEvent>) {
    let reply = model_reply("", calls, reason);
    in_loop(agent, async |work| work.answer_calls(&reply).await)
}
