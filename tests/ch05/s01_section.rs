//! Section 5.1: A prompt section

use claw_code::prompt::SectionKind::{Dynamic, Static};
use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_section_keeps_its_fields() {
    let text = "Be brief.  \n\n\n  - Be plain.";
    let section = PromptSection::new(Static, " Style", "Answers", text);
    assert_eq!(section.tag, " Style", "`new` does not change the tag");
    assert_eq!(section.title, "Answers");
    assert_eq!(
        section.text, text,
        "`new` keeps the inside of the text: empty lines, indentation, and spaces at the end of a line"
    );
    assert_eq!(section.kind, Static);
    assert_eq!(PromptSection::new(Dynamic, "a", "b", "c").kind, Dynamic);
    let tabs = "fn main() {\n\tlet a = 1;\t// one\n}";
    assert_eq!(
        PromptSection::new(Static, "a", "", tabs).text,
        tabs,
        "`new` keeps tabs inside the text"
    );
}

#[test]
fn test_ch5_section_normalizes_whitespace() {
    let plain = PromptSection::new(Static, "a", "How you work", "one\ntwo\n\nthree");
    for (title, text) in [
        ("How you work", "one\r\ntwo\r\n\r\nthree\r\n\r\n"),
        ("How you work", "one\rtwo\r\rthree"),
        ("How you work", "\n\n one\ntwo\n\nthree\t\n "),
        ("  How\tyou\n work ", "one\ntwo\n\nthree"),
    ] {
        assert_eq!(
            PromptSection::new(Static, "a", title, text),
            plain,
            "`new` normalizes line endings and outer whitespace, here of {title:?} and {text:?}"
        );
    }
}

#[test]
fn test_ch5_render_writes_title_and_text() {
    for (title, text, rendered) in [
        ("Answers", "Be brief.", "# Answers\n\nBe brief.\n"),
        ("", "Be brief.", "Be brief.\n"),
        ("Answers", "", ""),
        ("", "", ""),
    ] {
        assert_eq!(
            section(Static, "a", title, text).render(),
            rendered,
            "a section with the title {title:?} and the text {text:?}"
        );
    }
}
