//! Errors of the runner: one line with the next step, and exit code 2.

use crate::common::{Fixture, Ran};

/// The most common commands.
const COMMANDS: [&str; 5] = ["", "status", "check", "next", "hint"];

#[test]
fn outside_the_repository() {
    let fixture = Fixture::new();
    let elsewhere = tempfile::tempdir().expect("a folder");
    for arguments in COMMANDS {
        let mut command = fixture.command(arguments);
        Ran::of(command.current_dir(elsewhere.path()))
            .fails_with(&[
                "is not inside the claw-code repository",
                "`cd` into the repository",
            ])
            .on_one_line();
    }
}

#[test]
fn the_runner_works_in_subfolders() {
    let fixture = Fixture::new();
    let mut command = fixture.command("status");
    Ran::of(command.current_dir(fixture.path("solutions/src")))
        .exits(0)
        .prints("0 of 3 checkpoints green");
}

#[test]
fn without_cargo() {
    let fixture = Fixture::new();
    for arguments in COMMANDS {
        let mut command = fixture.command(arguments);
        Ran::of(command.env("PATH", "/nowhere").env_remove("CARGO"))
            .fails_with(&["`cargo` was not found", "install Rust with rustup"])
            .on_one_line();
    }
}

#[test]
fn a_manifest_with_a_syntax_error() {
    let fixture = Fixture::new();
    fixture.append("book/src/ch01-one-light.toml", "\n[[section]\n");
    for arguments in COMMANDS {
        fixture.run(arguments).fails_with(&[
            "the manifest book/src/ch01-one-light.toml is broken",
            "`git diff book/src/ch01-one-light.toml`",
        ]);
    }
}

#[test]
fn a_table_of_contents_with_a_syntax_error() {
    let fixture = Fixture::new();
    fixture.append("book/src/course.toml", "[[");
    fixture
        .run("status")
        .fails_with(&["book/src/course.toml is broken"]);
}

#[test]
fn a_manifest_with_an_unknown_item() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "\"light::green_for\"]",
        "\"light::gren_for\"]",
    );
    fixture.run("check").fails_with(&[
        "`git status` shows what changed",
        "ch01-one-light.toml, section 1.1",
        "has no item `gren_for`",
    ]);
}

#[test]
fn a_manifest_with_an_unknown_attribute() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "\"#[repr(u16)]\" }]",
        "\"#[repr(u8)]\" }]",
    );
    fixture
        .run("check")
        .fails_with(&["section 1.2", "light::Color has no attribute #[repr(u8)]"]);
}

#[test]
fn a_test_listed_twice() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "tests = [\"test_ch1_colors_in_order\",",
        "tests = [\"test_ch1_green_has_limits\", \"test_ch1_colors_in_order\",",
    );
    fixture
        .run("status")
        .fails_with(&["test_ch1_green_has_limits is listed under both 1.1 and 1.2"])
        .on_one_line();
}

#[test]
fn an_item_listed_twice() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "items = [\"light::Color::Amber\",",
        "items = [\"light::green_for\", \"light::Color::Amber\",",
    );
    fixture
        .run("status")
        .fails_with(&["`green_for` is listed twice: under 1.1 and under 1.2"]);
}

#[test]
fn a_section_whose_id_is_a_number() {
    let fixture = Fixture::new();
    fixture.replace("book/src/ch01-one-light.toml", "\"lamps\"", "\"1.3\"");
    fixture.run("status").fails_with(&[
        "ch01-one-light.toml is broken",
        "section 1.3 has the id `1.3`; write lower-case words with hyphens",
    ]);
}

#[test]
fn two_sections_with_one_id() {
    let fixture = Fixture::new();
    fixture.replace("book/src/ch01-one-light.toml", "\"lamps\"", "\"rain\"");
    fixture
        .run("status")
        .fails_with(&["sections 1.3 and 1.4 have the same id, `rain`"]);
}

#[test]
fn a_section_without_minutes() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "id = \"lamps\"\nminutes = 10\n",
        "id = \"lamps\"\n",
    );
    fixture
        .run("status")
        .fails_with(&["ch01-one-light.toml is broken"])
        .explains("missing field `minutes`");
}

#[test]
fn a_reference_with_a_syntax_error() {
    let fixture = Fixture::new();
    fixture.append("solutions/src/light.rs", "fn half( {");
    fixture
        .run("solution 1.1")
        .fails_with(&["`git status` shows what changed", "solutions/src/light.rs"]);
}

#[test]
fn a_broken_cargo_toml() {
    let fixture = Fixture::new();
    fixture.append("Cargo.toml", "\n[features\n");
    for arguments in COMMANDS {
        fixture
            .run(arguments)
            .fails_with(&["Cargo.toml is broken", "`git diff Cargo.toml`"]);
    }
}

#[test]
fn a_cargo_toml_without_default_features() {
    let fixture = Fixture::new();
    fixture.replace("Cargo.toml", "default = [\"ch1\"] #", "#");
    fixture
        .run("open 2")
        .fails_with(&["no `default` under `[features]`", "`git diff Cargo.toml`"])
        .on_one_line();
}

#[test]
fn a_missing_source_folder() {
    let fixture = Fixture::new();
    std::fs::remove_dir_all(fixture.path("src")).expect("it is there");
    fixture
        .run("status")
        .fails_with(&["cannot read", "src", "`git status` shows what is missing"])
        .on_one_line();
}

#[test]
fn without_solutions_the_runner_says_how_to_get_them_back() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    std::fs::remove_dir_all(fixture.path("solutions")).expect("it is there");
    for command in [
        "",
        "status",
        "check",
        "next",
        "hint",
        "solution 1.1",
        "reset 1.1",
    ] {
        fixture
            .run(command)
            .fails_with(&[
                "the folder solutions/ is missing",
                "`git restore solutions` brings it back",
                "`cargo course hint 1.3`",
            ])
            .on_one_line();
    }
    fixture
        .run("hint 1.3")
        .exits(0)
        .prints("Hint 1 of 3 for 1.3");
    fixture
        .run("path")
        .exits(0)
        .prints("You are on the core path.");
    fixture
        .run("undo --list")
        .exits(0)
        .prints("solution 1.1 --apply");
    fixture.run("undo").exits(0).prints("restored src/light.rs");
}

#[test]
fn an_unknown_command() {
    let fixture = Fixture::new();
    let ran = fixture.run("chekc").exits(2);
    assert!(
        ran.stderr.contains("check"),
        "it suggests the one meant: {ran}"
    );
    let ran = fixture.run("solution one").exits(2);
    assert!(ran.stderr.contains("neither a chapter, such as 1"), "{ran}");
}

#[test]
fn help_names_every_command() {
    let help = Fixture::new().run("--help").exits(0);
    for command in [
        "status", "check", "hint", "next", "open", "solution", "jump", "reset", "undo", "doctor",
        "report", "book", "generate", "verify",
    ] {
        assert!(help.stdout.contains(command), "`{command}` in {help}");
    }
}
