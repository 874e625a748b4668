//! `cargo course verify`: a consistent course passes, and the right check finds each planted
//! defect and names it.

// The book builder is started by a shell script.
#![cfg(unix)]

mod common;

use common::{Fixture, Ran};

const MANIFEST: &str = "book/src/ch01-one-light.toml";
const GREEN_FOR: &str = "tests/ch01/s01_green_for.rs";
const COLORS: &str = "tests/ch01/s02_colors.rs";
const LAMPS: &str = "tests/ch01/s03_lamps.rs";

/// A wrong answer to `Color::all`, with this body, for the manifest of chapter 1.
fn wrong_colors(body: &str) -> String {
    format!(
        "\n[[wrong]]\nsection = \"colors\"\nitem = \"light::Color::all\"\nbody = \"{body}\"\ntests = [\"test_ch1_colors_in_order\"]\nsays = \"a light turns amber after green\"\nbecause = \"There are three, in another order.\"\n"
    )
}

/// Verifies chapter 1. Asserts that only the check `name` fails and prints `texts`.
fn finds(fixture: &Fixture, name: &str, texts: &[&str]) {
    only(fixture.run_with_book("verify --chapter 1"), name, texts);
}

/// Asserts that only the check `name` failed and printed `texts`.
fn only(ran: Ran, name: &str, texts: &[&str]) {
    let ran = ran.exits(1);
    let failed: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("FAILED "))
        .map(|rest| rest.split("  ").next().unwrap_or(rest).trim())
        .collect();
    assert_eq!(failed, [name], "the checks that fail in {ran}");
    let ran = ran.prints(&format!("Not verified: {name} ("));
    texts.iter().fold(ran, |ran, text| ran.prints(text));
}

#[test]
fn a_consistent_course_is_verified() {
    let ran = Fixture::with_book().run_with_book("verify").exits(0);
    let ran = [
        "ok     in step    4 files, 7 functions, 8 tests",
        "ok     green      8 tests pass on the reference",
        "ok     red        8 tests fail on the stubs",
        "ok     isolated   2 chapters, 4 sections pass without later ones",
        "ok     sharp      4 wrong answers caught and explained",
        "ok     sized      core 16 lines in 50 min, depth 0 min",
        "ok     taught     5 texts that tests expect",
        "ok     true book  3 pages, ",
        "Verified in ",
    ]
    .into_iter()
    .fold(ran, |ran, text| ran.prints(text));
    assert_eq!(
        ran.stdout.lines().count(),
        9,
        "one line for each check and one at the end: {ran}"
    );
}

#[test]
fn one_chapter_can_be_verified_alone() {
    let fixture = Fixture::with_book();
    fixture.replace(
        "tests/ch02/s01_two_lamps.rs",
        "Green for 8 s",
        "Green for 9 s",
    );
    fixture
        .run_with_book("verify --chapter 1")
        .exits(0)
        .prints("6 tests pass on the reference")
        .prints("3 wrong answers caught and explained");
    fixture
        .run_with_book("verify --chapter 2")
        .exits(1)
        .prints("on the reference, test_ch2_one_road_drives fails");
    fixture
        .run("verify --chapter 3")
        .fails_with(&["chapter 3, The Town, is planned"]);
    fixture
        .run("verify --chapter 9")
        .fails_with(&["there is no chapter 9"]);
}

mod in_step {
    use super::*;

