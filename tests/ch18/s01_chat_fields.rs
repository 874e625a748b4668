//! Section 18.1: The fields of a chat message

use claw_code::chat::*;
use serde_json::{Map, json};

use super::support::*;

#[test]
fn test_ch18_roles_round_trip() {
    for role in ["system", "user", "assistant", "developer", "tool"] {
        assert_round_trip::<Role>(json!(role));
        assert_round_trip::<ChatMessage>(json!({ "role": role, "content": "Hi." }));
    }
    for wrong in ["System", "DEVELOPER", "human", "model", ""] {
        let error = rejected::<Role>(json!(wrong), "roles are the five lower-case words");
        assert!(
            error.contains("developer"),
            "the error should list all five roles, `developer` included: {error}"
        );
    }
}

#[test]
fn test_ch18_every_field_round_trips() {
    assert_round_trip::<ChatMessage>(json!({
        "role": "tool", "name": "bash", "tool_call_id": "call_1", "content": "ok",
        "reasoning": "It may fail.",
        "tool_metadata": {
            "success": true, "duration_ms": 12.5, "tool_name": "bash", "arguments": "{\"command\":\"ls\"}"
        },
        "timestamp": "2026-01-02T03:04:05.678Z", "id": "msg_1", "status": "completed"
    }));
}

#[test]
fn test_ch18_fields_are_written_in_order() {
    let message: ChatMessage = from_json(json!({
        "role": "tool", "tool_metadata": took(12.5), "timestamp": "2026-01-02T03:04:05Z",
        "id": "msg_1", "status": "completed"
    }));
    let text = serde_json::to_string(&message).expect("it can be written as JSON");
    assert_field_order(
        "the fields should be in the order that the page shows, the status last",
        &text,
        &["tool_metadata", "timestamp", "id", "status"],
    );
}

#[test]
fn test_ch18_none_is_left_out() {
    for role in ["user", "assistant"] {
        assert_round_trip::<ChatMessage>(json!({ "role": role }));
    }
    assert_json(
        "`null` loads as `None`, and `None` is left out",
        &to_json(&from_json::<ChatMessage>(json!({
            "role": "user", "name": null, "tool_call_id": null, "content": null,
            "tool_calls": null, "reasoning": null, "raw_content_blocks": null,
            "tool_metadata": null, "timestamp": null, "id": null, "status": null
        }))),
        &json!({ "role": "user" }),
    );
}

#[test]
fn test_ch18_empty_text_is_kept() {
    assert_round_trip::<ChatMessage>(json!({ "role": "user", "content": "", "id": "" }));
}

#[test]
fn test_ch18_unknown_fields_are_kept() {
    for field in ["provider_response_id", "cost", "Status"] {
        for value in [json!("resp_1"), json!({ "usd": [0.5, null] })] {
            let mut message = json!({ "role": "assistant", "content": "Hi." });
            message[field] = value;
            assert_round_trip::<ChatMessage>(message);
        }
    }
}

#[test]
fn test_ch18_unknown_fields_of_metadata_are_kept() {
    assert_round_trip::<ChatMessage>(json!({
        "role": "tool",
        "tool_metadata": {
            "success": true, "duration_ms": 12.5, "tool_name": "bash", "arguments": "{}",
            "exit_code": 0, "host": { "name": "a" }
        }
    }));
}

#[test]
fn test_ch18_status_is_snake_case() {
    for status in ["in_progress", "completed", "incomplete", "failed"] {
        assert_round_trip::<ChatMessage>(json!({ "role": "assistant", "status": status }));
    }
    for wrong in ["InProgress", "inProgress", "done", ""] {
        rejected::<ChatMessage>(
            json!({ "role": "assistant", "status": wrong }),
            "a status is one of four names in snake case",
        );
    }
}

#[test]
fn test_ch18_timestamps_are_rfc_3339() {
    for (read, written) in [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        ("2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"),
        (
            "2026-01-02T03:04:05.000000001Z",
            "2026-01-02T03:04:05.000000001Z",
        ),
        ("2026-01-02T01:00:00+02:00", "2026-01-01T23:00:00Z"),
    ] {
        let message = json!({ "role": "user", "timestamp": read });
        assert_json(
            "a timestamp is written as RFC 3339 in UTC with all its digits",
            &to_json(&from_json::<ChatMessage>(message)),
            &json!({ "role": "user", "timestamp": written }),
        );
    }
}

#[test]
fn test_ch18_ambiguous_timestamps_are_rejected() {
    for wrong in [
        json!("2026-01-02"),
        json!("2026-01-02T03:04:05"),
        json!("now"),
        json!(1767225600123_u64),
    ] {
        rejected::<ChatMessage>(
            json!({ "role": "user", "timestamp": wrong }),
            "a timestamp without a zone, or not in RFC 3339, is ambiguous",
        );
    }
}

#[test]
fn test_ch18_metadata_requires_all_fields() {
    let whole =
        json!({ "success": false, "duration_ms": 0.5, "tool_name": "f", "arguments": "{}" });
    for field in ["success", "duration_ms", "tool_name", "arguments"] {
        let mut metadata = whole.clone();
        metadata.as_object_mut().expect("an object").remove(field);
        let message = json!({ "role": "tool", "tool_metadata": metadata });
        let error =
            rejected::<ChatMessage>(message, "all four fields of the metadata are required");
        assert!(
            error.contains(field),
            "the error should name the missing field `{field}`: {error}"
        );
    }
}

#[test]
fn test_ch18_duration_is_written_as_the_same_number() {
    for duration in [0.0, -0.5, 12.5, 3.6e6, 1e21] {
        assert_eq!(
            to_json(&took(duration))["duration_ms"],
            json!(duration),
            "a duration is written as the same number"
        );
    }
}

#[test]
fn test_ch18_duration_must_be_finite() {
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = match serde_json::to_string(&took(wrong)) {
            Ok(json) => panic!("the duration {wrong} should not be written: {json}"),
            Err(error) => error,
        };
        assert!(
            error.to_string().contains("duration_ms"),
            "the error should name the field `duration_ms`: {error}"
        );
    }
}

/// The metadata of a run of this many milliseconds.
fn took(duration_ms: f64) -> ToolExecutionMetadata {
    ToolExecutionMetadata {
        success: true,
        duration_ms,
        tool_name: "bash".into(),
        arguments: "{}".into(),
        other: Map::new(),
    }
}
