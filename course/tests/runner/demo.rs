//! `cargo course demo`, with a fake `claw` that prints how it was started.

use crate::common::{Fixture, Ran};

/// A fixture with a project for the demo, and a program `claw` in both packages.
fn with_claw() -> Fixture {
    let fixture = Fixture::new();
    fixture.write("course/demo/src/till.rs", "as it is");
    for (manifest, file) in [
        ("Cargo.toml", "yours.rs"),
        ("solutions/Cargo.toml", "solutions/reference.rs"),
    ] {
        let name = file.rsplit('/').next().unwrap_or(file);
        let feature = match manifest {
            "Cargo.toml" => "required-features = [\"claw\"]",
            _ => "",
        };
        fixture.append(
            manifest,
            &format!("\n[[bin]]\nname = \"claw\"\npath = {name:?}\n{feature}\n"),
        );
        fixture.write(file, CLAW.replace("WHOSE", name));
    }
    fixture.replace(
        "Cargo.toml",
        "crates2 = [\"crates1\"]",
        "crates2 = [\"crates1\"]\nclaw = [\"ch1\"]",
    );
    fixture
}

fn demo(fixture: &Fixture, arguments: &str) -> Ran {
    let mut command = fixture.command(arguments);
    Ran::of(command.env("TMPDIR", fixture.root()))
}

#[test]
fn it_runs_the_reference_on_a_copy_of_the_project() {
    let fixture = with_claw();
    demo(&fixture, "demo make the tests pass")
        .exits(3)
        .prints("reference.rs [\"--offline\", \"--permission-mode\", \"bypass\", \"--prompt\", \"make the tests pass\"]")
        .prints("claw-demo-")
        .prints("src/till.rs: as it is")
        .prints("keeps what it keeps beside that");
    assert_eq!(fixture.read("course/demo/src/till.rs"), "as it is");
}

#[test]
fn without_a_prompt_it_is_a_conversation() {
    let fixture = with_claw();
    demo(&fixture, "demo")
        .exits(3)
        .prints("reference.rs [\"--offline\", \"--permission-mode\", \"bypass\"]");
}

#[test]
fn it_can_run_the_learners_agent() {
    let fixture = with_claw();
    demo(&fixture, "demo --yours list")
        .exits(3)
        .prints("yours.rs [\"--offline\", \"--prompt\", \"list\"]");
}

#[test]
fn a_missing_project_is_an_error() {
    let fixture = Fixture::new();
    let ran = demo(&fixture, "demo").exits(2);
    assert!(ran.stderr.contains("course/demo"), "{}", ran.stderr);
}

const CLAW: &str = r#"//! Says how it was started, and spoils the project.

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("WHOSE {arguments:?}");
    println!("in {}", std::env::current_dir().unwrap().display());
    println!("src/till.rs: {}", std::fs::read_to_string("src/till.rs").unwrap());
    let home = std::env::var("CLAW_HOME").unwrap();
    let beside = std::env::current_dir().unwrap().with_extension("home");
    if std::path::Path::new(&home).file_name() == beside.file_name() {
        println!("keeps what it keeps beside that");
    }
    std::fs::write("src/till.rs", "spoiled").unwrap();
    std::process::exit(3);
}
"#;
