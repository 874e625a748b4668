//! `cargo course status`, and `cargo course` without a terminal.

use crate::common::Fixture;

#[test]
fn untouched_stubs_are_red_at_the_first_checkpoint() {
    Fixture::new()
        .run("status")
        .exits(0)
        .prints("Chapter 1 · One Light  0 of 3 checkpoints green")
        .prints("▸ 1.1   Green for how long")
        .prints("1.1 Green for how long · not written yet")
        .prints("to write green_for  src/light.rs:4")
        .prints("✗ test_ch1_green_grows_with_the_queue  src/light.rs:5")
        .prints("not yet implemented: green-time: write green_for")
        .prints("Read: section 1.1 of book/src/ch01-one-light.md")
        .prints("Tests: tests/ch01/s01_green_for.rs")
        .prints("A checkpoint starts red.")
        .does_not_print("\x1b");
}

#[test]
fn a_section_to_read_is_not_a_checkpoint() {
    let fixture = Fixture::new();
    fixture.run("status").prints("– 1.4   Lights in the rain");
    assert_eq!(fixture.state("1.4"), "reading");
}

#[test]
fn without_a_terminal_the_status_is_printed_once() {
    let fixture = Fixture::new();
    let bare = fixture.run("").exits(0);
    let status = fixture.run("status").exits(0);
    assert_eq!(
        bare.stdout, status.stdout,
        "bare `cargo course`, piped, is its status"
    );
}

#[test]
fn the_json_has_the_current_chapter_and_section() {
    let fixture = Fixture::new();
    let status = fixture.status();
    assert_eq!(status["current_chapter"], 1, "{status:#}");
    assert_eq!(status["current_section"], "1.1", "{status:#}");
    let chapters = status["chapters"].as_array().expect("a list of chapters");
    let flags: Vec<_> = chapters
        .iter()
        .map(|chapter| (chapter["written"] == true, chapter["open"] == true))
        .collect();
    assert_eq!(
        flags,
        [(true, true), (true, false), (false, false)],
        "(written, open) of the three chapters"
    );
    assert_eq!(chapters[0]["done"], false);
    let tests = &chapters[0]["sections"][0]["tests"];
    assert_eq!(tests[0]["name"], "test_ch1_green_grows_with_the_queue");
    assert_eq!(tests[0]["passed"], false);
}

#[test]
fn the_json_has_the_state_of_each_section() {
    let fixture = Fixture::new();
    for section in ["1.1", "1.2", "1.3"] {
        assert_eq!(
            fixture.state(section),
            "not-written",
            "of {section}, untouched"
        );
    }
    fixture.fill("src/light.rs", "green-time", "green_for", "0");
    assert_eq!(fixture.state("1.1"), "wrong");
    fixture.run("solution 1.1 --apply").exits(0);
    assert_eq!(fixture.state("1.1"), "done");
    fixture.append("src/light.rs", "broken");
    assert_eq!(fixture.state("1.1"), "done", "as it was before the error");
    let problem = &fixture.status()["chapters"][0]["problem"];
    assert_eq!(problem["kind"], "does-not-compile", "{problem:#}");
}

#[test]
fn unchanged_sources_are_answered_from_the_cache() {
    let fixture = Fixture::new();
    let first = fixture.run("status").exits(0);
    for arguments in ["status", "", "status --json"] {
        let mut command = fixture.command(arguments);
        command.env("PATH", "/nowhere").env_remove("CARGO");
        let again = crate::common::Ran::of(&mut command).exits(0);
        if !arguments.contains("json") {
            assert_eq!(
                again.stdout, first.stdout,
                "the same answer without a cargo"
            );
        }
    }
}

#[test]
fn a_change_of_any_source_leads_to_a_run() {
    let fixture = Fixture::new();
    fixture.run("status").prints("0 of 3 checkpoints green");
    fixture.fill(
        "src/light.rs",
        "green-time",
        "green_for",
        "(cars * 2).clamp(5, 60)",
    );
    fixture.run("status").prints("1 of 3 checkpoints green");
    fixture.replace(
        "tests/ch01/s01_green_for.rs",
        "green_for(10), 20",
        "green_for(10), 21",
    );
    fixture.run("status").prints("0 of 3 checkpoints green");
}

#[test]
fn a_change_can_break_an_earlier_chapter() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.run("status").prints("Chapter 2 · The Crossing");
    fixture.append("src/crossing.rs", "\n// A thought.\n");
    fixture
        .run("status")
        .prints("Chapter 2 · The Crossing  0 of 1 checkpoints green");
    fixture.replace("src/light.rs", "(5, 60)", "(5, 61)");
    fixture
        .run("status")
        .prints("Chapter 1 · One Light  2 of 3 checkpoints green")
        .prints("1.1 Green for how long · written, but not right yet");
}

#[test]
fn a_failure_of_cargo_is_not_cached() {
    let fixture = Fixture::new();
    let mut command = fixture.command("status");
    command.env("CARGO", "/bin/false");
    crate::common::Ran::of(&mut command)
        .exits(0)
        .prints("cargo could not build the tests");
    fixture.run("status").prints("0 of 3 checkpoints green");
}

#[cfg(unix)]
#[test]
fn a_lock_of_emacs_is_no_source() {
    let fixture = Fixture::new();
    fixture.run("status").exits(0);
    let lock = fixture.path("src/.#light.rs");
    std::os::unix::fs::symlink("me@host.1:2", lock).expect("a link");
    for command in ["status", "check 1", "hint"] {
        let ran = fixture.run(command);
        assert!(!ran.stderr.contains("cannot read"), "{command}: {ran}");
    }
}
