//! Section 17.8: The rows of a run

use claw_code::agent::{self, Agent, AgentEvent};
use claw_code::transcript::narrate::*;
use claw_code::transcript::*;
use serde_json::{Value, json};

use super::scripted_agent::*;
use super::support::*;

#[test]
fn test_ch17_an_unfinished_reply_has_no_row() {
    let mut recorder = new_recorder();
    for event in [
        message_start(reply("", &[])),
        AgentEvent::MessageUpdate {
            loop_id: "s.c.1".into(),
            message: agent::AgentMessage::from(reply("Let ", &[])).into(),
            delta: agent::StreamDelta::Text {
                delta: "Let ".into(),
            },
        },
    ] {
        recorder.record(&event);
        assert_eq!(recorder.rows(), [], "an unfinished reply has no row");
    }
}

#[test]
fn test_ch17_a_result_has_a_row_when_its_message_ends() {
    let mut recorder = new_recorder();
    let args = json!({ "command": "ls" });
    let details = json!({ "entries": 1 });
    recorder.record(&message_end(reply(
        "Let me.",
        &[("t1", "bash", args.clone())],
    )));
    recorder.record(&call_start("t1", args));
    recorder.record(&call_update("t1", "half", json!({ "half": true })));
    recorder.record(&call_end("t1", "src", details.clone()));
    assert_eq!(
        recorder.rows().len(),
        1,
        "when a call ends, the message of its result has not come yet, so only the reply has a row"
    );
    recorder.record(&message_end(result("t1", "src")));
    assert_eq!(
        row(&recorder, 1),
        &result_row("t1", "src", Some("Ran ls."), Some(details)),
        "a result's row does not contain the partial result"
    );
}

#[test]
fn test_ch17_details_come_from_the_end_of_the_call() {
    for (details, expected) in [
        (Value::Null, None),
        (
            json!({ "artifacts": [1] }),
            Some(json!({ "artifacts": [1] })),
        ),
        (json!({}), Some(json!({}))),
        (json!(false), Some(json!(false))),
    ] {
        let mut recorder = new_recorder();
        record_call(&mut recorder, "ls", details.clone());
        assert_eq!(
            result_rows(&recorder),
            [result_row("t1", "src", Some("Ran ls."), expected)],
            "the call's end has the details {details}; `null` becomes None"
        );
    }
}

#[test]
fn test_ch17_calls_may_reuse_an_id() {
    let mut recorder = new_recorder();
    for (command, details) in [("ls", json!({ "entries": 1 })), ("pwd", Value::Null)] {
        record_call(&mut recorder, command, details);
    }
    let end = call_end("t1", "src", json!({ "entries": 2 }));
    let result = message_end(result("t1", "src"));
    recorder.record(&end);
    recorder.record(&result);
    start_call(&mut recorder, "ls");
    recorder.record(&end);
    start_call(&mut recorder, "pwd");
    recorder.record(&result);
    assert_eq!(
        result_rows(&recorder),
        [
            result_row("t1", "src", Some("Ran ls."), Some(json!({ "entries": 1 }))),
            result_row("t1", "src", Some("Ran pwd."), None),
            result_row("t1", "src", None, None),
            result_row("t1", "src", Some("Ran pwd."), None),
        ],
        "each result takes narration and details from the last call before it; a result without a call that has started has neither"
    );
}

