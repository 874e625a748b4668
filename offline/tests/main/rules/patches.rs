//! Changes by agents whose only editor is `apply_patch`.

use serde_json::{Value, json};

use crate::support::{Conversation, function};

async fn patch_editor() -> Conversation {
    let tools = [
        function("apply_patch", &["input"]),
        function("read_file", &["path"]),
    ];
    Conversation::with_definitions(tools).await
}

fn patch(lines: &[&str]) -> Value {
    json!({ "input": format!("*** Begin Patch\n{}\n*** End Patch\n", lines.join("\n")) })
}

#[tokio::test]
async fn a_file_is_created() {
    let mut conversation = patch_editor().await;
    let reply = conversation.say("create a.txt with one\\ntwo").await;
    let expected = patch(&["*** Add File: a.txt", "+one", "+two"]);
    assert_eq!(reply.calls[0].arguments, expected);
    let reply = conversation.results(&["Success."]).await;
    assert_eq!(reply.text, "`a.txt` is done: Success.");
}

#[tokio::test]
async fn a_replacement_reads_the_file_and_patches_whole_lines() {
    let mut conversation = patch_editor().await;
    let request = "replace \"milk\" with \"bread\" in a.txt, then read a.txt";
    let reply = conversation.say(request).await;
    assert_eq!(reply.calls[0].name, "read_file");
    let reply = conversation.results(&["eggs\nmilk and more\nmilk"]).await;
    let lines = [
        "*** Update File: a.txt",
        "@@",
        "-milk and more",
        "+bread and more",
    ];
    assert_eq!(reply.calls[0].arguments, patch(&lines));
    let reply = conversation.results(&["Success."]).await;
    assert_eq!(reply.calls[0].name, "read_file", "the next task starts");
    let reply = conversation.results(&["eggs\nbread and more\nmilk"]).await;
    assert!(
        reply.text.starts_with("`a.txt` is done: Success."),
        "{}",
        reply.text
    );
}

#[tokio::test]
async fn a_replacement_may_have_several_lines() {
    let mut conversation = patch_editor().await;
    conversation.say("replace `b\\nc` with `x` in a.txt").await;
    let reply = conversation
        .results(&["     1\ta\n     2\tb\n     3\tc\n"])
        .await;
    let lines = ["*** Update File: a.txt", "@@", "-b", "-c", "+x"];
    assert_eq!(reply.calls[0].arguments, patch(&lines));
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_not_patched() {
    let mut conversation = patch_editor().await;
    conversation.say("replace a with b in a.txt").await;
    let reply = conversation.results(&["error: no such file"]).await;
    assert!(reply.calls.is_empty());
    assert_eq!(reply.text, "The `read_file` tool failed: no such file.");
}

#[tokio::test]
async fn a_patch_that_does_not_apply_is_not_done() {
    let mut conversation = patch_editor().await;
    conversation.say("replace a with b in a.txt").await;
    conversation.results(&["nothing of the kind"]).await;
    let failure = "Exit code: 1\nWall time: 0 seconds\nOutput:\nFailed to find the lines";
    let reply = conversation.results(&[failure]).await;
    assert!(
        reply.text.starts_with("The `apply_patch` tool failed"),
        "{}",
        reply.text
    );
}
