//! Section 17.10: The rows of a run

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::{self, Agent, AgentEvent};
use claw_code::engine::{Decision, Gate, QueryConfig, report};
use claw_code::provider::ProviderError;
use claw_code::transcript::narrate::*;
use claw_code::transcript::*;
use claw_code::types::{Tool, ToolCall, ToolDefinition, ToolResult, ToolSet};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::support::*;

#[test]
fn test_ch17_what_is_not_whole_has_no_row() {
    let mut recorder = a_recorder();
    for event in [
        message_start(reply("", &[])),
        AgentEvent::MessageUpdate {
            loop_id: "s.c.1".into(),
            message: reply("Let ", &[]).into(),
            delta: agent::StreamDelta::Text {
                delta: "Let ".into(),
            },
        },
    ] {
        recorder.record(&event);
        assert_eq!(recorder.rows(), [], "a reply that grows has no row yet");
    }
    let said = reply("Let me.", &[("t1", "bash", json!({ "command": "ls" }))]);
    recorder.record(&message_end(said));
    recorder.record(&call_starts("t1", json!({ "command": "ls" })));
    recorder.record(&AgentEvent::ToolExecutionUpdate {
        loop_id: "s.c.1".into(),
        tool_call_id: "t1".into(),
        tool_name: "bash".into(),
        partial_result: shown("half", json!({ "half": true })),
    });
    let details = json!({ "entries": 1 });
    recorder.record(&call_ends("t1", "src", details.clone()));
    assert_eq!(
        recorder.rows().len(),
        1,
        "a result has its row when its message is whole; that the call has ended is told before"
    );
    recorder.record(&message_end(result("t1", "src")));
    assert_eq!(
        row(&recorder, 1),
        &result_row("t1", "src", Some("Ran ls."), Some(details)),
        "what a tool had so far is not in the row of its result"
    );
}

#[test]
fn test_ch17_details_are_those_of_the_event() {
    for (details, expected) in [
        (Value::Null, None),
        (
            json!({ "artifacts": [1] }),
            Some(json!({ "artifacts": [1] })),
        ),
        (json!({}), Some(json!({}))),
        (json!(false), Some(json!(false))),
    ] {
        let mut recorder = a_recorder();
        tell_call(&mut recorder, "ls", details.clone());
        assert_eq!(
            results(&recorder),
            [result_row("t1", "src", Some("Ran ls."), expected)],
            "the event of the call's end has the details {details}; `null` are none"
        );
    }
}

