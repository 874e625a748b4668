//! `cargo course grade` on submissions of a miniature course: honest ones, cheats, and broken ones.
#![cfg(unix)]

mod class;
mod result_cache;
mod workflows;

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use class::{Class, STUB, Work, of, passed, processes};

const TESTS: [&str; 6] = [
    "ch1::s01_green_for::test_ch1_green_grows_with_the_queue",
    "ch1::s01_green_for::test_ch1_green_has_limits",
    "ch1::s02_colors::test_ch1_colors_in_order",
    "ch1::s02_colors::test_ch1_color_is_two_bytes",
    "ch1::s03_lamps::test_ch1_lamp_shows_its_time",
    "ch1::s03_lamps::test_ch1_lamp_reads_well",
];

#[test]
fn cheats_pass_no_test_that_their_code_does_not_pass() {
    let class = Class::new();
    let libtest: String = TESTS
        .iter()
        .map(|test| format!("test {test} ... ok\\n"))
        .collect();
    let log: String = TESTS.iter().map(|test| format!("ok {test}\\n")).collect();

    class.stub("empty-tests").each_test(|text| {
        let (head, _) = text.split_once("#[test]").expect("a test");
        let name = text
            .split("fn ")
            .nth(1)
            .and_then(|rest| rest.split('(').next());
        format!("{head}#[test]\nfn {}() {{}}\n", name.expect("its name"))
    });
    class
        .stub("should-panic")
        .each_test(|text| text.replace("#[test]", "#[test]\n#[should_panic]"));
    class
        .stub("test-path")
        .edit(
            "Cargo.toml",
            "name = \"main\"",
            "name = \"main\"\npath = \"mine.rs\"",
        )
        .edit(
            "Cargo.toml",
            "[dependencies]",
            "[dependencies]\ncheat = \"1\"",
        )
        .edit(
            "Cargo.toml",
            "[lints.rust]",
            "[lints.rust]\nnon_ascii_idents = \"allow\"",
        )
        .write("mine.rs", "#[test]\nfn test_ch1_green_has_limits() {}\n");
    class.stub("build-script").write(
        "build.rs",
        r#"fn main() { std::process::Command::new("sh").args(["-c", "for i in $(seq 80); do
            for f in tests/ch01/s*.rs; do echo > $f; done; sleep 0.1; done &"]).spawn().unwrap(); }"#,
    );
    class.stub("prints-results").green_for(&format!(
        "print!(\"{libtest}\\ntest result: ok. 6 passed\\n\"); {REAL_STDOUT} std::process::exit(0)"
    ));
    class.stub("writes-log").green_for(&format!(
        r#"use std::io::Write;
        let arguments: Vec<String> = std::env::args().collect();
        let at = arguments.iter().position(|one| one == "--logfile").unwrap();
        let mut log = std::fs::OpenOptions::new().append(true).open(&arguments[at + 1]).unwrap();
        write!(log, "{log}").unwrap();
        std::process::exit(0)"#
    ));
    class.stub("speaks-to-the-witness").green_for(
        r#"let variable = std::env::var("COURSE_WITNESS").unwrap();
        let (number, path) = variable.split_once(':').unwrap();
        use std::io::Write;
        if let Ok(mut stream) = std::os::unix::net::UnixStream::connect(path) {
            writeln!(stream, "{number}\ntest_ch1_green_has_limits").unwrap();
        }
        for file in std::fs::read_dir("/proc/self/fd").unwrap().flatten() {
            if let Ok(mut file) = std::fs::OpenOptions::new().write(true).open(file.path()) {
                let _ = writeln!(file, "{number}\ntest_ch1_green_has_limits");
                let _ = writeln!(file, "ok ch1::s01_green_for::test_ch1_green_has_limits");
            }
        }
        std::process::exit(0)"#,
    );
    class.stub("kills-its-parent").green_for(
        r#"std::process::Command::new("sh").args(["-c",
            "setsid sleep 271.828 & kill -9 $(ps -o ppid= -p $PPID) 2>/dev/null || kill -9 $PPID"]).status().unwrap();
        20"#,
    );
    class.stub("assembler").append_src(
        "light.rs",
        "core::arch::global_asm!(\".section .init_array\\n.quad 0\");\n",
    );
    class.stub("constructor").append_src(
        "light.rs",
        "\n#[unsafe(link_section = \".init_array\")]\nstatic RUN: fn() = || {};\n",
    );
    class.stub("includes").write_src(
        "light.rs",
        "include!(\"../../../solutions/src/light.rs\");\n",
    );
    class.stub("path-attribute").edit(
        "src/lib.rs",
        "pub mod light;",
        "#[path = \"../../../../solutions/src/light.rs\"]\npub mod light;",
    );
    // Nothing here looks like `#[path]` until the compiler has expanded it.
    class.stub("hidden-path").edit(
        "src/lib.rs",
        "pub mod light;",
        &format!(
            "macro_rules! load {{ ($name:ident) => {{ #[$name = {:?}] pub mod light; }}; }}\nload!(path);",
            class.clone().join("solutions/src/light.rs")
        ),
    );
    class
        .stub("cfg")
        .append_src("light.rs", "\n#[cfg(debug_assertions)]\nfn other() {}\n");

    let grades = class.grade(&["--chapter", "1"]).exits(1).json();

    for (name, status, says) in [
        (
            "empty-tests",
            "graded",
            "not used: its edited or older tests, tests/ch01/s01_green_for.rs and 2 more",
        ),
        (
            "should-panic",
            "graded",
            "not used: its edited or older tests",
        ),
        (
            "test-path",
            "graded",
            "not used: its Cargo.toml, with edited or older tables: dependencies, lints, test",
        ),
        ("build-script", "graded", "not used: its build.rs"),
        (
            "prints-results",
            "graded",
            "src/light.rs, line 6: process::exit",
        ),
        ("writes-log", "graded", "process::exit"),
        (
            "speaks-to-the-witness",
            "graded",
            "text like the output of tests, or a path in /proc",
        ),
        ("kills-its-parent", "graded", ""),
        ("assembler", "does-not-compile", "global_asm"),
        ("constructor", "does-not-compile", "link_section"),
        (
            "includes",
            "not-graded",
            "src/light.rs, line 1: `include` reads another file at compile time",
        ),
        ("path-attribute", "not-graded", "`path` reads another file"),
        (
            "hidden-path",
            "not-graded",
            "solutions/src/light.rs at compile time",
        ),
        ("cfg", "graded", "cfg(debug_assertions)"),
    ] {
        let grade = of(&grades, name);
        assert_eq!(grade["status"], status, "{name}: {grade:#}");
        assert_eq!(grade["tests"]["passed"], 0, "{name}: {grade:#}");
        let text = format!("{} {}", grade["reason"], grade["notes"]);
        assert!(text.contains(says), "{name} says {says:?}: {text}");
    }
    assert!(
        !processes().contains("271.828"),
        "nothing that a submission starts goes on after it"
    );
}

