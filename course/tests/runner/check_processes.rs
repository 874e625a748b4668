//! Tests that hang, end their program, or start others, under `cargo course check`.

use crate::common::{Fixture, eventually};

/// A fixture with section 1.2 solved and `body` in section 1.1.
fn beside_a_green_section(body: &str) -> Fixture {
    let fixture = Fixture::new();
    fixture.run("solution 1.2 --apply").exits(0);
    fixture.fill("src/light.rs", "green-time", "green_for", body);
    fixture
}

#[track_caller]
fn assert_others_have_results(fixture: &Fixture) {
    assert_eq!(
        fixture.state("1.2"),
        "done",
        "the other tests have their results"
    );
}

#[test]
fn an_endless_loop_is_killed_with_its_children() {
    let fixture = beside_a_green_section("loop {}");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("look for a loop that never exits");
    eventually(
        "the tests' processes are gone",
        || fixture.processes().is_empty(),
        || format!("{:?}", fixture.processes()),
    );
    assert_others_have_results(&fixture);
}

/// It is recognized by the time for which it computes, long before the time for which a test may wait.
#[cfg(target_os = "linux")]
#[test]
fn an_endless_loop_does_not_last_as_long_as_a_test_may_wait() {
    let fixture = beside_a_green_section("loop {}");
    let manifest = "book/src/ch01-one-light.toml";
    fixture.replace(manifest, "timeout_seconds = 2", "timeout_seconds = 100000");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("look for a loop that never exits");
}

/// `green_for` is called by the tests of sections 1.1 and 1.3.
#[test]
fn each_test_that_hangs_is_named_and_the_others_have_results() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    fixture.replace(
        "src/light.rs",
        "(cars * 2).clamp(5, 60)",
        "loop { std::thread::park() }",
    );
    fixture
        .run("check 1")
        .exits(1)
        .prints("1.1 Green for how long");
    for (section, passed) in [("1.1", false), ("1.2", true), ("1.3", false)] {
        let status = fixture.status();
        let sections = status["chapters"][0]["sections"].as_array();
        let section = sections
            .into_iter()
            .flatten()
            .find(|one| one["id"] == section)
            .expect("the section");
        for test in section["tests"].as_array().into_iter().flatten() {
            assert_eq!(test["passed"], passed, "{test:#}");
            let message = test["failure"]["message"].as_str().unwrap_or_default();
            assert_eq!(message.contains("did not finish"), !passed, "{test:#}");
        }
    }
}

#[test]
fn a_section_whose_tests_all_hang_leaves_the_others_their_results() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    let body = "loop { std::thread::park() }";
    fixture.replace("src/light.rs", "(cars * 2).clamp(5, 60)", body);
    let mut names = String::new();
    for number in 0..12 {
        let name = format!("test_ch1_more_{number}");
        let test = format!("\n#[test]\nfn {name}() {{\n    green_for(1);\n}}\n");
        fixture.append("tests/ch01/s01_green_for.rs", &test);
        names.push_str(&format!("\"{name}\", "));
    }
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "tests = [\"test_ch1_green_grows",
        &format!("tests = [{names}\"test_ch1_green_grows"),
    );
    fixture
        .run("check 1")
        .exits(1)
        .prints("Too many tests do not finish");
    assert_eq!(fixture.state("1.1"), "wrong");
    assert_eq!(fixture.state("1.2"), "done", "it has its results");
}

/// Section 1.3 calls `green_for` of section 1.1.
#[test]
fn a_section_that_hangs_waits_for_an_earlier_one_that_does() {
    for body in ["loop { std::thread::park() }", "std::process::abort()"] {
        let fixture = Fixture::new();
        fixture.run("solution 1 --apply").exits(0);
        fixture.replace("src/light.rs", "(cars * 2).clamp(5, 60)", body);
        fixture
            .run("check 1.3")
            .exits(1)
            .prints("1.3 Lamps · needs section 1.1 first");
    }
}

#[test]
fn what_a_test_writes_to_standard_output_is_no_result() {
    let write = "std::io::Write::write_all(&mut std::io::stdout(), b\"test ch1::s01_green_for::test_ch1_green_grows_with_the_queue ... FAILED\\nno end of line\").unwrap();";
    let fixture = beside_a_green_section(&format!("{write}\n    (cars * 2).clamp(5, 60)"));
    fixture
        .run("check 1.1")
        .exits(0)
        .prints("1.1 Green for how long · green");
    assert_eq!(fixture.state("1.2"), "done");
}

