//! `cargo course hint`.

use crate::common::Fixture;

#[test]
fn each_call_shows_one_more_hint_up_to_the_last() {
    let fixture = Fixture::new();
    fixture
        .run("hint 1.2")
        .exits(0)
        .prints("Hint 1 of 3 for 1.2: Which color is missing?")
        .prints("shows the next hint")
        .does_not_print("Hint 2");
    fixture
        .run("hint 1.2")
        .prints("Hint 1 of 3")
        .prints("Hint 2 of 3 for 1.2: A `repr` fixes the size.")
        .does_not_print("Hint 3");
    let third = fixture
        .run("hint 1.2")
        .prints("Hint 3 of 3 for 1.2: Two bytes are a `u16`.")
        .prints("`cargo course solution 1.2`");
    let fourth = fixture.run("hint 1.2").exits(0);
    assert_eq!(fourth.stdout, third.stdout, "the last hint stays");
}

#[test]
fn without_a_section_the_hint_is_for_the_first_red_one() {
    let fixture = Fixture::new();
    fixture.run("hint").exits(0).prints("Hint 1 of 3 for 1.1");
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("hint").prints("Hint 1 of 3 for 1.2");
}

#[test]
fn each_section_counts_its_own_hints() {
    let fixture = Fixture::new();
    fixture.run("hint 1.1");
    fixture.run("hint 1.1").prints("Hint 2 of 3 for 1.1");
    fixture
        .run("hint 1.3")
        .prints("Hint 1 of 3 for 1.3")
        .does_not_print("Hint 2");
}

#[test]
fn there_is_no_hint_for_green_or_read_sections() {
    let fixture = Fixture::after_chapter_1();
    fixture.run("hint").exits(0).prints("`cargo course next`");
    fixture
        .run("hint 1.4")
        .fails_with(&["section 1.4 has nothing to write"])
        .on_one_line();
    fixture.run("hint one").exits(2);
}

#[test]
fn a_hint_for_a_failing_test_comes_first() {
    let fixture = Fixture::new();
    let keyed = "If test_ch1_green_has_limits fails: An empty road has a limit too.";
    fixture.run("check 1.1");
    // The tests stop at the stub, so nothing is wrong yet.
    fixture
        .run("hint 1.1")
        .prints("Hint 1 of 3")
        .does_not_print(keyed);
    fixture.fill("src/light.rs", "green-time", "green_for", "cars * 2");
    fixture
        .run("hint")
        .exits(0)
        .prints(keyed)
        .prints("Hint 1 of 3")
        .does_not_print("Hint 2");
    fixture.run("hint").prints(keyed).prints("Hint 2 of 3");
    let taken = fixture.read(".course/hints.json");
    assert_eq!(taken, r#"{"green-time":2,"test_ch1_green_has_limits":1}"#);
    fixture.replace("src/light.rs", "cars * 2", "(cars * 2).clamp(5, 60)");
    fixture.run("check 1.1");
    fixture
        .run("hint 1.1")
        .prints("Hint 3 of 3")
        .does_not_print(keyed);
}

#[test]
fn hints_that_were_taken_before_there_were_keyed_ones_still_count() {
    let fixture = Fixture::new();
    fixture.write(".course/hints.json", r#"{"green-time":1,"colors":3}"#);
    fixture.run("hint 1.1").prints("Hint 2 of 3 for 1.1");
    fixture.run("hint 1.2").prints("Hint 3 of 3 for 1.2");
}

/// The count of hints as an older runner stored it, by numbers. Its verdicts had titles and no
/// names.
fn with_old_hints() -> Fixture {
    let fixture = Fixture::new();
    fixture.write(
        ".course/hints.json",
        r#"{"1.1":2,"1.2":1,"1.7":3,"2.1":1,"rain":1}"#,
    );
    let section = |id: &str, title: &str| format!(r#"{{"id":"{id}","title":"{title}"}}"#);
    let sections = [
        section("1.1", "Lamps"),
        section("1.2", "Paint"),
        section("1.7", "Rain"),
    ];
    let report = format!(r#"{{"sections":[{}]}}"#, sections.join(","));
    let results = format!(r#"{{"1":{{"sources":1,"report":{report}}}}}"#);
    fixture.write(".course/results.json", results);
    fixture
}

#[test]
fn hints_by_number_are_carried_over_by_title() {
    let fixture = with_old_hints();
    fixture
        .run("hint 1.3")
        .prints("Hint 3 of 3 for 1.3")
        .explains("Carried over: 1.3 Lamps.")
        .explains("Counted anew, since the section was changed: 1.2, 1.7, 2.1.")
        .explains(".course/hints-by-number.json");
    assert_eq!(
        fixture.read(".course/hints-by-number.json"),
        r#"{"1.1":2,"1.2":1,"1.7":3,"2.1":1,"rain":1}"#,
        "the old file is kept"
    );
    assert_eq!(
        fixture.read(".course/hints.json"),
        r#"{"lamps":3,"rain":1}"#,
        "names that were stored already stay"
    );
}

#[test]
fn what_was_carried_over_is_said_once() {
    let fixture = with_old_hints();
    fixture.run("status").explains("Carried over: 1.3 Lamps.");
    let again = fixture.run("status");
    assert_eq!(again.stderr, "", "the second command is silent: {again}");
    fixture.run("hint 1.1").prints("Hint 1 of 3 for 1.1");
}

#[test]
fn without_old_verdicts_every_section_counts_anew() {
    let fixture = with_old_hints();
    std::fs::remove_file(fixture.path(".course/results.json")).expect("it is there");
    fixture
        .run("hint 1.3")
        .prints("Hint 1 of 3 for 1.3")
        .explains("Counted anew, since the section was changed: 1.1, 1.2, 1.7, 2.1.");
}

#[test]
fn done_code_that_no_longer_compiles_is_not_called_done() {
    let fixture = Fixture::after_chapter_1();
    fixture.run("check").exits(0);
    fixture.append("src/light.rs", "broken");
    fixture
        .run("hint")
        .exits(1)
        .prints("The code does not compile: 1 error")
        .does_not_print("Chapter 1 is done");
}
