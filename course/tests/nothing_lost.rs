//! Whatever a learner typed can be had back, whichever command ran over it and however
//! that command ended.

mod common;

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{Files, Fixture, RUNNER, Ran, assert_same_files, environment, eventually};

/// What nobody but the learner would write.
const MINE: &str = "// Mine: żółw, 龜, 🐢, and\ttabs  and trailing spaces   \n\n\n";

/// Types into every file that a learner may touch, and makes one more.
fn type_everywhere(fixture: &Fixture) {
    for file in [
        "src/light.rs",
        "src/lamp.rs",
        "src/crossing.rs",
        "src/lib.rs",
    ] {
        fixture.append(file, MINE);
    }
    fixture.append("Cargo.toml", "\n# Mine, too: 🐢\n");
    fixture.write("src/mine.rs", format!("//! My own file.\n\n{MINE}"));
    fixture.write("out.xml", "my own notes, no XML <");
}

/// All that is the learner's, and nothing that is the runner's or cargo's.
fn everything(fixture: &Fixture) -> Files {
    let mut files = fixture.work();
    files.extend(fixture.files("tests"));
    files.insert("out.xml".to_string(), fixture.bytes("out.xml"));
    files
}

/// Runs `command` over typed text, and shows that nothing is lost.
fn loses_nothing(fixture: &Fixture, command: &str) {
    let before = everything(fixture);
    let ran = fixture.run(command).exits(0);
    let after = everything(fixture);
    assert_ne!(
        after, before,
        "something should have been overwritten by {ran}"
    );

    let copies: Vec<Vec<u8>> = fixture.files(".course/saves").into_values().collect();
    for (file, content) in &before {
        if after.get(file) != Some(content) {
            assert!(
                copies.contains(content),
                "{file} is whole in .course/saves after {ran}"
            );
        }
    }

    let undo = fixture.run(&way_back(&ran)).exits(0);
    assert_same_files(
        &everything(fixture),
        &before,
        &format!("after undo of `{command}`"),
    );
    fixture.run(&way_back(&undo)).exits(0);
    assert_same_files(&everything(fixture), &after, "after the undo was undone");
}

/// The command that takes a command back, as it says itself: `undo` or `undo 7`.
fn way_back(ran: &Ran) -> String {
    let (_, rest) = ran
        .stdout
        .rsplit_once("`cargo course undo")
        .unwrap_or_else(|| panic!("the way back should be in {ran}"));
    format!("undo{}", rest.split('`').next().unwrap_or_default())
}

#[test]
fn solution_of_a_section() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    fixture.fill(
        "src/light.rs",
        "1.1",
        "green_for",
        "cars * 2 /* my own try */",
    );
    loses_nothing(&fixture, "solution 1.1 --apply");
}

#[test]
fn solution_of_a_chapter() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    fixture.write("src/light.rs", "this is no Rust at all: }}}{");
    loses_nothing(&fixture, "solution 1 --apply");
}

#[test]
fn reset_of_a_section() {
    let fixture = Fixture::after_chapter_1();
    type_everywhere(&fixture);
    loses_nothing(&fixture, "reset 1.3");
}

#[test]
fn reset_of_a_chapter() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    fixture.write("src/light.rs", b"not even text: \xff\xfe\x00");
    loses_nothing(&fixture, "reset 1");
}

#[test]
fn jump() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    loses_nothing(&fixture, "jump 2");
}

#[test]
fn open() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    loses_nothing(&fixture, "open 2");
}

#[test]
fn next() {
    let fixture = Fixture::after_chapter_1();
    type_everywhere(&fixture);
    loses_nothing(&fixture, "next");
}

#[test]
fn generate() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    // Two files whose copies might be given one name.
    fixture.write("src/a/b.rs", "// one\n");
    fixture.write("src/a__b.rs", "// another\n");
    loses_nothing(&fixture, "generate");
}

#[test]
fn report() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    loses_nothing(&fixture, "report --junit out.xml");
}

#[test]
fn undo() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    type_everywhere(&fixture);
    loses_nothing(&fixture, "undo 1");
}

