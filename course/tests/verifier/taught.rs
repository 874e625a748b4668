//! The check "taught": the pages have every text that a test expects.

use super::*;

/// Writes the body of `test_ch1_lamp_reads_well`.
fn with_test(body: &str) -> Fixture {
    let fixture = Fixture::verified();
    fixture.replace(
        LAMPS,
        "    assert_eq!(Lamp::green(4).to_string(), \"Green for 8 s\");",
        body,
    );
    fixture
}

#[test]
fn finds_a_text_that_no_page_or_stub_contains() {
    let fixture = Fixture::verified();
    fixture.replace(
        "solutions/src/lamp.rs",
        "    /// Such as `Green for 8 s`.\n",
        "    /// One line.\n",
    );
    fixture.run("generate").exits(0);
    finds(
        &fixture,
        "taught",
        &[
            "tests/ch01/s03_lamps.rs:18 expects \"Green for 8 s\", and \"Green for N\" is not in book/src/ch01-one-light.md",
            "say it on the page or in a stub's doc comment",
        ],
    );
    fixture.append(
        "book/src/ch01-one-light.md",
        "\nA lamp says `Green for 20 s`.\n",
    );
    fixture.run_with_book("verify --chapter 1").exits(0);
}

#[test]
fn hints_and_wrong_answers_teach_nothing() {
    let fixture = Fixture::verified();
    fixture.replace(
        "solutions/src/lamp.rs",
        "    /// Such as `Green for 8 s`.\n",
        "    /// One line.\n",
    );
    fixture.replace(MANIFEST, "\"A field first.\"", "\"Green for 8 s\"");
    fixture.replace(
        MANIFEST,
        "There is a floor and no ceiling.",
        "Green for 8 s",
    );
    fixture.append("book/src/ch01-one-light.md", "\n{{#wrong-answers 1}}\n");
    fixture.run("generate").exits(0);
    finds(&fixture, "taught", &["and \"Green for N\" is not in"]);
}

#[test]
fn finds_a_text_wherever_a_test_compares_it() {
    let fixture = with_test(
        r#"    let text = Lamp::green(4).to_string();
    assert!(!text.contains("a broken lamp"));
    assert!(text != format!("a dark road {text}"));
    for (cars, other) in [(4, "a red sky"), (9, "a full moon")] {
        assert!(Lamp::green(cars).to_string() != other);
    }
    assert_differs("its color", &text, "a pink light");"#,
    );
    fixture.append(
            LAMPS,
            "\nfn assert_differs(rule: &str, text: &str, other: &str) {\n    assert!(text != other, \"{rule}: {text}\");\n}\n",
        );
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    [
        "a broken lamp",
        "a dark road",
        "a red sky",
        "a full moon",
        "a pink light",
    ]
    .into_iter()
    .fold(ran, |ran, text| {
        ran.prints(&format!("and {text:?} is not in"))
    })
    .does_not_print("its color");
}

#[test]
fn a_test_may_expect_the_texts_that_it_makes_up() {
    let fixture = with_test(
        r#"    let road = "the road to the old bridge";
    assert_eq!(shown(&road), "\"the road to the old bridge\"", "shown in quotes");
    for (road, expected) in [("by the sea", "by the sea: Green for 8 s")] {
        assert_eq!(format!("{road}: {}", Lamp::green(4)), expected);
    }"#,
    );
    fixture
        .run_with_book("verify --chapter 1")
        .exits(0)
        .prints("ok     taught ");
}
