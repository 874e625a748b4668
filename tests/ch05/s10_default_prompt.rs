//! Section 5.10: The prompt of claw

use std::path::PathBuf;

use claw_code::prompt::SectionKind::{Dynamic, Static};
use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_agent_prompt() {
    let built = agent_prompt(&environment()).build();
    for (tag, title, text) in SECTIONS {
        let expected = PromptSection::new(Static, tag, title, text);
        assert!(
            built.prefix().contains(&expected.render()),
            "the section `{tag}` is in the static part, which reads:\n{}",
            built.prefix()
        );
    }
    assert_eq!(
        built.rest(),
        environment().section().render(),
        "the facts of the session are all of the dynamic part"
    );
    let words = built.prefix().split_whitespace().count();
    assert!(
        (150..=300).contains(&words),
        "every request carries the prompt: it has 150 to 300 words, and this one has {words}"
    );
    assert!(
        built.text.starts_with(SECTIONS[0].2),
        "the sections come in the order of SECTIONS, who the model is first"
    );
}

#[test]
fn test_ch5_agent_prompt_over_turns() {
    let builder = agent_prompt(&environment());
    let first = builder.build();
    for turn in 1..=25 {
        let now = builder.build();
        assert_eq!(
            now.text.as_bytes(),
            first.text.as_bytes(),
            "nothing has changed, and in turn {turn} the prompt is another one"
        );
        let contents = |prompt: &SystemPrompt| -> Vec<(String, String)> {
            let messages = prompt.messages();
            let parts = messages.iter().map(tag_and_content);
            parts.map(|(tag, text)| (tag.into(), text.into())).collect()
        };
        assert_eq!(
            contents(&now),
            contents(&first),
            "nothing has changed, and in turn {turn} the messages say something else"
        );
    }
}

#[test]
fn test_ch5_agent_prompt_keeps_its_prefix() {
    let first = agent_prompt(&environment()).build();
    let tomorrow = Environment {
        working_directory: PathBuf::from("/somewhere/else"),
        platform: "macos aarch64".to_string(),
        date: "2026-02-01".to_string(),
        git: GitState::NotInstalled,
    };
    let second = agent_prompt(&tomorrow).build();
    assert_ne!(first.text, second.text, "other facts make another prompt");
    assert_eq!(
        first.prefix(),
        second.prefix(),
        "not one byte of the static part depends on the facts of a session"
    );
    assert!(
        first.shared_with(&second) >= first.cache_boundary,
        "a cache filled in one session serves all of the static part in another"
    );
    let more = agent_prompt(&environment()).section(section(Dynamic, "memory", "Memory", "Tabs."));
    assert_eq!(
        more.build().prefix(),
        first.prefix(),
        "a dynamic section that is added does not change the static part"
    );
}

#[test]
fn test_ch5_agent_prompt_can_be_changed() {
    let plain = agent_prompt(&environment()).build();
    let own = section(Static, "answers", "Answers", "Answer in Latin.");
    let changed = agent_prompt(&environment()).section(own).build();
    assert!(
        changed
            .prefix()
            .ends_with("# Answers\n\nAnswer in Latin.\n"),
        "a section of the default prompt is replaced by its tag, in its place; the prompt reads:\n{}",
        changed.text
    );
    assert!(
        !changed.text.contains(SECTIONS[3].2),
        "the section that was replaced is gone"
    );
    assert_eq!(
        changed.rest(),
        plain.rest(),
        "the facts of the session are where they were"
    );
}
