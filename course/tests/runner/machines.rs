//! Machines that differ from the usual one. The miniature course is no git repository, like a
//! download as an archive, and no test here has a terminal.

use std::path::Path;
use std::process::Command;

use crate::common::{Fixture, RUNNER, Ran, environment};

/// A change of the command that checks the first section.
type Machine = fn(&mut Command, &Path);

#[test]
fn a_check_works_on_every_machine() {
    let fixture = Fixture::new();
    // Neither a folder for settings nor one for caches can be made in it.
    fixture.write("home", "a file");
    fixture.write("no git/git", "");
    let machines: [(&str, Machine); 7] = [
        ("a home folder that cannot be written", |command, root| {
            command.env("HOME", root.join("home"));
        }),
        ("CARGO_TARGET_DIR", |command, root| {
            command.env("CARGO_TARGET_DIR", root.join("elsewhere"));
        }),
        ("a program `git` that does not start", |command, root| {
            let path = std::env::var("PATH").unwrap_or_default();
            let before = root.join("no git");
            command.env("PATH", format!("{}:{path}", before.display()));
        }),
        ("TERM=dumb", |command, _| {
            command.env("TERM", "dumb");
        }),
        ("40 columns", |command, _| {
            command.env("COLUMNS", "40");
        }),
        ("a folder inside the course", |command, root| {
            command.current_dir(root.join("src"));
        }),
        ("rustflags in a cargo configuration", |command, root| {
            let text = "[build]\nrustflags = [\"--cfg\", \"mine\"]\n";
            std::fs::create_dir_all(root.join(".cargo")).expect("a folder");
            std::fs::write(root.join(".cargo/config.toml"), text).expect("a file");
            command.env_remove("RUSTFLAGS");
        }),
    ];
    for (machine, change) in machines {
        check_works(&fixture, &fixture.root(), machine, change);
    }
}

#[test]
fn a_check_works_in_a_folder_with_spaces_and_other_letters() {
    let fixture = Fixture::new();
    let root = fixture.root().join("mein Kurs ñ 課");
    for (file, content) in fixture.everything() {
        fixture.write(&format!("mein Kurs ñ 課/{file}"), content);
    }
    fixture.write("mein Kurs ñ 課/Cargo.lock", fixture.bytes("Cargo.lock"));
    check_works(&fixture, &root, "a space and other letters", |_, _| {});
}

/// As a cargo home that belongs to somebody else.
#[cfg(unix)]
#[test]
fn a_folder_that_cargo_cannot_write_to_is_named_by_the_doctor() {
    let fixture = Fixture::new();
    let error = "error: failed to create directory `/home/x/registry`\n\nCaused by:\n  Permission denied (os error 13)";
    fixture.program(
        "bin/cargo",
        format!("#!/bin/sh\necho '{error}' >&2\nexit 101\n"),
    );
    let mut command = fixture.command("check");
    command.env("CARGO", fixture.path("bin/cargo"));
    Ran::of(&mut command)
        .exits(1)
        .prints("failed to create directory `/home/x/registry`")
        .prints("`cargo course doctor` says which one, and what to do");
}

/// In a folder with the launcher and the alias `cargo course`.
#[cfg(unix)]
#[test]
fn a_linker_flag_that_does_not_work_is_traced_to_its_configuration() {
    let fixture = Fixture::new();
    add_launcher(&fixture);
    let config = "[build]\nrustflags = [\"-C\", \"linker=no-such-linker\"]\n";
    fixture.write("target/home/config.toml", config);
    let home = fixture.path("target/home");
    let mut command = cargo_course(&fixture, "", "status");
    command.env("CARGO_HOME", &home);
    let file = home.join("config.toml").display().to_string();
    Ran::of(&mut command)
        .fails_with(&[
            "the linker failed; check `rustflags`",
            &format!("in {file}. "),
        ])
        .explains("no-such-linker");
}