#[test]
fn honest_work_is_graded_by_section() {
    let class = Class::new();
    class.stub("a").solve("src/light.rs").solve("src/lamp.rs");
    class
        .stub("b")
        .edit("src/light.rs", STUB, "(cars * 2).max(5).min(60)");
    // One bad section takes nothing from another, not even by ending the test program.
    class
        .stub("c")
        .solve("src/light.rs")
        .solve("src/lamp.rs")
        .edit(
            "src/lamp.rs",
            "seconds: green_for(cars),",
            "seconds: std::process::exit(0),",
        );
    class.stub("d").edit("src/light.rs", STUB, "loop {}");
    class
        .stub("e")
        .edit("src/light.rs", STUB, "vec![1_u8; 4 << 30].len() as u32");
    class.stub("f").edit("src/light.rs", STUB, "cars +");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("it can be polled");
    let port = listener.local_addr().expect("its address").port();
    let file = class.dir.path().join("written");
    let socket = class.dir.path().join("a socket");
    let unix = UnixListener::bind(&socket).expect("a short path");
    unix.set_nonblocking(true).expect("it can be polled");
    class.stub("g").edit(
        "src/light.rs",
        STUB,
        &format!(
            "let _ = std::net::TcpStream::connect((\"127.0.0.1\", {port})); let _ = std::fs::write({file:?}, \"\"); let _ = std::os::unix::net::UnixStream::connect({socket:?}); 20"
        ),
    );

    let ran = class.grade(&["--chapter", "1"]).exits(0);
    let grades = ran.json();

    for (name, core, tests) in [
        ("a", 30, 6),
        ("b", 10, 2),
        ("c", 20, 4),
        ("d", 0, 0),
        ("e", 0, 0),
        ("f", 0, 0),
        ("g", 0, 0),
    ] {
        let grade = of(&grades, name);
        assert_eq!(
            grade["core"]["minutes"]["passed"], core,
            "{name}: {grade:#}"
        );
        assert_eq!(grade["core"]["minutes"]["of"], 30, "{name}");
        let passed = grade["tests"]["passed"].as_i64();
        assert!(passed == Some(tests) || name == "g", "{name}: {grade:#}");
    }
    let stored: Vec<String> = class.stored().into_keys().collect();
    assert_eq!(
        stored,
        ["a", "b", "f", "g"],
        "a limit decided about the others"
    );
    let message = |name: &str| of(&grades, name)["sections"][0]["tests"][1]["message"].to_string();
    assert!(message("d").contains("did not finish"), "{}", message("d"));
    assert!(
        message("e").contains("ran out of memory"),
        "{}",
        message("e")
    );
    assert_eq!(
        of(&grades, "a")["core"]["as_reference"],
        30,
        "copied from the reference"
    );
    assert_eq!(
        of(&grades, "b")["core"]["as_reference"],
        0,
        "written by hand"
    );
    let reason = of(&grades, "f")["reason"].to_string();
    assert!(
        reason.contains("error: expected") && reason.contains("src/light.rs:"),
        "{reason}"
    );
    if grades["sandbox"]["network"] == true {
        assert!(
            listener.accept().is_err(),
            "a submission reached the network"
        );
    }
    if grades["sandbox"]["files"] == true {
        assert!(!file.exists(), "a submission wrote a file of the teacher's");
        assert!(
            unix.accept().is_err(),
            "a submission reached a program of the teacher's"
        );
    }

    let csv = fs::read(class.clone().join("grades/grades.csv")).expect("the CSV");
    let mut reader = csv::Reader::from_reader(&csv[..]);
    let head = reader.headers().expect("a head").clone();
    assert_eq!(&head[12], "1.1 Green for how long (core, 10 min)");
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 7);
    assert_eq!(
        (&rows[1][6], &rows[1][12], &rows[1][13]),
        ("10", "passed", "failed")
    );
    let xml = fs::read_to_string(class.clone().join("grades/grades.xml")).expect("the JUnit file");
    let junit = quick_junit::Report::deserialize_from_str(&xml).expect("valid JUnit");
    assert_eq!(
        (junit.tests, junit.failures, junit.errors),
        (42 + 1, 42 - 6 - 2 - 4 - passed(&grades, "g"), 1),
        "a test of each section, and what the compiler says about `f`"
    );
    assert!(
        xml.contains("error: expected"),
        "JUnit has the compiler's error:\n{xml}"
    );
    let stored = fs::read_to_string(class.clone().join("grades/grades.json")).expect("the JSON");
    assert_eq!(
        serde_json::from_str::<Value>(&stored).expect("JSON"),
        grades
    );
}

