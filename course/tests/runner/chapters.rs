//! From chapter to chapter: `next`, `open` and `jump`.

use crate::common::Fixture;

#[test]
fn next_is_the_first_red_checkpoint_while_there_is_one() {
    let fixture = Fixture::new();
    let before = fixture.work();
    fixture
        .run("next")
        .exits(1)
        .says("1.1 Green for how long · not written yet");
    assert_eq!(
        fixture.work(),
        before,
        "`next` changes nothing while something is red"
    );
}

#[test]
fn next_opens_the_next_chapter_and_changes_just_that_word() {
    let fixture = Fixture::after_chapter_1();
    let manifest = fixture.read("Cargo.toml");
    fixture
        .run("next")
        .exits(0)
        .says("Chapter 1 is done.")
        .says("Opened chapter 2, The Crossing.")
        .says("book/src/ch02-the-crossing.md");
    assert_eq!(
        fixture.read("Cargo.toml"),
        manifest.replace("default = [\"ch1\"]", "default = [\"ch2\"]"),
        "Cargo.toml differs in the open chapter and in nothing else"
    );
    fixture
        .run("status")
        .says("Chapter 2 · The Crossing  0 of 1");
}

#[test]
fn next_tells_of_a_chapter_that_is_only_planned() {
    let fixture = Fixture::after_chapter_1();
    fixture.run("open 2").exits(0);
    fixture.run("solution 2 --apply").exits(0);
    let manifest = fixture.read("Cargo.toml");
    fixture
        .run("next")
        .exits(0)
        .says("Chapter 2 is done.")
        .says("chapter 3, The Town")
        .says("planned and not written yet")
        .says("All the lights of a town.");
    assert_eq!(fixture.read("Cargo.toml"), manifest, "nothing is opened");
}

#[test]
fn next_goes_past_a_chapter_that_is_only_planned() {
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
    fixture.replace("Cargo.toml", "ch2 = [\"ch1\"]", "ch3 = [\"ch1\"]");
    fixture
        .run("next")
        .exits(0)
        .says("Chapter 1 is done.")
        .says("Next comes chapter 2, The Town. It is planned and not written yet.")
        .says("Opened chapter 3, The Crossing.");
    fixture
        .run("status")
        .says("Chapter 3 · The Crossing  0 of 1");
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
        .says("Opened chapter 2, The Crossing.");
    assert_eq!(
        fixture.read("Cargo.toml"),
        manifest.replace("\"mine\", \"ch1\"", "\"mine\", \"ch2\""),
    );
}

#[test]
fn open_leaves_what_is_open() {
    let fixture = Fixture::new();
    let before = fixture.work();
    fixture
        .run("open 1")
        .exits(0)
        .says("open already: chapter 1, One Light");
    assert_eq!(fixture.work(), before);
    fixture.run("undo").refuses(&["nothing to undo"]);
}

#[test]
fn what_is_not_written_cannot_be_opened() {
    let fixture = Fixture::new();
    for command in ["open", "jump"] {
        fixture
            .run(&format!("{command} 3"))
            .refuses(&["chapter 3, The Town, is planned"])
            .in_one_line();
        fixture
            .run(&format!("{command} 7"))
            .refuses(&["there is no chapter 7"])
            .in_one_line();
    }
    fixture
        .run("jump 1")
        .refuses(&["chapter 1 is where the course starts"])
        .in_one_line();
}

#[test]
fn jump_solves_all_before_and_opens() {
    let fixture = Fixture::new();
    fixture
        .run("jump 2")
        .exits(0)
        .says("Everything before chapter 2, The Crossing is solved");
    fixture
        .run("check")
        .exits(1)
        .says("3 of 3 checkpoints green")
        .says("Chapter 2 · The Crossing  0 of 1 checkpoints green");
}

#[test]
fn jump_keeps_what_was_written_for_later_chapters() {
    let fixture = Fixture::new();
    fixture.fill(
        "src/crossing.rs",
        "2.1",
        "Crossing::letting",
        "panic!(\"mine, {cars}\")",
    );
    fixture.fill(
        "src/lamp.rs",
        "2.1",
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
