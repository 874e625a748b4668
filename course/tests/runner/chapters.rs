//! `cargo course next`, `open` and `jump`.

use crate::common::{Fixture, Ran};

#[test]
fn next_shows_the_first_red_checkpoint() {
    let fixture = Fixture::new();
    let before = fixture.work();
    fixture
        .run("next")
        .exits(1)
        .prints("Chapter 1 is not done yet. This comes first:")
        .prints("1.1 Green for how long · not written yet");
    assert_eq!(
        fixture.work(),
        before,
        "`next` changes nothing while something is red"
    );
}

#[test]
fn next_opens_a_chapter_and_changes_only_the_feature() {
    let fixture = Fixture::after_chapter_1();
    let manifest = fixture.read("Cargo.toml");
    fixture
        .run("next")
        .exits(0)
        .prints("Chapter 1 is done.")
        .prints("Opened chapter 2, The Crossing.")
        .prints("book/src/ch02-the-crossing.md");
    assert_eq!(
        fixture.read("Cargo.toml"),
        manifest.replace("default = [\"ch1\"]", "default = [\"ch2\"]"),
        "Cargo.toml differs in the open chapter and in nothing else"
    );
    fixture
        .run("status")
        .prints("Chapter 2 · The Crossing  0 of 1");
}

#[test]
fn next_names_a_planned_chapter() {
    let fixture = Fixture::after_chapter_1();
    fixture.run("open 2").exits(0);
    fixture.run("solution 2 --apply").exits(0);
    let manifest = fixture.read("Cargo.toml");
    fixture
        .run("next")
        .exits(0)
        .prints("Chapter 2 is done.")
        .prints("The next chapter is 3, The Town.")
        .prints("planned and not written yet")
        .prints("All the lights of a town.");
    assert_eq!(fixture.read("Cargo.toml"), manifest, "nothing is opened");
}

