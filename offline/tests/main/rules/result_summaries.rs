//! What the model says about the result of a call.

use serde_json::json;

use crate::support::{ALL_TOOLS, Conversation};

/// Checks the summaries: the request, the result of its call, and the model's text.
async fn assert_summaries(cases: &[(&str, &str, &str)]) {
    for (request, result, expected) in cases {
        let mut conversation = Conversation::with(&ALL_TOOLS).await;
        conversation.say(request).await;
        let reply = conversation.results(&[result]).await;
        assert_eq!(reply.text, *expected, "{request}");
        assert!(reply.calls.is_empty(), "{request}: it stops");
    }
}

#[tokio::test]
async fn a_listing_names_up_to_five_entries() {
    assert_summaries(&[
        ("list src", "a.rs", "`src` holds 1 entry: a.rs."),
        (
            "list src",
            "a.rs\nb.rs",
            "`src` holds 2 entries: a.rs, b.rs.",
        ),
        (
            "list src",
            "1\n2\n3\n4\n5\n6\n7",
            "`src` holds 7 entries: 1, 2, 3, 4, 5 and 2 more.",
        ),
        ("list src", "", "There is nothing in `src`."),
        (
            "list src",
            "(the folder is empty)",
            "There is nothing in `src`.",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_read_file_has_its_line_count_and_first_line() {
    assert_summaries(&[
        (
            "read a.txt",
            "one\n\ntwo\n",
            "`a.txt` has 2 lines, not counting blank lines. It begins: one.",
        ),
        ("read a.txt", "", "`a.txt` is empty."),
        ("read a.txt", "(the file is empty)", "`a.txt` is empty."),
    ])
    .await;
}

#[tokio::test]
async fn a_read_image_is_not_seen() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("read a.png").await;
    let note = json!({ "type": "text", "text": "`a.png` is an image; it is attached" });
    let reply = conversation
        .send(json!({ "role": "tool", "tool_call_id": "call_1",
            "content": [note, { "type": "image_url" }] }))
        .await;
    assert_eq!(reply.text, "`a.png` is an image, and I cannot see images.");
}

#[tokio::test]
async fn a_search_has_its_line_count_and_first_line() {
    assert_summaries(&[
        (
            "search for x",
            "a:1:x\nb:2:x",
            "The search for `x` found 2 lines. The first: a:1:x.",
        ),
        ("search for x", "", "Nothing matches `x`."),
        (
            "search for x",
            "nothing matches; searched: 1 of 3 files",
            "Nothing matches `x`.",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_change_quotes_the_tool() {
    assert_summaries(&[(
        "create a.txt with x",
        "Wrote 1 byte.",
        "`a.txt` is done: Wrote 1 byte.",
    )])
    .await;
}

/// What agents answer to a change that they did not make, without marking it as a failure.
const UNMARKED_FAILURES: [&str; 5] = [
    "Error: a.txt is locked",
    "String to replace not found in file.",
    "Failed to edit a.txt",
    "No changes were made",
    "a.txt: permission denied",
];

#[tokio::test]
async fn a_failed_change_is_not_done() {
    for result in UNMARKED_FAILURES {
        let mut conversation = Conversation::with(&ALL_TOOLS).await;
        let request = "replace a with b in a.txt, then run make";
        conversation.say(request).await;
        let reply = conversation.results(&[result]).await;
        let expected = format!("The `edit` tool failed: {}.", result.trim_end_matches('.'));
        assert_eq!(reply.text, expected);
        assert!(reply.calls.is_empty(), "the next task does not start");
    }
}

#[tokio::test]
async fn a_command_has_its_last_line_and_its_exit_code() {
    assert_summaries(&[
        (
            "run make",
            "cc\nok",
            "`make` ran and printed 2 lines. The last: ok.",
        ),
        ("run make", "", "`make` ran and printed nothing."),
        ("run make", "(no output)", "`make` ran and printed nothing."),
        (
            "run make",
            "(no output)\n[background processes were stopped; one in a session of its own may still run]\n[exit code 1]",
            "`make` ran and printed nothing. It ended with exit code 1.",
        ),
        (
            "run make",
            "cc\n[exit code 139: killed by SIGSEGV]",
            "`make` ran and printed 1 line. The last: cc. It ended with exit code 139: killed by \
             SIGSEGV.",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_failed_call_has_its_error_message() {
    assert_summaries(&[(
        "list src",
        "error: no such directory",
        "The `list` tool failed: no such directory.",
    )])
    .await;
}

#[tokio::test]
async fn the_result_of_any_other_tool_is_quoted() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.push(json!({ "role": "user", "content": "surprise me" }));
    conversation.push(
        json!({ "role": "assistant", "content": null, "tool_calls": [
        { "id": "x", "type": "function", "function": { "name": "weather", "arguments": "{}" } },
    ] }),
    );
    let result = json!({ "role": "tool", "tool_call_id": "x", "content": "rain\ntomorrow sun" });
    let reply = conversation.send(result).await;
    assert_eq!(reply.text, "The `weather` tool answered: rain.");
}

#[tokio::test]
async fn a_long_line_is_shortened() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("run make").await;
    let text = conversation.results(&[&"ä".repeat(5000)]).await.text;
    assert!(text.ends_with("ä…"), "{text}");
    assert!(text.chars().count() < 250, "{text}");
}

#[tokio::test]
async fn every_call_of_a_reply_is_summarized() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    let reply = conversation.say("read a.txt, b.txt and c.txt").await;
    let ids: Vec<&str> = reply.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["call_1", "call_2", "call_3"]);
    let results = ["one", "error: gone", "three"];
    let text = conversation.results(&results).await.text;
    for expected in ["begins: one.", "failed: gone.", "begins: three."] {
        assert!(text.contains(expected), "{expected:?} is not in {text:?}");
    }
}
