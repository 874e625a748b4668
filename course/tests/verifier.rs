//! `cargo course verify`: a course in order passes, and each planted defect is found by
//! the check that is there for it, in words that name it.

mod common;

use common::{Fixture, Ran};

const MANIFEST: &str = "book/src/ch01-one-light.toml";
const GREEN_FOR: &str = "tests/ch01/s01_green_for.rs";
const COLORS: &str = "tests/ch01/s02_colors.rs";
const LAMPS: &str = "tests/ch01/s03_lamps.rs";

/// Verifies chapter 1, and asserts that just the check `name` fails, saying `words`.
fn finds(fixture: &Fixture, name: &str, words: &[&str]) {
    only(fixture.run_with_book("verify --chapter 1"), name, words);
}

/// Asserts that just the check `name` failed, saying `words`.
fn only(ran: Ran, name: &str, words: &[&str]) {
    let ran = ran.exits(1);
    let failed: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("FAILED "))
        .map(|rest| rest.split("  ").next().unwrap_or(rest).trim())
        .collect();
    assert_eq!(failed, [name], "the checks that fail in {ran}");
    let ran = ran.says(&format!("Not verified: {name} ("));
    words.iter().fold(ran, |ran, words| ran.says(words));
}

#[test]
fn a_course_in_order_is_verified() {
    let ran = Fixture::with_book().run_with_book("verify").exits(0);
    let ran = [
        "ok     in step    4 files, 7 functions, 8 tests",
        "ok     green      8 tests pass on the reference",
        "ok     red        8 tests fail on the stubs",
        "ok     isolated   2 chapters, 4 sections stand by themselves",
        "ok     sharp      4 wrong answers caught and explained",
        "ok     true book  3 pages, ",
        "Verified in ",
    ]
    .into_iter()
    .fold(ran, |ran, words| ran.says(words));
    assert_eq!(
        ran.stdout.lines().count(),
        7,
        "a line a check and the sum: {ran}"
    );
}

#[test]
fn one_chapter_is_verified_by_itself() {
    let fixture = Fixture::with_book();
    fixture.replace(
        "tests/ch02/s01_two_lamps.rs",
        "Green for 8 s",
        "Green for 9 s",
    );
    fixture
        .run_with_book("verify --chapter 1")
        .exits(0)
        .says("6 tests pass on the reference")
        .says("3 wrong answers caught and explained");
    fixture
        .run_with_book("verify --chapter 2")
        .exits(1)
        .says("test_ch2_one_road_drives fails on the reference");
    fixture
        .run("verify --chapter 3")
        .refuses(&["chapter 3, The Town, is planned"]);
    fixture
        .run("verify --chapter 9")
        .refuses(&["there is no chapter 9"]);
}

mod in_step {
    use super::*;

    #[test]
    fn a_stub_that_was_edited() {
        let fixture = Fixture::with_book();
        fixture.append("src/light.rs", "// Mine.\n");
        finds(
            &fixture,
            "in step",
            &[
                "src/light.rs differs from its stub",
                "`cargo course generate`",
            ],
        );
        fixture.run("generate").exits(0);
        fixture.run_with_book("verify --chapter 1").exits(0);
    }

    #[test]
    fn a_stub_that_is_missing_and_one_too_many() {
        let fixture = Fixture::with_book();
        fixture.write("src/dark.rs", "//! Off.\n");
        std::fs::remove_file(fixture.path("src/crossing.rs")).expect("it is there");
        finds(
            &fixture,
            "in step",
            &[
                "src/dark.rs has no counterpart in solutions/src",
                "src/crossing.rs is missing",
            ],
        );
    }

    #[test]
    fn a_stub_that_is_not_formatted() {
        let fixture = Fixture::with_book();
        fixture.replace("solutions/src/light.rs", "-> u32 {", "->  u32 {");
        fixture.run("generate").exits(0);
        finds(
            &fixture,
            "in step",
            &["the stub of src/light.rs is not as rustfmt leaves it"],
        );
    }

