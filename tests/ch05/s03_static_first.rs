//! Section 5.3: Static sections first

use claw_code::prompt::SectionKind::{Dynamic, Static};
use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_build_puts_static_sections_first() {
    assert_eq!(
        PromptBuilder::new().build(),
        prompt("", 0),
        "without sections the prompt is empty"
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
        "static sections come first and dynamic ones last, each group in the order of the calls, with one empty line between two sections"
    );
}

#[test]
fn test_ch5_boundary_is_length_of_static_part() {
    assert_eq!(PromptBuilder::new().build().cache_boundary, 0);
    let who = section(Static, "who", "", "You are clawé.");
    let date = section(Dynamic, "date", "", "Monday");
    let alone = builder([who.clone()]).build();
    assert_eq!(
        alone,
        prompt("You are clawé.\n", 16),
        "without dynamic sections the boundary is the end of the text; it counts bytes, and `é` has two"
    );
    assert_eq!(
        builder([who.clone(), date.clone()]).build(),
        prompt("You are clawé.\n\nMonday\n", 16),
        "the static part does not include the empty line after it: its bytes are the same with and without dynamic sections"
    );
    assert_eq!(
        builder([date]).build(),
        prompt("Monday\n", 0),
        "without static sections the boundary is 0, and the text does not begin with an empty line"
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
        section(Dynamic, "f", "", "three"),
    ];
    assert_eq!(
        builder(sections).build(),
        prompt("one\n\ntwo\n\nthree\n", 9),
        "an empty section adds neither its title nor an empty line"
    );
    assert_eq!(
        builder([
            section(Static, "a", "Empty", ""),
            section(Dynamic, "b", "", "")
        ])
        .build(),
        nothing,
        "only empty sections give an empty prompt"
    );
    for (first, last, boundary) in [("", "one", 0), ("one", "", 4)] {
        let sections = [
            section(Static, "a", "", first),
            section(Dynamic, "b", "", last),
        ];
        assert_eq!(
            builder(sections).build(),
            prompt("one\n", boundary),
            "an empty section counts as missing: no empty line separates its part from the other; here the static text is {first:?} and the dynamic one {last:?}"
        );
    }
}

#[test]
fn test_ch5_build_is_deterministic() {
    assert_eq!(PromptBuilder::new().build(), PromptBuilder::new().build());
    let sections = ('a'..='z').zip([Static, Dynamic].into_iter().cycle());
    let sections =
        sections.map(|(tag, kind)| section(kind, &tag.to_string(), "", &tag.to_string()));
    let builder = builder(sections);
    let first = builder.build();
    assert_eq!(
        first.text.split_whitespace().collect::<String>(),
        "acegikmoqsuwybdfhjlnprtvxz",
        "among many sections too, each group keeps the order of the calls"
    );
    for turn in 0..50 {
        assert_eq!(builder.build(), first, "the prompt changed in build {turn}");
        assert_eq!(builder.clone().build(), first);
    }
}