#[test]
fn next_skips_a_planned_chapter() {
    let fixture = Fixture::after_chapter_1();
    fixture.replace(
        "book/src/course.toml",
        "{ number = 2, slug = \"the-crossing\", title = \"The Crossing\", about = \"Two lights that agree.\" },
  { number = 3, slug = \"the-town\", title = \"The Town\", about = \"All the lights of a town.\" },",
        "{ number = 2, slug = \"the-town\", title = \"The Town\", about = \"All the lights of a town.\" },
  { number = 3, slug = \"the-crossing\", title = \"The Crossing\", about = \"Two lights that agree.\" },",
    );
    let renumbered = |text: String| text.replace("ch2", "ch3").replace("2.1", "3.1");
    for (file, new) in [
        (
            "book/src/ch02-the-crossing.toml",
            "book/src/ch03-the-crossing.toml",
        ),
        (
            "book/src/ch02-the-crossing.md",
            "book/src/ch03-the-crossing.md",
        ),
        ("tests/ch02/mod.rs", "tests/ch03/mod.rs"),
        ("tests/ch02/s01_two_lamps.rs", "tests/ch03/s01_two_lamps.rs"),
        ("tests/main.rs", "tests/main.rs"),
        ("src/lib.rs", "src/lib.rs"),
        ("src/lamp.rs", "src/lamp.rs"),
        ("src/crossing.rs", "src/crossing.rs"),
        ("solutions/src/lib.rs", "solutions/src/lib.rs"),
        ("solutions/src/lamp.rs", "solutions/src/lamp.rs"),
    ] {
        let text = renumbered(fixture.read(file)).replace("ch02/", "ch03/");
        std::fs::remove_file(fixture.path(file)).expect("it was just read");
        fixture.write(new, text);
    }
    fixture.replace(
        "Cargo.toml",
        "ch2 = [\"ch1\", \"crates2\"]\ncrates2 =",
        "ch3 = [\"ch1\", \"crates3\"]\ncrates3 =",
    );
    fixture
        .run("next")
        .exits(0)
        .prints("Chapter 1 is done.")
        .prints("The next chapter is 2, The Town. It is planned and not written yet.")
        .prints("Opened chapter 3, The Crossing.");
    fixture
        .run("status")
        .prints("Chapter 3 · The Crossing  0 of 1");
}

#[test]
fn open_keeps_the_learners_own_features_and_comments() {
    let fixture = Fixture::new();
    fixture.replace(
        "Cargo.toml",
        "default = [\"ch1\"] # the newest chapter that is open",
        "default = [\"mine\", \"ch1\"] # mine!\nmine = [] # for a try",
    );
    let manifest = fixture.read("Cargo.toml");
    fixture
        .run("open 2")
        .exits(0)
        .prints("Opened chapter 2, The Crossing.");
    assert_eq!(
        fixture.read("Cargo.toml"),
        manifest.replace("\"mine\", \"ch1\"", "\"mine\", \"ch2\""),
    );
}

#[test]
fn open_does_nothing_for_an_open_chapter() {
    let fixture = Fixture::new();
    let before = fixture.work();
    fixture
        .run("open 1")
        .exits(0)
        .prints("Already open: chapter 1, One Light");
    assert_eq!(fixture.work(), before);
    fixture.run("undo").fails_with(&["nothing to undo"]);
}

#[test]
fn a_planned_chapter_cannot_be_opened() {
    let fixture = Fixture::new();
    for command in ["open", "jump"] {
        fixture
            .run(&format!("{command} 3"))
            .fails_with(&["chapter 3, The Town, is planned"])
            .on_one_line();
        fixture
            .run(&format!("{command} 7"))
            .fails_with(&["there is no chapter 7"])
            .on_one_line();
    }
    fixture
        .run("jump 1")
        .fails_with(&["chapter 1 is the first chapter"])
        .on_one_line();
}

#[test]
fn jump_solves_earlier_chapters_and_opens() {
    let fixture = Fixture::new();
    fixture
        .run("jump 2")
        .exits(0)
        .prints("Everything before chapter 2 (The Crossing) is solved")
        .prints("Before `cargo claw`, run `cargo course status` once");
    fixture
        .run("check")
        .exits(1)
        .prints("3 of 3 checkpoints green")
        .prints("Chapter 2 · The Crossing  0 of 1 checkpoints green");
}

#[test]
fn jump_keeps_what_was_written_for_later_chapters() {
    let fixture = Fixture::new();
    fixture.fill(
        "src/crossing.rs",
        "crossing",
        "Crossing::letting",
        "panic!(\"mine, {cars}\")",
    );
    fixture.fill(
        "src/lamp.rs",
        "crossing",
        "Lamp::opposite",
        "panic!(\"mine too\")",
    );
    fixture.run("jump 2").exits(0);
    for (file, mine) in [
        ("src/crossing.rs", "mine, {cars}"),
        ("src/lamp.rs", "mine too"),
    ] {
        let text = fixture.read(file);
        assert!(text.contains(mine), "{file} keeps {mine:?}:\n{text}");
    }
    fixture.run("check 1").exits(0);
}

#[test]
fn a_course_can_start_with_chapter_0() {
    let fixture = Fixture::new();
    let names = [
        ("ch01", "ch00"),
        ("ch02", "ch01"),
        ("ch1", "ch0"),
        ("ch2", "ch1"),
    ];
    let renamed = |text: &str| {
        let mut text = text.to_string();
        for (old, new) in names {
            text = text.replace(old, new);
        }
        text
    };
    let moved = ["book/src", "tests", "src", "solutions"];
    for (file, content) in moved.iter().flat_map(|folder| fixture.files(folder)) {
        let text = String::from_utf8(content).expect("the course is text");
        std::fs::remove_file(fixture.path(&file)).expect("it was just read");
        fixture.write(&renamed(&file), renamed(&text));
    }
    for number in 1..=3 {
        let (old, new) = (
            format!("number = {number},"),
            format!("number = {},", number - 1),
        );
        fixture.replace("book/src/course.toml", &old, &new);
    }
    fixture.replace(
        "Cargo.toml",
        "ch1 = [\"crates1\"]\ncrates1 = []\nch2 = [\"ch1\", \"crates2\"]\ncrates2 = [\"crates1\"]",
        "ch0 = [\"crates0\"]\ncrates0 = []\nch1 = [\"ch0\", \"crates1\"]\ncrates1 = [\"crates0\"]",
    );
    fixture
        .run("status")
        .exits(0)
        .prints("Chapter 0 · One Light  0 of 3");
    fixture
        .run("jump 0")
        .fails_with(&["chapter 0 is the first"]);
    fixture.run("check 9").fails_with(&["chapters 0 to 2"]);
    fixture.run("solution 0 --apply").exits(0);
    fixture
        .run("status")
        .exits(0)
        .prints("Chapter 1 · The Crossing  0 of 1");
}

/// Chapter 2 is open while chapter 1 is red, as chapters 0 and 1 are from the start.
fn with_chapter_2_open() -> Fixture {
    let fixture = Fixture::new();
    fixture.run("open 2").exits(0);
    fixture.run("status").prints("Chapter 1 · One Light");
    fixture
}

#[test]
fn a_chapter_that_turns_green_is_marked_before_the_next_one() {
    for (command, code) in [("status", 0), ("next", 1)] {
        let fixture = with_chapter_2_open();
        fixture.write_chapter_1();
        fixture
            .run(command)
            .exits(code)
            .prints("Chapter 1 is done.\n\nChapter 2 · The Crossing");
        fixture
            .run(command)
            .prints("Chapter 2 · The Crossing")
            .does_not_print("Chapter 1 is done");
    }
}

#[test]
fn the_check_of_a_chapters_last_section_marks_it() {
    let fixture = with_chapter_2_open();
    fixture.write_chapter_1();
    fixture
        .run("check 1.3")
        .exits(0)
        .prints("Chapter 1 is done.");
    fixture.run("check 1.3").does_not_print("Chapter 1 is done");
}

#[test]
fn an_error_in_a_finished_chapter_does_not_finish_it_again() {
    let fixture = with_chapter_2_open();
    fixture.write_chapter_1();
    fixture.run("status").prints("Chapter 1 is done.");
    fixture.append("src/light.rs", "broken");
    fixture.run("status").prints("does not compile");
    fixture.write_chapter_1();
    fixture.run("status").does_not_print("Chapter 1 is done");
}

#[test]
fn after_chapter_0_the_first_agent_runs() {
    assert_eq!(
        course::messages::chapter_done(0),
        "Chapter 0 is done. Your first agent runs: `cargo claw` talks to it."
    );
    assert_eq!(course::messages::chapter_done(4), "Chapter 4 is done.");
}

#[test]
fn jump_to_a_section_solves_the_sections_before_it() {
    let fixture = Fixture::new();
    fixture.fill("src/lamp.rs", "lamps", "Lamp::fmt", "write!(f, \"mine\")");
    fixture
        .run("jump 1.3")
        .exits(0)
        .prints("Everything before section 1.3 (Lamps) is solved, and chapter 1 is open.");
    assert_eq!(fixture.state("1.1"), "done");
    assert_eq!(fixture.state("1.2"), "done");
    assert_eq!(fixture.state("1.3"), "not-written");
    assert!(fixture.read("src/lamp.rs").contains("write!(f, \"mine\")"));
    fixture.run("undo").exits(0);
    assert!(fixture.read("src/light.rs").contains("todo!(\"green-time"));
    fixture
        .run("jump 1.1")
        .fails_with(&["section 1.1 is the first section, so there is nothing to skip"])
        .on_one_line();
    fixture
        .run("jump 1.9")
        .fails_with(&["no section 1.9"])
        .on_one_line();
}

#[test]
fn open_names_the_section() {
    let fixture = Fixture::new();
    fixture
        .run("open 2.1")
        .exits(0)
        .prints("Opened chapter 2, The Crossing.")
        .prints("section 2.1, Two lamps");
}

/// The miniature course with a chapter that needs Unix, on a system without it.
fn without_unix(needs_unix: &str) -> Fixture {
    let fixture = Fixture::new();
    let manifest = format!("book/src/{needs_unix}.toml");
    let text = format!("unix = true\n{}", fixture.read(&manifest));
    fixture.write(&manifest, text);
    fixture
}

fn run_without_unix(fixture: &Fixture, arguments: &str) -> Ran {
    Ran::of(fixture.command(arguments).env("COURSE_WITHOUT_UNIX", "1"))
}

#[test]
fn a_chapter_for_unix_says_so_before_it_is_opened() {
    let fixture = without_unix("ch02-the-crossing");
    let manifest = fixture.read("Cargo.toml");
    for command in ["open 2", "jump 2", "check 2"] {
        run_without_unix(&fixture, command)
            .fails_with(&["chapter 2, The Crossing, needs Unix: Linux, macOS, or WSL on Windows"])
            .on_one_line();
    }
    fixture.run("solution 1 --apply").exits(0);
    run_without_unix(&fixture, "next")
        .exits(0)
        .prints("Passed over: chapter 2, The Crossing, needs Unix")
        .does_not_print("Opened");
    assert_eq!(fixture.read("Cargo.toml"), manifest, "nothing is opened");
    fixture.run("next").exits(0).prints("Opened chapter 2");
}

#[test]
fn the_course_goes_on_without_a_chapter_for_unix() {
    let fixture = without_unix("ch01-one-light");
    run_without_unix(&fixture, "open 2").exits(0);
    run_without_unix(&fixture, "status")
        .exits(0)
        .prints("Chapter 2 · The Crossing");
    run_without_unix(&fixture, "check")
        .exits(1)
        .does_not_print("Chapter 1");
    fixture.run("status").prints("Chapter 1 · One Light");
}

#[test]
fn the_lists_leave_out_a_chapter_for_unix_elsewhere() {
    let fixture = without_unix("ch01-one-light");
    for run in [
        "the first run",
        "a second run, which reads what the first one wrote",
    ] {
        fixture.run("generate").exits(0);
        for (file, line) in [
            (
                "tests/main.rs",
                "#[cfg(all(unix, feature = \"ch1\", not(without = \"ch1\")))]",
            ),
            (
                "solutions/tests/chapters.rs",
                "#[cfg(all(unix, feature = \"ch1\"))]",
            ),
            (
                "src/lib.rs",
                "#[cfg(all(unix, feature = \"ch1\"))]\npub mod lamp;",
            ),
        ] {
            let text = fixture.read(file);
            assert!(
                text.contains(line),
                "after {run}, {file} has {line}:\n{text}"
            );
        }
    }
}