#[test]
fn commands_that_only_look_write_nothing() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    let before = everything(&fixture);
    for command in [
        "",
        "status",
        "status --json",
        "check",
        "check 1.1",
        "hint",
        "next",
        "solution 1",
        "undo --list",
    ] {
        fixture.run(command);
        assert_same_files(
            &everything(&fixture),
            &before,
            &format!("after `{command}`"),
        );
    }
    assert!(
        !fixture.path(".course/saves").exists(),
        "there was nothing to save"
    );
}

#[test]
fn permissions_are_kept() {
    let fixture = Fixture::new();
    use std::os::unix::fs::PermissionsExt;
    let mode = |fixture: &Fixture| {
        let metadata = fs::metadata(fixture.path("src/light.rs")).expect("it is there");
        metadata.permissions().mode() & 0o777
    };
    for wanted in [0o600, 0o664, 0o755, 0o444] {
        let permissions = fs::Permissions::from_mode(wanted);
        fs::set_permissions(fixture.path("src/light.rs"), permissions).expect("a mode");
        for command in ["solution 1.1 --apply", "reset 1.1", "undo"] {
            fixture.run(command).exits(0);
            assert_eq!(
                format!("{:o}", mode(&fixture)),
                format!("{wanted:o}"),
                "the mode of src/light.rs after `{command}`"
            );
        }
        // Back to the stub, whatever the undo left.
        fixture.run("reset 1");
    }
}

#[test]
fn a_link_stays_a_link() {
    let fixture = Fixture::new();
    fixture.write("elsewhere/light.rs", fixture.read("src/light.rs"));
    fs::remove_file(fixture.path("src/light.rs")).expect("it is there");
    let target = std::path::Path::new("../elsewhere/light.rs");
    std::os::unix::fs::symlink(target, fixture.path("src/light.rs")).expect("a link");
    let before = fixture.read("elsewhere/light.rs");
    for command in ["solution 1.1 --apply", "solution 1 --apply"] {
        fixture.run(command).exits(0);
        let link = fs::read_link(fixture.path("src/light.rs"));
        assert_eq!(
            link.expect("src/light.rs is still a link"),
            target,
            "after `{command}`"
        );
        let text = fixture.read("elsewhere/light.rs");
        assert!(
            text.contains("clamp"),
            "what it leads to is written:\n{text}"
        );
    }
    fixture.run("undo 1").exits(0);
    assert_eq!(fixture.read("elsewhere/light.rs"), before);
    let left = fixture.files("elsewhere").len() + fixture.files("src").len();
    assert_eq!(left, 5, "no temporary file is left in either folder");
}

/// `cargo course ARGUMENTS` where no file may grow beyond `blocks` of 512 bytes, which
/// to a program is the same as a full disk.
fn run_on_a_full_disk(fixture: &Fixture, blocks: u32, arguments: &str) -> Ran {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {RUNNER} {arguments}");
    let mut command = Command::new("sh");
    command
        .args(["-c", &script])
        .current_dir(fixture.root())
        .env_clear()
        .envs(environment());
    Ran::of(&mut command)
}

#[test]
fn when_the_copy_cannot_be_written_nothing_is() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    fixture.append("src/light.rs", &MINE.repeat(200));
    let before = everything(&fixture);
    run_on_a_full_disk(&fixture, 4, "reset 1")
        .refuses(&[
            "your files could not be saved first, so nothing was changed",
            "cannot write",
        ])
        .in_one_line();
    assert_same_files(&everything(&fixture), &before, "after the failure");
    fixture.run("undo").refuses(&["there is nothing to undo"]);
    fixture.run("reset 1").exits(0);
}

