//! Section 17.15: Narrating a transcript

use claw_code::transcript::narrate::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch17_fill_narrates_a_transcript() {
    let mut transcript = vec![
        user_entry("go"),
        reply_entry(&[
            ("t1", "bash", json!({ "command": "ls" })),
            ("t2", "deploy", json!({})),
        ]),
        result_entry("t1", "bash", "src", None),
        failed(result_entry("t2", "deploy", "not now", None)),
        result_entry("t3", "bash", "no call has this id", None),
        reply_entry(&[("t1", "bash", json!({ "command": "pwd" }))]),
        result_entry("t1", "bash", "/", None),
        result_entry("t1", "bash", "/", Some("An earlier narration.")),
        result_entry("t4", "bash", "", None),
        reply_entry(&[("t4", "bash", json!({ "command": "later" }))]),
    ];
    Narrators::standard().fill(&mut transcript);
    for (rule, index, expected) in [
        ("the call has the result's id", 2, Some("Ran ls.")),
        (
            "`is_error` says whether the call failed",
            3,
            Some("Could not use deploy: not now."),
        ),
        ("no call has the result's id", 4, None),
        ("the last call before it counts", 6, Some("Ran pwd.")),
        (
            "a narration is not replaced",
            7,
            Some("An earlier narration."),
        ),
        ("a call after the result does not count", 8, None),
    ] {
        assert_eq!(
            narration(&transcript[index]),
            Some(expected),
            "{rule} (the result at index {index})"
        );
    }
}

#[test]
fn test_ch17_fill_reads_the_failure_flag() {
    for (text, is_error, expected) in [
        ("quota", true, "Could not use deploy: quota."),
        ("error: as a part of its output", false, "Used deploy."),
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
