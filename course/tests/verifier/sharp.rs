//! The check "sharp": the tests catch every wrong answer.

use super::*;

#[test]
fn finds_a_wrong_body_that_no_test_catches() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "with = \".max(5)\"",
        "with = \".clamp(5, 60).min(60)\"",
    );
    finds(
        &fixture,
        "sharp",
        &["the wrong answer to 1.1 in light::green_for is not caught"],
    );
}

#[test]
fn finds_a_wrong_body_that_ends_the_test_program() {
    let fixture = Fixture::verified();
    let exits = "with = \".max(std::process::exit(0))\"";
    fixture.replace(MANIFEST, "with = \".max(5)\"", exits);
    let lost = "without a result: the test program hung or ended";
    finds(&fixture, "sharp", &[lost]);
}

#[test]
fn finds_a_wrong_answer_to_code_of_a_later_chapter() {
    let fixture = Fixture::verified();
    let answer = r#"
[[wrong]]
section = "green-time"
item = "crossing::Crossing::letting"
body = "todo!()"
tests = ["test_ch1_green_has_limits"]
says = "nobody waits"
because = "The crossing comes later."
"#;
    fixture.append(MANIFEST, answer);
    finds(&fixture, "sharp", &["cannot fail its `tests`"]);
}

#[test]
fn finds_a_wrong_type_that_no_test_catches() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "replace = \"#[repr(u16)]\"\nwith = \"\"",
        "replace = \"#[repr(u16)]\"\nwith = \"#[repr(i16)]\"",
    );
    finds(
        &fixture,
        "sharp",
        &["the wrong answer to 1.2 in light::Color is not caught"],
    );
}

#[test]
fn finds_a_wrong_answer_that_tests_of_a_later_section_catch() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "body = \"cars * 2\"",
        "body = \"if cars == 4 { 9 } else { cars * 2 }\"",
    );
    let also = "also fails test_ch1_lamp_reads_well; add it";
    finds(&fixture, "sharp", &[also]);
}

#[test]
fn finds_a_wrong_answer_that_other_tests_catch() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "body = \"cars * 2\"",
        "body = \"(cars * 3).clamp(5, 60)\"",
    );
    finds(
        &fixture,
        "sharp",
        &[
            "also fails test_ch1_green_grows_with_the_queue",
            "add it to its `tests`",
            "does not fail test_ch1_green_has_limits",
        ],
    );
}

#[test]
fn a_test_that_fails_only_once_is_a_race_with_the_wrong_answer() {
    let fixture = Fixture::verified();
    fixture.replace(
        "tests/ch01/s01_green_for.rs",
        "    assert_eq!(green_for(10), 20,",
        "    let first = std::fs::File::create_new;
    assert!(green_for(0) == 5 || first(\"ran_once\").is_err(), \"a race\");
    assert_eq!(green_for(10), 20,",
    );
    let ran = fixture.run_with_book("verify --chapter 1");
    ran.prints("ok     sharp ");
}

#[test]
fn finds_a_wrong_answer_whose_message_never_appears() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "says = \"nobody waits longer than a minute\"",
        "says = \"a minute at most\"",
    );
    finds(
        &fixture,
        "sharp",
        &[
            "is not identified: no failure message contains \"a minute at most\"",
            "longer than a minute",
        ],
    );
}

#[test]
fn finds_two_wrong_answers_with_one_message() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "says = \"even an empty road gets five seconds\"",
        "says = \"assertion `left == right` failed\"",
    );
    finds(
        &fixture,
        "sharp",
        &[
            "is mistaken for the one that says",
            "make the two `says` differ",
        ],
    );
}

#[test]
fn finds_a_wrong_answer_that_does_not_compile() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "replace = \"#[repr(u16)]\"\nwith = \"\"",
        "replace = \"#[repr(u16)]\"\nwith = \"#[repr(u17)]\"",
    );
    finds(
        &fixture,
        "sharp",
        &[
            "the wrong answer to 1.2 in light::Color",
            "does not compile",
            "u17",
        ],
    );
}

#[test]
fn reports_once_that_wrong_bodies_do_not_compile() {
    let fixture = Fixture::verified();
    fixture.replace(MANIFEST, "with = \".max(5)\"", "with = \".max(five)\"");
    fixture.append(MANIFEST, &wrong_colors("vec![]"));
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    let ran = ran
        .prints("does not compile")
        .prints("cannot find value `five`");
    let reports = ran.stdout.matches("does not compile").count();
    assert_eq!(
        reports, 2,
        "isolated and sharp use one crate with all {ran}"
    );
}

#[test]
fn finds_a_wrong_type_that_tests_of_an_earlier_section_catch() {
    let fixture = Fixture::verified();
    let last = "    assert_eq!(green_for(11), 22, \"two seconds for each car\");\n";
    let size = "    assert_eq!(size_of::<claw_code::light::Color>(), 2);\n";
    fixture.replace(GREEN_FOR, last, &format!("{last}{size}"));
    let also = "in light::Color also fails test_ch1_green_grows_with_the_queue";
    finds(&fixture, "sharp", &[also]);
}

#[test]
fn finds_a_wrong_answer_to_a_later_function_of_a_file_that_other_tests_catch() {
    let fixture = Fixture::verified();
    fixture.replace(
        COLORS,
        "size_of::<Color>()",
        "size_of_val(&Color::all()[0])",
    );
    fixture.append(MANIFEST, &wrong_colors("vec![]"));
    let also = "in light::Color::all also fails test_ch1_color_is_two_bytes";
    finds(&fixture, "sharp", &[also]);
}

#[test]
fn a_wrong_answer_that_hangs_counts_as_failed() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "replace = \".clamp(5, 60)\"",
        "replace = \"    (cars * 2).clamp(5, 60)\"",
    );
    fixture.replace(
        MANIFEST,
        "with = \".max(5)\"",
        "with = \"    loop { std::thread::park() }\"",
    );
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    ran.prints("FAILED sharp ").prints("green_for");
}

#[test]
fn a_test_without_a_result_does_not_count_as_passed() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "body = \"cars * 2\"",
        "body = \"if cars == 4 { std::process::exit(0) } else { cars * 2 }\"",
    );
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    ran.prints("FAILED sharp ")
        .prints("green_for also fails ")
        .prints("test_ch1_lamp_reads_well");
}

#[test]
fn a_wrong_body_of_an_impl_trait_function_gets_its_own_crate() {
    let fixture = Fixture::verified();
    let reference = "solutions/src/light.rs";
    fixture.replace(reference, "-> Vec<Color> {", "-> impl std::fmt::Debug {");
    fixture.append(MANIFEST, &wrong_colors("Color::Red"));
    fixture.run("generate").exits(0);
    fixture
        .run_with_book("verify --chapter 1")
        .exits(0)
        .prints("4 wrong answers caught and explained");
}
