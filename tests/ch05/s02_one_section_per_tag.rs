//! Section 5.2: One section per tag

use claw_code::prompt::SectionKind::{Dynamic, Static};
use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_builder_keeps_call_order() {
    let builder = PromptBuilder::new()
        .section(section(Static, "b", "Title", "1"))
        .section(section(Dynamic, "ab", "Title", "2"))
        .section(section(Static, "a", "Title", "3"));
    assert_eq!(
        texts(&builder),
        ["1", "2", "3"],
        "sections with different tags all stay, in the order of the calls; the builder does not sort them"
    );
}

#[test]
fn test_ch5_builder_replaces_section_with_same_tag() {
    let builder = PromptBuilder::new()
        .section(section(Static, "a", "", "1"))
        .section(section(Static, "b", "", "2"))
        .section(section(Static, "c", "", "3"))
        .section(section(Dynamic, "a", "New", "4"))
        .section(section(Static, "B", "", "5"));
    assert_eq!(
        texts(&builder),
        ["4", "2", "3", "5"],
        "a section replaces the earlier one with the same tag in its position; `b` and `B` are different tags"
    );
    assert_eq!(
        builder.sections()[0],
        section(Dynamic, "a", "New", "4"),
        "the whole section is replaced, including its kind and title"
    );
    let builder = builder.section(section(Static, "a", "", "6"));
    assert_eq!(
        builder.sections()[0],
        section(Static, "a", "", "6"),
        "a section without a title replaces one with a title: the old title does not stay"
    );
}

#[test]
fn test_ch5_emptied_section_keeps_its_position() {
    let builder = PromptBuilder::new()
        .section(section(Static, "a", "", "1"))
        .section(section(Static, "b", "", ""))
        .section(section(Static, "c", "", "2"))
        .section(section(Static, "a", "", ""));
    assert_eq!(
        texts(&builder),
        ["", "", "2"],
        "a section with an empty text is added or replaces another one, like any section"
    );
    let builder = builder.section(section(Static, "a", "", "3"));
    assert_eq!(
        texts(&builder),
        ["3", "", "2"],
        "an emptied section keeps its position, and a later one with its tag takes it"
    );
}

fn texts(builder: &PromptBuilder) -> Vec<&str> {
    let sections = builder.sections().iter();
    sections.map(|section| section.text.as_str()).collect()
}