    #[test]
    fn finds_an_edited_stub() {
        let fixture = Fixture::verified();
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
    fn finds_a_missing_and_an_extra_stub() {
        let fixture = Fixture::verified();
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
    fn finds_an_unformatted_stub() {
        let fixture = Fixture::verified();
        fixture.replace("solutions/src/light.rs", "-> u32 {", "->  u32 {");
        fixture.run("generate").exits(0);
        finds(
            &fixture,
            "in step",
            &["the stub of src/light.rs is not formatted"],
        );
    }

    #[test]
    fn reports_an_error_of_rustfmt() {
        let fixture = Fixture::verified();
        let text = "a".repeat(120);
        let spaces = "    ";
        fixture.append(
            "solutions/src/light.rs",
            &format!("\n/// A number.\npub const LONG: usize = \"{text}\"\n    .len(){spaces}\n    .wrapping_add(1);\n"),
        );
        fixture.run("generate").exits(0);
        finds(
            &fixture,
            "in step",
            &[
                "rustfmt cannot format the stubs: ",
                "left behind trailing whitespace",
                "--> light.rs:",
            ],
        );
    }

    #[test]
    fn finds_a_function_in_no_manifest() {
        let fixture = Fixture::verified();
        fixture.append(
            "solutions/src/light.rs",
            "\n/// A third of a minute.\npub fn short() -> u32 {\n    20\n}\n",
        );
        fixture.run("generate").exits(0);
        finds(
            &fixture,
            "in step",
            &["`short` in solutions/src/light.rs is in no manifest"],
        );
    }

    #[test]
    fn finds_a_given_function_that_does_not_exist() {
        let fixture = Fixture::verified();
        fixture.replace(MANIFEST, "given = [", "given = [\"light::nothing\", ");
        finds(
            &fixture,
            "in step",
            &["`light::nothing`, listed under `given`, contains no function"],
        );
    }

    #[test]
    fn finds_a_test_in_no_manifest() {
        let fixture = Fixture::verified();
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
    fn finds_a_listed_test_that_does_not_exist() {
        let fixture = Fixture::verified();
        fixture.replace(
            LAMPS,
            "#[test]\nfn test_ch1_lamp_reads_well",
            "#[allow(dead_code)]\nfn test_ch1_lamp_reads_well",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.prints("FAILED in step ").prints(
            "test_ch1_lamp_reads_well is listed in book/src/ch01-one-light.toml and is not in tests/ch01/s03_lamps.rs",
        );
    }

    #[test]
    fn finds_a_test_in_the_file_of_another_section() {
        let fixture = Fixture::verified();
        let test = "\n#[test]\nfn test_ch1_color_is_two_bytes() {\n    let bytes = size_of::<Color>();\n    assert_eq!(bytes, 2, \"a controller sends a color as two bytes\");\n}\n";
        fixture.replace(COLORS, test, "");
        fixture.append(LAMPS, &format!("\nuse claw_code::light::Color;\n{test}"));
        finds(
            &fixture,
            "in step",
            &[
                "test_ch1_color_is_two_bytes is in tests/ch01/s03_lamps.rs, but book/src/ch01-one-light.toml puts it in tests/ch01/s02_colors.rs; move it",
            ],
        );
    }

    #[test]
    fn finds_a_test_in_support_rs() {
        let fixture = Fixture::verified();
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
    fn finds_a_test_file_with_the_wrong_number() {
        let fixture = Fixture::verified();
        let text = fixture.read(LAMPS);
        std::fs::remove_file(fixture.path(LAMPS)).expect("it was just read");
        fixture.write("tests/ch01/s07_lamps.rs", text);
        fixture.run("generate").exits(0);
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.prints("FAILED in step ")
            .prints("section 1.3 has no test file; write its tests in tests/ch01/s03_….rs, named after the section")
            .prints("test_ch1_lamp_reads_well is in tests/ch01/s07_lamps.rs, but book/src/ch01-one-light.toml puts it in tests/ch01/s03_….rs");
    }

    #[test]
    fn finds_extra_test_files() {
        let fixture = Fixture::verified();
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
    fn finds_a_test_file_with_a_wrong_first_line() {
        let fixture = Fixture::verified();
        fixture.replace(
            COLORS,
            "//! Section 1.2: Colors\n",
            "//! Section 1.2: Paint\n",
        );
        finds(
            &fixture,
            "in step",
            &["the first line of tests/ch01/s02_colors.rs must be `//! Section 1.2: Colors`"],
        );
    }

    #[test]
    fn finds_an_edited_list_of_chapters() {
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
            ("Cargo.toml", "ch2 = [\"ch1\", \"crates2\"]\n", ""),
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
            let fixture = Fixture::verified();
            fixture.replace(list, line, other);
            let ran = fixture.run_with_book("verify --chapter 1").exits(1);
            ran.prints("FAILED in step ").prints(&format!(
                "{list} is out of date; run `cargo course generate` and commit it"
            ));
            fixture.run("generate").exits(0).prints(list);
            fixture.run_with_book("verify --chapter 1").exits(0);
        }
    }

    #[test]
    fn finds_files_that_import_each_other() {
        let fixture = Fixture::verified();
        for (file, text) in [
            ("lib.rs", "mod reply;\nmod rules;\npub use rules::Rule;\n"),
            ("rules/mod.rs", "mod rule;\npub use rule::*;\n"),
            (
                "rules/rule.rs",
                "use crate::reply;\npub struct Rule(reply::Reply);\n",
            ),
            (
                "reply.rs",
                "pub struct Reply;\npub fn of(_: &crate::Rule) {}\n",
            ),
        ] {
            fixture.write(&format!("offline/src/{file}"), text);
        }
        finds(
            &fixture,
            "in step",
            &[
                "these files import each other",
                "offline/src/reply.rs → offline/src/rules/rule.rs: Rule",
                "offline/src/rules/rule.rs → offline/src/reply.rs: Reply",
            ],
        );
        fixture.replace("offline/src/reply.rs", "crate::Rule", "u8");
        fixture.run_with_book("verify --chapter 1").exits(0);
    }

    #[test]
    fn finds_files_of_the_reference_that_import_each_other() {
        let fixture = Fixture::verified();
        fixture.append(
            "solutions/src/light.rs",
            "\nconst _: Option<crate::lamp::Lamp> = None;\n",
        );
        fixture.run("generate").exits(0);
        finds(
            &fixture,
            "in step",
            &[
                "these files import each other",
                "solutions/src/light.rs → solutions/src/lamp.rs: Lamp",
            ],
        );
    }

    #[test]
    fn finds_an_import_from_a_later_chapter() {
        let fixture = Fixture::verified();
        fixture.append(
            "solutions/src/light.rs",
            "\n#[cfg(feature = \"ch2\")]\nuse crate::crossing::Crossing as _;\n",
        );
        fixture.run("generate").exits(0);
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.prints("FAILED in step ")
            .prints("this file imports from a module of a later chapter")
            .prints("solutions/src/light.rs → solutions/src/crossing.rs: Crossing");
    }

    #[test]
    fn generate_rejects_modules_that_no_manifest_lists() {
        let lib = "solutions/src/lib.rs";
        let fixture = Fixture::verified();
        fixture.replace(MANIFEST, "[\"lamp\", \"light\"]", "[\"light\"]");
        fixture.run("generate").fails_with(&[
            "in solutions/src/lib.rs: the module `lamp` is under ch1's feature and in no manifest",
        ]);
        fixture.replace(MANIFEST, "[\"light\"]", "[\"lamp\", \"light\", \"siren\"]");
        fixture.run("generate").fails_with(&[
            "lists the module `siren`",
            "neither solutions/src/siren.rs nor solutions/src/siren/mod.rs",
        ]);
        fixture.replace(MANIFEST, ", \"siren\"", "");
        fixture.replace(
            lib,
            "\n\n#[cfg(feature = \"ch2\")]",
            "\n\nmod mine;\n\n#[cfg(feature = \"ch2\")]",
        );
        fixture.run("generate").fails_with(&[
            "the chapters' modules must be next to each other; move `mod mine;` below the last of them",
        ]);
    }

    #[test]
    fn generate_rejects_a_chapter_without_tests() {
        let fixture = Fixture::verified();
        std::fs::remove_dir_all(fixture.path("tests/ch02")).expect("it is there");
        fixture
            .run("generate")
            .fails_with(&["cannot read tests/ch02, which holds the tests of chapter 2"]);
    }

    #[test]
    fn finds_chapters_out_of_order() {
        let fixture = Fixture::verified();
        fixture.replace(
            "book/src/SUMMARY.md",
            "- [One Light](ch01-one-light.md)\n",
            "",
        );
        fixture.append("book/src/SUMMARY.md", "- [One Light](ch01-one-light.md)\n");
        finds(
            &fixture,
            "in step",
            &["entry 1 of book/src/SUMMARY.md is \"The Crossing\" and must be \"One Light\""],
        );
    }
}

mod manifests {
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
}

mod green {
    use super::*;

    #[test]
    fn finds_a_test_that_fails_on_the_reference() {
        let fixture = Fixture::verified();
        fixture.replace(
            LAMPS,
            "to_string(), \"Green for 8 s\"",
            "to_string(), \"Green, 8 s\"",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        // What the reference fails, it fails under every other check as well.
        ran.prints("FAILED green ")
            .prints("on the reference, test_ch1_lamp_reads_well fails")
            .prints("Green, 8 s");
    }

    #[test]
    fn finds_a_reference_that_does_not_compile() {
        let fixture = Fixture::verified();
        fixture.replace(
            "solutions/src/light.rs",
            "clamp(5, 60)\n",
            "clamp(5, 60) + \"\"\n",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.prints("FAILED green      the reference does not compile")
            .prints("cannot add `&str` to `u32`");
    }
}

mod red {
    use super::*;

    #[test]
    fn finds_a_test_that_passes_on_the_stub() {
        let fixture = Fixture::verified();
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
    fn finds_a_test_that_stops_at_another_sections_stub() {
        let fixture = Fixture::verified();
        fixture.replace(
            COLORS,
            "    let all = shown(",
            "    assert_eq!(claw_code::light::green_for(0), 5);\n    let all = shown(",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.prints("FAILED red ").prints(
            "test_ch1_colors_in_order checks section 1.2 but stops at the stub of section 1.1",
        );
    }

    #[test]
    fn finds_a_test_that_fails_before_it_reaches_a_stub() {
        let fixture = Fixture::verified();
        fixture.replace(
            GREEN_FOR,
            "    assert_eq!(green_for(0), 5,",
            "    assert_eq!(size_of::<claw_code::light::Color>(), 2, \"two bytes first\");\n    assert_eq!(green_for(0), 5,",
        );
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.prints("FAILED red ").prints(
            "test_ch1_green_has_limits fails on the stubs, but not at the stub of section 1.1",
        );
    }

    #[test]
    fn finds_stubs_that_do_not_compile() {
        let fixture = Fixture::verified();
        fixture.replace(
            "solutions/src/crossing.rs",
            "pub fn letting(cars: u32) -> Self {",
            "pub fn letting(cars: u32) -> impl std::ops::Deref<Target = Self> {",
        );
        fixture.replace(
            "solutions/src/crossing.rs",
            "Self { open, closed }\n",
            "Box::new(Self { open, closed })\n",
        );
        fixture.run("generate").exits(0);
        let ran = fixture.run_with_book("verify --chapter 2").exits(1);
        ran.prints("FAILED red ")
            .prints("on the stubs, stubs does not compile")
            .prints("ok     isolated ");
    }
}

mod isolated {
    use super::*;

    #[test]
    fn finds_a_chapter_that_needs_a_later_one() {
        let fixture = Fixture::verified();
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
        ran.prints("FAILED isolated ")
            .prints("with the chapters up to 1 solved, under feature ch1, the compiler reports:")
            .prints("`crossing`")
            .prints("ok     green ");
    }

    /// After a save, a chapter's modules compile with its tests, and those before it are a
    /// library.
    #[test]
    fn finds_a_chapter_that_needs_what_is_private_to_the_library() {
        let fixture = Fixture::new();
        fixture.append(
            "solutions/src/light.rs",
            "\npub(crate) const ONE: u32 = 1;\n",
        );
        fixture.append(
            "solutions/src/crossing.rs",
            "\n/// One.\npub const ONE: u32 = crate::light::ONE;\n",
        );
        fixture.run("generate").exits(0);
        let both = "any(with_tests = \"ch1\", with_tests = \"ch2\")";
        let modules = fixture.read("tests/modules.rs");
        fixture.write(
            "tests/modules.rs",
            modules.replace(both, "with_tests = \"ch1\""),
        );
        let ran = fixture.run("verify").exits(1);
        ran.prints("FAILED isolated ")
            .prints("constant `ONE` is private");
    }

    #[test]
    fn finds_a_section_that_needs_a_later_one() {
        let fixture = Fixture::verified();
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
    fn finds_a_given_section_that_does_not_compile_without_a_core_section() {
        let fixture = Fixture::verified();
        fixture.replace(
            "solutions/src/lamp.rs",
            "            color: Color::Green,",
            "            color: [Color::Green, Color::Amber].into_iter().next().unwrap(),",
        );
        fixture.replace(MANIFEST, "id = \"lamps\"", "id = \"lamps\"\ndepth = true");
        finds(
            &fixture,
            "isolated",
            &["with the depth sections of chapter 1 given, core-1 does not compile"],
        );
    }

    #[test]
    fn finds_a_warning_in_the_reference() {
        let fixture = Fixture::verified();
        fixture.replace(
            "solutions/src/light.rs",
            "    // A long queue must not starve the other road.\n",
            "    let unused = 1;\n",
        );
        finds(
            &fixture,
            "isolated",
            &["warning: unused variable: `unused`"],
        );
    }

    #[test]
    fn finds_a_warning_under_one_feature_alone() {
        let fixture = Fixture::verified();
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

mod sized {
    use super::*;

    const LIGHT: &str = "solutions/src/light.rs";

    /// Adds `lines` lines to the body of `green_for`, in section 1.1.
    fn lengthen(fixture: &Fixture, lines: usize) {
        let line = "    let cars = cars;\n";
        let body = format!("{}    (cars * 2).clamp(5, 60)\n", line.repeat(lines));
        fixture.replace(LIGHT, "    (cars * 2).clamp(5, 60)\n", &body);
    }

    #[test]
    fn finds_a_core_section_that_is_too_long() {
        let fixture = Fixture::verified();
        lengthen(&fixture, 30);
        finds(
            &fixture,
            "sized",
            &["section 1.1 has 31 lines to write; a core section has at most 30"],
        );
    }

    #[test]
    fn a_depth_section_may_be_longer() {
        let fixture = Fixture::verified();
        lengthen(&fixture, 30);
        fixture.replace(
            MANIFEST,
            "id = \"green-time\"",
            "id = \"green-time\"\ndepth = true",
        );
        fixture.run_with_book("verify --chapter 1").exits(0);
    }

    #[test]
    fn finds_three_listings_in_a_row() {
        let fixture = Fixture::verified();
        let page = "book/src/ch01-one-light.md";
        let two = "{{#stub light::green_for}}\n\n{{#item light::Color}}\n";
        fixture.replace(page, "{{#stub light::green_for}}\n", two);
        fixture.run_with_book("verify --chapter 1").exits(0);
        fixture.replace(
            page,
            two,
            &format!("{two}\n{{{{#stub light::Color::is_go}}}}\n"),
        );
        finds(
            &fixture,
            "sized",
            &["book/src/ch01-one-light.md:9: more than 2 listings in a row"],
        );
    }

    #[test]
    fn finds_a_core_that_takes_more_than_three_hours() {
        let fixture = Fixture::verified();
        fixture.replace(
            MANIFEST,
            "id = \"lamps\"\nminutes = 10",
            "id = \"lamps\"\nminutes = 151",
        );
        finds(
            &fixture,
            "sized",
            &["the core of chapter 1 takes 3 h 01 and may take 3 h"],
        );
    }
}

mod sharp {
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
}

mod taught {
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
}

mod true_book {
    use super::*;

    const PAGE: &str = "book/src/ch01-one-light.md";

    #[test]
    fn finds_a_dead_link() {
        let fixture = Fixture::verified();
        fixture.replace(PAGE, "(ch02-the-crossing.md)", "(ch02-the-crosing.md)");
        finds(
            &fixture,
            "true book",
            &["book/src/ch01-one-light.md:", "ch02-the-crosing"],
        );
    }

    #[test]
    fn finds_a_dead_anchor() {
        let fixture = Fixture::verified();
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
    fn finds_an_include_without_its_anchor() {
        let fixture = Fixture::verified();
        fixture.write("book/src/light.txt", "ANCHOR: here\nx\nANCHOR_END: here\n");
        fixture.append(PAGE, "\n```text\n{{#include light.txt:there}}\n```\n");
        finds(
            &fixture,
            "true book",
            &["book/src/ch01-one-light.md:", "there"],
        );
    }

    #[test]
    fn finds_an_unknown_directive() {
        let fixture = Fixture::verified();
        fixture.append(PAGE, "\n{{#listing light::green_for}}\n");
        finds(
            &fixture,
            "true book",
            &["book/src/ch01-one-light.md:", "listing"],
        );
    }

    #[test]
    fn finds_an_unknown_item() {
        let fixture = Fixture::verified();
        fixture.append(PAGE, "\n{{#item light::blue_for}}\n");
        finds(
            &fixture,
            "true book",
            &["book/src/ch01-one-light.md:", "blue_for"],
        );
    }

    #[test]
    fn finds_a_missing_checkpoint() {
        let fixture = Fixture::verified();
        fixture.replace(PAGE, "{{#checkpoint 1.2}}\n", "");
        finds(
            &fixture,
            "true book",
            &["section 1.2 has tests but no checkpoint"],
        );
    }

    #[test]
    fn finds_an_unknown_test() {
        let fixture = Fixture::verified();
        fixture.append(PAGE, "\nRun `cargo test test_ch1_green_is_nice`.\n");
        finds(&fixture, "true book", &["test_ch1_green_is_nice"]);
    }

    #[test]
    fn an_unknown_command() {
        let fixture = Fixture::verified();
        fixture.append(
            "book/src/index.md",
            "\nType `cargo course solve 1.1` if you must.\n",
        );
        finds(
            &fixture,
            "true book",
            &["`cargo course solve 1.1` is not a command of the runner"],
        );
    }

    #[test]
    fn accepts_commands_with_placeholders() {
        let fixture = Fixture::verified();
        fixture.append(
            "book/src/index.md",
            "\n`cargo course check N.S`, `cargo course solution N --apply`, `cargo course undo K`, `cargo course report --junit FILE` and `cargo course book --port P` are all there.\n",
        );
        fixture.run_with_book("verify --chapter 1").exits(0);
    }
}

#[cfg(unix)]
mod cached {
    use super::*;

    const PROOFS: &str = "target/proofs.json";
    const CROSSING: &str = "solutions/src/crossing.rs";
    const LAMP: &str = "solutions/src/lamp.rs";
    const LAMP_READS: &str = "assert_eq!(Lamp::green(4).to_string(), \"Green for 8 s\");";
    const PASSES_ON_STUB: &str = "assert_eq!(size_of::<Lamp>(), size_of::<Lamp>());";

    /// Adds a line to the file that it stands in, while it is being verified.
    const EDITS_ITS_FILE: &str = r#"
        if let Ok(mut file) = std::fs::OpenOptions::new().append(true).open(file!()) {
            std::io::Write::write_all(&mut file, b"// Edited.\n").unwrap();
        }
        assert_eq!(Lamp::green(4).to_string(), "Green for 8 s");"#;

    /// The checks of a run that proved less than everything.
    fn cached(ran: &Ran) -> Vec<&str> {
        let lines = ran.stdout.lines().filter(|line| line.contains("cached"));
        lines.map(|line| line[7..17].trim()).collect()
    }

    #[test]
    fn a_second_run_proves_nothing_again() {
        let fixture = Fixture::with_book();
        let first = fixture.run_with_book("verify").exits(0);
        assert_eq!(
            cached(&first),
            [] as [&str; 0],
            "nothing was proved before {first}"
        );
        let second = fixture.run_with_book("verify").exits(0);
        second
            .prints("ok     in step    cached")
            .prints("ok     green      8 tests pass on the reference, 5 of 5 sections cached")
            .prints("ok     red        8 tests fail on the stubs, 5 of 5 sections cached")
            .prints(
                "ok     isolated   2 chapters, 4 sections pass without later ones, 5 of 5 sections cached",
            )
            .prints("ok     sharp      4 wrong answers caught and explained, 3 of 3 sections cached")
            .prints("ok     taught     cached")
            .prints("ok     true book  cached");
    }

    /// What [`cached_sections`] returns if nothing had to be proved again. Three of the five sections
    /// have wrong answers.
    const ALL: [usize; 4] = [5, 5, 5, 3];

    /// Makes an edit to a verified course and verifies it again. Returns for how many sections the
    /// checks green, red, isolated and sharp were proved already.
    fn cached_after(file: &str, old: &str, new: &str) -> [usize; 4] {
        let fixture = Fixture::verified();
        fixture.replace(file, old, new);
        fixture.run("generate").exits(0);
        cached_sections(&fixture.run_with_book("verify").exits(0))
    }

    /// For how many sections the checks green, red, isolated and sharp were proved before this run.
    fn cached_sections(ran: &Ran) -> [usize; 4] {
        ["green", "red", "isolated", "sharp"].map(|check| {
            let mut lines = ran.stdout.lines();
            let line = lines.find(|line| line.starts_with(&format!("ok     {check}")));
            let line = line.unwrap_or_else(|| panic!("no line about {check} {ran}"));
            let Some((before, _)) = line.split_once(" sections cached") else {
                return 0;
            };
            let number = before.split(' ').rev().nth(2);
            number.and_then(|n| n.parse().ok()).expect("a number")
        })
    }

    #[test]
    fn an_edit_to_one_chapter_keeps_the_others_proved() {
        let (old, new) = ("Self { open, closed }", "Crossing { open, closed }");
        let cached = cached_after(CROSSING, old, new);
        // Its stubs do not contain the body.
        assert_eq!(cached, [4, 5, 4, 2], "chapter 1 does not use {CROSSING}");
    }

    #[test]
    fn an_edit_proves_again_what_executes_the_function() {
        let cached = cached_after(LAMP, "green_for(cars),", "green_for(cars) * 1,");
        // On the stubs, nothing executes it. The tests of 1.3 run with answers to 1.1 and 1.2.
        assert_eq!(cached, [3, 5, 3, 0], "1.3 and 2.1 call Lamp::green");
    }

    #[test]
    fn an_edit_to_a_body_does_not_compile_later_chapters_again() {
        let fixture = Fixture::verified();
        fixture.replace(LAMP, "green_for(cars),", "green_for(cars) * 1,");
        fixture.run("generate").exits(0);
        fixture.run_with_book("verify").exits(0);
        assert!(fixture.path("target/verify/end-1").exists(), "its chapter");
        assert!(!fixture.path("target/verify/end-2").exists(), "chapter 2");
        fixture.replace(
            LAMP,
            "(Debug, Clone, PartialEq)",
            "(Clone, Debug, PartialEq)",
        );
        fixture.run("generate").exits(0);
        fixture.run_with_book("verify").exits(0);
        assert!(fixture.path("target/verify/end-2").exists(), "a shape");
    }

    #[test]
    fn an_edit_proves_nothing_again_where_the_function_is_not_executed() {
        let colors = "[Color::Red, Color::Green, Color::Amber]";
        let (old, new) = (format!("vec!{colors}"), format!("Vec::from({colors})"));
        let cached = cached_after("solutions/src/light.rs", &old, &new);
        assert_eq!(cached, [4, 5, 4, 2], "only 1.2 lists colors");
    }

    #[test]
    fn an_edit_proves_again_only_the_sections_that_execute_the_function() {
        let fixture = Fixture::new();
        let manifest = "book/src/ch02-the-crossing.toml";
        let section = "[[section]]\nid = \"turns\"\nminutes = 5\ntitle = \"Turns\"\ntalk = \"Each road has its turn.\"\nitems = [\"crossing::Crossing::turned\"]\ntests = [\"test_ch2_roads_take_turns\"]\nhints = [\"Both.\", \"Each becomes the other.\", \"Name both.\"]\n\n[[wrong]]";
        fixture.replace(manifest, "[[wrong]]", section);
        fixture.replace(
            CROSSING,
            "    /// Lets",
            "    /// The other road's turn.\n    pub fn turned(self) -> Self {\n        Self {\n            open: self.closed,\n            closed: self.open,\n        }\n    }\n\n    /// Lets",
        );
        fixture.write(
            "tests/ch02/s02_turns.rs",
            "//! Section 2.2: Turns\n\nuse claw_code::{crossing::Crossing, lamp::Lamp, light::Color};\n\n#[test]\nfn test_ch2_roads_take_turns() {\n    let lamp = |color| Lamp { color, seconds: 9 };\n    let (open, closed) = (lamp(Color::Green), lamp(Color::Red));\n    let crossing = Crossing { open, closed };\n    assert_eq!(lamp(Color::all()[0]), crossing.turned().open, \"its turn\");\n}\n",
        );
        fixture.run("generate").exits(0);
        fixture.run("verify");
        fixture.replace(LAMP, "green_for(cars),", "green_for(cars) * 1,");
        let cached = cached_sections(&fixture.run("verify"));
        assert_eq!(cached, [4, 6, 4, 0], "1.3 and 2.1 call Lamp::green");
        let colors = "[Color::Red, Color::Green, Color::Amber]";
        let (old, new) = (format!("vec!{colors}"), format!("Vec::from({colors})"));
        fixture.replace("solutions/src/light.rs", &old, &new);
        let cached = cached_sections(&fixture.run("verify"));
        // On its stub, 2.2 lists colors before it stops.
        // The tests of 2.2 notice no wrong answer to 2.1.
        assert_eq!(cached, [4, 5, 4, 2], "1.2 and 2.2 list colors");
    }

    /// Verifies a course whose test of `Lamp::fmt` has `body` and, like the first test of 1.1, writes
    /// down with which wrong answer it runs. Edits `Lamp::fmt` and verifies again. Returns, sorted,
    /// what the tests have written down since.
    fn tried_after_an_edit(body: &str) -> Vec<String> {
        let tried = "target/verify/switch/tried";
        let fixture = Fixture::verified();
        let log = |test: &str| {
            format!(
                "    if let Some(answer) = std::env::var_os(\"COURSE_WRONG\") {{\n        let log = std::fs::OpenOptions::new().append(true).create(true).open(\"tried\");\n        let line = format!(\"{test} with {{}}\\n\", answer.display());\n        std::io::Write::write_all(&mut log.unwrap(), line.as_bytes()).unwrap();\n    }}\n"
            )
        };
        let first = "    assert_eq!(green_for(10), 20,";
        fixture.replace(GREEN_FOR, first, &format!("{}{first}", log("grows")));
        let last = format!("    {LAMP_READS}");
        fixture.replace(LAMPS, &last, &format!("{}    {body}", log("reads")));
        fixture.run("verify").prints("ok     sharp");
        std::fs::remove_file(fixture.path(tried)).expect("the tests ran with wrong answers");
        fixture.replace(LAMP, "s\", self.color,", "s\", &self.color,");
        fixture.run("verify").prints("ok     sharp");
        let text = fixture.read(tried);
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    }

    #[test]
    fn an_edit_tries_wrong_answers_again_only_with_tests_that_execute_the_function() {
        let tried = tried_after_an_edit(LAMP_READS);
        let expected = ["reads with 1", "reads with 2"];
        assert_eq!(tried, expected, "only one test calls Lamp::fmt");
    }

    #[test]
    fn an_edit_with_which_a_proved_test_no_longer_passes_is_found() {
        let fixture = Fixture::verified();
        let (old, new) = ("self.seconds)", "self.seconds.max(green_for(1000) - 60))");
        fixture.replace(LAMP, old, new);
        fixture
            .run("verify")
            .prints("FAILED sharp")
            .prints("in light::green_for also fails test_ch1_lamp_reads_well");
        fixture.replace(LAMP, new, old);
        fixture.run("verify").prints("ok     sharp");
    }

    #[test]
    fn what_another_thread_executes_counts_for_all_tests() {
        let tried = tried_after_an_edit(
            "let shown = std::thread::spawn(|| Lamp::green(4).to_string());\n    assert_eq!(shown.join().unwrap(), \"Green for 8 s\");",
        );
        for line in [
            "grows with 1",
            "reads with 1",
            "grows with 2",
            "reads with 2",
        ] {
            assert!(tried.iter().any(|tried| tried == line), "{line}: {tried:?}");
        }
    }

    #[test]
    fn an_edit_with_which_a_test_notices_a_wrong_answer_is_found() {
        let fixture = Fixture::verified();
        fixture.append(
            MANIFEST,
            &wrong_colors("vec![Color::Green, Color::Red, Color::Amber]"),
        );
        fixture.run("verify").prints("ok     sharp");
        fixture.replace(LAMP, "color: Color::Green,", "color: Color::all()[1],");
        fixture
            .run("verify")
            .prints("FAILED sharp")
            .prints("in light::Color::all also fails test_ch1_lamp_reads_well, test_ch1_lamp_shows_its_time");
        fixture.replace(LAMP, "color: Color::all()[1],", "color: Color::Green,");
        fixture.run("verify").prints("ok     sharp");
    }

    #[test]
    fn an_edit_that_is_taken_back_proves_nothing_again() {
        let fixture = Fixture::verified();
        for (old, new) in [("cars),", "cars) * 1,"), ("cars) * 1,", "cars) * 2 / 2,")] {
            fixture.replace(LAMP, old, new);
            assert_ne!(cached_sections(&fixture.run("verify")), ALL, "{new}");
        }
        fixture.replace(LAMP, "cars) * 2 / 2,", "cars),");
        assert_eq!(cached_sections(&fixture.run("verify")), ALL, "as before");
    }

    #[test]
    fn an_edit_outside_of_functions_proves_again_what_reaches_the_file() {
        let (old, new) = ("(Debug, Clone, PartialEq)", "(Clone, Debug, PartialEq)");
        let cached = cached_after(LAMP, old, new);
        assert_eq!(cached, [0; 4], "chapter 2 has lamps");
    }

    #[test]
    fn an_edit_to_a_comment_proves_no_chapter_again() {
        let cached = cached_after(LAMP, "/// A green lamp", "/// One green lamp");
        assert_eq!(cached, ALL, "the code is the same");
    }

    #[test]
    fn a_defect_is_found_after_a_proof_and_its_failure_is_not_stored() {
        let fixture = Fixture::verified();
        fixture.replace(LAMPS, LAMP_READS, PASSES_ON_STUB);
        // The first run proves the other sections of the chapter.
        for cached in ["1 of 5 sections cached", "4 of 5 sections cached"] {
            let ran = fixture.run_with_book("verify");
            only(ran, "red", &["passes on the untouched stub", cached]);
        }
        fixture.replace(LAMPS, PASSES_ON_STUB, LAMP_READS);
        fixture.run_with_book("verify").exits(0);
    }

    #[test]
    fn a_wrong_answer_that_is_no_longer_caught_is_found() {
        let fixture = Fixture::verified();
        fixture.replace(GREEN_FOR, "green_for(1000), 60", "green_for(30), 60");
        fixture
            .run_with_book("verify")
            .exits(1)
            .prints("FAILED sharp");
    }

    #[test]
    fn another_lockfile_or_compiler_proves_everything_again() {
        let fixture = Fixture::verified();
        fixture.append("Cargo.lock", "# Changed.\n");
        let ran = fixture.run_with_book("verify").exits(0);
        assert_eq!(cached(&ran), [] as [&str; 0], "the lockfile differs");
        fixture.program(
            "bin/rustc",
            "#!/bin/sh\nrustc \"$@\"\n[ \"$1\" != -vV ] || echo 'note: another one'\n",
        );
        let mut command = fixture.command("verify");
        command.env("RUSTC", fixture.path("bin/rustc"));
        command.env("CARGO", fixture.path("bin/cargo"));
        let ran = Ran::of(&mut command).exits(0);
        assert_eq!(cached(&ran), [] as [&str; 0], "the compiler differs");
    }

    #[test]
    fn an_edit_during_a_run_leaves_its_chapter_unproved() {
        let fixture = Fixture::with_book();
        fixture.replace(LAMPS, LAMP_READS, EDITS_ITS_FILE);
        let before = fixture.read(LAMPS);
        fixture.run_with_book("verify").exits(0);
        fixture.write(LAMPS, &before);
        let ran = fixture.run_with_book("verify").exits(0);
        ran.prints("8 tests fail on the stubs, 1 of 5 sections cached");
    }

    #[test]
    fn a_torn_file_of_proofs_counts_as_empty() {
        let fixture = Fixture::verified();
        let proofs = fixture.read(PROOFS);
        fixture.write(PROOFS, &proofs[..proofs.len() / 2]);
        let ran = fixture.run_with_book("verify").exits(0);
        assert_eq!(cached(&ran), [] as [&str; 0], "the file was torn");
    }

    #[test]
    fn fresh_proves_everything_again() {
        let ran = Fixture::verified().run_with_book("verify --fresh").exits(0);
        assert_eq!(cached(&ran), [] as [&str; 0], "--fresh was given");
    }
}
