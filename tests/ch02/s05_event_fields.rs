//! Section 2.5: Fields of an event

use std::borrow::Cow;
use std::time::Duration;

use claw_code::provider::*;

#[test]
fn test_ch2_field_data_appends_its_value_and_a_line_feed() {
    for (line, data) in [
        ("data: a", "before\na\n"),
        ("data:a", "before\na\n"),
        ("data:  a", "before\n a\n"),
        ("data: a ", "before\na \n"),
        ("data:\ta", "before\n\ta\n"),
        ("data: a: b", "before\na: b\n"),
        ("data:", "before\n\n"),
        ("data", "before\n\n"),
    ] {
        let mut event = sse_event("", "before\n", "");
        apply_field(&mut event, &mut None, line);
        assert_eq!(
            event,
            sse_event("", data, ""),
            "the data after the line {line:?}: `data` appends its value and a line feed; the value begins after the first colon and at most one space, and is empty without a colon"
        );
    }
}

#[test]
fn test_ch2_field_event_replaces_the_type() {
    for (line, name) in [
        ("event: pong", "pong"),
        ("event:pong", "pong"),
        ("event:  ping ", " ping "),
        ("event", ""),
    ] {
        let mut event = sse_event("ping", "a\n", "7");
        apply_field(&mut event, &mut None, line);
        assert_eq!(
            event,
            sse_event(name, "a\n", "7"),
            "the type after the line {line:?}"
        );
    }
}

#[test]
fn test_ch2_field_id_replaces_the_id() {
    for (line, id) in [("id: a-1", "a-1"), ("id", ""), ("id: 8\0", "7")] {
        let mut event = sse_event("ping", "a\n", "7");
        apply_field(&mut event, &mut None, line);
        assert_eq!(
            event,
            sse_event("ping", "a\n", id),
            "the id after the line {line:?}: any value replaces it, except one with U+0000"
        );
    }
}

#[test]
fn test_ch2_field_retry_is_in_milliseconds() {
    for (line, time) in [
        ("retry: 20", 20),
        ("retry:0", 0),
        ("retry: 4294967296", 4_294_967_296),
        ("retry: soon", 1500),
        ("retry: 9 ", 1500),
        ("retry: +9", 1500),
        ("retry:", 1500),
        ("retry: 99999999999999999999999", 1500),
    ] {
        let mut event = sse_event("ping", "a\n", "7");
        let mut reconnection_time = Some(Duration::from_millis(1500));
        apply_field(&mut event, &mut reconnection_time, line);
        assert_eq!(
            (event, reconnection_time),
            (
                sse_event("ping", "a\n", "7"),
                Some(Duration::from_millis(time))
            ),
            "the reconnection time after the line {line:?}: the value in milliseconds, or as before if the value is not only digits or above the range of u64"
        );
    }
}

#[test]
fn test_ch2_other_fields_change_nothing() {
    for line in [
        ": a comment",
        ":",
        "other: a",
        "Data: a",
        " data: a",
        "data : a",
        "dataset: a",
        "dataset",
        "events: a",
        "identity: 8",
        "retry2: 9",
    ] {
        let mut event = sse_event("ping", "a\n", "7");
        let mut reconnection_time = None;
        apply_field(&mut event, &mut reconnection_time, line);
        assert_eq!(
            (event, reconnection_time),
            (sse_event("ping", "a\n", "7"), None),
            "the line {line:?} is a comment or an unknown field"
        );
    }
}

#[test]
fn test_ch2_taken_event_leaves_only_its_id() {
    for (event, data, taken) in [
        ("ping", "a\nb\n", ("ping", "a\nb")),
        ("", "a\n", ("message", "a")),
        ("", "\n", ("message", "")),
        ("", "\n\n", ("message", "\n")),
        ("", " a \n", ("message", " a ")),
    ] {
        let mut reading = sse_event(event, data, "7");
        assert_eq!(
            take_event(&mut reading),
            Some(sse_event(taken.0, taken.1, "7")),
            "the event of type {event:?} and data {data:?}: the last line feed, and nothing else, is not part of the data, and an empty type is `message`"
        );
        assert_eq!(
            reading,
            sse_event("", "", "7"),
            "the next event starts empty and keeps the id"
        );
    }
}

#[test]
fn test_ch2_event_without_data_is_discarded() {
    let mut reading = sse_event("ping", "", "7");
    assert_eq!(take_event(&mut reading), None, "there was no data line");
    assert_eq!(
        reading,
        sse_event("", "", "7"),
        "an event without data is discarded with its type, and the id stays"
    );
}

#[test]
fn test_ch2_default_type_is_borrowed() {
    let mut event = sse_event("", "a\n", "");
    let taken = take_event(&mut event).expect("the event has data");
    assert!(
        matches!(taken.event, Cow::Borrowed("message")),
        "the type `message` is borrowed and not allocated"
    );
}

fn sse_event(event: &str, data: &str, id: &str) -> SseEvent {
    SseEvent {
        event: event.to_string().into(),
        data: data.into(),
        id: id.into(),
    }
}
