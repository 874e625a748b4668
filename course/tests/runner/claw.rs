//! `cargo course claw`, with a fake cargo that builds a fake agent. The agent prints the arguments of
//! both.
#![cfg(unix)]

use serde_json::json;

use crate::common::{Fixture, Ran};

/// A fixture in which `claw` can be built from chapter 1 on.
fn fixture() -> Fixture {
    let fixture = Fixture::new();
    fixture.replace(
        "Cargo.toml",
        "crates2 = [\"crates1\"]",
        "crates2 = [\"crates1\"]\nclaw = [\"ch1\", \"dep:clap\"]",
    );
    for program in ["first", "claw"] {
        fixture.write(&format!("target/debug/{program}"), "built");
    }
    fixture.program(
        "fake-agent",
        "#!/bin/sh\ncat asked\nprintf '%s ' -- \"$@\"\ncat\nexit 7\n",
    );
    let agent = fixture.path("fake-agent");
    let target = json!({
        "kind": ["bin"], "crate_types": ["bin"], "name": "agent", "src_path": agent,
    });
    let profile = json!({
        "opt_level": "0", "debug_assertions": true, "overflow_checks": true, "test": false,
    });
    let artifact = json!({
        "reason": "compiler-artifact", "package_id": "agent", "manifest_path": "Cargo.toml",
        "target": target, "profile": profile, "features": [], "filenames": [agent],
        "executable": agent, "fresh": true,
    });
    let finished = json!({ "reason": "build-finished", "success": true });
    fixture.write("built.json", format!("{artifact}\n{finished}\n"));
    fixture.program(
        "fake-cargo",
        "#!/bin/sh\nprintf '%s ' \"$@\" > asked\ncat built.json\n",
    );
    fixture
}

fn claw(fixture: &Fixture, arguments: &str) -> Ran {
    let mut command = fixture.command(&format!("claw {arguments}"));
    let ran = Ran::of(command.env("CARGO", fixture.path("fake-cargo")));
    ran.exits(7).prints("build --manifest-path")
}

/// Solves a chapter and runs its tests.
fn finish(fixture: &Fixture, chapter: u32) {
    let solution = format!("solution {chapter} --apply");
    compiling(fixture, &[&solution, "status"]);
}

/// Runs commands that compile the crate. The fake feature names a crate that is not there.
fn compiling(fixture: &Fixture, commands: &[&str]) {
    fixture.replace("Cargo.toml", ", \"dep:clap\"", "");
    for command in commands {
        fixture.run(command).exits(0);
    }
    fixture.replace(
        "Cargo.toml",
        "claw = [\"ch1\"",
        "claw = [\"ch1\", \"dep:clap\"",
    );
}

#[test]
fn without_finished_chapters_it_is_the_agent_of_chapter_0() {
    let ran = claw(&fixture(), "").prints("--no-default-features --features first --bin first ");
    assert_eq!(ran.stderr, "", "nothing is missing yet");
}

#[test]
fn it_says_that_it_builds_the_agent() {
    let fixture = fixture();
    std::fs::remove_file(fixture.path("target/debug/first")).expect("the fixture has it");
    let ran = claw(&fixture, "");
    assert!(ran.stderr.contains("Building your agent."), "{ran}");
}

#[test]
fn with_finished_chapters_it_is_claw_with_their_features() {
    let fixture = fixture();
    finish(&fixture, 1);
    let ran = claw(&fixture, "").prints("--features ch1,claw --bin claw ");
    assert_eq!(ran.stderr, "", "everything that is open is finished");
}

#[test]
fn it_names_the_open_chapter_that_is_missing() {
    let fixture = fixture();
    finish(&fixture, 1);
    fixture.run("open 2").exits(0);
    compiling(&fixture, &["status"]);
    let ran = claw(&fixture, "").prints("--features ch1,claw --bin claw ");
    assert!(
        ran.stderr
            .contains("Chapter 2 was not finished when its tests last ran, so this is the agent of chapters 1 to 1."),
        "{ran}"
    );
}

#[test]
fn a_later_chapter_does_not_make_up_for_an_earlier_one() {
    let fixture = fixture();
    fixture.run("open 2").exits(0);
    finish(&fixture, 2);
    let ran = claw(&fixture, "").prints("--bin first ");
    let note = "The next agent needs chapters 1 to 1. Chapter 1 was not finished when its tests last ran, so this is the agent of chapter 0.";
    assert!(ran.stderr.contains(note), "{ran}");
}

#[test]
fn it_does_not_call_a_chapter_unfinished_whose_tests_have_not_run() {
    let fixture = fixture();
    finish(&fixture, 1);
    fixture.run("open 2").exits(0);
    let ran = claw(&fixture, "").prints("--features ch1,claw --bin claw ");
    assert!(
        ran.stderr.contains(
            "The tests of chapter 2 have not run yet, so this is the agent of chapters 1 to 1."
        ),
        "{ran}"
    );
}

#[test]
fn all_arguments_are_the_agents() {
    let fixture = fixture();
    for arguments in [
        "--help",
        "-p hi --model m",
        "break swapped-results",
        "--version",
    ] {
        claw(&fixture, arguments).prints(&format!(" -- {arguments} "));
    }
}

#[test]
fn an_agent_that_does_not_compile_is_an_error() {
    let fixture = Fixture::new();
    let features = "crates2 = [\"crates1\"]";
    fixture.replace("Cargo.toml", features, &format!("{features}\nfirst = []"));
    fixture.append(
        "Cargo.toml",
        "\n[[bin]]\nname = \"first\"\npath = \"first.rs\"\n",
    );
    fixture.write("first.rs", "fn main() {\n    answer();\n}\n");
    fixture
        .run("claw")
        .exits(1)
        .prints("The code does not compile: 1 error at first.rs:2")
        .prints("cannot find function `answer` in this scope");
}
