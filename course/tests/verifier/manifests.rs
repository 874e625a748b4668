//! Mistakes in a manifest.

use super::*;

#[test]
fn finds_a_missing_item() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "\"lamp::Lamp::seconds\"",
        "\"lamp::Lamp::minutes\"",
    );
    fixture
        .run_with_book("verify")
        .fails_with(&["section 1.3", "no item `Lamp::minutes`"]);
}

#[test]
fn finds_an_item_that_is_given_and_asked_for() {
    let fixture = Fixture::verified();
    fixture.replace(MANIFEST, "given = [", "given = [\"light::green_for\", ");
    fixture
        .run_with_book("verify")
        .exits(2)
        .explains("light::green_for is given, and section 1.1 asks for it");
}

#[test]
fn finds_a_test_in_two_sections() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "tests = [\"test_ch1_colors_in_order\",",
        "tests = [\"test_ch1_lamp_reads_well\", \"test_ch1_colors_in_order\",",
    );
    fixture
        .run_with_book("verify")
        .fails_with(&["test_ch1_lamp_reads_well is listed under both 1.2 and 1.3"]);
}

#[test]
fn finds_a_hint_for_a_test_of_another_section() {
    let fixture = Fixture::verified();
    let keyed = "for = \"test_ch1_green_has_limits\"";
    fixture.replace(MANIFEST, keyed, "for = \"test_ch1_colors_in_order\"");
    fixture.run_with_book("verify").fails_with(&[
        "section 1.1 has a hint for test_ch1_colors_in_order, which is not one of its tests",
    ]);
    let twice = "for = \"test_ch1_green_has_limits\", text = \"x\" },\n  { for = \"test_ch1_green_has_limits\"";
    fixture.replace(MANIFEST, "for = \"test_ch1_colors_in_order\"", twice);
    fixture
        .run_with_book("verify")
        .fails_with(&["section 1.1 has two hints for test_ch1_green_has_limits"]);
}

#[test]
fn explains_how_to_write_a_hint() {
    let fixture = Fixture::verified();
    fixture.replace(MANIFEST, "{ for = ", "{ test = ");
    fixture
        .run_with_book("verify")
        .exits(2)
        .explains("a hint is a text, or a table `{ for = \"test_…\", text = \"…\" }`");
}

#[test]
fn finds_a_wrong_answer_that_replaces_missing_text() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "replace = \".clamp(5, 60)\"",
        "replace = \".clamp(6, 60)\"",
    );
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    ran.prints("replaces `.clamp(6, 60)` in light::green_for, which contains it 0 times");
}
