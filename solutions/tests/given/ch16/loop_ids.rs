//! Loop ids

use claw_code::agent::*;
use serde_json::json;

use super::events::events_and_json;
use super::grammar::name;
use super::support::*;

#[test]
fn slug_keeps_alphanumerics_and_hyphens() {
    for (name, expected) in [
        ("gpt-5", "gpt-5"),
        ("claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("org/model:free", "org-model-free"),
        ("a b_c", "a-b-c"),
        ("Model//7B.", "Model--7B-"),
        ("modèle", "modèle"),
        ("qwen３", "qwen３"),
        ("", ""),
    ] {
        assert_eq!(slug(name), expected, "the slug of {name:?}");
    }
}

#[test]
fn config_id_names_model_and_thinking() {
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
    let id = config_id("a.example", "m", ThinkingLevel::Off);
    assert_eq!(id, "a.example.m", "the provider's name stays as it is");
}

#[test]
fn loop_numbers_begin_at_one_per_config() {
    let mut counts = LoopCounts::default();
    let ids: Vec<String> = ["c", "c", "d", "c"]
        .iter()
        .map(|config| counts.next("s", config))
        .collect();
    assert_eq!(
        ids,
        ["s.c.1", "s.c.2", "s.d.1", "s.c.3"],
        "each config id counts separately, from 1"
    );
}

#[test]
fn saved_loop_counts_continue() {
    let mut counts = LoopCounts::default();
    assert_eq!(counts.next("s", "c"), "s.c.1", "the first loop");
    assert_json(
        "the JSON of a saved state",
        &to_json(&counts),
        &json!({ "c": 1 }),
    );
    let mut read: LoopCounts = from_json(&to_json(&counts));
    assert_eq!(read.next("s", "c"), "s.c.2", "a saved count continues");
}

#[test]
fn kind_determines_first_trigger() {
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
            "the first trigger of a loop of kind {kind:?}"
        );
    }
}

#[test]
fn every_event_names_its_loop() {
    let rejected = AgentEvent::InputRejected {
        loop_id: "s.c.1".into(),
        reason: "no".into(),
    };
    assert_eq!(rejected.loop_id(), "s.c.1", "the loop of an InputRejected");
    for (event, _) in events_and_json() {
        assert_eq!(event.loop_id(), "s.c.1", "the loop of a {}", name(&event));
    }
}

#[test]
fn event_of_another_program_names_its_loop() {
    let event = AgentEvent::InputRejected {
        loop_id: String::new(),
        reason: "no".into(),
    };
    assert_eq!(event.loop_id(), "", "an empty id");
    let unknown = json!({ "type": "ParallelLoopStart", "loop_id": "s.c.1" });
    let extended = json!({ "type": "InputRejected", "loop_id": "s.c.1", "reason": "", "by": "" });
    let without_loop = json!({ "type": "ParallelLoopStart" });
    let number = json!({ "type": "ParallelLoopStart", "loop_id": 7 });
    for (rule, event, expected) in [
        ("an unknown type: the field `loop_id`", unknown, "s.c.1"),
        ("an unknown field: the known part", extended, "s.c.1"),
        ("an unknown type may have no loop", without_loop, ""),
        ("only a string is a loop's id", number, ""),
    ] {
        let read: AgentEvent = from_json(&event);
        assert_eq!(read.loop_id(), expected, "{rule}: {event}");
    }
}
