//! Section 5.9: The default prompt

use std::path::PathBuf;

use claw_code::prompt::SectionKind::{Dynamic, Static};
use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_default_prompt_has_all_sections() {
    let built = agent_prompt(&environment()).build();
    for (tag, title, text) in SECTIONS {
        let expected = PromptSection::new(Static, tag, title, text);
        assert!(
            built.prefix().contains(&expected.render()),
            "the static part should contain the section `{tag}`; it reads:\n{}",
            built.prefix()
        );
    }
    assert_eq!(
        built.rest(),
        environment().section().render(),
        "the dynamic part holds the session facts and nothing else"
    );
    let words = built.prefix().split_whitespace().count();
    assert!(
        (150..=300).contains(&words),
        "every request carries the prompt, so it has 150 to 300 words; this one has {words}"
    );
    assert!(
        built.text.starts_with(SECTIONS[0].2),
        "the prompt begins with the text of `identity`, which has no heading; it reads:\n{}",
        built.text
    );
    let builder = agent_prompt(&environment());
    let tags: Vec<&str> = builder.sections().iter().map(|one| &*one.tag).collect();
    let [identity, work, tools, answers] = SECTIONS.map(|(tag, _, _)| tag);
    assert_eq!(
        tags,
        [identity, work, tools, answers, ENVIRONMENT_TAG],
        "the tags of the builder's sections: those of SECTIONS in their order, then the facts"
    );
}

#[test]
fn test_ch5_default_prompt_is_equal_in_every_turn() {
    let builder = agent_prompt(&environment());
    let first = builder.build();
    for turn in 1..=25 {
        let now = builder.build();
        assert_eq!(
            now.text.as_bytes(),
            first.text.as_bytes(),
            "the facts did not change, but the prompt of turn {turn} differs"
        );
        let contents = |prompt: &SystemPrompt| -> Vec<(String, String)> {
            let messages = prompt.messages();
            let parts = messages.iter().map(tag_and_content);
            parts.map(|(tag, text)| (tag.into(), text.into())).collect()
        };
        assert_eq!(
            contents(&now),
            contents(&first),
            "the facts did not change, but the messages of turn {turn} differ"
        );
    }
}

#[test]
fn test_ch5_static_part_has_no_session_facts() {
    let first = agent_prompt(&environment()).build();
    let tomorrow = Environment {
        working_directory: PathBuf::from("/somewhere/else"),
        platform: "macos aarch64".to_string(),
        date: "2026-02-01".to_string(),
        git: GitState::NotInstalled,
    };
    let second = agent_prompt(&tomorrow).build();
    assert_ne!(
        first.text, second.text,
        "different facts give a different prompt"
    );
    assert_eq!(
        first.prefix(),
        second.prefix(),
        "no byte of the static part depends on the session's facts"
    );
    let more = agent_prompt(&environment()).section(section(Dynamic, "memory", "Memory", "Tabs."));
    assert_eq!(
        more.build().prefix(),
        first.prefix(),
        "adding a dynamic section does not change the static part"
    );
}

#[test]
fn test_ch5_default_section_can_be_replaced() {
    let plain = agent_prompt(&environment()).build();
    let own = section(Static, "answers", "Answers", "Answer in Latin.");
    let changed = agent_prompt(&environment()).section(own).build();
    assert!(
        changed
            .prefix()
            .ends_with("# Answers\n\nAnswer in Latin.\n"),
        "a section with an existing tag replaces that section in its position; the prompt reads:\n{}",
        changed.text
    );
    assert!(
        !changed.text.contains(SECTIONS[3].2),
        "the replaced section is still in the prompt"
    );
    assert_eq!(
        changed.rest(),
        plain.rest(),
        "replacing a static section changed the dynamic part"
    );
}
