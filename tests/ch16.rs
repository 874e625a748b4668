//! Chapter 16, Events & Steering.
//!
//! Models are scripts and tools are closures. Time is tokio's paused clock: it jumps
//! ahead when every task waits, so a test that would hang ends at once. `grammar.rs` reads
//! events by the grammar of the chapter, and `scenario.rs` plays conversations by chance.

#[path = "ch16/grammar.rs"]
mod grammar;
#[path = "ch16/parts.rs"]
mod parts;
#[path = "ch16/scenario.rs"]
mod scenario;

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::engine::{CUT_OFF, Gate, NOT_RUN, QueryConfig, Reporter, report};
use claw_code::prompt::SystemPrompt;
use claw_code::provider::{MockProvider, ProviderError, StreamEvent};
use claw_code::tools::{Attachment, attach};
use claw_code::types::{
    AssistantMessage, Message as Plain, StopReason as PlainReason, TokenUsage, Tool, ToolCall,
    ToolResult, ToolSet,
};
use grammar::{check, check_pairs, name, text_of};
use parts::{End, Scripted, Step, crash, piece, reply, slow, tool};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

// 16.1 Events as JSON

#[test]
fn test_ch16_events_have_the_json_of_the_contract() {
    for (event, json) in events_and_json() {
        let written = serde_json::to_value(&event).expect("an event can be written");
        assert_eq!(
            written,
            json,
            "a {} as JSON, as other programs read it: one object, its `type` beside its fields",
            name(&event)
        );
        let read: AgentEvent = serde_json::from_value(json.clone())
            .unwrap_or_else(|error| panic!("{json} is an event and cannot be read: {error}"));
        assert_eq!(read, event, "what was written is read as it was");
    }
}

#[test]
fn test_ch16_an_old_end_says_nothing_of_usage() {
    let old = json!({ "type": "AgentEnd", "loop_id": "s.c.1", "messages": [],
        "timestamp": "2026-01-02T03:04:05.678Z", "rejection": null });
    let read: AgentEvent = serde_json::from_value(old).expect("an old recording can be read");
    assert_eq!(read.loop_id(), "s.c.1");
    assert!(
        matches!(&read, AgentEvent::AgentEnd { usage, .. } if *usage == Usage::default()),
        "what it cost is not known: {read:?}"
    );
}

#[test]
fn test_ch16_a_start_without_a_snapshot_has_no_field_for_it() {
    let AgentEvent::AgentStart {
        config_snapshot: Some(snapshot),
        ..
    } = &events_and_json()[0].0
    else {
        panic!("the first example is a start with a snapshot");
    };
    let mut event = events_and_json()[0].0.clone();
    if let AgentEvent::AgentStart {
        config_snapshot, ..
    } = &mut event
    {
        *config_snapshot = None;
    }
    let written = serde_json::to_value(&event).unwrap();
    assert!(
        written.get("config_snapshot").is_none(),
        "without a snapshot the field is left out, not `null`: {written}"
    );
    assert_eq!(
        written.get("parent_loop_id"),
        Some(&Value::Null),
        "without a parent the field is `null`, not left out: {written}"
    );
    let read: AgentEvent = serde_json::from_value(written).expect("it can be read again");
    assert_eq!(read, event);
    assert_eq!(snapshot.model, "m-1");
}

#[test]
fn test_ch16_kinds_deltas_and_triggers_have_the_json_of_the_contract() {
    let tag = || "t".to_string();
    for (kind, json) in [
        (ContinuationKind::Initial, json!("Initial")),
        (ContinuationKind::Default, json!("Default")),
        (
            ContinuationKind::Rerun { tag: tag() },
            json!({ "Rerun": { "tag": "t" } }),
        ),
        (
            ContinuationKind::Branch { tag: tag() },
            json!({ "Branch": { "tag": "t" } }),
        ),
        (ContinuationKind::Compaction, json!("Compaction")),
    ] {
        assert_eq!(serde_json::to_value(&kind).unwrap(), json);
        assert_eq!(
            serde_json::from_value::<ContinuationKind>(json).unwrap(),
            kind
        );
    }
    for (delta, json) in [
        (piece("a"), json!({ "Text": { "delta": "a" } })),
        (
            StreamDelta::Thinking { delta: "a".into() },
            json!({ "Thinking": { "delta": "a" } }),
        ),
        (
            StreamDelta::ToolCallDelta { delta: "a".into() },
            json!({ "ToolCallDelta": { "delta": "a" } }),
        ),
    ] {
        assert_eq!(serde_json::to_value(&delta).unwrap(), json);
        assert_eq!(serde_json::from_value::<StreamDelta>(json).unwrap(), delta);
    }
    for word in ["User", "SubAgent", "Continuation", "Branch"] {
        let trigger: TurnTrigger = serde_json::from_value(json!(word)).unwrap();
        assert_eq!(serde_json::to_value(trigger).unwrap(), json!(word));
    }
    let old: TurnTrigger = serde_json::from_value(json!("FollowUp"))
        .unwrap_or_else(|error| panic!("old events say FollowUp for Continuation: {error}"));
    assert_eq!(old, TurnTrigger::Continuation);
}

#[test]
fn test_ch16_every_event_names_its_loop() {
    for (event, _) in events_and_json() {
        assert_eq!(event.loop_id(), "s.c.1", "the loop of a {}", name(&event));
    }
}

#[test]
fn test_ch16_event_times_are_rfc_3339() {
    for (milliseconds, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (TIME, "2026-01-02T03:04:05.678Z"),
        (1_000, "1970-01-01T00:00:01Z"),
    ] {
        assert_eq!(
            serde_json::to_value(event_time(milliseconds)).unwrap(),
            json!(text),
            "{milliseconds} milliseconds after 1970 began"
        );
    }
    // A clock that is out of its mind is no reason to panic.
    assert!(
        event_time(u64::MAX) > event_time(TIME),
        "the last time that there is"
    );
    let broken = json!({ "type": "InputRejected", "reason": "no" });
    let error = serde_json::from_value::<AgentEvent>(broken).expect_err("there is no loop");
    assert!(
        error.to_string().contains("loop_id"),
        "the error names the field that is missing: {error}"
    );
}

// 16.2 The names of loops