#[test]
fn test_ch17_an_id_may_come_again() {
    let mut recorder = a_recorder();
    for (command, details) in [("ls", json!({ "entries": 1 })), ("pwd", Value::Null)] {
        tell_call(&mut recorder, command, details);
    }
    recorder.record(&message_end(result("t1", "src")));
    assert_eq!(
        results(&recorder),
        [
            result_row("t1", "src", Some("Ran ls."), Some(json!({ "entries": 1 }))),
            result_row("t1", "src", Some("Ran pwd."), None),
            result_row("t1", "src", None, None),
        ],
        "each result has what was told of the call before it, and one of whose call nothing was told has neither narration nor details"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_a_run_has_a_row_for_each_message() {
    let mut recorder = a_recorder();
    let mut agent = an_agent([
        reply(
            "Let me look.",
            &[("t1", "bash", json!({ "command": "ls -la" }))],
        ),
        reply("Two files.", &[]),
    ]);
    let note = agent::ExtensionMessage::new("note", json!({ "a": 1 }));
    let question = agent::Message::User {
        content: vec![agent::Content::Text {
            text: "What is here?".into(),
        }],
        timestamp: 5,
    };
    let prompt = vec![note.into(), question.into()];
    play(&mut agent, prompt, |_, event| recorder.record(event)).await;
    let usage = json!({
        "input_tokens": 10, "output_tokens": 2,
        "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0
    });
    let expected = json!([
        { "role": "custom", "kind": "note", "payload": { "a": 1 } },
        { "role": "user", "content": "What is here?", "timestamp": 5 },
        { "role": "assistant", "stop_reason": "tool_use", "timestamp": 7, "usage": usage,
          "content": [
            { "type": "text", "text": "Let me look." },
            { "type": "tool_call", "id": "t1", "name": "bash",
              "arguments": { "command": "ls -la" } }
        ] },
        { "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "is_error": false,
          "content": [{ "type": "text", "text": "done" }], "narration": "Ran ls -la.",
          "timestamp": 7 },
        { "role": "assistant", "stop_reason": "end_turn", "timestamp": 7, "usage": usage,
          "content": [{ "type": "text", "text": "Two files." }] }
    ]);
    assert_json(
        "each message of the run has one row, as JSON, in the order in which they came to their ends",
        &to_json(&recorder.into_rows()),
        &expected,
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
    for (what, calls, interrupt) in [
        ("words alone", &calls[..0], Interrupt::No),
        ("calls, of which two fail", &calls, Interrupt::No),
        ("calls that steering skips", &calls, Interrupt::Steer),
        ("calls that an abort cuts off", &calls, Interrupt::Abort),
        ("calls after a note", &calls, Interrupt::Note),
    ] {
        let mut recorder = a_recorder();
        // A filter rejects the second prompt, and for the last one the script has no reply.
        let mut agent = an_agent([reply("First", calls), reply("Then", &[]), reply("So", &[])]);
        for prompt in ["Go.", "bad words", "Go on.", "And?", "Still?"] {
            play(&mut agent, prompt, |agent, event| {
                recorder.record(event);
                if let AgentEvent::ToolExecutionStart { .. } = event {
                    interrupt.act(agent);
                }
            })
            .await;
            assert_rows_of(
                &agent,
                recorder.rows(),
                &format!("{what}, after {prompt:?}"),
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch17_what_a_slow_reader_misses_is_not_missed() {
    let mut all = a_recorder();
    let mut few = a_recorder();
    let calls = [
        ("t1", "slow", json!({})),
        ("t2", "bash", json!({ "command": "ls" })),
    ];
    let mut agent = an_agent([
        reply("Let me look at it.", &calls),
        reply("There it is.", &[]),
    ]);
    play(&mut agent, "Go.", |_, event| {
        all.record(event);
        match event {
            AgentEvent::MessageUpdate { .. }
            | AgentEvent::ToolExecutionUpdate { .. }
            | AgentEvent::ProgressMessage { .. } => {}
            event => few.record(event),
        }
    })
    .await;
    assert_eq!(
        all.rows().len(),
        5,
        "the rows of the run: {:#?}",
        all.rows()
    );
    assert_eq!(
        few.rows(),
        all.rows(),
        "whoever reads slowly misses pieces and progress; the rows are the same without them"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_a_narration_is_about_what_ran() {
    let mut recorder = a_recorder();
    let asked = [("t1", "bash", json!({ "command": "rm -rf /" }))];
    let mut agent = an_agent([reply("", &asked), reply("Done.", &[])]);
    play(&mut agent, "Tidy up.", |_, event| recorder.record(event)).await;
    assert_eq!(
        narration(row(&recorder, 2)),
        Some(Some("Ran ls build.")),
        "a gate has put `ls build` in the place of the command: that is what has run"
    );
    assert_eq!(
        row(&recorder, 1),
        &from_agent(&agent.messages()[1..2]).messages[0],
        "the reply's row has what the model asked for"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_calls_that_run_together_keep_their_own() {
    let mut recorder = a_recorder();
    let calls = [
        ("t1", "bash", json!({ "command": "cat long", "for": 9 })),
        ("t2", "bash", json!({ "command": "cat short" })),
    ];
    let mut agent = an_agent([reply("", &calls), reply("Done.", &[])]);
    let mut ended = Vec::new();
    play(&mut agent, "Read both.", |_, event| {
        recorder.record(event);
        if let AgentEvent::ToolExecutionEnd { tool_call_id, .. } = event {
            ended.push(tool_call_id.clone());
        }
    })
    .await;
    assert_eq!(ended, ["t2", "t1"], "the second call ends first here");
    let found = [2, 3].map(|at| {
        let row = to_json(row(&recorder, at));
        json!([row["tool_call_id"], row["narration"], row["details"]])
    });
    let details = json!({ "is_truncated": true });
    assert_json(
        "the results stand in call order, each with the narration and the details of its own call: only the first was cut",
        &json!(found),
        &json!([
            ["t1", "Ran cat long.", details],
            ["t2", "Ran cat short.", null]
        ]),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_calls_that_failed_say_so() {
    for (tool, interrupt, expected) in [
        ("broken", Interrupt::No, "Could not use broken: it broke."),
        ("linter", Interrupt::No, "Used linter."),
        (
            "bash",
            Interrupt::Steer,
            "Could not run ls: Skipped due to queued user message.",
        ),
        ("bash", Interrupt::Abort, "Could not run ls: "),
    ] {
        let mut recorder = a_recorder();
        let calls = [
            ("t1", "slow", json!({})),
            ("t2", tool, json!({ "command": "ls" })),
        ];
        let mut agent = an_agent([reply("", &calls), reply("Done.", &[])]);
        play(&mut agent, "Go.", |agent, event| {
            recorder.record(event);
            if let AgentEvent::ToolExecutionStart { .. } = event {
                interrupt.act(agent);
            }
        })
        .await;
        let row = row(&recorder, 3);
        let Some(said) = narration(row).flatten() else {
            panic!("a call that failed has a narration as well; there is none in {row:?}");
        };
        assert!(
            said.starts_with(expected) && said.ends_with('.'),
            "a result says by `is_error` whether its call has failed; the narration should begin with {expected:?} and is {said:?}, of {row:?}"
        );
    }
}

/// A recorder that was told something, of which no row is made.
#[track_caller]
fn a_recorder() -> Recorder {
    let mut recorder = Recorder::new(Narrators::standard());
    recorder.record(&AgentEvent::ProgressMessage {
        loop_id: "s.c.1".into(),
        tool_call_id: "t0".into(),
        tool_name: "bash".into(),
        text: "on it".into(),
    });
    assert_eq!(
        recorder.rows(),
        [],
        "progress is no message, and has no row"
    );
    recorder
}

#[track_caller]
fn row(recorder: &Recorder, at: usize) -> &AgentMessage {
    let rows = recorder.rows();
    rows.get(at).unwrap_or_else(|| {
        panic!(
            "a message that is whole has a row; at index {at} there is none, of {}: {rows:#?}",
            rows.len()
        )
    })
}

/// An agent with this script, whose clock stands at 7.
fn an_agent<const N: usize>(script: [agent::Message; N]) -> Agent {
    let tools = ToolSet::new()
        .with(Waiting::new("bash", "done"))
        .with(Waiting::new("slow", "at last"))
        .with(Waiting::new("linter", "error: 3 warnings"))
        .with(Waiting::new("broken", "it broke"));
    Agent::builder(Script(Mutex::new(script.into())))
        .tools(tools)
        .gate(Careful)
        .filter(NoBadWords)
        .limits(QueryConfig {
            max_result_bytes: 400,
            ..QueryConfig::default()
        })
        .clock(Arc::new(|| 7))
        .build()
}

/// Runs a loop, and shows each event as it comes.
async fn play(
    agent: &mut Agent,
    prompt: impl Into<agent::Prompt>,
    mut show: impl FnMut(&Agent, &AgentEvent),
) {
    let mut events = agent.prompt(prompt);
    while let Some(event) = events.recv().await {
        show(agent, &event);
    }
    agent.finish().await;
}

#[track_caller]
fn assert_rows_of(agent: &Agent, rows: &[AgentMessage], what: &str) {
    let bare: Vec<AgentMessage> = rows.iter().cloned().map(without_extras).collect();
    assert_json(
        &format!("without narrations and details, the rows are the agent's history: {what}"),
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

/// What a user does while a call runs.
enum Interrupt {
    No,
    Steer,
    Note,
    Abort,
}

impl Interrupt {
    fn act(&self, agent: &Agent) {
        match self {
            Self::No => {}
            Self::Steer => agent.steer(agent::Message::user("Stop that.")),
            Self::Note => agent.steer(agent::ExtensionMessage::new("note", "seen")),
            Self::Abort => agent.abort(),
        }
    }
}

/// A model that gives these replies, each in pieces first, and fails when there are no more.
struct Script(Mutex<VecDeque<agent::Message>>);

#[async_trait]
impl agent::LanguageModel for Script {
    fn provider(&self) -> &str {
        "test"
    }

    fn model(&self) -> &str {
        "m-1"
    }

    async fn stream(
        &self,
        _: &agent::ModelRequest<'_>,
        deltas: &agent::DeltaSender,
    ) -> Result<agent::Message, ProviderError> {
        let next = self.0.lock().expect("nobody panics with it").pop_front();
        let reply = next.ok_or_else(|| ProviderError::BadRequest("no more".into()))?;
        if let agent::Message::Assistant { content, .. } = &reply
            && let Some(agent::Content::Text { text }) = content.first()
        {
            for word in text.split_inclusive(' ') {
                let delta = word.to_string();
                let _ = deltas.send(agent::StreamDelta::Text { delta }).await;
            }
        }
        Ok(reply)
    }
}

/// A tool that takes as many milliseconds as it is told, or one, and says more the longer it
/// takes. Only `bash` runs beside others.
struct Waiting {
    definition: ToolDefinition,
    answer: &'static str,
}

impl Waiting {
    fn new(name: &'static str, answer: &'static str) -> Self {
        Self {
            definition: ToolDefinition::new(name, "A tool for a test")
                .param("command", "string", "Is passed over", false)
                .param("for", "number", "How many milliseconds it takes", false),
            answer,
        }
    }
}

#[async_trait]
impl Tool for Waiting {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        report("on it");
        let time = args["for"].as_u64().unwrap_or(1);
        sleep(Duration::from_millis(time)).await;
        let more = "x".repeat(100 * (time as usize - 1));
        let text = format!("{}{more}", self.answer);
        Ok(match self.definition.name {
            "broken" => ToolResult::error(text),
            _ => ToolResult::text(text),
        })
    }

    fn is_concurrent_safe(&self) -> bool {
        self.definition.name == "bash"
    }
}

/// Has nothing removed.
struct Careful;

#[async_trait]
impl Gate for Careful {
    async fn before(&self, call: &ToolCall, _: &dyn Tool) -> Decision {
        match call.arguments["command"] == "rm -rf /" {
            true => Decision::Change {
                arguments: Some(json!({ "command": "ls build" })),
                context: None,
            },
            false => Decision::Pass,
        }
    }
}

struct NoBadWords;

impl agent::InputFilter for NoBadWords {
    fn check(&self, message: &agent::Message) -> Result<(), String> {
        match to_json(message).to_string().contains("bad") {
            true => Err("no bad words".into()),
            false => Ok(()),
        }
    }
}

/// The row of such a result.
fn result_row(
    id: &str,
    text: &str,
    narration: Option<&str>,
    details: Option<Value>,
) -> AgentMessage {
    let mut row = a_result(id, "bash", text, narration);
    if let AgentMessage::ToolResult {
        details: none,
        timestamp,
        ..
    } = &mut row
    {
        (*none, *timestamp) = (details, Some(7));
    }
    row
}

/// Tells a recorder of the call `t1` of `bash`, from the reply to the result.
fn tell_call(recorder: &mut Recorder, command: &str, details: Value) {
    let args = json!({ "command": command });
    let reply = reply("", &[("t1", "bash", args.clone())]);
    recorder.record(&message_end(reply));
    recorder.record(&call_starts("t1", args));
    recorder.record(&call_ends("t1", "src", details));
    recorder.record(&message_end(result("t1", "src")));
}

fn results(recorder: &Recorder) -> Vec<AgentMessage> {
    let rows = recorder.rows().iter();
    rows.filter(|row| narration(row).is_some())
        .cloned()
        .collect()
}

fn message_start(message: agent::Message) -> AgentEvent {
    AgentEvent::MessageStart {
        loop_id: "s.c.1".into(),
        message: message.into(),
    }
}

fn message_end(message: agent::Message) -> AgentEvent {
    AgentEvent::MessageEnd {
        loop_id: "s.c.1".into(),
        message: message.into(),
    }
}

fn call_starts(id: &str, args: Value) -> AgentEvent {
    AgentEvent::ToolExecutionStart {
        loop_id: "s.c.1".into(),
        tool_call_id: id.into(),
        tool_name: "bash".into(),
        args,
    }
}

fn call_ends(id: &str, text: &str, details: Value) -> AgentEvent {
    AgentEvent::ToolExecutionEnd {
        loop_id: "s.c.1".into(),
        tool_call_id: id.into(),
        tool_name: "bash".into(),
        result: shown(text, details),
        is_error: false,
        child_loop_id: None,
    }
}

fn shown(text: &str, details: Value) -> agent::ToolExecutionResult {
    agent::ToolExecutionResult {
        content: vec![agent::Content::Text { text: text.into() }],
        details,
        child_loop_id: None,
    }
}
