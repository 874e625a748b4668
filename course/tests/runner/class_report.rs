//! `cargo course report --class`, and what `status --json` has of it.

use serde_json::{Value, json};

use crate::common::Fixture;

fn read(fixture: &Fixture, file: &str) -> Value {
    let text = fixture.read(file);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn it_says_where_the_learner_is_and_since_when() {
    let fixture = Fixture::new();
    // A known mistake.
    fixture.fill("src/light.rs", "green-time", "green_for", "cars * 2");
    fixture
        .run("report --class otter.json")
        .exits(0)
        .prints("Written to otter.json.");
    let report = read(&fixture, "otter.json");
    assert_eq!(report["format"], 1, "{report:#}");
    assert_eq!(report["path"], "core", "{report:#}");
    assert_eq!(report["current_chapter"], 1, "{report:#}");
    assert_eq!(report["current_section"], "1.1", "{report:#}");
    let mistake = json!({
        "section": "1.1",
        "because": "Two seconds for each car is right, and nothing holds it between 5 and 60.",
    });
    assert_eq!(report["wrong_answers"], json!([mistake]), "{report:#}");
    let section = &report["chapters"][0]["sections"][0];
    assert_eq!(section["state"], "wrong", "{report:#}");
    assert_eq!(section["explanation"], mistake["because"], "{report:#}");
    let [since, written] = ["red_since", "written_at"].map(|key| report[key].as_u64());
    assert!(since.is_some() && since <= written, "{report:#}");
    let status = fixture.status();
    for key in ["format", "course", "path", "red_since", "wrong_answers"] {
        assert_eq!(status[key], report[key], "{key} of `status --json`");
    }
}

#[test]
fn it_has_no_code_no_file_names_and_no_user_name() {
    let fixture = Fixture::new();
    fixture.fill(
        "src/light.rs",
        "green-time",
        "green_for",
        "panic!(\"my own secret\")",
    );
    fixture.append("src/light.rs", "// my own secret\n");
    fixture.run("report --class otter.json").exits(0);
    fixture.append("src/lamp.rs", "my own secret");
    fixture.run("report --class broken.json").exits(0);
    assert_eq!(
        read(&fixture, "broken.json")["chapters"][0]["problem"],
        json!({ "kind": "does-not-compile" })
    );
    for file in ["otter.json", "broken.json"] {
        let text = fixture.read(file);
        let root = fixture.root();
        for secret in [
            "secret",
            ".rs",
            "src/",
            "green_for",
            "test_ch1",
            root.to_str().expect("UTF-8"),
        ] {
            assert!(!text.contains(secret), "{secret:?} in {file}: {text}");
        }
    }
}

#[test]
fn the_time_stays_while_the_section_is_red() {
    let fixture = Fixture::new();
    fixture.run("status").exits(0);
    let old = json!({ "red": ["green-time", 1000], "mistakes": {} });
    fixture.write(".course/journal.json", old.to_string());
    fixture.fill("src/light.rs", "green-time", "green_for", "cars + 1");
    assert_eq!(fixture.status()["red_since"], 1000, "1.1 is still red");
    fixture.append("src/light.rs", "broken");
    assert_eq!(fixture.status()["red_since"], 1000, "nothing compiles");
    fixture.write(
        "src/light.rs",
        fixture.read("src/light.rs").replace("broken", ""),
    );
    fixture.run("solution 1.1 --apply").exits(0);
    let status = fixture.status();
    assert_eq!(status["current_section"], "1.2", "{status:#}");
    assert!(status["red_since"].as_u64() > Some(1000), "{status:#}");
}

#[test]
fn a_report_is_replaced_and_a_foreign_file_is_backed_up() {
    let fixture = Fixture::new();
    fixture.write("otter.json", "{\"mine\": 1}");
    fixture
        .run("report --class otter.json")
        .exits(0)
        .prints("`cargo course undo` restores them");
    fixture
        .run("report --class otter.json")
        .exits(0)
        .does_not_print("undo");
    fixture.run("undo --all").exits(0);
    assert_eq!(fixture.read("otter.json"), "{\"mine\": 1}");
}

#[test]
fn a_report_that_no_class_would_read_is_refused() {
    let fixture = Fixture::new();
    let ran = fixture.run("report --class otter.txt").exits(2);
    assert!(ran.stderr.contains("otter.json"), "{ran}");
    let ran = fixture.run("report --class missing/otter.json").exits(2);
    assert!(ran.stderr.contains("does not exist"), "{ran}");
    assert!(!fixture.path("missing").exists(), "no folder is made");
}

#[test]
fn a_report_needs_one_format() {
    let fixture = Fixture::new();
    let ran = fixture.run("report").exits(2);
    assert!(ran.stderr.contains("--class"), "{ran}");
    fixture.run("report --class a.json --junit a.xml").exits(2);
}

#[test]
fn undo_passes_over_reports() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("report --class otter.json").exits(0);
    fixture.run("report --junit out.xml");
    let undone = fixture.run("undo").exits(0);
    undone.prints("Undid `cargo course solution 1.1 --apply`");
    assert!(fixture.path("otter.json").exists(), "the report stays");
}