#[test]
fn test_ch16_a_slug_has_letters_digits_and_hyphens() {
    for (name, expected) in [
        ("gpt-5", "gpt-5"),
        ("claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("org/model:free", "org-model-free"),
        ("a b_c", "a-b-c"),
        ("modèle", "modèle"),
        ("", ""),
    ] {
        assert_eq!(slug(name), expected, "the slug of {name:?}");
    }
}

#[test]
fn test_ch16_settings_are_named_after_their_model() {
    for (level, expected) in [
        (ThinkingLevel::Off, "openai.gpt-5-1"),
        (ThinkingLevel::Minimal, "openai.gpt-5-1.minimal"),
        (ThinkingLevel::Low, "openai.gpt-5-1.low"),
        (ThinkingLevel::Medium, "openai.gpt-5-1.medium"),
        (ThinkingLevel::High, "openai.gpt-5-1.high"),
    ] {
        assert_eq!(
            config_id("openai", "gpt-5.1", level),
            expected,
            "the config id with {level:?} thinking"
        );
    }
}

#[test]
fn test_ch16_loops_count_from_one_for_each_config() {
    let mut counts = LoopCounts::default();
    let ids: Vec<String> = ["c", "c", "d", "c"]
        .iter()
        .map(|config| counts.next("s", config))
        .collect();
    assert_eq!(
        ids,
        ["s.c.1", "s.c.2", "s.d.1", "s.c.3"],
        "each config id has a count of its own, from 1"
    );
    let saved = serde_json::to_string(&counts).unwrap();
    let mut read: LoopCounts = serde_json::from_str(&saved).unwrap();
    assert_eq!(
        read.next("s", "c"),
        "s.c.4",
        "a count that was saved goes on"
    );
}

#[test]
fn test_ch16_the_kind_decides_what_triggers_the_first_turn() {
    let tag = || "t".to_string();
    for (kind, trigger) in [
        (ContinuationKind::Initial, TurnTrigger::User),
        (ContinuationKind::Default, TurnTrigger::Continuation),
        (
            ContinuationKind::Rerun { tag: tag() },
            TurnTrigger::Continuation,
        ),
        (ContinuationKind::Branch { tag: tag() }, TurnTrigger::Branch),
        (ContinuationKind::Compaction, TurnTrigger::Continuation),
    ] {
        assert_eq!(
            kind.trigger(),
            trigger,
            "of a loop that is {kind:?}: the first is the user's, a branch is a branch, all others go on"
        );
    }
}

// 16.3 A reply that grows

#[test]
fn test_ch16_pieces_of_one_kind_make_one_block() {
    let mut partial = PartialReply::new("test", "m-1");
    for delta in [
        thinking("Let "),
        thinking("me."),
        piece("The "),
        piece("answer."),
        thinking("Hm."),
        piece("No."),
    ] {
        partial.push(&delta);
    }
    assert_eq!(
        content(&partial.message(StopReason::Stop, None, 1)),
        [
            thought("Let me."),
            text("The answer."),
            thought("Hm."),
            text("No."),
        ],
        "a piece goes on with the last block if that is of its kind, and begins one otherwise"
    );
}

#[test]
fn test_ch16_half_a_call_is_no_call() {
    let mut partial = PartialReply::new("test", "m-1");
    partial.push(&piece("Look: "));
    partial.push(&StreamDelta::ToolCallDelta {
        delta: "{\"pa".into(),
    });
    partial.push(&piece("there."));
    assert_eq!(
        content(&partial.message(StopReason::Aborted, None, 1)),
        [text("Look: there.")],
        "pieces of arguments are no part of the message: a call that is not whole can't be answered"
    );
}

#[test]
fn test_ch16_a_partial_reply_says_how_it_ended() {
    let mut partial = PartialReply::new("test", "m-1");
    partial.push(&piece("The bug is"));
    let message = partial.message(StopReason::Error, Some("it broke".into()), 7);
    assert_eq!(
        message,
        Message::Assistant {
            content: vec![text("The bug is")],
            stop_reason: StopReason::Error,
            model: "m-1".into(),
            provider: "test".into(),
            usage: Usage::default(),
            timestamp: 7,
            error_message: Some("it broke".into()),
        }
    );
    assert_eq!(
        content(&PartialReply::new("p", "m").message(StopReason::Aborted, None, 1)),
        [],
        "of a reply that never began nothing is there"
    );
}

// 16.4 Any provider is a model

#[test]
fn test_ch16_messages_become_plain_ones() {
    let messages = [
        user_of(vec![text("Look at"), image(), text("this.")]),
        Message::Assistant {
            content: vec![thought("Hm."), text("I"), call("a", "read"), text("see.")],
            stop_reason: StopReason::ToolUse,
            model: "m".into(),
            provider: "p".into(),
            usage: Usage::default(),
            timestamp: 1,
            error_message: None,
        },
        result("a", "42 lines", false),
    ];
    let plain = to_types(&prompt_of("Be brief."), &messages);
    assert_eq!(
        plain.len(),
        4,
        "the system prompt and three messages: {plain:?}"
    );
    let Plain::System(system) = &plain[0] else {
        panic!("the system prompt comes first: {:?}", plain[0]);
    };
    assert_eq!(system.content, "Be brief.");
    let Plain::User(user) = &plain[1] else {
        panic!("the user's message is one: {:?}", plain[1]);
    };
    assert!(
        user.content.starts_with("Look at\n") && user.content.ends_with("\nthis."),
        "texts stand in lines of their own: {:?}",
        user.content
    );
    assert!(
        user.content.contains("image/png") && !user.content.contains("iVBOR"),
        "an image is said to have been there, and its bytes are not sent as text: {:?}",
        user.content
    );
    let Plain::Assistant(reply) = &plain[2] else {
        panic!("the reply is one: {:?}", plain[2]);
    };
    assert_eq!(
        reply.text.as_deref(),
        Some("I\nsee."),
        "thoughts are not sent"
    );
    assert_eq!(reply.tool_calls.len(), 1, "the call goes along");
    assert_eq!(reply.tool_calls[0].id, "a");
    let Plain::ToolResult(result) = &plain[3] else {
        panic!("the result is one: {:?}", plain[3]);
    };
    assert_eq!(
        (result.tool_use_id.as_str(), result.content.as_str()),
        ("a", "42 lines")
    );
}

#[test]
fn test_ch16_a_failed_result_says_so_in_its_text() {
    let messages = [
        reply("", &[("a", "t"), ("b", "t")], StopReason::ToolUse),
        result("a", "no such file", true),
        Message::ToolResult {
            tool_call_id: "b".into(),
            tool_name: "t".into(),
            content: vec![],
            is_error: false,
            timestamp: 1,
            child_loop_id: None,
        },
    ];
    let plain = to_types(&prompt_of(""), &messages);
    let contents: Vec<&str> = plain
        .iter()
        .filter_map(|message| match message {
            Plain::ToolResult(result) => Some(result.content.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        contents,
        ["error: no such file", ""],
        "plain text has no field for a failure, so the words begin with `error: `; a result without content stays, since its call needs one"
    );
}

#[test]
fn test_ch16_a_message_of_which_nothing_is_left_is_not_sent() {
    let mut thoughts = reply("", &[], StopReason::Aborted);
    if let Message::Assistant { content, .. } = &mut thoughts {
        content.push(thought("Hm."));
    }
    let messages = [
        Message::user("one"),
        reply("", &[], StopReason::Aborted),
        thoughts,
        user_of(vec![text("")]),
        Message::user("two"),
    ];
    let plain = to_types(&prompt_of(""), &messages);
    assert_eq!(
        plain.len(),
        2,
        "some servers refuse a message without content; what is left are two of the user's: {plain:?}"
    );
    for kept in [
        reply("Hi.", &[], StopReason::Stop),
        reply("", &[("a", "read")], StopReason::ToolUse),
    ] {
        let plain = to_types(&prompt_of(""), std::slice::from_ref(&kept));
        assert_eq!(plain.len(), 1, "words or calls are something: {kept:?}");
    }
}

#[test]
fn test_ch16_a_plain_reply_becomes_a_message() {
    let model = ProviderModel::new(MockProvider::new([]), "openai", "gpt");
    assert_eq!(
        (model.provider(), model.model()),
        ("openai", "gpt"),
        "the adapter says whose model it asks"
    );
    let message = model.reply(AssistantMessage {
        id: "1".into(),
        text: Some("I look.".into()),
        tool_calls: vec![ToolCall {
            id: "a".into(),
            name: "read".into(),
            arguments: json!({ "path": "x" }),
        }],
        stop_reason: PlainReason::ToolUse,
        usage: Some(TokenUsage {
            input_tokens: 10,
            output_tokens: 5,
            cache_read_tokens: 3,
            cache_creation_tokens: 2,
        }),
    });
    let Message::Assistant {
        content,
        stop_reason,
        model,
        provider,
        usage,
        ..
    } = message
    else {
        panic!("a reply is an assistant's message");
    };
    assert_eq!(
        content,
        [
            text("I look."),
            Content::ToolCall {
                id: "a".into(),
                name: "read".into(),
                arguments: json!({ "path": "x" })
            }
        ]
    );
    assert_eq!(
        (stop_reason, provider.as_str(), model.as_str()),
        (StopReason::ToolUse, "openai", "gpt")
    );
    let counts = Usage {
        input: 10,
        output: 5,
        reasoning: 0,
        cache_read: 3,
        cache_write: 2,
        total_tokens: 15,
    };
    assert_eq!(usage, counts, "each count keeps its meaning");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_provider_streams_through_the_adapter() {
    let plain = |text: Option<&str>, calls: Vec<ToolCall>| AssistantMessage {
        id: "1".into(),
        text: text.map(String::from),
        tool_calls: calls,
        stop_reason: PlainReason::Stop,
        usage: None,
    };
    let call = ToolCall {
        id: "a".into(),
        name: "read".into(),
        arguments: json!({}),
    };
    // More pieces than any channel here has room for.
    let long = "word ".repeat(2_000);
    let provider = Arc::new(MockProvider::new([
        Ok(plain(Some(&long), vec![call])),
        Ok(plain(Some(""), vec![])),
        Err(ProviderError::Network("gone".into())),
    ]));
    let model = ProviderModel::shared(provider.clone(), "p", "m");
    let (system, messages) = (prompt_of("Be brief."), [Message::user("go")]);
    let request = request(&system, &messages);
    let (sender, mut deltas) = mpsc::channel(1);
    let reading = async {
        let (mut words, mut arguments) = (String::new(), String::new());
        while let Some(delta) = deltas.recv().await {
            match delta {
                StreamDelta::Text { delta } => words.push_str(&delta),
                StreamDelta::ToolCallDelta { delta } => arguments.push_str(&delta),
                StreamDelta::Thinking { .. } => panic!("a provider has no thoughts"),
            }
        }
        (words, arguments)
    };
    let asking = async {
        let reply = model.stream(&request, &sender).await;
        drop(sender);
        reply
    };
    let (reply, (words, arguments)) = in_time(async { tokio::join!(asking, reading) }).await;
    let reply = reply.expect("a reply");
    assert_eq!(words, long, "every piece of the text is passed on");
    assert_eq!(arguments, "{}", "and so is every piece of the arguments");
    assert_eq!(grammar::calls(&reply), ["a"]);
    assert_eq!(
        provider.requests()[0].messages.len(),
        2,
        "the provider is asked with the system prompt and the conversation"
    );

    let (sender, deltas) = mpsc::channel(1);
    drop(deltas);
    let reply = in_time(model.stream(&request, &sender))
        .await
        .expect("a reply");
    assert_eq!(content(&reply), [], "no text, no calls: no blocks");
    let error = in_time(model.stream(&request, &sender))
        .await
        .expect_err("it failed");
    assert_eq!(error, ProviderError::Network("gone".into()));
    assert_eq!(
        delta_of(StreamEvent::Done(PlainReason::Stop)),
        None,
        "the end is told by the reply"
    );
}

// 16.5 The rule, once more

#[test]
fn test_ch16_mend_gives_every_call_its_result() {
    let turn = TurnId {
        loop_id: "s.c.1".into(),
        turn_index: 3,
    };
    let note = || AgentMessage::from(ExtensionMessage::new("note", json!(1)));
    let calls = AgentMessage::from(reply(
        "",
        &[("a", "read"), ("b", "bash"), ("c", "read")],
        StopReason::ToolUse,
    ))
    .with_turn_id(Some(turn.clone()));
    let mut history = vec![
        Message::user("go").into(),
        calls,
        note(),
        result("b", "there", false).into(),
        note(),
        Message::user("well?").into(),
    ];
    let before = history.clone();
    assert_eq!(
        mend_messages(&mut history, 9),
        2,
        "the results of a and of c were missing"
    );
    check_pairs(&convert_to_llm(&history)).unwrap_or_else(|wrong| {
        panic!("every call has its result, in call order: {wrong}\n{history:#?}")
    });
    let added = history.iter().find(|message| {
        matches!(message.as_llm(), Some(Message::ToolResult { tool_call_id, .. }) if tool_call_id == "a")
    });
    assert_eq!(
        added.and_then(AgentMessage::as_llm),
        Some(&Message::ToolResult {
            tool_call_id: "a".into(),
            tool_name: "read".into(),
            content: vec![text(LOST)],
            is_error: true,
            timestamp: 9,
            child_loop_id: None,
        })
    );
    assert_eq!(
        added.and_then(AgentMessage::turn_id),
        Some(&turn),
        "a result belongs to the turn of its reply"
    );
    let kept: Vec<&AgentMessage> = history.iter().filter(|m| before.contains(m)).collect();
    assert_eq!(
        kept,
        before.iter().collect::<Vec<_>>(),
        "every message that was there stays, in its order, extensions too"
    );
}

#[test]
fn test_ch16_a_result_out_of_place_answers_nothing() {
    let calls = |calls: &[(&str, &str)]| reply("", calls, StopReason::ToolUse).into();
    let mut history = vec![
        said("go"),
        calls(&[("a", "read")]),
        said("well?"),
        result("a", "late", false).into(),
    ];
    assert_eq!(
        mend_messages(&mut history, 9),
        1,
        "a result behind words of the user's answers nothing"
    );
    assert_eq!(
        roles(&history),
        format!("user:go assistant: toolResult:{LOST} user:well? toolResult:late"),
        "what was missing stands directly behind the reply, and what was there stays"
    );
    let mut history = vec![
        said("go"),
        calls(&[("a", "read"), ("b", "read")]),
        result("b", "second", false).into(),
        result("a", "first", false).into(),
    ];
    assert_eq!(
        mend_messages(&mut history, 9),
        1,
        "a result behind that of a later call answers nothing"
    );
    assert_eq!(
        roles(&history),
        format!("user:go assistant: toolResult:{LOST} toolResult:second toolResult:first"),
        "the results stand in the order of the calls"
    );
}

#[test]
fn test_ch16_mend_leaves_a_whole_history_alone() {
    let mut history: Vec<AgentMessage> = vec![
        Message::user("go").into(),
        reply("", &[("a", "t"), ("b", "t")], StopReason::ToolUse).into(),
        result("a", "1", false).into(),
        ExtensionMessage::new("note", json!(1)).into(),
        result("b", "2", false).into(),
        reply("", &[("a", "t")], StopReason::ToolUse).into(),
        result("a", "3", false).into(),
    ];
    let before = history.clone();
    assert_eq!(mend_messages(&mut history, 9), 0, "nothing was missing");
    assert_eq!(history, before, "nothing was missing");
}

// 16.6 What the user says meanwhile

#[test]
fn test_ch16_a_queue_gives_one_or_all() {
    let filled = |mode| Queue {
        mode,
        waiting: ["a", "b", "c"].map(said).into(),
    };
    let mut queue = filled(QueueMode::OneAtATime);
    assert_eq!(queue.take(), [said("a")], "one at a time, the oldest first");
    assert_eq!(queue.take(), [said("b")]);
    assert_eq!(queue.waiting, [said("c")], "the others wait");
    let mut queue = filled(QueueMode::All);
    assert_eq!(
        queue.take(),
        ["a", "b", "c"].map(said),
        "all, in their order"
    );
    assert_eq!(queue.take(), [], "nothing is left");
    assert_eq!(
        Queue::default().take(),
        [],
        "one at a time, of an empty queue, is none"
    );
}

#[test]
fn test_ch16_only_words_for_the_model_interrupt() {
    let queue = |waiting: Vec<AgentMessage>| Queue {
        mode: QueueMode::All,
        waiting: waiting.into(),
    };
    assert!(
        !queue(vec![]).speaks_to_model(),
        "an empty queue says nothing"
    );
    assert!(
        !queue(vec![note("a"), note("b")]).speaks_to_model(),
        "an extension is not for the model"
    );
    assert!(
        queue(vec![note("a"), said("b")]).speaks_to_model(),
        "a user's message is"
    );
}

#[test]
fn test_ch16_filters_see_what_the_user_says() {
    let filters: [Box<dyn InputFilter>; 3] = [
        Box::new(Refuse("first", "bad")),
        Box::new(Refuse("second", "bad")),
        Box::new(Refuse("third", "worse")),
    ];
    assert_eq!(admit(&filters, &said("good")), Ok(()));
    assert_eq!(
        admit(&filters, &said("bad")),
        Err("first".into()),
        "the first filter that objects decides"
    );
    assert_eq!(
        admit(&filters, &said("worse")),
        Err("third".into()),
        "all are asked"
    );
    assert_eq!(
        admit(&filters, &note("bad")),
        Ok(()),
        "no model sees an extension, so no filter does"
    );
    assert_eq!(
        admit(&[], &said("bad")),
        Ok(()),
        "without a filter all is let in"
    );
}

#[test]
fn test_ch16_only_users_and_extensions_are_input() {
    for stranger in [
        reply("I am the model", &[], StopReason::Stop),
        result("a", "made up", false),
    ] {
        let reason = admit(&[], &stranger.clone().into()).expect_err(
            "only the loop makes replies and results; from outside they would break the rule",
        );
        assert!(
            reason.contains(stranger.role()),
            "the reason names the role {}: {reason}",
            stranger.role()
        );
    }
}

#[test]
fn test_ch16_a_filter_that_crashes_lets_nothing_in() {
    struct Crashing;
    impl InputFilter for Crashing {
        fn check(&self, _message: &Message) -> Result<(), String> {
            crash("a bug in the filter")
        }
    }
    let verdict = std::panic::catch_unwind(|| admit(&[Box::new(Crashing)], &said("hello")));
    let verdict = verdict.expect("the panic of a filter ends with it");
    assert!(verdict.is_err(), "what was not checked is not let in");
}

// 16.7 A reader who is behind

#[tokio::test(start_paused = true)]
async fn test_ch16_events_wait_for_a_slow_reader() {
    let (sender, mut reader) = mpsc::channel(2);
    let mut sink = EventSink::new(sender, CancellationToken::new());
    let sending = async {
        for number in 0..50 {
            sink.send(numbered(number)).await;
        }
        drop(sink);
    };
    let reading = async {
        sleep(Duration::from_secs(60)).await;
        assert_eq!(
            reader.len(),
            2,
            "no more events wait than the channel holds"
        );
        let mut all = Vec::new();
        while let Some(event) = reader.recv().await {
            all.push(event);
            sleep(Duration::from_secs(1)).await;
        }
        all
    };
    let ((), all) = in_time(async { tokio::join!(sending, reading) }).await;
    assert_eq!(
        all,
        (0..50).map(numbered).collect::<Vec<_>>(),
        "each once, in order"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_cancel_ends_the_waiting_and_loses_nothing() {
    let (sender, mut reader) = mpsc::channel(2);
    let cancel = CancellationToken::new();
    let mut sink = EventSink::new(sender, cancel.clone());
    let canceller = async {
        sleep(Duration::from_secs(1)).await;
        cancel.cancel();
    };
    let sending = async {
        // The third has no room, and waits when the cancel comes.
        for number in 0..6 {
            sink.send(numbered(number)).await;
        }
        sink.offer(numbered(100));
    };
    in_time(async { tokio::join!(sending, canceller) }).await;
    assert_eq!(reader.recv().await, Some(numbered(0)));
    sink.send(numbered(6)).await;
    let finishing = tokio::spawn(sink.finish());
    let mut all = Vec::new();
    while let Some(event) = in_time(reader.recv()).await {
        all.push(event);
    }
    assert_eq!(
        all,
        (1..7).map(numbered).collect::<Vec<_>>(),
        "after a cancel nothing waits for room, and still each event comes once and in order; only the one that was merely offered may be missed"
    );
    in_time(finishing).await.expect("it ends when all is sent");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_reader_who_has_gone_changes_nothing() {
    for is_cancelled in [false, true] {
        let (sender, reader) = mpsc::channel(1);
        let cancel = CancellationToken::new();
        let mut sink = EventSink::new(sender, cancel.clone());
        sink.send(numbered(0)).await;
        if is_cancelled {
            cancel.cancel();
            sink.send(numbered(1)).await;
        }
        drop(reader);
        in_time(sink.send(numbered(2))).await;
        sink.offer(numbered(3));
        in_time(sink.finish()).await;
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_offer_never_waits_nor_overtakes() {
    let (sender, mut reader) = mpsc::channel(1);
    let cancel = CancellationToken::new();
    let mut sink = EventSink::new(sender, cancel.clone());
    sink.offer(numbered(0));
    sink.offer(numbered(1));
    cancel.cancel();
    sink.send(numbered(2)).await;
    assert_eq!(
        reader.recv().await,
        Some(numbered(0)),
        "there was room for the first"
    );
    sink.offer(numbered(3));
    let finishing = tokio::spawn(sink.finish());
    assert_eq!(
        in_time(reader.recv()).await,
        Some(numbered(2)),
        "what is offered does not overtake what was kept"
    );
    assert_eq!(in_time(reader.recv()).await, None);
    in_time(finishing).await.unwrap();
}

// 16.8 One request

#[tokio::test(start_paused = true)]
async fn test_ch16_the_model_is_asked_with_everything() {
    let model = Scripted::new([Step::says("Yes.")]);
    let mut agent = Agent::builder(model.clone())
        .system(prompt_of("Be brief."))
        .tools(
            ToolSet::new()
                .with(slow("b", 1, ""))
                .with(slow("a", 1, ""))
                .with(slow("c", 1, "")),
        )
        .thinking(ThinkingLevel::High)
        .history(vec![said("one"), note("two"), said("three")])
        .build();
    let (reply, _) = ask(&mut agent).await;
    let asked = &model.asked()[0];
    assert_eq!(
        asked.messages.len(),
        2,
        "the messages of the model's lane, and no extension: {:?}",
        asked.messages
    );
    assert_eq!(
        asked.tools,
        ["a", "b", "c"],
        "tools by name: a prompt cache holds what is repeated byte for byte"
    );
    assert_eq!(
        (asked.system.as_str(), asked.thinking),
        ("Be brief.", ThinkingLevel::High)
    );
    assert_eq!(text_of(&reply.into()), "Yes.");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_reply_is_told_as_it_grows() {
    let mut agent = agent(&Scripted::new([Step::says("The answer is 42.")]));
    let (reply, events) = ask(&mut agent).await;
    assert_eq!(
        names(&events),
        "MessageStart MessageUpdate MessageUpdate MessageUpdate MessageUpdate",
        "its end is told when it is in the history"
    );
    let texts: Vec<String> = events
        .iter()
        .map(|event| text_of(message_of(event)))
        .collect();
    assert_eq!(
        texts,
        [
            "",
            "The ",
            "The answer ",
            "The answer is ",
            "The answer is 42."
        ],
        "each update has the whole message so far"
    );
    let turn = TurnId {
        loop_id: "s.c.1".into(),
        turn_index: 0,
    };
    for event in &events {
        assert_eq!(
            message_of(event).turn_id(),
            Some(&turn),
            "it is of this turn"
        );
    }
    let Message::Assistant { timestamp, .. } = reply else {
        panic!("a reply");
    };
    assert_eq!(timestamp, TIME, "the time is the agent's, not the model's");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_reply_without_pieces_is_told_whole() {
    let mut step = Step::says("At once.");
    step.pieces.clear();
    let (reply, events) = ask(&mut agent(&Scripted::new([step]))).await;
    assert_eq!(names(&events), "MessageStart");
    assert_eq!(message_of(&events[0]).as_llm(), Some(&reply));
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_failed_request_leaves_what_had_come() {
    for (end, words) in [
        (End::Fail(ProviderError::Network("gone".into())), "gone"),
        (End::Panic, "a bug in the connection"),
        (End::Reply(Message::user("I am no model")), "no reply"),
    ] {
        let step = Step::says("The bug is in ").ends(end);
        let (reply, _) = ask(&mut agent(&Scripted::new([step]))).await;
        let Message::Assistant {
            stop_reason,
            error_message,
            timestamp,
            ..
        } = &reply
        else {
            panic!("there is a reply in any case: {reply:?}");
        };
        assert_eq!(
            *stop_reason,
            StopReason::Error,
            "of a request that failed: {words}"
        );
        assert!(
            error_message
                .as_ref()
                .is_some_and(|error| error.contains(words)),
            "it says what went wrong ({words}): {error_message:?}"
        );
        assert_eq!(*timestamp, TIME, "a reply that failed has its time too");
        assert_eq!(
            text_of(&reply.into()),
            "The bug is in ",
            "the user has read this much"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_overflow_is_known_as_one() {
    for words in ["prompt is too long: 9 tokens", "413 payload", "zu lang"] {
        let step = Step::new(End::Fail(ProviderError::ContextOverflow(words.into())));
        let (reply, _) = ask(&mut agent(&Scripted::new([step]))).await;
        assert!(
            reply.is_context_overflow(),
            "whatever the server's words, an overflow is known by the message: {reply:?}"
        );
        let Message::Assistant {
            error_message: Some(said),
            ..
        } = &reply
        else {
            panic!("a failed request leaves a reply that says why: {reply:?}");
        };
        assert_eq!(
            said.matches("context length exceeded").count(),
            usize::from(words != "prompt is too long: 9 tokens"),
            "words are put before the server's only where nobody would know it by those: {said}"
        );
    }
    let step = Step::new(End::Fail(ProviderError::BadRequest("no such model".into())));
    let (reply, _) = ask(&mut agent(&Scripted::new([step]))).await;
    assert!(
        !reply.is_context_overflow(),
        "another failure is none: {reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_abort_keeps_what_had_come() {
    let step = Step::says("one two three ")
        .paused(Duration::from_secs(10))
        .ends(End::Never);
    let mut agent = agent(&Scripted::new([step]));
    let handle = agent.handle();
    let aborting = async {
        sleep(Duration::from_secs(25)).await;
        handle.abort();
    };
    let ((reply, events), ()) = tokio::join!(ask(&mut agent), aborting);
    let Message::Assistant {
        stop_reason,
        error_message,
        ..
    } = &reply
    else {
        panic!("there is a reply in any case: {reply:?}");
    };
    assert_eq!(*stop_reason, StopReason::Aborted);
    assert_eq!(*error_message, None, "nothing went wrong");
    assert_eq!(text_of(&reply.into()), "one two ", "two words had come");
    assert_eq!(names(&events), "MessageStart MessageUpdate MessageUpdate");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_every_call_of_a_reply_has_its_own_id() {
    let mut agent = agent(&Scripted::new([Step::calls(&[
        ("a", "t"),
        ("", "t"),
        ("a", "t"),
        ("b", "t"),
    ])]));
    let (reply, _) = ask(&mut agent).await;
    let ids = grammar::calls(&reply);
    assert_eq!(
        (ids[0].as_str(), ids[3].as_str()),
        ("a", "b"),
        "an id that is free stays"
    );
    for (at, id) in ids.iter().enumerate() {
        assert!(!id.is_empty(), "call {at} of {ids:?} has no id");
        assert!(
            !ids[..at].contains(id),
            "call {at} of {ids:?} has an earlier one's id"
        );
    }
}

// 16.9 Answers, unless the user steers

#[tokio::test(start_paused = true)]
async fn test_ch16_calls_are_answered_in_their_order() {
    let mut agent = agent_with(
        &Scripted::default(),
        ToolSet::new()
            .with(slow("slow", 30, "slow is done").safe())
            .with(slow("fast", 1, "fast is done").safe())
            .with(tool("fail", |_| async {
                Ok(ToolResult::error("no such file"))
            })),
    );
    let calls = [
        ("a", "slow"),
        ("b", "fast"),
        ("c", "fail"),
        ("d", "nothing"),
    ];
    let (results, events) = answer(&mut agent, &calls, StopReason::ToolUse).await;
    assert_eq!(
        told(&events),
        "+a +b -b -a +c -c +d -d say:a say:b say:c say:d",
        "+ and - are a call's start and end: the first two run together; results follow in call order"
    );
    assert_eq!(
        shown(&results)[..3],
        [
            "a ok slow is done",
            "b ok fast is done",
            "c error no such file"
        ],
        "a failure is told by its field, so its text needs no `error: `"
    );
    assert!(
        shown(&results)[3].starts_with("d error there is no tool"),
        "{:?}",
        shown(&results)
    );
    for event in &events {
        if let AgentEvent::ToolExecutionEnd {
            tool_call_id,
            tool_name,
            is_error,
            ..
        } = event
        {
            let at = calls.iter().position(|(id, _)| id == tool_call_id).unwrap();
            assert_eq!(tool_name, calls[at].1, "the event names the tool");
            assert_eq!(
                *is_error,
                at > 1,
                "the event says whether {tool_call_id} failed"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_steering_skips_what_has_not_begun() {
    let mut agent = agent_with(
        &Scripted::default(),
        ToolSet::new()
            .with(slow("read", 20, "text").safe())
            .with(slow("write", 20, "written")),
    );
    let handle = agent.handle();
    let steering = async {
        sleep(Duration::from_millis(10)).await;
        handle.steer(Message::user("Stop, not that file."));
    };
    let calls = [("a", "read"), ("b", "read"), ("c", "write"), ("d", "read")];
    let ((results, events), ()) =
        tokio::join!(answer(&mut agent, &calls, StopReason::ToolUse), steering);
    assert_eq!(
        shown(&results),
        [
            "a ok text",
            "b ok text",
            "c error Skipped due to queued user message.",
            "d error Skipped due to queued user message.",
        ],
        "calls that run are let finish, the others are skipped, and each has its result"
    );
    assert_eq!(
        told(&events),
        "+a +b -a -b +c -c +d -d say:a say:b say:c say:d",
        "a call that is skipped is told as well, or its row would be missing on the screen"
    );
    assert_eq!(
        agent.handle().queues().steering.waiting.len(),
        1,
        "the message waits for the next turn"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_steering_before_the_first_call_skips_them_all() {
    let ran = Arc::new(Mutex::new(0));
    let mut agent = agent_with(
        &Scripted::default(),
        ToolSet::new().with(counting("rm", &ran)),
    );
    agent.steer(note("only for the screen"));
    let (results, _) = answer(&mut agent, &[("a", "rm")], StopReason::ToolUse).await;
    assert_eq!(
        shown(&results),
        ["a ok ok"],
        "an extension does not interrupt"
    );
    agent.steer(Message::user("No!"));
    let (results, _) = answer(&mut agent, &[("a", "rm"), ("b", "rm")], StopReason::ToolUse).await;
    assert_eq!(
        shown(&results),
        [
            "a error Skipped due to queued user message.",
            "b error Skipped due to queued user message.",
        ],
        "what the user says while the model still writes comes before the first call"
    );
    assert_eq!(
        *ran.lock().unwrap(),
        1,
        "the tool ran once, before the user spoke"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_steering_is_seen_within_a_long_batch() {
    let mut agent = Agent::builder(Scripted::default())
        .tools(ToolSet::new().with(slow("read", 20, "text").safe()))
        .limits(QueryConfig {
            max_concurrent: 2,
            ..QueryConfig::default()
        })
        .build();
    let handle = agent.handle();
    let steering = async {
        sleep(Duration::from_millis(30)).await;
        handle.steer(Message::user("Enough."));
    };
    let calls = ["a", "b", "c", "d", "e", "f"].map(|id| (id, "read"));
    let ((results, _), ()) =
        tokio::join!(answer(&mut agent, &calls, StopReason::ToolUse), steering);
    assert_eq!(results.len(), 6, "each call has its result, skipped or not");
    let ok = shown(&results)
        .iter()
        .filter(|line| line.ends_with("ok text"))
        .count();
    assert_eq!(
        ok,
        4,
        "two run at a time; the third pair had not begun when the user spoke: {:?}",
        shown(&results)
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_abort_leaves_every_result() {
    let mut agent = agent_with(
        &Scripted::default(),
        ToolSet::new()
            .with(slow("fast", 1, "done").safe())
            .with(slow("slow", 1_000, "late").safe())
            .with(slow("write", 1, "written")),
    );
    let handle = agent.handle();
    let aborting = async {
        sleep(Duration::from_millis(100)).await;
        handle.abort();
    };
    let calls = [("a", "fast"), ("b", "slow"), ("c", "write")];
    let ((results, events), ()) =
        tokio::join!(answer(&mut agent, &calls, StopReason::ToolUse), aborting);
    assert_eq!(
        shown(&results),
        [
            "a ok done".to_string(),
            format!("b error {CUT_OFF}"),
            format!("c error {NOT_RUN}"),
        ],
        "each result says how far its call was"
    );
    assert_eq!(
        told(&events),
        "+a +b -a -b +c -c say:a say:b say:c",
        "every call has its start and its end, an abort or not"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_the_calls_of_a_failed_reply_are_not_run() {
    let ran = Arc::new(Mutex::new(0));
    for reason in [StopReason::Error, StopReason::Aborted] {
        let mut agent = agent_with(
            &Scripted::default(),
            ToolSet::new().with(counting("rm", &ran)),
        );
        let (results, events) = answer(&mut agent, &[("a", "rm")], reason).await;
        assert_eq!(shown(&results), [format!("a error {NOT_RUN}")]);
        assert_eq!(told(&events), "+a -a say:a");
    }
    assert_eq!(*ran.lock().unwrap(), 0, "half a reply is nothing to act on");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_what_a_tool_says_is_told_meanwhile() {
    let mut agent = agent_with(
        &Scripted::default(),
        ToolSet::new().with(tool("build", |_| async {
            report("compiling");
            report(json!({ "done": 3 }));
            runs_loop("child.sub.1");
            Ok(ToolResult::text("built"))
        })),
    );
    let (results, events) = answer(&mut agent, &[("a", "build")], StopReason::ToolUse).await;
    let AgentEvent::ProgressMessage {
        tool_call_id,
        tool_name,
        text,
        ..
    } = &events[1]
    else {
        panic!("words are for the user, a ProgressMessage: {:?}", events[1]);
    };
    assert_eq!(
        (tool_call_id.as_str(), tool_name.as_str(), text.as_str()),
        ("a", "build", "compiling")
    );
    let AgentEvent::ToolExecutionUpdate { partial_result, .. } = &events[2] else {
        panic!("anything else is what there is so far: {:?}", events[2]);
    };
    assert_eq!(partial_result.details, json!({ "done": 3 }));
    let AgentEvent::ToolExecutionEnd {
        child_loop_id,
        result,
        ..
    } = &events[3]
    else {
        panic!("then the call ends: {:?}", events[3]);
    };
    assert_eq!(
        child_loop_id.as_deref(),
        Some("child.sub.1"),
        "the loop that ran as the call"
    );
    assert_eq!(result.child_loop_id.as_deref(), Some("child.sub.1"));
    let Message::ToolResult { child_loop_id, .. } = &results[0] else {
        panic!("a result");
    };
    assert_eq!(
        child_loop_id.as_deref(),
        Some("child.sub.1"),
        "the history keeps it"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_of_a_call_that_is_over_nothing_is_told() {
    let left = Arc::new(Mutex::new(None));
    let leaves = left.clone();
    let tools = ToolSet::new()
        .with(
            tool("quick", move |_| {
                *leaves.lock().unwrap() = Reporter::current();
                async { Ok(ToolResult::text("done")) }
            })
            .safe(),
        )
        .with(
            tool("slow", move |_| {
                let left = left.clone();
                async move {
                    sleep(Duration::from_secs(1)).await;
                    let reporter = left.lock().unwrap().take();
                    reporter.expect("quick has run").report("still here");
                    Ok(ToolResult::text("done"))
                }
            })
            .safe(),
        );
    let mut agent = agent_with(&Scripted::default(), tools);
    let calls = [("a", "quick"), ("b", "slow")];
    let (results, events) = answer(&mut agent, &calls, StopReason::ToolUse).await;
    assert_eq!(shown(&results), ["a ok done", "b ok done"]);
    let late = events.iter().find(|event| name(event) == "ProgressMessage");
    assert_eq!(
        late, None,
        "what a call says after its ToolExecutionEnd has no place in the grammar"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_image_goes_along_with_its_result() {
    let mut agent = agent_with(
        &Scripted::default(),
        ToolSet::new()
            .with(
                tool("look", |_| async {
                    let is_taken = attach(Attachment {
                        media_type: "image/png".into(),
                        data: vec![0x89, b'P', b'N', b'G'],
                    });
                    Ok(ToolResult::text(format!("attached: {is_taken}")))
                })
                .safe(),
            )
            .with(slow("read", 5, "x".repeat(2_000).leak()).safe()),
    );
    let (results, _) = answer(
        &mut agent,
        &[("a", "read"), ("b", "look")],
        StopReason::ToolUse,
    )
    .await;
    let Message::ToolResult { content, .. } = &results[1] else {
        panic!("a result");
    };
    assert_eq!(
        content,
        &[
            text("attached: true"),
            Content::Image {
                data: "iVBORw==".into(),
                mime_type: "image/png".into(),
            },
        ],
        "the image stands behind the text of its own call, in base64"
    );
    let Message::ToolResult { content, .. } = &results[0] else {
        panic!("a result");
    };
    assert_eq!(content.len(), 1, "and nowhere else");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_gate_that_crashes_leaves_a_reason() {
    struct Crashing;
    #[async_trait]
    impl Gate for Crashing {
        async fn check(&self, call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
            match call.id.as_str() {
                "a" => crash("a bug in the gate"),
                _ => Ok(()),
            }
        }
    }
    let mut agent = Agent::builder(Scripted::default())
        .tools(ToolSet::new().with(slow("write", 1, "written")))
        .gate(Crashing)
        .build();
    let calls = [("a", "write"), ("b", "write")];
    let (results, events) = answer(&mut agent, &calls, StopReason::ToolUse).await;
    let lines = shown(&results);
    assert!(
        lines[0].starts_with("a error ") && lines[0].contains("a bug in the gate"),
        "the model reads why its call did not run: {lines:?}"
    );
    assert_eq!(lines[1], "b ok written", "the next call is none the worse");
    assert_eq!(told(&events), "+a -a +b -b say:a say:b");
}

// 16.10 The loop

#[tokio::test(start_paused = true)]
async fn test_ch16_a_loop_tells_its_story() {
    let model = Scripted::new([
        Step::calls(&[("a", "read"), ("b", "read")]),
        Step::says("Both are empty."),
    ]);
    let mut agent = agent_with(&model, ToolSet::new().with(slow("read", 1, "")));
    let events = run(&mut agent, vec![said("What is in a and b?")]).await;
    assert_eq!(
        names(&events),
        "AgentStart \
         TurnStart MessageStart MessageEnd MessageStart MessageEnd \
         ToolExecutionStart ToolExecutionEnd ToolExecutionStart ToolExecutionEnd \
         MessageStart MessageEnd MessageStart MessageEnd TurnEnd \
         TurnStart MessageStart MessageUpdate MessageUpdate MessageUpdate MessageEnd TurnEnd \
         AgentEnd"
    );
    assert_eq!(check(&events), Ok(()));
    let triggers: Vec<TurnTrigger> = events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::TurnStart { triggered_by, .. } => Some(*triggered_by),
            _ => None,
        })
        .collect();
    assert_eq!(
        triggers,
        [TurnTrigger::User, TurnTrigger::Continuation],
        "the user asked for the first turn, the results brought about the second"
    );
    let Some(AgentEvent::AgentEnd { usage, .. }) = events.last() else {
        panic!("it ends with AgentEnd");
    };
    assert_eq!(usage.input, 20, "the usage of both replies");
    let asked = model.asked();
    assert_eq!(
        (asked[0].messages.len(), asked[1].messages.len()),
        (1, 4),
        "the second request has the reply and its two results as well"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_messages_bear_their_turn() {
    let model = Scripted::new([Step::calls(&[("a", "read")]), Step::says("Done.")]);
    let mut agent = agent_with(&model, ToolSet::new().with(slow("read", 1, "")));
    let older = TurnId {
        loop_id: "elsewhere.c.1".into(),
        turn_index: 7,
    };
    run(
        &mut agent,
        vec![said("go").with_turn_id(Some(older)), said("now")],
    )
    .await;
    let turns: Vec<(&str, u64)> = agent
        .messages()
        .iter()
        .filter_map(AgentMessage::turn_id)
        .map(|turn| (turn.loop_id.as_str(), turn.turn_index))
        .collect();
    assert_eq!(
        turns,
        [
            ("elsewhere.c.1", 7),
            ("s.c.1", 0),
            ("s.c.1", 0),
            ("s.c.1", 0),
            ("s.c.1", 1),
        ],
        "what the user said, the reply and the results are of one turn; a turn that a message has already stays"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_steering_and_follow_ups_come_in_when_due() {
    let model = Scripted::new([
        Step::calls(&[("a", "read")]),
        Step::says("I stop."),
        Step::says("That too."),
    ]);
    let mut agent = agent_with(&model, ToolSet::new().with(slow("read", 50, "")));
    let handle = agent.handle();
    handle.follow_up(Message::user("And then this."));
    let talking = async {
        sleep(Duration::from_millis(20)).await;
        handle.steer(Message::user("Stop."));
    };
    let (events, ()) = tokio::join!(run(&mut agent, vec![said("go")]), talking);
    assert_eq!(check(&events), Ok(()));
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: user:Stop. assistant:I stop. user:And then this. assistant:That too.",
        "steering comes in behind the results, and what follows when the model has nothing left to do"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_queues_drain_one_at_a_time_unless_set_to_all() {
    for (mode, requests) in [(QueueMode::OneAtATime, 4), (QueueMode::All, 2)] {
        let model = Scripted::new(["1", "2", "3", "4"].map(Step::says));
        let mut agent = agent(&model);
        agent.handle().set_modes(mode, mode);
        for text in ["a", "b", "c"] {
            agent.follow_up(Message::user(text));
        }
        run(&mut agent, vec![said("go")]).await;
        assert_eq!(
            model.asked().len(),
            requests,
            "the prompt, and three messages with {mode:?}"
        );
        assert_eq!(
            agent.handle().queues().follow_up.waiting.len(),
            0,
            "none is left"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_prompt_that_is_rejected_changes_nothing() {
    let model = Scripted::new([Step::says("no")]);
    let mut agent = Agent::builder(model.clone())
        .filter(Refuse("not here", "bad"))
        .build();
    let events = run(&mut agent, vec![said("fine"), said("bad")]).await;
    assert_eq!(names(&events), "AgentStart InputRejected AgentEnd");
    assert_eq!(check(&events), Ok(()));
    let Some(AgentEvent::AgentEnd { rejection, .. }) = events.last() else {
        panic!("it ends with AgentEnd");
    };
    assert_eq!(rejection.as_deref(), Some("not here"));
    assert_eq!(
        agent.messages(),
        [],
        "a prompt comes in as a whole or not at all"
    );
    assert_eq!(model.asked().len(), 0, "the model was not asked");
    assert_eq!(agent.finish().await, Some(StopReason::GuardRail));
}

#[tokio::test(start_paused = true)]
async fn test_ch16_what_is_rejected_later_does_not_end_the_loop() {
    let model = Scripted::new([Step::says("1"), Step::says("2")]);
    let mut agent = Agent::builder(model.clone())
        .filter(Refuse("not here", "bad"))
        .build();
    for text in ["bad", "bad", "good"] {
        agent.follow_up(Message::user(text));
    }
    let events = run(&mut agent, vec![said("go")]).await;
    assert_eq!(check(&events), Ok(()));
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:1 user:good assistant:2"
    );
    let rejected = events
        .iter()
        .filter(|event| name(event) == "InputRejected")
        .count();
    assert_eq!(rejected, 2, "each message that is turned away is told");
    let Some(AgentEvent::AgentEnd { rejection, .. }) = events.last() else {
        panic!("it ends with AgentEnd");
    };
    assert_eq!(*rejection, None, "the loop itself was not rejected");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_extension_does_not_ask_the_model() {
    let model = Scripted::new([Step::says("1")]);
    let mut agent = agent(&model);
    agent.follow_up(note("after"));
    let events = run(&mut agent, vec![note("before"), said("go")]).await;
    assert_eq!(check(&events), Ok(()));
    assert_eq!(
        roles(agent.messages()),
        "extension: user:go assistant:1 extension:",
        "extensions are part of the history"
    );
    assert_eq!(model.asked().len(), 1, "nobody asked for another reply");
    let events = run(&mut agent, vec![note("alone")]).await;
    assert_eq!(
        names(&events),
        "AgentStart MessageStart MessageEnd AgentEnd"
    );
    assert_eq!(model.asked().len(), 1, "nor now");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_failure_ends_the_loop_and_stays_in_the_history() {
    let model = Scripted::new([
        Step::calls(&[("a", "read")]),
        Step::new(End::Fail(ProviderError::Network("gone".into()))),
        Step::says("not asked for"),
    ]);
    let mut agent = agent_with(&model, ToolSet::new().with(slow("read", 1, "")));
    agent.follow_up(Message::user("later"));
    let events = run(&mut agent, vec![said("go")]).await;
    assert_eq!(check(&events), Ok(()));
    assert_eq!(agent.finish().await, Some(StopReason::Error));
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: assistant:"
    );
    let Some(Message::Assistant { stop_reason, .. }) =
        agent.messages().last().and_then(AgentMessage::as_llm)
    else {
        panic!("the failed turn is in the history");
    };
    assert_eq!(*stop_reason, StopReason::Error);
    assert_eq!(
        agent.handle().queues().follow_up.waiting.len(),
        1,
        "what was to follow a natural end waits for one"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_abort_ends_the_loop_wherever_it_stands() {
    // While the model writes, while a tool runs, and before anything.
    for after in [5, 50, 0] {
        let model = Scripted::new([
            Step::calls(&[("a", "read")]).paused(Duration::from_millis(20)),
            Step::says("not asked for"),
        ]);
        let mut agent = agent_with(&model, ToolSet::new().with(slow("read", 100, "")));
        let handle = agent.handle();
        let (work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
        let aborting = async {
            if after > 0 {
                sleep(Duration::from_millis(after)).await;
            }
            handle.abort();
            handle.follow_up(Message::user("later"));
        };
        let ((), (), events) =
            in_time(async { tokio::join!(aborting, work.run(vec![said("go")]), all(events)) })
                .await;
        check(&events).unwrap_or_else(|wrong| panic!("aborted after {after} ms: {wrong}"));
        assert_eq!(agent.finish().await, Some(StopReason::Aborted));
        check_pairs(&convert_to_llm(agent.messages())).unwrap();
        assert_eq!(
            text_of(&agent.messages()[0]),
            "go",
            "what the user said is in the history, even if it was not answered"
        );
        assert!(model.asked().len() <= 1, "the model is not asked again");
        assert_eq!(
            agent.handle().queues().follow_up.waiting.len(),
            1,
            "what waits in line stays there"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_the_limit_on_turns_ends_a_model_that_does_not() {
    let model = Scripted::new((0..5).map(|_| Step::calls(&[("a", "read")])));
    let limits = QueryConfig {
        max_turns: 2,
        ..QueryConfig::default()
    };
    let mut agent = Agent::builder(model.clone())
        .tools(ToolSet::new().with(slow("read", 1, "")))
        .limits(limits.clone())
        .build();
    let events = run(&mut agent, vec![said("go")]).await;
    assert_eq!(check(&events), Ok(()));
    assert_eq!(agent.finish().await, Some(StopReason::MaxTurns));
    assert_eq!(model.asked().len(), 2);
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: assistant: toolResult:",
        "the calls of the last reply have been answered, so that the next loop can go on"
    );
    let model = Scripted::new(["1", "2", "3", "4"].map(Step::says));
    let mut agent = Agent::builder(model).limits(limits).build();
    agent.follow_up(Message::user("again"));
    agent.follow_up(Message::user("and again"));
    run(&mut agent, vec![said("go")]).await;
    assert_eq!(
        (
            agent.finish().await,
            agent.handle().queues().follow_up.waiting.len()
        ),
        (Some(StopReason::MaxTurns), 1),
        "a follow-up that waits would be a third turn; it goes on waiting"
    );
    agent.handle().clear_queues();
    agent.follow_up(Message::user("again"));
    run(&mut agent, vec![said("go")]).await;
    assert_eq!(
        agent.finish().await,
        Some(StopReason::Stop),
        "who is done in two turns has not reached a limit of two"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_agent_is_free_before_its_end_is_read() {
    let mut agent = Agent::builder(Scripted::new([Step::says("Yes.")]))
        .event_buffer(1)
        .build();
    let (work, mut events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    tokio::spawn(work.run(vec![said("Well?")]));
    // Behind the end of the reply, `TurnEnd` takes the one place that there is.
    for _ in 0..2 {
        while let Some(event) = in_time(events.recv()).await {
            if name(&event) == "MessageEnd" {
                break;
            }
        }
    }
    let free = timeout(Duration::from_secs(60), agent.finish()).await;
    assert_eq!(
        free,
        Ok(Some(StopReason::Stop)),
        "a loop that has only AgentEnd to tell is over: the history is handed over first"
    );
    let rest = in_time(all(events)).await;
    assert_eq!(names(&rest), "TurnEnd AgentEnd");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_loop_that_is_dropped_leaves_a_whole_history() {
    let model = Scripted::new([Step::calls(&[("a", "read"), ("b", "read")])]);
    let mut agent = agent_with(&model, ToolSet::new().with(slow("read", 60_000, "")));
    let (work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    drop(events);
    let cut = timeout(Duration::from_secs(1), work.run(vec![said("go")])).await;
    assert!(cut.is_err(), "the tool takes a minute");
    assert!(!agent.is_streaming(), "nothing runs any more");
    assert_eq!(
        roles(agent.messages()),
        format!("user:go assistant: toolResult:{LOST} toolResult:{LOST}"),
    );
}

// 16.11 The agent

#[tokio::test(start_paused = true)]
async fn test_ch16_prompts_make_a_conversation() {
    let model = Scripted::new([Step::says("Hello."), Step::says("Bob.")]);
    let mut agent = agent(&model);
    assert_eq!(agent.finish().await, None, "nothing has run");
    let events = in_time(all(agent.prompt("I am Bob."))).await;
    assert_eq!(check(&events), Ok(()));
    let AgentEvent::AgentStart {
        loop_id,
        parent_loop_id,
        continuation_kind,
        config_snapshot: Some(snapshot),
        session_id,
        agent_id,
        timestamp,
        metadata,
    } = &events[0]
    else {
        panic!("a loop begins with AgentStart: {:?}", events[0]);
    };
    assert_eq!(
        (loop_id.as_str(), session_id.as_str(), agent_id.as_str()),
        ("s.c.1", "s", "a")
    );
    assert_eq!(
        (parent_loop_id, continuation_kind),
        (&None, &ContinuationKind::Initial)
    );
    assert_eq!(
        (snapshot.provider.as_str(), snapshot.model.as_str()),
        ("test", "m-1")
    );
    assert_eq!(
        (*timestamp, metadata),
        (event_time(TIME), &Some(json!({ "host": "test" })))
    );
    assert_eq!(
        agent.messages().first().and_then(AgentMessage::as_llm),
        Some(&Message::User {
            content: vec![text("I am Bob.")],
            timestamp: TIME
        }),
        "a text becomes the user's message of that moment"
    );

    let events = in_time(all(agent.prompt(vec![said("Who am I?")]))).await;
    let AgentEvent::AgentStart {
        loop_id,
        parent_loop_id,
        continuation_kind,
        ..
    } = &events[0]
    else {
        panic!("a loop begins with AgentStart: {:?}", events[0]);
    };
    assert_eq!(
        (
            loop_id.as_str(),
            parent_loop_id.as_deref(),
            continuation_kind
        ),
        ("s.c.2", Some("s.c.1"), &ContinuationKind::Default),
        "the second loop goes on from the first"
    );
    assert_eq!(
        roles(agent.messages()),
        "user:I am Bob. assistant:Hello. user:Who am I? assistant:Bob."
    );
    assert_eq!(
        model.asked()[1].messages.len(),
        3,
        "the model is sent what was said before"
    );
    assert_eq!(agent.finish().await, Some(StopReason::Stop));
    assert_eq!(agent.usage().input, 20, "of both loops");
    assert_eq!(agent.session_id(), "s");
    let record = |loop_id: &str, parent: Option<&str>| LoopRecord {
        loop_id: loop_id.into(),
        parent_loop_id: parent.map(str::to_string),
        stop_reason: StopReason::Stop,
        usage: Usage {
            input: 10,
            output: 2,
            total_tokens: 12,
            ..Usage::default()
        },
    };
    let records = [record("s.c.1", None), record("s.c.2", Some("s.c.1"))];
    assert_eq!(agent.loop_records(), records, "what is kept of each loop");
    let total = records.map(|record| record.usage);
    let total = total
        .iter()
        .fold(Usage::default(), |sum, one| sum.combine(one));
    assert_eq!(
        agent.usage(),
        total,
        "the agent's usage is that of all loops"
    );
    assert_eq!(agent.loop_id(), Some("s.c.2"));
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_busy_agent_takes_no_prompt() {
    const WORDS: &str = "Agent is already streaming. Use steer() or follow_up().";
    let mut agent = agent(&Scripted::new([Step::new(End::Never)]));
    drop(agent.prompt("go"));
    assert!(
        agent.is_streaming(),
        "from the call on, before the task has begun"
    );
    assert_eq!(
        agent.try_prompt("again").unwrap_err(),
        AgentError::AlreadyStreaming
    );
    assert_eq!(
        agent
            .try_continue(ContinuationKind::Default)
            .unwrap_err()
            .to_string(),
        WORDS
    );
    assert_eq!(
        agent.replace_messages(vec![]),
        Err(AgentError::AlreadyStreaming)
    );
    let state = agent.save();
    assert_eq!(agent.restore(state), Err(AgentError::AlreadyStreaming));
    assert_eq!(panic_of(|| drop(agent.prompt("again"))), WORDS);
    assert_eq!(panic_of(|| drop(agent.continue_loop())), WORDS);
    agent.abort();
    in_time(agent.finish()).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:",
        "what was refused has left no trace"
    );
    assert!(
        agent.try_prompt("now").is_ok(),
        "an agent that is done takes a prompt"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_the_last_event_frees_the_agent() {
    let model = Scripted::new((0..3).map(|_| Step::says("Yes.")));
    let mut agent = agent(&model);
    for _ in 0..3 {
        let mut events = agent.prompt("Well?");
        while let Some(event) = in_time(events.recv()).await {
            if let AgentEvent::AgentEnd { messages, .. } = event {
                assert!(
                    !agent.is_streaming(),
                    "who has read AgentEnd can prompt at once"
                );
                assert!(
                    agent.messages().ends_with(&messages),
                    "and the history has what the event has"
                );
                break;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_continue_answers_what_is_open() {
    let mut empty = agent(&Scripted::default());
    let error = empty.try_continue(ContinuationKind::Default).unwrap_err();
    assert_eq!(error, AgentError::EmptyHistory);
    assert_eq!(panic_of(|| drop(empty.continue_loop())), error.to_string());

    let model = Scripted::new([Step::says("I see.")]);
    let mut agent = agent(&model);
    let open = vec![
        said("go"),
        reply("", &[("a", "read")], StopReason::ToolUse).into(),
        result("a", "text", false).into(),
        note("for the screen"),
    ];
    agent.replace_messages(open).expect("nothing runs");
    let kind = ContinuationKind::Branch { tag: "b".into() };
    let events = in_time(all(agent
        .try_continue(kind.clone())
        .expect("a result is to be answered")))
    .await;
    assert_eq!(check(&events), Ok(()));
    assert!(
        matches!(&events[0], AgentEvent::AgentStart { continuation_kind, .. } if *continuation_kind == kind)
    );
    assert!(
        matches!(
            &events[1],
            AgentEvent::TurnStart {
                triggered_by: TurnTrigger::Branch,
                ..
            }
        ),
        "{:?}",
        events[1]
    );
    let error = agent.try_continue(ContinuationKind::Default).unwrap_err();
    assert_eq!(
        error,
        AgentError::NothingToAnswer,
        "the last message is the model's own"
    );
    assert_eq!(panic_of(|| drop(agent.continue_loop())), error.to_string());
}

#[tokio::test(start_paused = true)]
async fn test_ch16_another_history_takes_the_place_of_the_last_loops() {
    let mut agent = agent(&Scripted::new([Step::says("1"), Step::says("2")]));
    in_time(agent.run("go")).await;
    let spent = agent.usage();
    assert_ne!(spent, Usage::default(), "a reply costs something");
    assert_eq!(agent.replace_messages(vec![said("a summary")]), Ok(0));
    assert_eq!(
        roles(agent.messages()),
        "user:a summary",
        "the history is the one that was given, not what the last loop left"
    );
    assert_eq!(agent.usage(), spent, "what was spent stays spent");
    in_time(agent.run("on")).await;
    assert_eq!(
        roles(agent.messages()),
        "user:a summary user:on assistant:2"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_handle_works_from_other_tasks() {
    let begun = Arc::new(Notify::new());
    let begins = begun.clone();
    let model = Scripted::new([Step::calls(&[("a", "work")]), Step::says("Done.")]);
    let mut agent = agent_with(
        &model,
        ToolSet::new().with(tool("work", move |_| {
            begins.notify_one();
            async {
                sleep(Duration::from_secs(1)).await;
                Ok(ToolResult::text("worked"))
            }
        })),
    );
    let handle = agent.handle();
    let other = tokio::spawn(async move {
        begun.notified().await;
        assert!(handle.is_streaming());
        handle.steer(Message::user("Faster."));
        handle.finished().await;
        handle.is_streaming()
    });
    drop(agent.prompt("go"));
    assert_eq!(in_time(agent.finish()).await, Some(StopReason::Stop));
    assert!(
        !in_time(other).await.unwrap(),
        "nothing runs when it has finished"
    );
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult:worked user:Faster. assistant:Done."
    );
    let handle = agent.handle();
    handle.set_modes(QueueMode::All, QueueMode::OneAtATime);
    handle.steer(Message::user("Faster."));
    handle.follow_up(Message::user("And then?"));
    let taken = handle.clear_queues();
    let said = |queue: &Queue| roles(&queue.waiting.iter().cloned().collect::<Vec<_>>());
    assert_eq!(
        (
            said(&taken.steering).as_str(),
            said(&taken.follow_up).as_str()
        ),
        ("user:Faster.", "user:And then?"),
        "whoever empties the lines gets what was in them"
    );
    let left = handle.queues();
    assert!(left.steering.waiting.is_empty() && left.follow_up.waiting.is_empty());
    assert_eq!(
        (left.steering.mode, left.follow_up.mode),
        (QueueMode::All, QueueMode::OneAtATime),
        "the modes stay"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_stalled_reader_is_waited_for_until_an_abort() {
    let mut agent = Agent::builder(Scripted::new([Step::says(&"word ".repeat(1_000))]))
        .event_buffer(4)
        .build();
    let mut events = agent.prompt("go");
    let early = timeout(Duration::from_secs(60), agent.finish()).await;
    assert!(early.is_err(), "the loop waits for its reader");
    assert_eq!(
        events.len(),
        4,
        "and no more events wait than there is room for"
    );
    agent.abort();
    assert_eq!(
        in_time(agent.finish()).await,
        Some(StopReason::Aborted),
        "but not after an abort"
    );
    let mut all = Vec::new();
    while let Some(event) = in_time(events.recv()).await {
        all.push(event);
    }
    assert_eq!(check(&all), Ok(()), "a reader who comes back gets the rest");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_settings_change_between_loops() {
    let first = Scripted::new([Step::says("1").paused(Duration::from_secs(1))]);
    let second = Scripted::new([Step::says("2"), Step::says("3")]);
    let mut agent = Agent::builder(first).session_id("s").build();
    drop(agent.prompt("a"));
    agent.settings_mut().model = Arc::new(second.clone());
    agent.settings_mut().thinking = ThinkingLevel::Low;
    in_time(agent.finish()).await;
    assert_eq!(agent.loop_id(), Some("s.test.m-1.1"));
    in_time(agent.run("b")).await;
    assert_eq!(
        roles(agent.messages()),
        "user:a assistant:1 user:b assistant:2",
        "a loop runs to its end with what it began with"
    );
    assert_eq!(
        agent.loop_id(),
        Some("s.test.m-1.low.1"),
        "other settings count by themselves"
    );
    assert_eq!(second.asked()[0].thinking, ThinkingLevel::Low);
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_sub_agent_names_its_caller() {
    let mut agent = Agent::builder(Scripted::new([Step::says("1"), Step::says("2")]))
        .session_id("child")
        .sub_agent_of("s.c.4")
        .build();
    let events = in_time(all(agent.prompt("go"))).await;
    let AgentEvent::AgentStart {
        loop_id,
        parent_loop_id,
        ..
    } = &events[0]
    else {
        panic!("a loop begins with AgentStart: {:?}", events[0]);
    };
    assert_eq!(
        (loop_id.as_str(), parent_loop_id.as_deref()),
        ("child.sub.1", Some("s.c.4"))
    );
    assert!(
        matches!(
            &events[1],
            AgentEvent::TurnStart {
                triggered_by: TurnTrigger::SubAgent,
                ..
            }
        ),
        "{:?}",
        events[1]
    );
    let events = in_time(all(agent.prompt("and on"))).await;
    assert!(
        matches!(
            &events[1],
            AgentEvent::TurnStart {
                triggered_by: TurnTrigger::User,
                ..
            }
        ),
        "only its first loop is the caller's: {:?}",
        events[1]
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_loop_that_crashes_has_an_end() {
    let crashes = Arc::new(AtomicBool::new(false));
    let arm = crashes.clone();
    let mut agent = Agent::builder(Nameless(crashes)).filter(Arm(arm)).build();
    let events = in_time(all(agent.prompt("go"))).await;
    let Some(AgentEvent::AgentEnd { messages, .. }) = events.last() else {
        panic!("whatever crashes, a reader learns that the loop is over; it got {events:?}");
    };
    assert_eq!(roles(messages), "user:go", "what was said until then");
    assert_eq!(
        in_time(agent.finish()).await,
        Some(StopReason::Error),
        "it came to no good end"
    );
    assert_eq!(roles(agent.messages()), "user:go", "and nothing is lost");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_clock_that_crashes_stands_still() {
    let crashes = Arc::new(AtomicBool::new(false));
    let (stop, arm) = (crashes.clone(), crashes.clone());
    let mut agent = Agent::builder(Scripted::new([Step::says("Yes.")]))
        .clock(Arc::new(move || {
            if stop.load(Ordering::Relaxed) {
                crash("a bug in the clock");
            }
            TIME
        }))
        .filter(Arm(arm))
        .build();
    let events = in_time(all(agent.prompt("go"))).await;
    assert_eq!(check(&events), Ok(()), "a loop needs no clock to go on");
    let times = agent.messages().iter().filter_map(AgentMessage::as_llm);
    let times: Vec<Value> = times.map(|it| json!(it)["timestamp"].clone()).collect();
    assert_eq!(times, [TIME, TIME], "it is still what it told last");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_saved_agent_goes_on() {
    let mut first = agent(&Scripted::new([Step::says("Hello.")]));
    in_time(first.run("I am Bob.")).await;
    first.follow_up(Message::user("Who am I?"));
    first.steer(note("saved"));
    let saved = serde_json::to_string(&first.save()).expect("a state can be written");
    let state: AgentState = serde_json::from_str(&saved).expect("and read");
    assert_eq!(state, first.save());

    let model = Scripted::new([Step::says("Bob.")]);
    let mut second = Agent::builder(model.clone()).config_id("c").build();
    assert_eq!(second.restore(state), Ok(0), "no result was missing");
    assert_eq!(
        (second.messages(), second.usage()),
        (first.messages(), first.usage())
    );
    let events = in_time(all(second.prompt(Prompt::Messages(vec![])))).await;
    assert_eq!(check(&events), Ok(()));
    assert!(
        matches!(&events[0], AgentEvent::AgentStart { loop_id, parent_loop_id, .. }
            if loop_id == "s.c.2" && parent_loop_id.as_deref() == Some("s.c.1")),
        "no loop id comes again, and the parent is known: {:?}",
        events[0]
    );
    assert_eq!(
        roles(second.messages()),
        "user:I am Bob. assistant:Hello. extension: user:Who am I? assistant:Bob.",
        "what waited in line is taken up by a prompt without words"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_broken_session_is_mended() {
    let mut agent = agent(&Scripted::new([Step::says("I look again.")]));
    let mut state = agent.save();
    state.messages = vec![
        said("go"),
        reply("", &[("a", "read")], StopReason::ToolUse).into(),
    ];
    assert_eq!(agent.restore(state), Ok(1), "one result was missing");
    assert_eq!(
        roles(agent.messages()),
        format!("user:go assistant: toolResult:{LOST}")
    );
    in_time(all(agent.continue_loop())).await;
    assert_eq!(
        agent.finish().await,
        Some(StopReason::Stop),
        "and the agent goes on"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_agent_that_goes_aborts_its_loop() {
    let mut agent = agent(&Scripted::new([Step::new(End::Never)]));
    let handle = agent.handle();
    let events = agent.prompt("go");
    drop(agent);
    in_time(handle.finished()).await;
    assert_eq!(
        check(&in_time(all(events)).await),
        Ok(()),
        "its reader is told to the end"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_the_promises_hold_whatever_happens() {
    for seed in 0..50 {
        let played = timeout(Duration::from_secs(3_600), scenario::play(seed)).await;
        match played {
            Ok(Ok(())) => {}
            Ok(Err(wrong)) => panic!("conversation {seed}: {wrong}"),
            Err(_) => panic!("conversation {seed} hangs"),
        }
    }
}

// Parts of messages

/// The time on the clock of a test.
const TIME: u64 = 1_767_323_045_678;

fn text(text: &str) -> Content {
    Content::Text { text: text.into() }
}

fn thought(thinking: &str) -> Content {
    Content::Thinking {
        thinking: thinking.into(),
        signature: None,
    }
}

fn thinking(delta: &str) -> StreamDelta {
    StreamDelta::Thinking {
        delta: delta.into(),
    }
}

fn image() -> Content {
    Content::Image {
        data: "iVBORw0KGgo=".into(),
        mime_type: "image/png".into(),
    }
}

fn call(id: &str, name: &str) -> Content {
    Content::ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: json!({}),
    }
}

fn user_of(content: Vec<Content>) -> Message {
    Message::User {
        content,
        timestamp: 1,
    }
}

fn said(words: &str) -> AgentMessage {
    user_of(vec![text(words)]).into()
}

fn note(data: &str) -> AgentMessage {
    ExtensionMessage::new("note", data).into()
}

fn result(id: &str, words: &str, is_error: bool) -> Message {
    Message::ToolResult {
        tool_call_id: id.into(),
        tool_name: "t".into(),
        content: vec![text(words)],
        is_error,
        timestamp: 1,
        child_loop_id: None,
    }
}

fn content(message: &Message) -> Vec<Content> {
    match message {
        Message::User { content, .. }
        | Message::Assistant { content, .. }
        | Message::ToolResult { content, .. } => content.clone(),
    }
}

fn prompt_of(text: &str) -> SystemPrompt {
    SystemPrompt {
        text: text.into(),
        cache_boundary: text.len(),
    }
}

fn request<'a>(system: &'a SystemPrompt, messages: &'a [Message]) -> ModelRequest<'a> {
    ModelRequest {
        system,
        messages,
        tools: &[],
        thinking: ThinkingLevel::Off,
        cache: CacheConfig::default(),
        max_tokens: None,
    }
}

fn numbered(number: u64) -> AgentEvent {
    AgentEvent::InputRejected {
        loop_id: "s.c.1".into(),
        reason: number.to_string(),
    }
}

/// One event of each kind with its JSON.
fn events_and_json() -> Vec<(AgentEvent, Value)> {
    let loop_id = || "s.c.1".to_string();
    let id = || "t1".to_string();
    let tool_name = || "bash".to_string();
    let timestamp = event_time(TIME);
    let time = "2026-01-02T03:04:05.678Z";
    let usage = Usage {
        input: 1,
        output: 2,
        total_tokens: 3,
        ..Usage::default()
    };
    let usage_json = json!({
        "input": 1, "output": 2, "reasoning": 0,
        "cache_read": 0, "cache_write": 0, "total_tokens": 3,
    });
    let user = said("hi");
    let user_json = json!({
        "role": "user", "content": [{ "type": "text", "text": "hi" }], "timestamp": 1,
    });
    let output = ToolExecutionResult {
        content: vec![text("ok")],
        details: Value::Null,
        child_loop_id: None,
    };
    let output_json = json!({ "content": [{ "type": "text", "text": "ok" }], "details": null });
    vec![
        (
            AgentEvent::AgentStart {
                loop_id: loop_id(),
                agent_id: "a".into(),
                session_id: "s".into(),
                parent_loop_id: None,
                continuation_kind: ContinuationKind::Initial,
                config_snapshot: Some(LoopConfigSnapshot {
                    provider: "test".into(),
                    model: "m-1".into(),
                    config_id: "c".into(),
                    max_turns: 50,
                    ..LoopConfigSnapshot::default()
                }),
                timestamp,
                metadata: None,
            },
            json!({
                "type": "AgentStart", "loop_id": "s.c.1", "agent_id": "a", "session_id": "s",
                "parent_loop_id": null, "continuation_kind": "Initial", "timestamp": time,
                "metadata": null,
                "config_snapshot": {
                    "provider": "test", "model": "m-1", "config_id": "c",
                    "thinking_level": "off",
                    "cache_config": { "enabled": true, "strategy": "auto" },
                    "max_tokens": null, "max_turns": 50,
                },
            }),
        ),
        (
            AgentEvent::AgentEnd {
                loop_id: loop_id(),
                messages: vec![user.clone()],
                usage,
                timestamp,
                rejection: None,
            },
            json!({
                "type": "AgentEnd", "loop_id": "s.c.1", "messages": [user_json],
                "usage": usage_json, "timestamp": time, "rejection": null,
            }),
        ),
        (
            AgentEvent::TurnStart {
                loop_id: loop_id(),
                turn_index: 0,
                timestamp,
                triggered_by: TurnTrigger::User,
            },
            json!({
                "type": "TurnStart", "loop_id": "s.c.1", "turn_index": 0, "timestamp": time,
                "triggered_by": "User",
            }),
        ),
        (
            AgentEvent::TurnEnd {
                loop_id: loop_id(),
                message: user.clone(),
                usage,
                timestamp,
                tool_results: vec![],
            },
            json!({
                "type": "TurnEnd", "loop_id": "s.c.1", "message": user_json,
                "usage": usage_json, "timestamp": time, "tool_results": [],
            }),
        ),
        (
            AgentEvent::MessageStart {
                loop_id: loop_id(),
                message: user.clone(),
            },
            json!({ "type": "MessageStart", "loop_id": "s.c.1", "message": user_json }),
        ),
        (
            AgentEvent::MessageUpdate {
                loop_id: loop_id(),
                message: user.clone(),
                delta: piece("hi"),
            },
            json!({
                "type": "MessageUpdate", "loop_id": "s.c.1", "message": user_json,
                "delta": { "Text": { "delta": "hi" } },
            }),
        ),
        (
            AgentEvent::MessageEnd {
                loop_id: loop_id(),
                message: user,
            },
            json!({ "type": "MessageEnd", "loop_id": "s.c.1", "message": user_json }),
        ),
        (
            AgentEvent::ToolExecutionStart {
                loop_id: loop_id(),
                tool_call_id: id(),
                tool_name: tool_name(),
                args: json!({ "command": "ls" }),
            },
            json!({
                "type": "ToolExecutionStart", "loop_id": "s.c.1", "tool_call_id": "t1",
                "tool_name": "bash", "args": { "command": "ls" },
            }),
        ),
        (
            AgentEvent::ToolExecutionUpdate {
                loop_id: loop_id(),
                tool_call_id: id(),
                tool_name: tool_name(),
                partial_result: output.clone(),
            },
            json!({
                "type": "ToolExecutionUpdate", "loop_id": "s.c.1", "tool_call_id": "t1",
                "tool_name": "bash", "partial_result": output_json,
            }),
        ),
        (
            AgentEvent::ToolExecutionEnd {
                loop_id: loop_id(),
                tool_call_id: id(),
                tool_name: tool_name(),
                result: ToolExecutionResult {
                    child_loop_id: Some("d.sub.1".into()),
                    ..output
                },
                is_error: false,
                child_loop_id: Some("d.sub.1".into()),
            },
            json!({
                "type": "ToolExecutionEnd", "loop_id": "s.c.1", "tool_call_id": "t1",
                "tool_name": "bash", "is_error": false, "child_loop_id": "d.sub.1",
                "result": {
                    "content": [{ "type": "text", "text": "ok" }], "details": null,
                    "child_loop_id": "d.sub.1",
                },
            }),
        ),
        (
            AgentEvent::ProgressMessage {
                loop_id: loop_id(),
                tool_call_id: id(),
                tool_name: tool_name(),
                text: "half".into(),
            },
            json!({
                "type": "ProgressMessage", "loop_id": "s.c.1", "tool_call_id": "t1",
                "tool_name": "bash", "text": "half",
            }),
        ),
        (
            AgentEvent::InputRejected {
                loop_id: loop_id(),
                reason: "no".into(),
            },
            json!({ "type": "InputRejected", "loop_id": "s.c.1", "reason": "no" }),
        ),
    ]
}

// Running and reading

/// Objects, with its first word, to messages that have its second.
struct Refuse(&'static str, &'static str);

impl InputFilter for Refuse {
    fn check(&self, message: &Message) -> Result<(), String> {
        match text_of(&message.clone().into()).contains(self.1) {
            true => Err(self.0.into()),
            false => Ok(()),
        }
    }
}

/// Lets all in, and from then on something crashes.
struct Arm(Arc<AtomicBool>);

impl InputFilter for Arm {
    fn check(&self, _message: &Message) -> Result<(), String> {
        self.0.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// A model that crashes when it is asked for its name, once that is wanted.
struct Nameless(Arc<AtomicBool>);

#[async_trait]
impl LanguageModel for Nameless {
    fn provider(&self) -> &str {
        match self.0.load(Ordering::Relaxed) {
            true => crash("a bug in the model's name"),
            false => "test",
        }
    }

    fn model(&self) -> &str {
        "m-1"
    }

    async fn stream(
        &self,
        _request: &ModelRequest<'_>,
        _deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        Err(ProviderError::BadRequest("nobody asks it".into()))
    }
}

fn counting(name: &'static str, ran: &Arc<Mutex<u32>>) -> parts::FnTool {
    let ran = ran.clone();
    tool(name, move |_| {
        *ran.lock().unwrap() += 1;
        async { Ok(ToolResult::text("ok")) }
    })
}

fn agent(model: &Scripted) -> Agent {
    agent_with(model, ToolSet::new())
}

fn agent_with(model: &Scripted, tools: ToolSet) -> Agent {
    Agent::builder(model.clone())
        .session_id("s")
        .agent_id("a")
        .config_id("c")
        .metadata(json!({ "host": "test" }))
        .clock(Arc::new(|| TIME))
        .tools(tools)
        .build()
}

/// Asks once, in a loop of its own, and returns the reply and what was told.
async fn ask(agent: &mut Agent) -> (Message, Vec<AgentEvent>) {
    let (mut work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let (reply, events) = in_time(async {
        tokio::join!(
            async move {
                let reply = work.ask().await;
                drop(work);
                reply
            },
            all(events)
        )
    })
    .await;
    (reply, events)
}

/// Answers a reply with these calls, (id, tool) each, and returns the results and what was
/// told.
async fn answer(
    agent: &mut Agent,
    calls: &[(&str, &str)],
    reason: StopReason,
) -> (Vec<Message>, Vec<AgentEvent>) {
    let (mut work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let reply = reply("", calls, reason);
    in_time(async {
        tokio::join!(
            async move {
                let results = work.answer(&reply).await;
                drop(work);
                results
            },
            all(events)
        )
    })
    .await
}

/// Runs one loop to its end.
async fn run(agent: &mut Agent, prompt: Vec<AgentMessage>) -> Vec<AgentEvent> {
    let (work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let ((), events) = in_time(async { tokio::join!(work.run(prompt), all(events)) }).await;
    events
}

async fn all(mut events: AgentEvents) -> Vec<AgentEvent> {
    let mut all = Vec::new();
    while let Some(event) = events.recv().await {
        all.push(event);
    }
    all
}

async fn in_time<F: Future>(work: F) -> F::Output {
    let done = timeout(Duration::from_secs(3_600), work).await;
    done.expect("this should have come to an end, and waits for ever")
}

fn panic_of(work: impl FnOnce()) -> String {
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    let thrown = thrown.expect_err("the contract asks for a panic here");
    let words = thrown.downcast_ref::<String>().cloned();
    words
        .or_else(|| thrown.downcast_ref::<&str>().map(|words| words.to_string()))
        .unwrap_or_default()
}

fn names(events: &[AgentEvent]) -> String {
    let names: Vec<&str> = events.iter().map(name).collect();
    names.join(" ")
}

fn message_of(event: &AgentEvent) -> &AgentMessage {
    match event {
        AgentEvent::MessageStart { message, .. }
        | AgentEvent::MessageUpdate { message, .. }
        | AgentEvent::MessageEnd { message, .. } => message,
        other => panic!("a {} has no message", name(other)),
    }
}

/// Messages as `role:text`.
fn roles(messages: &[AgentMessage]) -> String {
    let lines = messages
        .iter()
        .map(|message| format!("{}:{}", message.role(), text_of(message)));
    lines.collect::<Vec<_>>().join(" ")
}

/// Results as `id ok text` or `id error text`.
fn shown(results: &[Message]) -> Vec<String> {
    let lines = results.iter().map(|result| match result {
        Message::ToolResult {
            tool_call_id,
            is_error,
            ..
        } => {
            let state = if *is_error { "error" } else { "ok" };
            format!("{tool_call_id} {state} {}", text_of(&result.clone().into()))
        }
        other => format!("{other:?} is no result"),
    });
    lines.collect()
}

/// What was told of calls: `+id` for a start, `-id` for an end, `say:id` for a result that
/// is in the history.
fn told(events: &[AgentEvent]) -> String {
    let words = events.iter().filter_map(|event| match event {
        AgentEvent::ToolExecutionStart { tool_call_id, .. } => Some(format!("+{tool_call_id}")),
        AgentEvent::ToolExecutionEnd { tool_call_id, .. } => Some(format!("-{tool_call_id}")),
        AgentEvent::MessageEnd { message, .. } => match message.as_llm() {
            Some(Message::ToolResult { tool_call_id, .. }) => Some(format!("say:{tool_call_id}")),
            _ => None,
        },
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}