/// The reference and every submission are built into one folder.
#[test]
fn submissions_share_one_build_of_the_dependencies() {
    let class = Class::new();
    let builds = class.dir.path().join("builds");
    let clone = Work {
        path: class.clone(),
    };
    fs::create_dir_all(clone.path.join("siren/src")).expect("a folder");
    clone
        .write(
            "siren/Cargo.toml",
            "[package]\nname = \"siren\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        )
        .write("siren/src/lib.rs", "")
        .write(
            "siren/build.rs",
            &format!(
                r#"fn main() {{
                    println!("cargo::rerun-if-changed=build.rs");
                    let mut builds = std::fs::File::options().create(true).append(true).open({builds:?}).unwrap();
                    std::io::Write::write_all(&mut builds, b"built\n").unwrap();
                }}"#
            ),
        )
        .edit(
            "Cargo.toml",
            "[dependencies]",
            "[dependencies]\nsiren.workspace = true\n[workspace.dependencies]\nsiren.path = \"siren\"",
        );
    class.stub("a").solve("src/light.rs").solve("src/lamp.rs");
    class.stub("b").green_for("(cars * 2).max(5).min(60)");
    class.stub("c");

    let grades = class.grade(&["--chapter", "1"]).exits(0).json();

    let tests = ["a", "b", "c"].map(|name| passed(&grades, name));
    assert_eq!(tests, [6, 2, 0]);
    let builds = fs::read_to_string(builds).expect("the dependency has been built");
    assert_eq!(builds, "built\n", "the dependency is built once");
}

