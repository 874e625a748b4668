//! Prompts that need no tool.

use crate::support::{ALL_TOOLS, Conversation};

#[tokio::test]
async fn a_greeting_gets_an_introduction() {
    for greeting in [
        "hello",
        "Hi there!",
        "Who are you?",
        "are you a real model?",
    ] {
        let reply = Conversation::with(&ALL_TOOLS).await.say(greeting).await;
        assert!(reply.calls.is_empty());
        assert!(
            reply.text.contains("not a neural network"),
            "{greeting}: {}",
            reply.text
        );
    }
}

#[tokio::test]
async fn a_question_about_abilities_gets_examples() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    let text = conversation.say("what can you do?").await.text;
    assert!(text.contains("make the tests pass"), "{text}");
}

/// A prompt, its number of images, and the start of the reply.
const IMAGE_PROMPTS: [(&str, usize, &str); 4] = [
    ("hello", 1, "I cannot see the image in your message. Hello."),
    (
        "what is it?",
        2,
        "I cannot see the 2 images in your message. None of my rules",
    ),
    (
        "what is in this picture?",
        1,
        "I cannot see images. This conversation has one,",
    ),
    (
        "What do you see?",
        0,
        "I cannot see images. This conversation has none.",
    ),
];

#[tokio::test]
async fn images_are_counted_and_not_seen() {
    for (prompt, images, expected) in IMAGE_PROMPTS {
        let mut conversation = Conversation::with(&ALL_TOOLS).await;
        let reply = conversation.say_with_images(prompt, images).await;
        assert!(reply.calls.is_empty(), "{prompt}");
        assert!(reply.text.starts_with(expected), "{prompt}: {}", reply.text);
    }
}

#[tokio::test]
async fn images_of_earlier_messages_count() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say_with_images("hello", 1).await;
    let text = conversation.say("describe the picture").await.text;
    assert!(text.contains("This conversation has one"), "{text}");
}

#[tokio::test]
async fn text_that_looks_like_a_placeholder_is_not_an_image() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("[image_url]\nhello").await;
    let text = conversation.say("describe the picture").await.text;
    assert!(text.contains("This conversation has none"), "{text}");
}

#[tokio::test]
async fn a_task_with_an_image_is_done() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    let reply = conversation.say_with_images("list src", 1).await;
    assert_eq!(reply.calls[0].name, "list");
}

#[tokio::test]
async fn a_conversation_can_be_summarized() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("list src").await;
    conversation.results(&["a.rs"]).await;
    let request = "Summarize the conversation so far for the next session.";
    let reply = conversation.say(request).await;
    assert_eq!(
        reply.text,
        "Requests so far: list src. Tools used, in order: list."
    );
}
