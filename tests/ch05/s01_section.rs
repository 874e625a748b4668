//! Section 5.1: A section

use claw_code::prompt::SectionKind::{Dynamic, Static};
use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_section_keeps_its_parts() {
    let section = PromptSection::new(Static, "style", "Answers", "Be brief.\n\n  - Be plain.");
    assert_eq!(section.tag, "style");
    assert_eq!(section.title, "Answers");
    assert_eq!(
        section.text, "Be brief.\n\n  - Be plain.",
        "what stands inside the text is kept, empty lines and indentation included"
    );
    assert_eq!(section.kind, Static);
    assert_eq!(PromptSection::new(Dynamic, "a", "b", "c").kind, Dynamic);
}

#[test]
fn test_ch5_section_normalises() {
    let plain = PromptSection::new(Static, "a", "How you work", "one\ntwo\n\nthree");
    for (title, text) in [
        ("How you work", "one\r\ntwo\r\n\r\nthree"),
        ("How you work", "one\rtwo\r\rthree"),
        ("How you work", "\n\n one\ntwo\n\nthree\t\n "),
        ("  How\tyou\n work ", "one\ntwo\n\nthree"),
    ] {
        assert_eq!(
            PromptSection::new(Static, "a", title, text),
            plain,
            "the same words make the same section, however the file was saved: {title:?}, {text:?}"
        );
    }
}

#[test]
fn test_ch5_section_renders() {
    for (title, text, rendered) in [
        ("Answers", "Be brief.", "# Answers\n\nBe brief.\n"),
        ("", "Be brief.", "Be brief.\n"),
        ("Answers", "", ""),
        ("", "", ""),
    ] {
        assert_eq!(
            section(Static, "a", title, text).render(),
            rendered,
            "a section of the title {title:?} and the text {text:?}"
        );
    }
}