    #[test]
    fn a_function_in_no_manifest() {
        let fixture = Fixture::with_book();
        fixture.append(
            "solutions/src/light.rs",
            "\n/// A third of a minute.\npub fn short() -> u32 {\n    20\n}\n",
        );
        fixture.run("generate").exits(0);
        finds(
            &fixture,
            "in step",
            &["`short` in solutions/src/light.rs stands in no manifest"],
        );
    }

    #[test]
    fn a_given_function_that_is_not_there() {
        let fixture = Fixture::with_book();
        fixture.replace(MANIFEST, "given = [", "given = [\"light::nothing\", ");
        finds(
            &fixture,
            "in step",
            &["`light::nothing`, listed under `given`, holds no function"],
        );
    }

    #[test]
    fn a_test_in_no_manifest() {
        let fixture = Fixture::with_book();
        fixture.append(
            GREEN_FOR,
            "\n#[test]\nfn test_ch1_extra() {\n    green_for(1);\n}\n",
        );
        finds(
            &fixture,
            "in step",
            &["test_ch1_extra in tests/ch01/s01_green_for.rs is in no manifest"],
        );
    }

    #[test]
    fn a_test_that_is_listed_and_not_there() {
        let fixture = Fixture::with_book();
        fixture.replace(
            LAMPS,
            "#[test]\nfn test_ch1_lamp_reads_well",
            "#[allow(dead_code)]\nfn test_ch1_lamp_reads_well",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.says("FAILED in step ").says(
            "test_ch1_lamp_reads_well is listed in book/src/ch01-one-light.toml and is not in tests/ch01/s03_lamps.rs",
        );
    }

    #[test]
    fn a_test_in_the_file_of_another_section() {
        let fixture = Fixture::with_book();
        let test = "\n#[test]\nfn test_ch1_color_is_two_bytes() {\n    let bytes = size_of::<Color>();\n    assert_eq!(bytes, 2, \"a controller sends a color as two bytes\");\n}\n";
        fixture.replace(COLORS, test, "");
        fixture.append(LAMPS, &format!("\nuse claw_code::light::Color;\n{test}"));
        finds(
            &fixture,
            "in step",
            &[
                "test_ch1_color_is_two_bytes is in tests/ch01/s03_lamps.rs and belongs into tests/ch01/s02_colors.rs, by book/src/ch01-one-light.toml; move it",
            ],
        );
    }

    #[test]
    fn a_test_among_the_helpers() {
        let fixture = Fixture::with_book();
        fixture.append(
            "tests/ch01/support.rs",
            "\n#[test]\nfn test_ch1_extra() {\n    claw_code::light::green_for(1);\n}\n",
        );
        finds(
            &fixture,
            "in step",
            &["test_ch1_extra in tests/ch01/support.rs is in no manifest"],
        );
    }

    #[test]
    fn a_section_whose_test_file_has_another_number() {
        let fixture = Fixture::with_book();
        let text = fixture.read(LAMPS);
        std::fs::remove_file(fixture.path(LAMPS)).expect("it was just read");
        fixture.write("tests/ch01/s07_lamps.rs", text);
        fixture.run("generate").exits(0);
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.says("FAILED in step ")
            .says("section 1.3 has no test file; put its tests into tests/ch01/s03_….rs, named after the section")
            .says("test_ch1_lamp_reads_well is in tests/ch01/s07_lamps.rs and belongs into tests/ch01/s03_….rs");
    }

    #[test]
    fn two_test_files_for_one_section_and_one_for_none() {
        let fixture = Fixture::with_book();
        fixture.write("tests/ch01/s03_more.rs", "//! More.\n");
        fixture.write("tests/ch01/s04_rain.rs", "//! Rain.\n");
        fixture.run("generate").exits(0);
        finds(
            &fixture,
            "in step",
            &[
                "tests/ch01/s03_lamps.rs and tests/ch01/s03_more.rs are both for section 1.3",
                "tests/ch01/s04_rain.rs is for section 1.4, which has no tests in book/src/ch01-one-light.toml",
            ],
        );
    }

    #[test]
    fn a_test_file_that_names_another_section() {
        let fixture = Fixture::with_book();
        fixture.replace(
            COLORS,
            "//! Section 1.2: Colors\n",
            "//! Section 1.2: Colours\n",
        );
        finds(
            &fixture,
            "in step",
            &["the first line of tests/ch01/s02_colors.rs must be `//! Section 1.2: Colors`"],
        );
    }

    #[test]
    fn a_list_of_chapters_that_was_edited() {
        for (list, line, other) in [
            ("tests/main.rs", "mod ch1;", "mod chapter_one;"),
            (
                "tests/main.rs",
                "#[cfg(all(feature = \"ch1\", not(without = \"ch1\")))]",
                "#[cfg(feature = \"ch1\")]",
            ),
            (
                "solutions/tests/chapters.rs",
                "#[cfg(feature = \"ch2\")]\n",
                "",
            ),
            ("tests/ch01/mod.rs", "//! The tests", "//! All tests"),
            ("Cargo.toml", "ch2 = [\"ch1\"]\n", ""),
            (
                "solutions/Cargo.toml",
                "default = [\"ch2\"]",
                "default = [\"ch1\"]",
            ),
            (
                "solutions/src/lib.rs",
                "#[cfg(feature = \"ch2\")]",
                "#[cfg(feature = \"ch1\")]",
            ),
        ] {
            let fixture = Fixture::with_book();
            fixture.replace(list, line, other);
            let ran = fixture.run_with_book("verify --chapter 1").exits(1);
            ran.says("FAILED in step ").says(&format!(
                "{list} is out of date; run `cargo course generate` and commit it"
            ));
            fixture.run("generate").exits(0).says(list);
            fixture.run_with_book("verify --chapter 1").exits(0);
        }
    }

    #[test]
    fn modules_and_manifests_that_disagree() {
        let lib = "solutions/src/lib.rs";
        let fixture = Fixture::with_book();
        fixture.replace(MANIFEST, "[\"lamp\", \"light\"]", "[\"light\"]");
        fixture.run("generate").refuses(&[
            "in solutions/src/lib.rs: the module `lamp` is under ch1's feature and in no manifest",
        ]);
        fixture.replace(MANIFEST, "[\"light\"]", "[\"lamp\", \"light\", \"siren\"]");
        fixture.run("generate").refuses(&[
            "lists the module `siren`",
            "neither solutions/src/siren.rs nor solutions/src/siren/mod.rs",
        ]);
        fixture.replace(MANIFEST, ", \"siren\"", "");
        fixture.replace(
            lib,
            "\n\n#[cfg(feature = \"ch2\")]",
            "\n\nmod mine;\n\n#[cfg(feature = \"ch2\")]",
        );
        fixture.run("generate").refuses(&[
            "the chapters' modules must be next to each other; move `mod mine;` below the last of them",
        ]);
    }

    #[test]
    fn a_chapter_whose_tests_are_missing() {
        let fixture = Fixture::with_book();
        std::fs::remove_dir_all(fixture.path("tests/ch02")).expect("it is there");
        fixture
            .run("generate")
            .refuses(&["cannot read tests/ch02, which holds the tests of chapter 2"]);
    }

    #[test]
    fn a_chapter_in_the_place_of_another() {
        let fixture = Fixture::with_book();
        fixture.replace(
            "book/src/SUMMARY.md",
            "- [One Light](ch01-one-light.md)\n",
            "",
        );
        fixture.append("book/src/SUMMARY.md", "- [One Light](ch01-one-light.md)\n");
        finds(
            &fixture,
            "in step",
            &["book/src/SUMMARY.md has \"The Crossing\" in place 1, where \"One Light\" belongs"],
        );
    }
}

mod manifests {
    use super::*;