/// The program `cargo` only notes what it is asked for, so nothing is downloaded.
#[cfg(unix)]
#[test]
fn fetch_covers_every_workspace_and_says_how_much_is_missing() {
    let fixture = Fixture::new();
    let package = "[[package]]\nname = \"far\"\nversion = \"1.0.0\"\nsource = \"registry\"\n";
    fixture.append("Cargo.lock", &format!("\n{package}"));
    fixture.write("course/Cargo.toml", "");
    fixture.write("course/Cargo.lock", package.replace("far", "farther"));
    fixture.program("bin/cargo", "#!/bin/sh\necho \"$@\" >> calls\n");
    let mut command = fixture.command("fetch");
    command
        .env("CARGO", fixture.path("bin/cargo"))
        .env("CARGO_HOME", fixture.path("home"));
    Ran::of(&mut command)
        .exits(0)
        .explains("2 of the 2 crates that the course uses are not on this machine");
    let calls: Vec<String> = ["Cargo.toml", "course/Cargo.toml"]
        .map(|manifest| fixture.path(manifest).display().to_string())
        .map(|manifest| format!("fetch --locked --manifest-path {manifest}\n"))
        .into();
    assert_eq!(fixture.read("calls"), calls.concat());
}

/// Cargo reads the paths of an alias from the folder in which it is started.
#[test]
fn cargo_course_starts_in_every_folder_once_it_was_started_at_the_top() {
    let fixture = Fixture::new();
    add_launcher(&fixture);
    add_built_runner(&fixture);
    let start = |fixture: &Fixture, folder: &str| {
        let mut command = cargo_course(fixture, folder, "status");
        Ran::of(&mut command).exits(0).prints("checkpoints green");
    };
    start(&fixture, "");
    for folder in ["src", "solutions/src", "tests/ch01", "book/src"] {
        start(&fixture, folder);
    }
    // Cargo cannot read the workspace now.
    fixture.write("Cargo.toml", "[[");
    let mut command = cargo_course(&fixture, "src", "undo --list");
    Ran::of(&mut command).exits(0);

    fixture.write("Cargo.toml", Fixture::new().bytes("Cargo.toml"));
    let moved = fixture.copy();
    drop(fixture);
    add_built_runner(&moved);
    start(&moved, "");
    start(&moved, "src");
}

#[test]
fn a_cargo_configuration_that_the_learner_wrote_in_src_is_kept() {
    let fixture = Fixture::new();
    add_launcher(&fixture);
    let theirs = "[term]\nverbose = false\n";
    fixture.write("src/.cargo/config.toml", theirs);
    fixture.run("status").exits(0);
    assert_eq!(fixture.read("src/.cargo/config.toml"), theirs);
    assert!(fixture.path("tests/.cargo/config.toml").is_file());
}

/// Adds the launcher and the alias `cargo course`.
fn add_launcher(fixture: &Fixture) {
    let course = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["Cargo.toml", "Cargo.lock", "src/main.rs"] {
        let content = std::fs::read(course.join("launcher").join(file)).expect("it is there");
        fixture.write(&format!("course/launcher/{file}"), content);
    }
    let alias = std::fs::read(course.join("../.cargo/config.toml")).expect("it is there");
    fixture.write(".cargo/config.toml", alias);
}

/// Adds the runner as if the launcher had built it from the sources beside it.
fn add_built_runner(fixture: &Fixture) {
    for file in ["src/main.rs", "Cargo.toml", "Cargo.lock"] {
        fixture.write(&format!("course/{file}"), "");
    }
    let runner = format!("target/runner/debug/course{}", std::env::consts::EXE_SUFFIX);
    fixture.write(&runner, "");
    std::fs::copy(RUNNER, fixture.path(&runner)).expect("the runner is there");
    fixture.write("target/runner/built", "");
}

/// The command that starts `cargo course ARGUMENTS` by its alias, in a folder of the fixture.
fn cargo_course(fixture: &Fixture, folder: &str, arguments: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .arg("course")
        .args(arguments.split_whitespace())
        .current_dir(fixture.path(folder))
        .env_clear()
        .envs(environment());
    command
}

/// Asserts that the check of a fresh clone finds its first section red.
#[track_caller]
fn check_works(fixture: &Fixture, root: &Path, machine: &str, change: Machine) {
    let mut command = fixture.command("check 1.1");
    command.current_dir(root);
    change(&mut command, root);
    let ran = Ran::of(&mut command);
    let is_red = ran
        .stdout
        .contains("1.1 Green for how long · not written yet");
    assert!(
        is_red && ran.code == Some(1) && ran.stderr.is_empty(),
        "with {machine}, the check should find the first section red: {ran}"
    );
    assert!(
        !ran.stdout.contains('\x1b'),
        "with {machine}, a pipe gets no escape codes: {ran}"
    );
}
