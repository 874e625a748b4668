//! Where the runner cannot work: one clear line with the next step, and exit code 2.

use crate::common::{Fixture, Ran};

/// What a learner types most.
const COMMANDS: [&str; 5] = ["", "status", "check", "next", "hint"];

#[test]
fn outside_the_repository() {
    let fixture = Fixture::new();
    let elsewhere = tempfile::tempdir().expect("a folder");
    for arguments in COMMANDS {
        let mut command = fixture.command(arguments);
        Ran::of(command.current_dir(elsewhere.path()))
            .refuses(&[
                "is not inside the claw-code repository",
                "go there with `cd`",
            ])
            .in_one_line();
    }
}

#[test]
fn below_the_top_folder_all_is_well() {
    let fixture = Fixture::new();
    let mut command = fixture.command("status");
    Ran::of(command.current_dir(fixture.path("solutions/src")))
        .exits(0)
        .says("0 of 3 checkpoints green");
}

#[test]
fn without_cargo() {
    let fixture = Fixture::new();
    for arguments in COMMANDS {
        let mut command = fixture.command(arguments);
        Ran::of(command.env("PATH", "/nowhere").env_remove("CARGO"))
            .refuses(&["`cargo` was not found", "install Rust with rustup"])
            .in_one_line();
    }
}

#[test]
fn a_manifest_that_is_no_toml() {
    let fixture = Fixture::new();
    fixture.append("book/src/ch01-one-light.toml", "\n[[section]\n");
    for arguments in COMMANDS {
        fixture.run(arguments).refuses(&[
            "the manifest book/src/ch01-one-light.toml is broken",
            "`git diff book/src/ch01-one-light.toml`",
        ]);
    }
}

#[test]
fn a_table_of_contents_that_is_no_toml() {
    let fixture = Fixture::new();
    fixture.append("book/src/course.toml", "[[");
    fixture
        .run("status")
        .refuses(&["book/src/course.toml is broken"]);
}

#[test]
fn a_manifest_with_an_item_that_is_not_there() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "\"light::green_for\"]",
        "\"light::gren_for\"]",
    );
    fixture.run("check").refuses(&[
        "`git status` shows what changed",
        "ch01-one-light.toml, section 1.1",
        "has no item `gren_for`",
    ]);
}

#[test]
fn a_manifest_with_an_attribute_that_is_not_there() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "\"#[repr(u16)]\" }]",
        "\"#[repr(u8)]\" }]",
    );
    fixture.run("check").refuses(&[
        "section 1.2",
        "light::Color carries no attribute #[repr(u8)]",
    ]);
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
        .refuses(&["test_ch1_green_has_limits is listed under both 1.1 and 1.2"])
        .in_one_line();
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
        .refuses(&["`green_for` is listed twice: under 1.1 and under 1.2"]);
}

#[test]
fn sections_out_of_order() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "id = \"1.3\"",
        "id = \"1.5\"",
    );
    fixture.run("status").refuses(&[
        "ch01-one-light.toml is broken",
        "section 1.5 stands where 1.3 is due",
    ]);
}

#[test]
fn a_reference_that_is_no_rust() {
    let fixture = Fixture::new();
    fixture.append("solutions/src/light.rs", "fn half( {");
    fixture
        .run("solution 1.1")
        .refuses(&["`git status` shows what changed", "solutions/src/light.rs"]);
}

#[test]
fn a_broken_cargo_toml() {
    let fixture = Fixture::new();
    fixture.append("Cargo.toml", "\n[features\n");
    for arguments in COMMANDS {
        fixture
            .run(arguments)
            .refuses(&["Cargo.toml is broken", "`git diff Cargo.toml`"]);
    }
}

#[test]
fn a_cargo_toml_without_the_open_chapters() {
    let fixture = Fixture::new();
    fixture.replace("Cargo.toml", "default = [\"ch1\"] #", "#");
    fixture
        .run("open 2")
        .refuses(&["no `default` under `[features]`", "`git diff Cargo.toml`"])
        .in_one_line();
}

#[test]
fn no_sources_at_all() {
    let fixture = Fixture::new();
    std::fs::remove_dir_all(fixture.path("src")).expect("it is there");
    fixture
        .run("status")
        .refuses(&["cannot read", "src", "`git status` shows what is missing"])
        .in_one_line();
}

#[test]
fn a_command_that_does_not_exist() {
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
        "status", "check", "hint", "next", "open", "solution", "jump", "reset", "undo", "report",
        "book", "generate", "verify",
    ] {
        assert!(help.stdout.contains(command), "`{command}` in {help}");
    }
}
