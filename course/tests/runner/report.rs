//! `cargo course report --junit`.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus};

use crate::common::Fixture;

#[test]
fn the_report_has_every_test_once() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture
        .run("report --junit out.xml")
        .exits(1)
        .prints("chapter 1: 3 of 3 checkpoints green")
        .prints("chapter 2: 0 of 1 checkpoints green")
        .prints("Written to out.xml.");
    let report = read(&fixture, "out.xml");
    let counts: Vec<_> = report
        .test_suites
        .iter()
        .map(|suite| {
            (
                suite.name.as_str(),
                suite.tests,
                suite.failures,
                suite.errors,
            )
        })
        .collect();
    assert_eq!(
        counts,
        [("ch1 One Light", 6, 0, 0), ("ch2 The Crossing", 2, 2, 0)],
        "name, tests, failures and errors of each suite"
    );
    assert_eq!((report.tests, report.failures, report.errors), (8, 2, 0));
    let case = case(&report, "test_ch1_green_has_limits");
    assert_eq!(case.classname.as_deref(), Some("1.1 Green for how long"));
}

#[test]
fn a_test_of_a_section_that_is_not_begun_fails_without_a_run() {
    let fixture = Fixture::new();
    fixture.add_section();
    fixture.run("report --junit out.xml").exits(1);
    let report = read(&fixture, "out.xml");
    match &case(&report, "test_ch1_shortest").status {
        TestCaseStatus::NonSuccess { kind, message, .. } => {
            assert_eq!(*kind, NonSuccessKind::Failure);
            assert_eq!(message.as_deref(), Some("not written yet"));
        }
        other => panic!("expected a failure, found {other:?}"),
    }
}

#[test]
fn a_failure_has_its_message() {
    let fixture = Fixture::new();
    fixture.fill(
        "src/light.rs",
        "green-time",
        "green_for",
        "panic!(\"<&\\u{1}\\u{1b}[1m>\")",
    );
    fixture.run("report --junit out.xml").exits(1);
    let report = read(&fixture, "out.xml");
    match &case(&report, "test_ch1_green_has_limits").status {
        TestCaseStatus::NonSuccess { message, .. } => {
            let message = message.as_deref().unwrap_or_default();
            assert!(message.contains("<&"), "the panic's words: {message:?}");
        }
        other => panic!("expected a failure, found {other:?}"),
    }
}

#[test]
fn tests_without_a_result_are_errors() {
    let fixture = Fixture::new();
    fixture.append("src/light.rs", "broken");
    fixture
        .run("report --junit out.xml")
        .exits(1)
        .prints("chapter 1: not run, because the code does not compile");
    let report = read(&fixture, "out.xml");
    assert_eq!((report.tests, report.failures, report.errors), (6, 0, 6));
}

#[test]
fn a_replaced_file_is_backed_up() {
    let fixture = Fixture::new();
    fixture.write("notes/out.xml", "not a report at all");
    fixture
        .run("report --junit notes/out.xml")
        .exits(1)
        .prints("`cargo course undo` restores them");
    fixture.run("undo").exits(0);
    assert_eq!(fixture.read("notes/out.xml"), "not a report at all");
}

#[test]
fn a_replaced_file_outside_the_repository_is_backed_up() {
    let fixture = Fixture::new();
    let outside = tempfile::tempdir().expect("a folder");
    let file = outside.path().join("out.xml");
    std::fs::write(&file, "mine").expect("it can be written");
    fixture
        .run(&format!("report --junit {}", file.display()))
        .exits(1);
    fixture.run("undo").exits(0);
    let back = std::fs::read_to_string(&file).expect("it is there");
    assert_eq!(back, "mine", "the file outside is back");
}

/// A git clone, in which a learner has solved chapter 1 honestly.
fn honest() -> Fixture {
    let fixture = Fixture::new();
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-C"]).arg(fixture.root()).args(arguments);
        assert!(
            git.output().expect("git starts").status.success(),
            "{git:?}"
        );
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    git(&[&author[..], &["commit", "--quiet", "-m", "The course"]].concat());
    fixture.write_chapter_1();
    fixture
}

#[test]
fn the_report_of_green_chapters_succeeds() {
    let fixture = honest();
    fixture
        .run("report --junit out.xml")
        .exits(0)
        .prints("chapter 1: 3 of 3 checkpoints green")
        .does_not_print("Changed since the clone");
}

#[test]
fn a_report_on_changed_tests_fails_and_names_them() {
    let body = "assert_eq!(green_for(1000), 60, \"nobody waits longer than a minute\");";
    let changes: [(&str, &str, &str); 5] = [
        ("tests/ch01/s01_green_for.rs", body, ""),
        (
            "Cargo.toml",
            "[[test]]\nname = \"main\"",
            "[[test]]\nname = \"main\"\nharness = true",
        ),
        (
            "Cargo.toml",
            "[profile.dev]",
            "[profile.dev]\noverflow-checks = false",
        ),
        ("build.rs", "", "fn main() {}"),
        ("tests/ch01/mine.rs", "", "// Mine."),
    ];
    for (file, old, new) in changes {
        let fixture = honest();
        match old {
            "" => fixture.write(file, new),
            old => fixture.replace(file, old, new),
        }
        fixture
            .run("report --junit out.xml")
            .exits(1)
            .prints(&format!(
                "Changed since the clone, so these results prove nothing: {file}."
            ));
    }
}

fn read(fixture: &Fixture, file: &str) -> Report {
    let xml = fixture.read(file);
    Report::deserialize_from_str(&xml).unwrap_or_else(|error| panic!("{error}\n{xml}"))
}

fn case<'a>(report: &'a Report, name: &str) -> &'a TestCase {
    let mut cases = report
        .test_suites
        .iter()
        .flat_map(|suite| &suite.test_cases);
    let found = cases.find(|case| case.name.as_str() == name);
    found.unwrap_or_else(|| panic!("{name} is not in the report"))
}