#[test]
fn what_cannot_be_graded_has_a_reason_and_stops_nothing() {
    let class = Class::new();
    class.stub("0-honest").solve("src/light.rs");
    let folder = |name: &str| class.submissions().join(name);
    fs::create_dir_all(folder("1-empty")).expect("a folder");
    let link = class.stub("2-link");
    fs::remove_file(link.path.join("src/light.rs")).expect("the file is there");
    std::os::unix::fs::symlink("/etc/passwd", link.path.join("src/light.rs")).expect("a link");
    class
        .stub("3-huge")
        .write_src("light.rs", &" ".repeat((1 << 20) + 1));
    fs::write(class.stub("4-bytes").path.join("src/light.rs"), [0xff]).expect("a file");
    let source = fs::read(folder("0-honest").join("src/light.rs")).expect("a file");
    // `tar` on a Mac adds the second file.
    let good = tar_gz(&[
        ("work/src/light.rs", &source),
        ("work/src/._light.rs", b"\0\x05\x16\x07\xa3"),
    ]);
    fs::write(folder("5-good.tar.gz"), &good).expect("an archive");
    fs::write(folder("6-torn.tar.gz"), &good[..good.len() / 2]).expect("an archive");
    fs::write(folder("7-out.tar.gz"), tar_gz(&[("src/../../x.rs", b"")])).expect("an archive");
    fs::write(folder("8-absolute.tar.gz"), tar_gz(&[("/src/x.rs", b"")])).expect("an archive");
    let good = zip(&[("work/src/light.rs", &source)]);
    fs::write(folder("a-good.zip"), &good).expect("an archive");
    fs::write(folder("b-torn.zip"), &good[..good.len() - 9]).expect("an archive");
    fs::write(folder("c-out.zip"), zip(&[("../src/x.rs", b"")])).expect("an archive");
    fs::write(folder("d-notes.txt"), "no code").expect("a file");
    class.stub("e-solutions").remove("src");
    let grades = class.grade(&["--chapter", "1", "HEAD", "no-such"]);
    let grades = grades.exits(1).json();

    for (name, says) in [
        ("1-empty", "it has no folder src with Rust files"),
        ("2-link", "src/light.rs is a link; only files are graded"),
        ("3-huge", "src/light.rs is larger than 1 MiB"),
        ("4-bytes", "src/light.rs is not UTF-8 text"),
        ("6-torn.tar.gz", "the archive is damaged or incomplete"),
        (
            "7-out.tar.gz",
            "the archive has the path src/../../x.rs, which leads out of it",
        ),
        ("8-absolute.tar.gz", "the archive has the path /src/x.rs"),
        ("b-torn.zip", "the archive is damaged or incomplete"),
        ("c-out.zip", "the archive has the path ../src/x.rs"),
        ("d-notes.txt", "it is neither a folder nor an archive"),
        ("e-solutions", "it has no folder src with Rust files"),
        ("no-such", "there is no such file or folder"),
    ] {
        let grade = of(&grades, name);
        assert_eq!(grade["status"], "not-graded", "{name}: {grade:#}");
        let reason = grade["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(says), "{name}: {reason}");
    }
    for (name, tests) in [
        ("0-honest", 4),
        ("5-good.tar.gz", 4),
        ("a-good.zip", 4),
        ("HEAD", 0),
    ] {
        let grade = of(&grades, name);
        assert_eq!(grade["status"], "graded", "{name}: {grade:#}");
        assert_eq!(passed(&grades, name), tests, "{name}: {grade:#}");
    }
}

#[test]
fn a_submission_without_a_manifest_needs_the_chapter() {
    let class = Class::new();
    class.stub("a").solve("src/light.rs");
    let without = class
        .stub("b")
        .solve("src/light.rs")
        .path
        .join("Cargo.toml");
    fs::remove_file(without).expect("the file is there");
    class
        .stub("c")
        .solve("src/light.rs")
        .write("Cargo.toml", "[features");

    let all = class.grade(&[]).exits(1).json();
    let first = class.grade(&["--chapter", "1"]).exits(0).json();

    assert_eq!(passed(&all, "a"), 4);
    for (name, cause) in [("b", "it has no Cargo.toml"), ("c", "Cargo.toml is broken")] {
        let reason = of(&all, name)["reason"].as_str().unwrap_or_default();
        assert!(
            reason.contains(cause) && reason.contains("--chapter"),
            "{name}: {reason}"
        );
        assert_eq!(passed(&first, name), 4, "{name}");
    }
}

#[test]
fn a_build_without_end_is_stopped() {
    let class = Class::new();
    let slow = class.stub("slow");
    slow.edit(
        "src/lib.rs",
        "#[cfg",
        "#![allow(long_running_const_eval)]\n#[cfg",
    );
    slow.append_src(
        "light.rs",
        "\nconst NEVER: () = loop {};\npub fn never() { NEVER }\n",
    );

    let grades = class
        .grade(&["--chapter", "1", "--seconds", "2"])
        .exits(1)
        .json();

    let reason = &of(&grades, "slow")["reason"];
    assert_eq!(reason, "the build did not finish within the time limit");
}

#[test]
fn an_interrupt_keeps_the_results_until_then() {
    let class = Class::new();
    class.stub("a").solve("src/light.rs");
    class.stub("b").edit("src/light.rs", STUB, "loop {}");
    let submissions = ["a", "b"].map(|name| class.submissions().join(name));
    let mut grading = Command::new(env!("CARGO_BIN_EXE_course-teacher"))
        .args(["grade", "--chapter", "1"])
        .args(submissions)
        .current_dir(class.clone())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(grading.stderr.take().expect("an output")).lines();
    let first = lines.find(|line| matches!(line, Ok(text) if text.starts_with("1 of 2")));
    assert!(first.is_some(), "the first submission is graded");

    interrupt(&mut grading, lines);

    let json = fs::read(class.clone().join("grades/grades.json")).expect("the JSON");
    let grades: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(passed(&grades, "a"), 4);
    assert_eq!(grades["submissions"].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_interrupt_before_the_first_result_leaves_no_file() {
    let class = Class::new();
    let temporary = tempfile::tempdir().expect("a folder");
    let submission = class.stub("a").path;
    let mut grading = Command::new(env!("CARGO_BIN_EXE_course-teacher"))
        .args(["grade", "--chapter", "1"])
        .arg(submission)
        .current_dir(class.clone())
        .env("TMPDIR", temporary.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(grading.stderr.take().expect("an output")).lines();
    let begins = lines.find(|line| matches!(line, Ok(text) if text.contains("the reference")));
    assert!(begins.is_some(), "the reference is built");

    interrupt(&mut grading, lines);

    let left = fs::read_dir(temporary.path()).expect("the folder").count();
    assert_eq!(left, 0, "a temporary folder is left");
    assert!(
        !class.clone().join("grades").exists(),
        "no result is written"
    );
}

/// Presses Ctrl-C and waits for the end.
fn interrupt(grading: &mut Child, lines: impl Iterator<Item = io::Result<String>>) {
    let kill = Command::new("kill")
        .args(["-INT", &grading.id().to_string()])
        .status();
    assert!(kill.expect("kill starts").success());
    let others: Vec<String> = lines.map_while(Result::ok).collect();
    let code = grading.wait().expect("it ends").code();
    assert_eq!(code, Some(130), "{others:#?}");
}

#[test]
fn a_second_grading_says_that_it_waits() {
    let class = Class::new();
    let submission = class.stub("a").path;
    let folder = class.clone().join("target/grade");
    fs::create_dir_all(&folder).expect("a folder");
    let lock = fs::File::create(folder.join("lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    let mut grading = Command::new(env!("CARGO_BIN_EXE_course-teacher"))
        .args(["grade", "--chapter", "1"])
        .arg(submission)
        .current_dir(class.clone())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");

    let mut lines = BufReader::new(grading.stderr.take().expect("an output")).lines();
    let first = lines.next().expect("a line").expect("text");

    assert!(
        first.starts_with("Another `cargo course grade` runs in this clone"),
        "{first}"
    );
    drop(lock);
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(grading.wait().expect("it ends").success(), "{rest:#?}");
}

#[test]
fn nothing_is_graded_where_the_reference_fails() {
    let class = Class::new();
    class.stub("honest").solve("src/light.rs");
    let test = class.clone().join("tests/ch01/s01_green_for.rs");
    let text = fs::read_to_string(&test).expect("a test");
    fs::write(&test, text.replace("green_for(0), 5", "green_for(0), 6")).expect("a test");

    let ran = class.grade(&["--chapter", "1"]).exits(2);

    let says = "the reference itself fails here, so nothing is graded: test_ch1_green_has_limits";
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
    assert!(!class.clone().join("grades").exists(), "{}", ran.stderr);
}

/// Settings that move what cargo builds.
#[test]
fn a_configuration_of_cargo_does_not_stop_the_grading() {
    let class = Class::new();
    class.stub("honest").solve("src/light.rs");
    let rustc = Command::new("rustc").arg("-vV").output();
    let version = String::from_utf8_lossy(&rustc.expect("rustc starts").stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let config = format!(
        "[build]\ntarget = {:?}\nbuild-dir = \"elsewhere\"\n",
        host.expect("the host")
    );
    let folder = class.dir.path().join(".cargo");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("config.toml"), config).expect("a file");

    let grades = class.grade(&["--chapter", "1"]).exits(0).json();

    assert_eq!(passed(&grades, "honest"), 4);
}

#[test]
fn a_name_is_no_formula_in_a_spreadsheet() {
    let class = Class::new();
    let status = class.grading(&[]).arg("=1+1.zip").output();
    let code = status.expect("the program starts").status.code();
    assert_eq!(code, Some(1), "there is no such file");

    let csv = fs::read_to_string(class.clone().join("grades/grades.csv")).expect("the CSV");

    let row = csv.lines().nth(1).unwrap_or_default();
    assert!(row.starts_with("'=1+1.zip,not-graded,"), "{row}");
}

/// There, a submission could name another compiler.
#[test]
fn a_submission_does_not_configure_cargo() {
    let class = Class::new();
    let work = class.stub("brings-a-home");
    let home = work.path.join(".cargo-home");
    fs::create_dir(&home).expect("a folder");
    work.write(
        ".cargo-home/config.toml",
        "[build]\nrustc-wrapper = \"env\"\n",
    );
    let output = class.grading(&[]).env("CARGO_HOME", &home).output();
    let output = output.expect("the program starts");

    let grades: Value = serde_json::from_slice(&output.stdout).expect("JSON");

    let reason = of(&grades, "brings-a-home")["reason"].to_string();
    assert!(
        reason.contains("cargo's home folder is inside it"),
        "{reason}"
    );

    // The clone in a folder that is handed in.
    let ran = class.grading(&[]).arg(class.dir.path()).output();
    let ran = ran.expect("the program starts");
    let grades: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let all = grades["submissions"].as_array().expect("submissions");
    let reason = all[1]["reason"].to_string();
    assert!(reason.contains("this clone is inside it"), "{reason}");
}

fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut archive = tar::Builder::new(gzip);
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        // `set_path` refuses what a hostile archive has.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, *content).expect("an entry");
    }
    let gzip = archive.into_inner().expect("an archive");
    gzip.finish().expect("an archive")
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(*name, options).expect("an entry");
        archive.write_all(content).expect("an entry");
    }
    archive.finish().expect("an archive").into_inner()
}

/// Writes the same past libtest, which captures `print!`.
const REAL_STDOUT: &str = r#"{ use std::io::Write; let mut out = std::io::stdout().lock();
    let _ = out.write_all(b"\ntest ch1::s01_green_for::test_ch1_green_has_limits ... ok\n\ntest result: ok. 6 passed\n"); let _ = out.flush(); }"#;