#[test]
fn when_the_second_of_two_files_cannot_be_written_the_first_is_put_back() {
    let fixture = Fixture::new();
    // Of both of the chapter's files the second is the one that will not fit.
    fixture.append("solutions/src/light.rs", &"// A long story.\n".repeat(300));
    fixture.write("src/lamp.rs", "// mine");
    fixture.write("src/light.rs", "// mine as well");
    let before = fixture.files("src");
    run_on_a_full_disk(&fixture, 6, "solution 1 --apply")
        .refuses(&["nothing was changed", "cannot write", "src/light.rs"])
        .in_one_line();
    assert_same_files(&fixture.files("src"), &before, "after the failure");
    fixture.run("solution 1 --apply").exits(0);
    fixture.run("undo").exits(0);
    assert_same_files(&fixture.files("src"), &before, "after it worked, and undo");
}

#[test]
fn results_that_cannot_be_kept_are_no_harm() {
    let fixture = Fixture::new();
    fixture.run("status").exits(0);
    let before = fixture.files(".course");
    fixture.append("src/lib.rs", "\n// A change.\n");
    // A build does not fit either, so this says only what is known for sure.
    let ran = run_on_a_full_disk(&fixture, 1, "status");
    assert!(!ran.stderr.contains("panicked"), "{ran}");
    assert_same_files(&fixture.files(".course"), &before, "after the failure");
    fixture
        .run("status")
        .exits(0)
        .says("0 of 3 checkpoints green");
}

#[test]
fn a_kill_at_any_moment_leaves_each_file_old_or_new() {
    let fixture = Fixture::after_chapter_1();
    fixture.write("src/light.rs", MINE.repeat(40));
    fixture.append("src/lamp.rs", &MINE.repeat(40));
    let typed = fixture.work();
    let outcome = |command: &str| {
        fixture.run(command).exits(0);
        let outcome = fixture.work();
        fixture.run("undo").exits(0);
        outcome
    };
    let commands = ["reset 1", "solution 1 --apply"].map(|command| (command, outcome(command)));

    let mut interrupted = 0;
    for round in 0..120 {
        let (command, new) = &commands[round % 2];
        let mut child = fixture
            .command(command)
            .stdout(Stdio::null())
            .spawn()
            .expect("the runner starts");
        // Spread over the ten milliseconds that the command takes, and then some.
        thread::sleep(Duration::from_micros(round as u64 * 7919 % 15_000));
        child.kill().expect("it can be killed");
        interrupted += u32::from(child.wait().expect("it ends").code().is_none());

        let now = without_leftovers(fixture.work());
        let copies: Vec<Vec<u8>> = fixture.files(".course/saves").into_values().collect();
        for (file, content) in &now {
            if *content != typed[file] {
                assert_eq!(
                    content, &new[file],
                    "{file} is new and whole in round {round}"
                );
                assert!(
                    copies.contains(&typed[file]),
                    "{file} is in a save in round {round}"
                );
            }
        }
        if now != typed {
            fixture.run("undo").exits(0);
            let undone = without_leftovers(fixture.work());
            assert_same_files(&undone, &typed, &format!("undone in round {round}"));
        }
    }
    assert!(
        interrupted >= 10,
        "of 120 kills, {interrupted} came in time to interrupt"
    );
}

/// What was written beside a file, to take its place, and was cut off from doing so.
fn without_leftovers(mut files: Files) -> Files {
    files.retain(|file, _| !file.starts_with("src/.course-"));
    files
}

#[test]
fn an_interrupt_ends_the_tests_as_well() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "patience_seconds = 2",
        "patience_seconds = 600",
    );
    fixture.fill("src/light.rs", "1.1", "green_for", "loop {}");
    let mut child = fixture.command("check").spawn().expect("the runner starts");
    // cargo, and below it the test program, beside the runner itself.
    eventually(
        "the tests run",
        || fixture.processes().len() >= 3,
        || format!("{:?}", fixture.processes()),
    );
    let ended = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(
        ended.is_ok_and(|status| status.success()),
        "the signal is sent"
    );
    let code = child.wait().expect("it ends").code();
    assert_eq!(
        code,
        Some(130),
        "as shells expect of an interrupted program"
    );
    eventually(
        "all that it started is gone",
        || fixture.processes().is_empty(),
        || format!("{:?}", fixture.processes()),
    );
}
