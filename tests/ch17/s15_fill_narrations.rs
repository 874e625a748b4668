//! Section 17.15: Narrating a transcript

use claw_code::transcript::narrate::*;
use claw_code::transcript::{AgentMessage, StopReason};
use serde_json::json;

use super::support::*;

#[test]
fn test_ch17_fill_narrates_each_result_by_its_call() {
    let calls = [
        ("t1", "bash", json!({ "command": "ls" })),
        ("t2", "deploy", json!({})),
    ];
    let ls = tool_call("t0", "bash", json!({ "command": "ls" }));
    assert_narrations(
        "each result gets the name and the arguments of the call that has its id, in any earlier reply",
        vec![
            reply_blocks(vec![ls], StopReason::MaxTokens),
            reply_entry(&calls),
            user_entry("go"),
            result_entry("t1", "deploy", "src", None),
            result_entry("t2", "deploy", "ok", None),
            result_entry("t1", "bash", "src", None),
            result_entry("t0", "bash", "src", None),
        ],
        &["Ran ls.", "Used deploy.", "Ran ls.", "Ran ls."].map(Some),
    );
}

#[test]
fn test_ch17_fill_reads_known_parts_and_all_text_blocks() {
    assert_narrations("no entries, no narrations", vec![], &[]);
    let transcript = json!([
        { "role": "assistant", "stop_reason": "tool_use", "color": "red", "content": [
            { "type": "tool_call", "id": "t1", "name": "bash", "arguments": { "command": "ls" },
              "cost": 1 }] },
        { "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "is_error": false,
          "content": [{ "type": "text", "text": "out" }, { "type": "text", "text": "[exit code 3]" }] },
        { "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "is_error": false,
          "content": [{ "type": "text", "text": "src" }], "color": "red" }
    ]);
    assert_narrations(
        "a call with unknown fields in a reply with unknown fields counts, and so does each text block of a result; a result with unknown fields is unchanged",
        from_json(&transcript),
        &[Some("Ran ls (exit code 3).")],
    );
}

#[test]
fn test_ch17_fill_leaves_out_a_result_without_a_call() {
    assert_narrations(
        "no call has the id `t3`",
        vec![
            reply_entry(&[("t1", "bash", json!({ "command": "ls" }))]),
            result_entry("t3", "bash", "src", None),
            result_entry("t1", "bash", "src", None),
        ],
        &[None, Some("Ran ls.")],
    );
    assert_narrations(
        "a call after the result does not count",
        vec![
            result_entry("t4", "bash", "", None),
            reply_entry(&[("t4", "bash", json!({ "command": "later" }))]),
        ],
        &[None],
    );
}

#[test]
fn test_ch17_fill_takes_the_last_call_before_the_result() {
    assert_narrations(
        "ids may repeat, and the last call before the result counts",
        vec![
            reply_entry(&[("t1", "bash", json!({ "command": "ls" }))]),
            result_entry("t1", "bash", "src", None),
            reply_entry(&[("t1", "bash", json!({ "command": "pwd" }))]),
            result_entry("t1", "bash", "/", None),
        ],
        &[Some("Ran ls."), Some("Ran pwd.")],
    );
}

#[test]
fn test_ch17_fill_does_not_replace_a_narration() {
    assert_narrations(
        "an earlier narration stays, even an empty one",
        vec![
            reply_entry(&[("t1", "bash", json!({ "command": "ls" }))]),
            result_entry("t1", "bash", "src", Some("An earlier narration.")),
            result_entry("t1", "bash", "src", Some("")),
        ],
        &[Some("An earlier narration."), Some("")],
    );
}

#[test]
fn test_ch17_fill_reads_the_failure_flag() {
    for (text, is_error, expected) in [
        ("error: as a part of its output", false, "Used deploy."),
        ("not now", true, "Could not use deploy: not now."),
        ("error: quota", true, "Could not use deploy: error: quota."),
    ] {
        let result = result_entry("t1", "deploy", text, None);
        let mut transcript = vec![
            reply_entry(&[("t1", "deploy", json!({}))]),
            if is_error { failed(result) } else { result },
        ];
        Narrators::standard().fill(&mut transcript);
        assert_eq!(
            narration(&transcript[1]),
            Some(Some(expected)),
            "`is_error` says whether the call failed: it is {is_error}, and the text is {text:?}"
        );
    }
}

/// Fills a transcript and compares the narrations of its results.
#[track_caller]
fn assert_narrations(rule: &str, mut transcript: Vec<AgentMessage>, expected: &[Option<&str>]) {
    Narrators::standard().fill(&mut transcript);
    let found: Vec<_> = transcript.iter().filter_map(narration).collect();
    assert_eq!(found, expected, "{rule}");
}