    #[test]
    fn an_item_that_is_missing() {
        let fixture = Fixture::with_book();
        fixture.replace(
            MANIFEST,
            "\"lamp::Lamp::seconds\"",
            "\"lamp::Lamp::minutes\"",
        );
        fixture
            .run_with_book("verify")
            .refuses(&["section 1.3", "no item `Lamp::minutes`"]);
    }

    #[test]
    fn a_test_in_two_sections() {
        let fixture = Fixture::with_book();
        fixture.replace(
            MANIFEST,
            "tests = [\"test_ch1_colors_in_order\",",
            "tests = [\"test_ch1_lamp_reads_well\", \"test_ch1_colors_in_order\",",
        );
        fixture
            .run_with_book("verify")
            .refuses(&["test_ch1_lamp_reads_well is listed under both 1.2 and 1.3"]);
    }

    #[test]
    fn a_wrong_answer_that_replaces_what_is_not_there() {
        let fixture = Fixture::with_book();
        fixture.replace(
            MANIFEST,
            "replace = \".clamp(5, 60)\"",
            "replace = \".clamp(6, 60)\"",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.says("replaces `.clamp(6, 60)` in light::green_for, where it stands 0 times");
    }
}

mod green {
    use super::*;

    #[test]
    fn a_test_that_the_reference_fails() {
        let fixture = Fixture::with_book();
        fixture.replace(
            LAMPS,
            "to_string(), \"Green for 8 s\"",
            "to_string(), \"Green, 8 s\"",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        // What the reference fails, it fails under every other check as well.
        ran.says("FAILED green ")
            .says("test_ch1_lamp_reads_well fails on the reference")
            .says("Green, 8 s");
    }

    #[test]
    fn a_warning_in_the_reference() {
        let fixture = Fixture::with_book();
        fixture.replace(
            "solutions/src/light.rs",
            "    // A long queue must not starve the other road.\n",
            "    let unused = 1;\n",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.says("FAILED green ")
            .says("warning: unused variable: `unused`")
            .says("FAILED isolated ");
    }

    #[test]
    fn a_reference_that_does_not_compile() {
        let fixture = Fixture::with_book();
        fixture.replace("solutions/src/light.rs", "clamp(5, 60)", "clamp(5, \"60\")");
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.says("FAILED green      the reference does not compile")
            .says("mismatched types");
    }
}

mod red {
    use super::*;

    #[test]
    fn a_vacuous_test() {
        let fixture = Fixture::with_book();
        fixture.replace(
            LAMPS,
            "fn test_ch1_lamp_reads_well() {\n    assert_eq!(Lamp::green(4).to_string(), \"Green for 8 s\");",
            "fn test_ch1_lamp_reads_well() {\n    assert_eq!(size_of::<Lamp>(), size_of::<Lamp>());",
        );
        finds(
            &fixture,
            "red",
            &[
                "test_ch1_lamp_reads_well passes on the untouched stub",
                "section 1.3",
            ],
        );
    }

    #[test]
    fn a_test_that_stops_at_another_sections_stub() {
        let fixture = Fixture::with_book();
        fixture.replace(
            COLORS,
            "    let all = shown(",
            "    assert_eq!(claw_code::light::green_for(0), 5);\n    let all = shown(",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.says("FAILED red ")
            .says("test_ch1_colors_in_order checks section 1.2 and stops at the stub of 1.1");
    }

    #[test]
    fn a_test_that_fails_on_the_stubs_for_a_reason_of_its_own() {
        let fixture = Fixture::with_book();
        fixture.replace(
            GREEN_FOR,
            "    assert_eq!(green_for(0), 5,",
            "    assert_eq!(size_of::<claw_code::light::Color>(), 2, \"two bytes first\");\n    assert_eq!(green_for(0), 5,",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.says("FAILED red ").says(
            "test_ch1_green_has_limits fails on the stubs, but not at the stub of section 1.1",
        );
    }
}

mod isolated {
    use super::*;

    #[test]
    fn a_chapter_that_needs_a_later_one() {
        let fixture = Fixture::with_book();
        fixture.replace(
            "solutions/src/lamp.rs",
            "            seconds: green_for(cars),",
            "            seconds: crate::crossing::Crossing::seconds(cars),",
        );
        fixture.replace("solutions/src/lamp.rs", "{Color, green_for}", "Color");
        fixture.replace(
            "solutions/src/crossing.rs",
            "impl Crossing {\n",
            "impl Crossing {\n    /// For how long.\n    pub fn seconds(cars: u32) -> u32 {\n        crate::light::green_for(cars)\n    }\n\n",
        );
        fixture.replace(
            "book/src/ch02-the-crossing.toml",
            "\"crossing::Crossing::letting\"",
            "\"crossing::Crossing::seconds\", \"crossing::Crossing::letting\"",
        );
        fixture.run("generate").exits(0);
        let ran = fixture.run_with_book("verify").exits(1);
        ran.says("FAILED isolated ")
            .says("with the chapters up to 1 solved, under feature ch1, the compiler says:")
            .says("`crossing`")
            .says("ok     green ");
    }

    #[test]
    fn a_section_that_needs_a_later_one() {
        let fixture = Fixture::with_book();
        fixture.replace(
            GREEN_FOR,
            "    assert_eq!(green_for(11), 22, \"two seconds for each car\");",
            "    assert_eq!(claw_code::lamp::Lamp::green(11).to_string(), \"Green for 22 s\");",
        );
        finds(
            &fixture,
            "isolated",
            &[
                "with the sections up to 1.1 solved and the rest stubs",
                "test_ch1_green_grows_with_the_queue fails",
                "not yet implemented: 1.3",
            ],
        );
    }

    #[test]
    fn a_warning_under_the_chapters_own_feature_alone() {
        let fixture = Fixture::with_book();
        fixture.replace(
            "solutions/src/lamp.rs",
            "use std::fmt;\n",
            "#[cfg(not(feature = \"ch2\"))]\nuse std::collections::BTreeMap;\nuse std::fmt;\n",
        );
        fixture.run("generate").exits(0);
        finds(
            &fixture,
            "isolated",
            &[
                "with the chapters up to 1 solved",
                "unused import: `std::collections::BTreeMap`",
            ],
        );
    }
}

mod sharp {
    use super::*;

    #[test]
    fn a_wrong_answer_that_nobody_catches() {
        let fixture = Fixture::with_book();
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
    fn a_wrong_type_that_nobody_catches() {
        let fixture = Fixture::with_book();
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
    fn a_wrong_answer_that_other_tests_catch() {
        let fixture = Fixture::with_book();
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
                "add to its `tests`",
                "does not fail test_ch1_green_has_limits",
            ],
        );
    }

    #[test]
    fn a_wrong_answer_whose_words_never_appear() {
        let fixture = Fixture::with_book();
        fixture.replace(
            MANIFEST,
            "says = \"nobody waits longer than a minute\"",
            "says = \"a minute at most\"",
        );
        finds(
            &fixture,
            "sharp",
            &[
                "is not known again: no failure says \"a minute at most\"",
                "longer than a minute",
            ],
        );
    }

    #[test]
    fn two_wrong_answers_that_read_alike() {
        let fixture = Fixture::with_book();
        fixture.replace(
            MANIFEST,
            "says = \"even an empty road gets five seconds\"",
            "says = \"assertion `left == right` failed\"",
        );
        finds(
            &fixture,
            "sharp",
            &[
                "is taken for another",
                "make the two `says` tell them apart",
            ],
        );
    }

    #[test]
    fn a_wrong_answer_that_does_not_compile() {
        let fixture = Fixture::with_book();
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
    fn a_wrong_answer_that_never_ends_is_caught() {
        let fixture = Fixture::with_book();
        fixture.replace(
            MANIFEST,
            "replace = \".clamp(5, 60)\"",
            "replace = \"    (cars * 2).clamp(5, 60)\"",
        );
        fixture.replace(MANIFEST, "with = \".max(5)\"", "with = \"    loop {}\"");
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.says("FAILED sharp ").says("green_for");
    }

    #[test]
    fn a_wrong_body_behind_impl_trait() {
        let fixture = Fixture::with_book();
        let reference = "solutions/src/light.rs";
        fixture.replace(reference, "-> Vec<Color> {", "-> impl std::fmt::Debug {");
        fixture.append(
            MANIFEST,
            "\n[[wrong]]\nsection = \"1.2\"\nitem = \"light::Color::all\"\nbody = \"Color::Red\"\ntests = [\"test_ch1_colors_in_order\"]\nsays = \"a light turns amber after green\"\nbecause = \"There are more.\"\n",
        );
        fixture.run("generate").exits(0);
        fixture
            .run_with_book("verify --chapter 1")
            .exits(0)
            .says("4 wrong answers caught and explained");
    }
}

mod true_book {
    use super::*;

    const PAGE: &str = "book/src/ch01-one-light.md";

    #[test]
    fn a_dead_link() {
        let fixture = Fixture::with_book();
        fixture.replace(PAGE, "(ch02-the-crossing.md)", "(ch02-the-crosing.md)");
        finds(
            &fixture,
            "true book",
            &["book/src/ch01-one-light.md:", "ch02-the-crosing"],
        );
    }

    #[test]
    fn a_dead_anchor() {
        let fixture = Fixture::with_book();
        fixture.replace(
            PAGE,
            "(ch02-the-crossing.md)",
            "(ch02-the-crossing.md#22-nothing)",
        );
        finds(
            &fixture,
            "true book",
            &["book/src/ch01-one-light.md:", "#22-nothing"],
        );
    }

    #[test]
    fn an_include_whose_anchor_is_missing() {
        let fixture = Fixture::with_book();
        fixture.write("book/src/light.txt", "ANCHOR: here\nx\nANCHOR_END: here\n");
        fixture.append(PAGE, "\n```text\n{{#include light.txt:there}}\n```\n");
        finds(
            &fixture,
            "true book",
            &["book/src/ch01-one-light.md:", "there"],
        );
    }

    #[test]
    fn a_directive_that_does_not_exist() {
        let fixture = Fixture::with_book();
        fixture.append(PAGE, "\n{{#listing light::green_for}}\n");
        finds(
            &fixture,
            "true book",
            &["book/src/ch01-one-light.md:", "listing"],
        );
    }

    #[test]
    fn an_item_that_does_not_exist() {
        let fixture = Fixture::with_book();
        fixture.append(PAGE, "\n{{#item light::blue_for}}\n");
        finds(
            &fixture,
            "true book",
            &["book/src/ch01-one-light.md:", "blue_for"],
        );
    }

    #[test]
    fn a_checkpoint_that_is_missing() {
        let fixture = Fixture::with_book();
        fixture.replace(PAGE, "{{#checkpoint 1.2}}\n", "");
        finds(
            &fixture,
            "true book",
            &["section 1.2 has tests and no checkpoint"],
        );
    }

    #[test]
    fn a_test_that_does_not_exist() {
        let fixture = Fixture::with_book();
        fixture.append(PAGE, "\nRun `cargo test test_ch1_green_is_nice`.\n");
        finds(&fixture, "true book", &["test_ch1_green_is_nice"]);
    }

    #[test]
    fn a_command_that_does_not_exist() {
        let fixture = Fixture::with_book();
        fixture.append(
            "book/src/index.md",
            "\nType `cargo course solve 1.1` if you must.\n",
        );
        finds(
            &fixture,
            "true book",
            &["`cargo course solve 1.1` is no command of the runner"],
        );
    }

    #[test]
    fn a_command_with_placeholders() {
        let fixture = Fixture::with_book();
        fixture.append(
            "book/src/index.md",
            "\n`cargo course check N.S`, `cargo course solution N --apply`, `cargo course undo K`, `cargo course report --junit FILE` and `cargo course book --port P` are all there.\n",
        );
        fixture.run_with_book("verify --chapter 1").exits(0);
    }
}
