//! Section 5.2: One section for each tag

use claw_code::prompt::SectionKind::{Dynamic, Static};
use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_builder_keeps_the_order() {
    let builder = PromptBuilder::new()
        .section(section(Static, "b", "", "1"))
        .section(section(Dynamic, "a", "", "2"))
        .section(section(Static, "c", "", "3"));
    assert_eq!(
        texts(&builder),
        ["1", "2", "3"],
        "the builder keeps sections in the order of the calls, and sorts nothing by tag"
    );
}

#[test]
fn test_ch5_builder_replaces_by_tag() {
    let builder = PromptBuilder::new()
        .section(section(Static, "a", "", "1"))
        .section(section(Static, "b", "", "2"))
        .section(section(Static, "c", "", "3"))
        .section(section(Dynamic, "a", "New", "4"))
        .section(section(Static, "B", "", "5"));
    assert_eq!(
        texts(&builder),
        ["4", "2", "3", "5"],
        "a section of a tag that is there takes the place of the earlier one; `b` and `B` are two tags"
    );
    assert_eq!(
        builder.sections()[0],
        section(Dynamic, "a", "New", "4"),
        "everything about the section is replaced, its kind and title included"
    );
}

#[test]
fn test_ch5_builder_keeps_places() {
    let builder = PromptBuilder::new()
        .section(section(Static, "a", "", "1"))
        .section(section(Static, "b", "", "2"))
        .section(section(Static, "a", "", ""))
        .section(section(Static, "a", "", "3"));
    assert_eq!(
        texts(&builder),
        ["3", "2"],
        "a section that was emptied for a while still has its place"
    );
}

fn texts(builder: &PromptBuilder) -> Vec<&str> {
    let sections = builder.sections().iter();
    sections.map(|section| section.text.as_str()).collect()
}