#[test]
fn test_ch17_a_row_is_made_from_known_parts_and_the_whole_text() {
    for (texts, is_error, expected) in [
        (vec!["error: x"], true, "Could not run ls: error: x."),
        (vec!["out", "[exit code 3]"], false, "Ran ls (exit code 3)."),
    ] {
        let mut recorder = new_recorder();
        start_call(&mut recorder, "ls");
        let end = call_end("t1", "", json!({ "entries": 1 }));
        for event in [end, message_end(result("t1", ""))] {
            let mut event = to_json(&event);
            event["seq"] = json!(7);
            if event["message"].is_object() {
                let blocks = texts
                    .iter()
                    .map(|text| json!({ "type": "text", "text": text }));
                event["message"]["content"] = blocks.collect();
                event["message"]["isError"] = json!(is_error);
                event["message"]["color"] = json!("red");
            }
            recorder.record(&from_json(&event));
        }
        let row = to_json(row(&recorder, 1));
        assert_json(
            "unknown fields of an event or a message don't matter, a failure has details too, and the sentence gets all text blocks, unchanged",
            &json!([row["narration"], row["details"]]),
            &json!([expected, { "entries": 1 }]),
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch17_a_run_has_a_row_for_each_message() {
    let rows = rows_of_a_run().await;
    let roles: Vec<_> = rows
        .iter()
        .map(|row| to_json(row)["role"].clone())
        .collect();
    assert_json(
        "each message of the run has one row, in the order in which the messages ended",
        &json!(roles),
        &json!(["custom", "user", "assistant", "tool_result", "assistant"]),
    );
    assert_json(
        "the rows of the prompt",
        &to_json(&rows[..2].to_vec()),
        &json!([
            { "role": "custom", "kind": "note", "payload": { "a": 1 } },
            { "role": "user", "content": "What is here?", "timestamp": 5 },
        ]),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_a_reply_has_a_row_with_its_calls_and_usage() {
    let usage = json!({
        "input_tokens": 10, "output_tokens": 2,
        "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0
    });
    let ls = json!({ "command": "ls -la" });
    let rows = rows_of_a_run().await;
    assert_json(
        "the rows of the two replies",
        &json!([to_json(&rows[2]), to_json(&rows[4])]),
        &json!([
            { "role": "assistant", "stop_reason": "tool_use", "timestamp": 7, "usage": usage,
              "content": [
                { "type": "text", "text": "Let me look." },
                { "type": "tool_call", "id": "t1", "name": "bash", "arguments": ls } ] },
            { "role": "assistant", "stop_reason": "end_turn", "timestamp": 7, "usage": usage,
              "content": [{ "type": "text", "text": "Two files." }] },
        ]),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_a_result_has_a_row_with_a_narration() {
    assert_json(
        "the row of the result",
        &to_json(&rows_of_a_run().await[3]),
        &json!({ "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "is_error": false,
                 "content": [{ "type": "text", "text": "done" }], "narration": "Ran ls -la.",
                 "timestamp": 7 }),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_the_rows_are_the_agents_messages() {
    let calls = [
        ("t1", "slow", json!({})),
        ("t2", "broken", json!({})),
        ("t3", "nowhere", json!({})),
        ("t1", "bash", json!({ "command": "pwd" })),
    ];
    for (case, calls, interrupt) in [
        ("text without calls", &calls[..0], Interrupt::Nothing),
        ("calls, two of which fail", &calls, Interrupt::Nothing),
        ("calls that steering skips", &calls, Interrupt::Steer),
        ("calls that an abort ends", &calls, Interrupt::Abort),
        ("calls and a note as steering", &calls, Interrupt::SteerNote),
    ] {
        assert_rows_are_the_history(case, calls, interrupt).await;
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch17_a_slow_reader_gets_the_same_rows() {
    let mut all_events = new_recorder();
    let mut without_updates = new_recorder();
    let calls = [
        ("t1", "slow", json!({})),
        ("t2", "bash", json!({ "command": "ls" })),
    ];
    let mut agent = scripted_agent([reply("Let me look at it.", &calls), reply("So.", &[])]);
    run_prompt(&mut agent, "Go.", |_, event| {
        all_events.record(event);
        if !is_update(event) {
            without_updates.record(event);
        }
    })
    .await;
    let rows = all_events.rows();
    assert_eq!(rows.len(), 5, "the rows of the run: {rows:#?}");
    assert_eq!(
        without_updates.rows(),
        rows,
        "a slow reader misses updates and progress, and the rows don't depend on them"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_a_narration_describes_what_ran() {
    let (recorder, _) = run_a_replaced_command().await;
    assert_eq!(
        narration(row(&recorder, 2)),
        Some(Some("Ran ls build.")),
        "a gate replaced the command by `ls build`, so that is what ran"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_the_row_of_a_reply_has_what_the_model_asked_for() {
    let (recorder, agent) = run_a_replaced_command().await;
    assert_eq!(
        row(&recorder, 1),
        &from_agent(&agent.messages()[1..2]).messages[0],
        "the reply's row has the command that the model asked for"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_concurrent_calls_keep_their_own_data() {
    let (recorder, ended) = run_two_concurrent_calls().await;
    assert_eq!(ended, ["t2", "t1"], "the second call ends first");
    let found = [2, 3].map(|at| {
        let row = to_json(row(&recorder, at));
        json!([row["tool_call_id"], row["narration"], row["details"]])
    });
    assert_json(
        "the results are in call order, each with the narration and the details of its own call: only the first was cut",
        &json!(found),
        &json!([
            ["t1", "Ran cat long.", { "is_truncated": true }],
            ["t2", "Ran cat short.", null]
        ]),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_failed_calls_have_a_narration() {
    let warned = narration_of("linter", Interrupt::Nothing).await;
    assert_eq!(
        warned, "Used linter.",
        "`is_error` says whether the call failed, not its output"
    );
    let failed = narration_of("broken", Interrupt::Nothing).await;
    assert_eq!(
        failed, "Could not use broken: it broke.",
        "`is_error` says whether the call failed, and then the narration gives the reason"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_calls_that_did_not_run_have_a_narration() {
    let skipped = narration_of("bash", Interrupt::Steer).await;
    assert_eq!(
        skipped, "Could not run ls: Skipped due to queued user message.",
        "the narration of a call that steering skipped"
    );
    let aborted = narration_of("bash", Interrupt::Abort).await;
    assert!(
        aborted.starts_with("Could not run ls: ") && aborted.ends_with('.'),
        "the narration of a call that an abort ended: {aborted:?}"
    );
}

/// A recorder that has recorded a progress message, which has no row.
#[track_caller]
fn new_recorder() -> Recorder {
    let mut recorder = Recorder::new(Narrators::standard());
    recorder.record(&AgentEvent::ProgressMessage {
        loop_id: "s.c.1".into(),
        tool_call_id: "t0".into(),
        tool_name: "bash".into(),
        text: "on it".into(),
    });
    assert_eq!(recorder.rows(), [], "a progress message has no row");
    recorder
}

#[track_caller]
fn row(recorder: &Recorder, index: usize) -> &AgentMessage {
    let rows = recorder.rows();
    rows.get(index).unwrap_or_else(|| {
        panic!(
            "each finished message has a row, but there is none at index {index}; the rows are {rows:#?}"
        )
    })
}

#[track_caller]
fn assert_rows_of(agent: &Agent, rows: &[AgentMessage], case: &str) {
    let bare: Vec<AgentMessage> = rows.iter().cloned().map(without_extras).collect();
    assert_json(
        &format!("without narrations and details, the rows are the agent's history: {case}"),
        &to_json(&bare),
        &to_json(&from_agent(agent.messages()).messages),
    );
}

fn without_extras(mut row: AgentMessage) -> AgentMessage {
    if let AgentMessage::ToolResult {
        narration, details, ..
    } = &mut row
    {
        (*narration, *details) = (None, None);
    }
    row
}

/// The row of a result of `bash` with the timestamp 7.
fn result_row(
    id: &str,
    text: &str,
    narration: Option<&str>,
    row_details: Option<Value>,
) -> AgentMessage {
    let mut row = result_entry(id, "bash", text, narration);
    if let AgentMessage::ToolResult {
        details, timestamp, ..
    } = &mut row
    {
        (*details, *timestamp) = (row_details, Some(7));
    }
    row
}

fn result_rows(recorder: &Recorder) -> Vec<AgentMessage> {
    let rows = recorder.rows().iter();
    rows.filter(|row| narration(row).is_some())
        .cloned()
        .collect()
}

/// Records the call `t1` of `bash`, from the reply to the result.
fn record_call(recorder: &mut Recorder, command: &str, details: Value) {
    start_call(recorder, command);
    recorder.record(&call_end("t1", "src", details));
    recorder.record(&message_end(result("t1", "src")));
}

/// Records the reply with the call `t1` of `bash`, and the call's start.
fn start_call(recorder: &mut Recorder, command: &str) {
    let args = json!({ "command": command });
    let reply = reply("", &[("t1", "bash", args.clone())]);
    recorder.record(&message_end(reply));
    recorder.record(&call_start("t1", args));
}

/// The rows of a run with two replies, a call and its result. The prompt is an extension and a
/// text.
async fn rows_of_a_run() -> Vec<AgentMessage> {
    let mut recorder = new_recorder();
    let ls = json!({ "command": "ls -la" });
    let mut agent = scripted_agent([
        reply("Let me look.", &[("t1", "bash", ls)]),
        reply("Two files.", &[]),
    ]);
    let note = agent::ExtensionMessage::new("note", json!({ "a": 1 }));
    let prompt = vec![note.into(), agent_user("What is here?", 5).into()];
    run_prompt(&mut agent, prompt, |_, event| recorder.record(event)).await;
    recorder.into_rows()
}

/// Records five prompts and compares the rows with the agent's history after each. A filter
/// rejects the second prompt, and for the last one the script has no reply.
async fn assert_rows_are_the_history(
    case: &str,
    calls: &[(&str, &str, Value)],
    interrupt: Interrupt,
) {
    let mut recorder = new_recorder();
    let replies = [reply("First", calls), reply("Then", &[]), reply("So", &[])];
    let mut agent = scripted_agent(replies);
    for prompt in ["Go.", "bad words", "Go on.", "And?", "Still?"] {
        run_prompt(&mut agent, prompt, |agent, event| {
            recorder.record(event);
            interrupt.on_call_start(agent, event);
        })
        .await;
        let case = format!("{case}, after {prompt:?}");
        assert_rows_of(&agent, recorder.rows(), &case);
    }
}

/// Whether a reader that is too slow may miss this event.
fn is_update(event: &AgentEvent) -> bool {
    matches!(
        event,
        AgentEvent::MessageUpdate { .. }
            | AgentEvent::ToolExecutionUpdate { .. }
            | AgentEvent::ProgressMessage { .. }
    )
}

/// Records a run in which a gate replaces the command `rm -rf /` by `ls build`.
async fn run_a_replaced_command() -> (Recorder, Agent) {
    let mut recorder = new_recorder();
    let calls = [("t1", "bash", json!({ "command": "rm -rf /" }))];
    let mut agent = scripted_agent([reply("", &calls), reply("Done.", &[])]);
    run_prompt(&mut agent, "Tidy up.", |_, event| recorder.record(event)).await;
    (recorder, agent)
}

/// Records a run with two calls at the same time, and returns the ids in the order in which
/// the calls ended.
async fn run_two_concurrent_calls() -> (Recorder, Vec<String>) {
    let mut recorder = new_recorder();
    let calls = [
        ("t1", "bash", json!({ "command": "cat long", "for": 9 })),
        ("t2", "bash", json!({ "command": "cat short" })),
    ];
    let mut agent = scripted_agent([reply("", &calls), reply("Done.", &[])]);
    let mut ended = Vec::new();
    run_prompt(&mut agent, "Read both.", |_, event| {
        recorder.record(event);
        if let AgentEvent::ToolExecutionEnd { tool_call_id, .. } = event {
            ended.push(tool_call_id.clone());
        }
    })
    .await;
    (recorder, ended)
}

/// The narration of a call of `tool` that follows a slow call, during which the user does
/// `interrupt`.
async fn narration_of(tool: &str, interrupt: Interrupt) -> String {
    let mut recorder = new_recorder();
    let calls = [
        ("t1", "slow", json!({})),
        ("t2", tool, json!({ "command": "ls" })),
    ];
    let mut agent = scripted_agent([reply("", &calls), reply("Done.", &[])]);
    run_prompt(&mut agent, "Go.", |agent, event| {
        recorder.record(event);
        interrupt.on_call_start(agent, event);
    })
    .await;
    narration(row(&recorder, 3))
        .flatten()
        .unwrap_or_default()
        .to_string()
}
