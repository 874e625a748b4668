//! Section 5.3: What never changes comes first

use claw_code::prompt::SectionKind::{Dynamic, Static};
use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_build_puts_static_first() {
    assert_eq!(
        PromptBuilder::new().build(),
        prompt("", 0),
        "nothing makes nothing"
    );
    let sections = [
        section(Dynamic, "date", "Date", "Monday"),
        section(Static, "who", "", "You are claw."),
        section(Dynamic, "git", "Git", "main"),
        section(Static, "how", "How", "Be brief."),
    ];
    let built = builder(sections).build();
    assert_eq!(
        built.text, "You are claw.\n\n# How\n\nBe brief.\n\n# Date\n\nMonday\n\n# Git\n\nmain\n",
        "static sections come first, dynamic ones last, each group in the order of the calls, with one empty line between two sections"
    );
}

#[test]
fn test_ch5_build_marks_the_boundary() {
    assert_eq!(PromptBuilder::new().build().cache_boundary, 0);
    let who = section(Static, "who", "", "You are clawé.");
    let date = section(Dynamic, "date", "", "Monday");
    let alone = builder([who.clone()]).build();
    assert_eq!(
        alone,
        prompt("You are clawé.\n", 16),
        "without dynamic sections the boundary is at the end of the text; it counts bytes, and `é` has two"
    );
    assert_eq!(
        builder([who.clone(), date.clone()]).build(),
        prompt("You are clawé.\n\nMonday\n", 16),
        "the empty line behind the static part is not part of it: these bytes are the same with and without dynamic sections"
    );
    assert_eq!(
        builder([date]).build(),
        prompt("Monday\n", 0),
        "without static sections nothing can be cached, and no empty line stands at the top"
    );
}

#[test]
fn test_ch5_build_leaves_out_empty_sections() {
    let nothing = PromptBuilder::new().build();
    let sections = [
        section(Static, "a", "Empty", ""),
        section(Static, "b", "", "one"),
        section(Static, "c", "Empty", ""),
        section(Static, "d", "", "two"),
        section(Dynamic, "e", "Empty", ""),
    ];
    assert_eq!(
        builder(sections).build(),
        prompt("one\n\ntwo\n", 9),
        "an empty section leaves neither its title nor an empty line"
    );
    assert_eq!(
        builder([
            section(Static, "a", "Empty", ""),
            section(Dynamic, "b", "", "")
        ])
        .build(),
        nothing,
        "sections that are all empty make an empty prompt"
    );
}

#[test]
fn test_ch5_build_is_the_same_each_time() {
    assert_eq!(PromptBuilder::new().build(), PromptBuilder::new().build());
    let sections = ('a'..='z').map(|tag| section(Static, &tag.to_string(), "Title", "Text"));
    let builder = builder(sections);
    let first = builder.build();
    for turn in 0..50 {
        assert_eq!(builder.build(), first, "the prompt changed in turn {turn}");
        assert_eq!(builder.clone().build(), first);
    }
}
