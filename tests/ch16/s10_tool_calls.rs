//! Section 16.10: Running calls between steers

use std::sync::{Arc, Mutex};
use std::time::Duration;

use claw_code::agent::*;
use claw_code::engine::{CUT_OFF, NOT_RUN, QueryConfig};
use claw_code::types::{ToolResult, ToolSet};
use tokio::time::sleep;

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
async fn test_ch16_steering_skips_the_rest_of_a_reply() {
    let mut agent = Agent::builder(ScriptedModel::default())
        .tools(ToolSet::new().with(FnTool::delayed("write", 20, "written")))
        .event_buffer(1)
        .build();
    let handle = agent.handle();
    let (mut work, mut events) =
        agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
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
                // The user takes it back, after the first call was skipped for it.
                "b" => drop(handle.clear_queues()),
                _ => {}
            }
        }
    };
    let (results, ()) = within_limit(async { tokio::join!(answering, reading) }).await;
    assert_eq!(
        result_lines(&results),
        [
            "a ok written",
            "b error Skipped due to queued user message.",
            "c error Skipped due to queued user message.",
        ],
        "after a skipped call, all later calls of the reply are skipped"
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
