//! What was proved for the same content is not proved again.

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
fn a_new_private_function_proves_again_only_what_executes_it() {
    let fixture = Fixture::verified();
    fixture.replace(LAMP, "green_for(cars),", "seconds_for(cars),");
    let first = "impl fmt::Display for Lamp {";
    let private = "fn seconds_for(cars: u32) -> u32 {\n    green_for(cars)\n}\n\n";
    fixture.replace(LAMP, first, &format!("{private}{first}"));
    fixture.run("generate").exits(0);
    // No manifest lists it, which the check `in step` reports.
    let cached = cached_sections(&fixture.run("verify"));
    assert_eq!(cached, [3, 5, 3, 0], "1.3 and 2.1 call Lamp::green");
    fixture.replace(
        LAMP,
        "seconds_for(cars: u32)",
        "seconds_for(cars: impl Into<u32>)",
    );
    fixture.replace(
        LAMP,
        "    green_for(cars)\n",
        "    green_for(cars.into())\n",
    );
    fixture.run("generate").exits(0);
    let cached = cached_sections(&fixture.run("verify"));
    assert_eq!(cached, [3, 5, 3, 0], "the same, after a change of its head");
}

#[test]
fn a_new_private_function_that_takes_the_place_of_another_is_found() {
    let fixture = Fixture::verified();
    let first = "    /// A green lamp";
    let private = "    fn clone(&self) -> Self {\n        Self::green(0)\n    }\n\n";
    fixture.replace(LAMP, first, &format!("{private}{first}"));
    fixture
        .run("verify")
        .prints("FAILED green")
        .prints("test_ch2_the_other_waits fails");
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
    fixture.run("verify").prints("FAILED sharp").prints(
        "in light::Color::all also fails test_ch1_lamp_reads_well, test_ch1_lamp_shows_its_time",
    );
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

/// The run has the old manifest in memory, so it proves nothing about the new one.
#[test]
fn a_manifest_edited_during_a_run_is_not_proved() {
    let fixture = Fixture::with_book();
    let manifest = fixture.path("book/src/ch02-the-crossing.toml");
    let edits_once = format!(
        "let text = std::fs::read_to_string({manifest:?}).unwrap();
        if !text.contains(\"# Edited.\") {{
            let mut file = std::fs::OpenOptions::new().append(true).open({manifest:?}).unwrap();
            std::io::Write::write_all(&mut file, b\"# Edited.\\n\").unwrap();
        }}
        {LAMP_READS}"
    );
    fixture.replace(LAMPS, LAMP_READS, &edits_once);
    fixture.run_with_book("verify").exits(0);
    let ran = fixture.run_with_book("verify").exits(0);
    assert!(!cached(&ran).contains(&"taught"), "{ran}");
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