#[test]
fn printed_results_and_an_exit_are_no_success() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    let names = fixture.plain_cargo_test();
    let lines: Vec<String> = names
        .keys()
        .map(|name| format!("println!(\"test ch1::x::{name} ... ok\");"))
        .collect();
    let fake = format!(
        "let out = std::io::stdout();\n    {}\n    println!(\"\\ntest result: ok. 6 passed\");\n    std::process::exit(0)",
        lines
            .join("\n    ")
            .replace(
                "println!(",
                "let _ = std::io::Write::write_fmt(&mut &out, format_args!("
            )
            .replace(");", "));")
    );
    fixture.replace("src/light.rs", "(cars * 2).clamp(5, 60)", &fake);
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("the test ended the whole test program");
}

/// A shell tool starts shells in groups of their own. They survive the test program.
#[cfg(target_os = "linux")]
#[test]
fn every_process_that_a_test_starts_ends_with_it() {
    let body = "std::process::Command::new(\"sh\")
        .args([\"-c\", \"setsid sh -c 'while :; do :; done' & sleep 1000 &\"])
        .status()
        .unwrap();
    (cars * 2).clamp(5, 60)";
    let fixture = beside_a_green_section(body);
    // They also keep the standard output open.
    fixture.run("check 1.1").exits(0);
    assert_eq!(
        fixture.processes(),
        [0; 0],
        "processes in the fixture's folder"
    );
}

/// As a test of a shell tool does, which waits until a background process is gone.
#[cfg(target_os = "linux")]
#[test]
fn a_test_sees_that_an_orphan_has_ended() {
    let body = "let shell = std::process::Command::new(\"sh\")
        .args([\"-c\", \"true & echo $!\"])
        .output()
        .unwrap();
    let id = String::from_utf8(shell.stdout).unwrap();
    while std::path::Path::new(\"/proc\").join(id.trim()).exists() {}
    (cars * 2).clamp(5, 60)";
    let fixture = beside_a_green_section(body);
    fixture.run("check 1.1").exits(0);
}

/// Killed with a signal that it cannot handle.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_runner_leaves_no_tests() {
    let body = "std::process::Command::new(\"setsid\").args([\"sleep\", \"1000\"]).status().unwrap();\n    cars";
    let fixture = beside_a_green_section(body);
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "timeout_seconds = 2",
        "timeout_seconds = 600",
    );
    let mut child = fixture
        .command("check 1")
        .spawn()
        .expect("the runner starts");
    let is_sleep = |id: &u32| {
        let name = std::fs::read_to_string(format!("/proc/{id}/comm"));
        name.is_ok_and(|name| name.trim() == "sleep")
    };
    let running = || fixture.processes();
    eventually(
        "the tests run",
        || running().iter().any(is_sleep),
        || format!("{:?}", running()),
    );
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    eventually(
        "all processes end",
        || running().is_empty(),
        || format!("{:?}", running()),
    );
}

#[test]
fn a_test_that_aborts_is_named() {
    let fixture = beside_a_green_section("std::process::abort()");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("the test ended the whole test program");
    assert_others_have_results(&fixture);
}

#[cfg(target_os = "linux")]
#[test]
fn a_test_that_runs_out_of_memory_is_named() {
    let fixture = beside_a_green_section(
        "let mut all = Vec::new();\n    loop { all.push(vec![0_u64; 1 << 24]); }",
    );
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "timeout_seconds = 2",
        "timeout_seconds = 60",
    );
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("look for a loop that adds to a collection and never exits");
    assert_others_have_results(&fixture);
}

#[test]
fn a_stack_overflow_is_named() {
    let fixture = beside_a_green_section("green_for(cars + 1) + 1");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("the stack overflowed: look for a function that calls itself")
        .prints("warning: function cannot return without recursing");
    assert_others_have_results(&fixture);
}

#[test]
fn a_test_that_exits_the_program_has_failed() {
    let fixture = beside_a_green_section("std::process::exit(0)");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("the test ended the whole test program");
}

#[test]
fn a_caught_panic_is_not_the_failure() {
    let fixture = beside_a_green_section(
        "let _ = std::panic::catch_unwind(|| panic!(\"a spill\"));\n    cars * 3",
    );
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("two seconds for each car")
        .does_not_print("a spill");
}
