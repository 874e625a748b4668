//! Tasks in a row, and changes that need the file to be read first.

use crate::support::{ALL_TOOLS, Conversation};

#[tokio::test]
async fn tasks_in_a_row_are_done_in_order() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    let prompt = "create a.txt with hi, then read a.txt and then run make";
    let mut reply = conversation.say(prompt).await;
    for (id, tool, result) in [
        ("call_1", "write", "Wrote a.txt"),
        ("call_2", "read", "hi"),
        ("call_3", "bash", "done"),
    ] {
        let call = &reply.calls[0];
        assert_eq!((call.id.as_str(), call.name.as_str()), (id, tool));
        reply = conversation.results(&[result]).await;
    }
    assert!(reply.calls.is_empty());
    for expected in ["Wrote a.txt.", "It begins: hi.", "The last: done."] {
        assert!(
            reply.text.contains(expected),
            "{expected:?}: {}",
            reply.text
        );
    }
}

#[tokio::test]
async fn a_failed_task_ends_the_row() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("read a.txt, then run make").await;
    let reply = conversation.results(&["error: a.txt: not found"]).await;
    assert!(reply.calls.is_empty());
    assert_eq!(reply.text, "The `read` tool failed: a.txt: not found.");
}

#[tokio::test]
async fn shell_output_that_is_not_known_to_be_a_failure_does_not_end_the_row() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("run make, then list src").await;
    let reply = conversation.results(&["error: x"]).await;
    assert_eq!(reply.calls[0].name, "list");
}

#[tokio::test]
async fn a_new_prompt_starts_a_new_task_with_new_ids() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("list src").await;
    conversation.results(&["a.rs"]).await;
    let reply = conversation.say("read a.rs").await;
    assert_eq!(reply.calls[0].name, "read");
    assert_eq!(reply.calls[0].id, "call_2");
}

#[tokio::test]
async fn an_edit_of_an_unread_file_reads_it_and_retries() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("replace a with b in c.txt").await;
    let refusal = "error: c.txt has not been read yet: read it first";
    let reply = conversation.results(&[refusal]).await;
    assert_eq!(reply.calls[0].name, "read");
    let reply = conversation.results(&["a"]).await;
    assert_eq!(reply.calls[0].name, "edit");
    let reply = conversation.results(&["Replaced 1 occurrence."]).await;
    assert_eq!(reply.text, "`c.txt` is done: Replaced 1 occurrence.");
}

#[tokio::test]
async fn a_write_over_an_unread_file_reads_it_and_retries() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("create c.txt with the text hello").await;
    let refusal = "error: `c.txt` has not been read yet; read it first";
    let reply = conversation.results(&[refusal]).await;
    assert_eq!(reply.calls[0].name, "read");
    let reply = conversation.results(&["1\told"]).await;
    assert_eq!(reply.calls[0].name, "write");
    let written = "wrote `c.txt` (1 line, 5 bytes)";
    let reply = conversation.results(&[written]).await;
    assert_eq!(reply.text, format!("`c.txt` is done: {written}."));
}

#[tokio::test]
async fn any_other_failed_edit_is_reported() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("replace a with b in c.txt").await;
    let failure = "error: old_string does not occur";
    let reply = conversation.results(&[failure]).await;
    assert!(reply.calls.is_empty());
    assert_eq!(
        reply.text,
        "The `edit` tool failed: old_string does not occur."
    );
}
