//! Everything that a learner typed can be restored, whichever command overwrote it and however
//! that command ended.

#![cfg(unix)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::iter;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use common::{Files, Fixture, RUNNER, Ran, assert_same_files, environment, eventually};

/// Text that only a learner would write.
const MINE: &str = "// Mine: żółw, 龜, 🐢, and\ttabs  and trailing spaces   \n\n\n";

/// Types into every file that a learner may edit, and creates another one.
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
    for file in REPORTS {
        fixture.write(file, "my own notes, no XML <");
    }
}

/// The files that reports overwrite.
const REPORTS: [&str; 2] = ["out.xml", "out.json"];

/// The files of the learner, without those of the runner and of cargo.
fn everything(fixture: &Fixture) -> Files {
    let mut files = fixture.work();
    files.extend(fixture.files("tests"));
    for file in REPORTS {
        files.insert(file.to_string(), fixture.bytes(file));
    }
    files
}

/// Runs `command` after the learner has typed everywhere. Asserts that nothing is lost.
fn loses_nothing(fixture: &Fixture, command: &str) {
    let before = everything(fixture);
    let ran = fixture.run(command).exits(0);
    let after = everything(fixture);
    assert_ne!(after, before, "{ran} overwrites something");

    let copies: Vec<Vec<u8>> = fixture.files(".course/saves").into_values().collect();
    for (file, content) in &before {
        if after.get(file) != Some(content) {
            assert!(
                copies.contains(content),
                "{file} is in .course/saves, complete, after {ran}"
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

/// The command that undoes a command, from its output: `undo` or `undo 7`.
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
        "green-time",
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
fn jump_to_a_section() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    loses_nothing(&fixture, "jump 1.3");
}

#[test]
fn reset_of_the_given_files() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    loses_nothing(&fixture, "reset --given");
}

#[test]
fn the_full_path() {
    let fixture = with_a_given_section();
    loses_nothing(&fixture, "path full");
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
    // Two files whose copies could get the same name.
    fixture.write("src/a/b.rs", "// one\n");
    fixture.write("src/a__b.rs", "// another\n");
    loses_nothing(&fixture, "generate");
}

#[test]
fn report() {
    let fixture = Fixture::after_chapter_1();
    type_everywhere(&fixture);
    loses_nothing(&fixture, "report --junit out.xml");
}

#[test]
fn report_for_a_class() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    loses_nothing(&fixture, "report --class out.json");
}

#[test]
fn undo() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    type_everywhere(&fixture);
    loses_nothing(&fixture, "undo 1");
}

#[test]
fn commands_that_only_read_write_nothing() {
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
        "path",
        "doctor",
        "fetch",
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
        "no backup was needed"
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
    for wanted in [0o600, 0o664, 0o755] {
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
        // Starts again from the stub.
        fixture.run("reset 1");
    }
}

#[test]
fn a_read_only_file_is_not_overwritten() {
    let fixture = Fixture::new();
    use std::os::unix::fs::PermissionsExt;
    let read_only = fs::Permissions::from_mode(0o444);
    fs::set_permissions(fixture.path("src/light.rs"), read_only).expect("a mode");
    let before = fixture.work();
    for command in ["solution 1.1 --apply", "solution 1 --apply", "jump 2"] {
        fixture
            .run(command)
            .fails_with(&["src/light.rs is read-only, so nothing was changed"])
            .on_one_line();
        assert_same_files(&fixture.work(), &before, "after the refusal");
    }
}

/// Other commands wait, so each works on what the one before it wrote.
#[test]
fn five_commands_at_once_do_all_their_work() {
    let fixture = Fixture::new();
    let start = |command: &str| {
        let mut command = fixture.command(command);
        command.stdout(Stdio::piped()).spawn().expect("it starts")
    };
    let commands =
        ["solution 1.1", "solution 1.2", "solution 1.3"].map(|it| format!("{it} --apply"));
    let mut children: Vec<Child> = commands.iter().map(|command| start(command)).collect();
    children.extend([start("open 2"), start("solution 2.1 --apply")]);
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    for file in ["light.rs", "lamp.rs", "crossing.rs"] {
        assert_eq!(
            fixture.read(&format!("src/{file}")),
            fixture.read(&format!("solutions/src/{file}")),
            "{file}: left the learner's, right the reference"
        );
    }
    fixture.run("check").exits(0);
}

/// An editor that saves the file while a command writes it wins: its text is in the file, or in a
/// backup that the command has made of it.
#[test]
fn an_editors_save_during_a_command_is_not_lost() {
    let fixture = Fixture::after_chapter_1();
    let mut refused = 0;
    for command in ["undo", "reset 1"] {
        fixture.run("reset 1").exits(0);
        if command != "undo" {
            fixture.run("solution 1 --apply").exits(0);
        }
        let before = fixture.work();
        // Backups 1 and 2 exist, and the command makes another one.
        let newest = fixture.files(".course/saves").into_keys().next_back();
        let newest: u32 = newest
            .and_then(|path| path.split('/').nth(2)?.parse().ok())
            .expect("a backup");
        for round in 0..60 {
            let backup = fixture.path(&format!(".course/saves/{:04}", newest + 1));
            let step = match round % 3 {
                0 => backup.clone(),
                1 => backup.join("src__light.rs"),
                _ => backup.join("save.json"),
            };
            let mark = format!("// The editor's save {round}.\n");
            let mut child = fixture.command(command);
            let child = child.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
            let mut child = child.expect("the runner starts");
            while !step.exists() && child.try_wait().expect("it is a child").is_none() {}
            // Some later, up to about the time that the runner needs to write its files.
            for step in 0..round * 2000 {
                std::hint::black_box(step);
            }
            fs::write(fixture.path("src/light.rs"), &mark).expect("the editor saves");
            let output = child.wait_with_output().expect("it ends");
            refused += u32::from(output.status.code() == Some(2));
            let kept = fixture.files(".course/saves").into_values();
            let kept: Vec<Vec<u8>> = kept.chain([fixture.bytes("src/light.rs")]).collect();
            assert!(
                kept.contains(&mark.clone().into_bytes()),
                "the save of round {round} is in src/light.rs or in a backup after `{command}`"
            );
            if output.status.code() == Some(2) {
                assert_eq!(fixture.read("src/light.rs"), mark, "round {round}");
                assert_eq!(
                    fixture.bytes("src/lamp.rs"),
                    before["src/lamp.rs"],
                    "the other file is as it was, in round {round}"
                );
                let error = String::from_utf8_lossy(&output.stderr);
                assert!(
                    error.contains("another program saved src/light.rs"),
                    "{error}"
                );
            }
            for (file, content) in &before {
                fixture.write(file, content);
            }
            let _ = fs::remove_dir_all(&backup);
        }
    }
    assert!(refused > 0, "in some round, the save came between");
}

#[test]
fn a_save_that_an_editor_began_before_a_command_is_in_the_backup() {
    let fixture = Fixture::after_chapter_1();
    for command in ["reset 1", "solution 1 --apply", "undo"] {
        let path = fixture.path("src/light.rs");
        let mut editor = fs::OpenOptions::new().write(true).open(path);
        let editor = editor.as_mut().expect("the editor opens the file");
        fixture.run(command).exits(0);
        editor.set_len(0).expect("the editor empties the file");
        let save = format!("// The editor's save during `{command}`.\n");
        editor.write_all(save.as_bytes()).expect("the editor saves");
        let kept = fixture.files(".course/saves");
        assert!(
            kept.values().any(|content| content == save.as_bytes()),
            "`{command}` kept the file into which the editor wrote: {:?}",
            kept.keys()
        );
    }
    let restored = fixture.read("src/light.rs");
    assert_eq!(
        restored,
        "// The editor's save during `solution 1 --apply`.\n"
    );
}

#[test]
fn a_symbolic_link_stays_a_link() {
    let fixture = Fixture::new();
    fixture.write("elsewhere/light.rs", fixture.read("src/light.rs"));
    fs::remove_file(fixture.path("src/light.rs")).expect("it is there");
    let target = Path::new("../elsewhere/light.rs");
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
            "the target of the link is written:\n{text}"
        );
    }
    fixture.run("undo").exits(0);
    fixture.run("undo").exits(0);
    assert_eq!(fixture.read("elsewhere/light.rs"), before);
    let left = fixture.files("elsewhere").len() + fixture.files("src").len();
    assert_eq!(left, 5, "no temporary file is left in either folder");
}

/// Runs `cargo course ARGUMENTS` with files limited to `blocks` of 512 bytes, which looks like a
/// full disk to the program.
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
fn nothing_changes_if_the_backup_cannot_be_written() {
    let fixture = Fixture::new();
    type_everywhere(&fixture);
    fixture.append("src/light.rs", &MINE.repeat(200));
    let before = everything(&fixture);
    run_on_a_full_disk(&fixture, 4, "reset 1")
        .fails_with(&[
            "your files could not be backed up, so nothing was changed",
            "cannot write",
        ])
        .on_one_line();
    assert_same_files(&everything(&fixture), &before, "after the failure");
    fixture
        .run("undo")
        .fails_with(&["there is nothing to undo"]);
    fixture.run("reset 1").exits(0);
}

#[test]
fn the_first_file_is_restored_if_the_second_cannot_be_written() {
    let fixture = Fixture::new();
    // The second of the chapter's two files does not fit.
    fixture.append("solutions/src/light.rs", &"// A long story.\n".repeat(300));
    fixture.write("src/lamp.rs", "// mine");
    fixture.write("src/light.rs", "// mine as well");
    let before = fixture.files("src");
    run_on_a_full_disk(&fixture, 6, "solution 1 --apply")
        .fails_with(&["nothing was changed", "cannot write", "src__light.rs"])
        .on_one_line();
    assert_same_files(&fixture.files("src"), &before, "after the failure");
    fixture
        .run("solution 1 --apply")
        .prints("wrote src/light.rs");
    fixture.run("undo").exits(0);
    assert_same_files(&fixture.files("src"), &before, "after it worked, and undo");
}

#[test]
fn a_cache_that_cannot_be_written_does_no_harm() {
    let fixture = Fixture::new();
    fixture.run("status").exits(0);
    let before = fixture.files(".course");
    fixture.append("src/lib.rs", "\n// A change.\n");
    // The build does not fit either, so its output can differ.
    let ran = run_on_a_full_disk(&fixture, 1, "status");
    assert!(!ran.stderr.contains("panicked"), "{ran}");
    assert_same_files(&fixture.files(".course"), &before, "after the failure");
    fixture
        .run("status")
        .exits(0)
        .prints("0 of 3 checkpoints green");
}

#[test]
fn a_kill_at_any_time_leaves_each_file_old_or_new() {
    let fixture = Fixture::after_chapter_1();
    fixture.write("src/light.rs", MINE.repeat(40));
    fixture.append("src/lamp.rs", &MINE.repeat(40));
    let typed = fixture.work();
    let outcome = |command: &str| {
        let steps = steps(&fixture, command);
        let outcome = fixture.work();
        fixture.run("undo").exits(0);
        remove_backups(&fixture);
        (steps, outcome)
    };
    let commands = ["reset 1", "solution 1 --apply"].map(|command| (command, outcome(command)));

    let mut interrupted = 0;
    for round in 0..120 {
        let (command, (steps, new)) = &commands[round % 2];
        let step = &steps[round / 2 % steps.len()];
        interrupted += u32::from(killed_after(&fixture, command, step.as_deref()));

        let now = without_leftovers(fixture.work());
        let copies: Vec<Vec<u8>> = fixture.files(".course/saves").into_values().collect();
        for (file, content) in &now {
            if *content != typed[file] {
                assert_eq!(
                    content, &new[file],
                    "{file} is new and complete in round {round}"
                );
                assert!(
                    copies.contains(&typed[file]),
                    "{file} is in a backup in round {round}"
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
        "{interrupted} of 120 kills interrupted the command"
    );
}

/// The files that hold the learner's progress, apart from `src/` and `Cargo.toml`.
const PROGRESS: [&str; 2] = [".course/path.json", ".course/hints.json"];

/// The learner has typed everywhere, and section 1.3 was given. The tests have run.
fn with_a_given_section() -> Fixture {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "id = \"lamps\"",
        "id = \"lamps\"\ndepth = true",
    );
    fixture.run("check").exits(1);
    remove_backups(&fixture);
    type_everywhere(&fixture);
    fixture.run("check").exits(1);
    fixture
}

/// The learner has typed everywhere. Section 1.3 is still a stub, and the next command gives it.
fn with_a_section_to_give() -> Fixture {
    let stub = Fixture::new().read("src/lamp.rs");
    let fixture = Fixture::after_chapter_1();
    fixture.write("src/lamp.rs", stub);
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "id = \"lamps\"",
        "id = \"lamps\"\ndepth = true",
    );
    type_everywhere(&fixture);
    fixture.run("path").exits(0);
    fixture
}

/// Each command is killed once at each of its steps.
#[test]
fn each_command_that_writes_loses_nothing_when_it_is_killed() {
    let fixture = with_a_given_section();
    let commands = [
        "solution 1.1 --apply",
        "reset 1.3",
        "reset --given",
        "jump 1.3",
        "jump 2",
        "open 2",
        "path full",
        "hint 1.1",
        "report --class out.json",
    ];
    let kept = Kept::of(&fixture);
    for command in commands {
        survives_kills(&fixture, command);
        kept.restore(&fixture);
    }
    fixture.run("reset 1").exits(0);
    survives_kills(&fixture, "undo");

    // `next` opens chapter 2.
    let fixture = Fixture::after_chapter_1();
    type_everywhere(&fixture);
    fixture.run("check").exits(0);
    let kept = Kept::of(&fixture);
    for command in ["report --junit out.xml", "next"] {
        survives_kills(&fixture, command);
        kept.restore(&fixture);
    }

    // Both give section 1.3.
    let fixture = with_a_section_to_give();
    let kept = Kept::of(&fixture);
    survives_kills(&fixture, "check");
    kept.restore(&fixture);
    fixture.run("path full").exits(0);
    survives_kills(&fixture, "path core");
}

/// The files of a learner and of the runner.
struct Kept {
    files: Files,
    state: Files,
}

impl Kept {
    fn of(fixture: &Fixture) -> Self {
        Self {
            files: everything(fixture),
            state: fixture.files(".course"),
        }
    }

    fn restore(&self, fixture: &Fixture) {
        for folder in ["src", ".course"] {
            fs::remove_dir_all(fixture.path(folder)).expect("it is there");
        }
        for (file, content) in self.files.iter().chain(&self.state) {
            fixture.write(file, content);
        }
    }
}

/// Kills `command` once at each of its steps. Asserts that each file is then the old or the new
/// one, with the old one in a backup, and that an undo brings all of them back.
fn survives_kills(fixture: &Fixture, command: &str) {
    let before = Kept::of(fixture);
    let newest = before.state.keys().filter_map(|file| backup_of(file)).max();
    let way_back = format!("undo {}", newest.unwrap_or(0) + 1);
    let steps = steps(fixture, command);
    let after = Kept::of(fixture);
    assert!(steps.len() > 1, "`{command}` writes something");
    let mut interrupted = 0;
    for step in &steps {
        before.restore(fixture);
        interrupted += u32::from(killed(&mut fixture.command(command), step.as_deref()));
        let when = format!("after `{command}`, killed at {step:?}");
        let now = Kept::of(fixture);
        let copies: Vec<&Vec<u8>> = now.state.values().collect();
        for (file, content) in &before.files {
            let found = now.files.get(file);
            // A report has the time in it.
            let is_report = || {
                let text = String::from_utf8_lossy(found.map_or(&[], Vec::as_slice));
                let is_json = serde_json::from_str::<Value>(&text).is_ok();
                REPORTS.contains(&file.as_str()) && (is_json || text.ends_with("</testsuites>\n"))
            };
            assert!(
                found == Some(content) || found == after.files.get(file) || is_report(),
                "{file} is old or new {when}"
            );
            assert!(
                found == Some(content) || copies.contains(&content),
                "{file} is in a backup {when}"
            );
        }
        for file in PROGRESS {
            let found = now.state.get(file);
            assert!(
                found == before.state.get(file) || found == after.state.get(file),
                "{file} is old or new {when}"
            );
        }
        let files = without_leftovers(now.files);
        if files != before.files {
            fixture.run(&way_back).exits(0);
            let undone = without_leftovers(everything(fixture));
            assert_same_files(&undone, &before.files, &format!("undone {when}"));
        }
    }
    assert!(interrupted > 0, "some kill interrupts `{command}`");
}

/// The number of the backup that a file such as `.course/saves/0007/save.json` belongs to.
fn backup_of(file: &str) -> Option<u32> {
    let number = file.strip_prefix(".course/saves/")?.split('/').next()?;
    number.parse().ok()
}

/// The paths that a run of `command` creates, replaces or removes, and first `None`, for the
/// moment before any of them. Run it when there are no backups yet.
fn steps(fixture: &Fixture, command: &str) -> Vec<Option<PathBuf>> {
    let before = inodes(fixture);
    fixture.run(command).exits(0);
    let after = inodes(fixture);
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let changed = paths
        .into_iter()
        .filter(|path| before.get(*path) != after.get(*path));
    iter::once(None).chain(changed.cloned().map(Some)).collect()
}

/// The inodes of the files and folders that a command may write. A replaced file has another.
fn inodes(fixture: &Fixture) -> BTreeMap<PathBuf, u64> {
    let mut inodes = BTreeMap::new();
    let mut paths: Vec<PathBuf> = [
        ".course/saves",
        ".course/unfinished",
        ".course/version.json",
        PROGRESS[0],
        PROGRESS[1],
        REPORTS[0],
        REPORTS[1],
        "book",
        "course",
        "src",
        "tests",
        "solutions",
        "Cargo.toml",
    ]
    .map(|path| fixture.path(path))
    .to_vec();
    while let Some(path) = paths.pop() {
        if let Ok(entries) = fs::read_dir(&path) {
            paths.extend(entries.map(|entry| entry.expect("an entry").path()));
        }
        inodes.extend(inode(&path).map(|inode| (path, inode)));
    }
    inodes
}

fn inode(path: &Path) -> Option<u64> {
    Some(fs::metadata(path).ok()?.ino())
}

fn remove_backups(fixture: &Fixture) {
    let saves = fixture.path(".course/saves");
    if saves.exists() {
        fs::remove_dir_all(saves).expect("the backups can be removed");
    }
}

/// Starts `command` without any backups and kills it when it has created, replaced or removed
/// the path of `step`. A kill after a time would come too early or too late on a busy machine.
/// Returns whether the kill interrupted the command.
fn killed_after(fixture: &Fixture, command: &str, step: Option<&Path>) -> bool {
    remove_backups(fixture);
    killed(&mut fixture.command(command), step)
}

/// Starts `command` and kills it when it has created, replaced or removed the path of `step`.
fn killed(command: &mut Command, step: Option<&Path>) -> bool {
    let before = step.map(inode);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = child.expect("the runner starts");
    let is_running = |child: &mut Child| child.try_wait().expect("it is a child").is_none();
    while step.is_some() && step.map(inode) == before && is_running(&mut child) {}
    child.kill().expect("it can be killed");
    child.wait().expect("it ends").code().is_none()
}

/// An update replaces the runner's own sources, too, so a mix of two versions must not stay.
#[test]
fn a_killed_update_and_a_killed_undo_of_it_leave_one_version() {
    let learner = Fixture::new();
    learner.write("course/src/main.rs", "// Old.\n");
    learner.write("course/src/old.rs", "// Old.\n");
    // The first run notes the files as downloaded.
    learner.run("path").exits(0);
    type_everywhere(&learner);
    learner.append("tests/ch01/support.rs", MINE);
    let new = Fixture::new();
    new.write("course/src/main.rs", "// New.\n");
    new.write("course/src/new.rs", "// New.\n");
    for file in ["light.rs", "lamp.rs"] {
        let file = format!("solutions/src/{file}");
        new.write(&file, new.read(&file).replace("/// ", "/// New: "));
    }
    new.run("generate").exits(0);
    let update = format!("update {}", new.root().display());
    let steps_of = |command: &str| -> Vec<Option<PathBuf>> {
        let steps = steps(&learner, command);
        remove_backups(&learner);
        steps
    };
    let everything = || {
        let mut files = learner.everything();
        files.retain(|file, _| !file.contains("/.course-"));
        files
    };
    let typed = everything();
    let update_steps = steps_of(&update);
    let updated = everything();
    assert_ne!(typed, updated);
    let restore = |files: &Files| {
        for name in learner
            .everything()
            .keys()
            .filter(|name| !files.contains_key(*name))
        {
            fs::remove_file(learner.path(name)).expect("it is there");
        }
        for (file, content) in files {
            learner.write(file, content);
        }
        let _ = fs::remove_file(learner.path(".course/version.json"));
        remove_backups(&learner);
    };
    let without_cargo = |command: &str| {
        let mut command = learner.command(command);
        // Without a build, the round takes a tenth of the time.
        command.env("CARGO", "/nonexistent");
        command
    };
    let mut torn = 0;
    // On a busy machine, most kills come after the last file.
    for (round, step) in update_steps.iter().cycle().take(400).enumerate() {
        if round >= 40 && torn >= 5 {
            break;
        }
        restore(&typed);
        killed(&mut without_cargo(&update), step.as_deref());
        if round % 2 == 1 {
            // Completes the update, so that its undo can be killed.
            learner.run("path").exits(0);
            if everything() == typed {
                Ran::of(&mut without_cargo(&update)).exits(0);
            }
            assert_same_files(&everything(), &updated, "the update");
            killed(&mut without_cargo("undo"), step.as_deref());
        }
        let now = everything();
        let copies: Vec<Vec<u8>> = learner.files(".course/saves").into_values().collect();
        for (file, content) in &typed {
            let content = Some(content);
            assert!(
                now.get(file) == content || now.get(file) == updated.get(file),
                "{file} is old or new in round {round}"
            );
            assert!(
                now.get(file) == content || copies.iter().any(|copy| Some(copy) == content),
                "{file} is in a backup in round {round}"
            );
        }
        let is_mixed = now != typed && now != updated;
        torn += u32::from(is_mixed);
        if is_mixed {
            assert!(
                learner.path(".course/unfinished").exists(),
                "the launcher must not build a mix, in round {round}"
            );
        }
        // The repair may be killed, too, or it may finish before the kill.
        let mut is_mixed = is_mixed;
        if is_mixed && round % 3 == 0 {
            killed(&mut without_cargo("path"), step.as_deref());
            let now = everything();
            is_mixed = now != typed && now != updated;
        }
        // An undo takes all of it back. Any other command leaves one version.
        if round % 4 < 2 || !is_mixed {
            learner.run("path").exits(0);
            let after = everything();
            assert!(
                after == typed || after == updated,
                "one version after round {round}"
            );
        } else {
            learner.run("undo").exits(0);
            assert_same_files(&everything(), &typed, &format!("round {round}"));
        }
        assert!(!learner.path(".course/unfinished").exists());
    }
    assert!(torn >= 5, "{torn} kills came between two files");
}

#[test]
fn a_killed_generate_loses_nothing_and_the_next_one_repairs() {
    let fixture = Fixture::new();
    fixture.run("generate").exits(0);
    let files = || generated_files(&fixture);
    let generated = files();
    for file in ["src/light.rs", "src/lamp.rs", "src/lib.rs"] {
        fixture.append(file, MINE);
    }
    fixture.replace("tests/main.rs", "mod ch2;", "// mine");
    fixture.write("src/a/b.rs", MINE);
    let typed = files();

    let steps = steps(&fixture, "generate");

    let (mut interrupted, mut torn) = (0, 0);
    for round in 0..600 {
        if round >= 60 && interrupted >= 5 && torn >= 1 {
            break;
        }
        for (file, content) in &typed {
            fixture.write(file, content);
        }
        let step = &steps[round % steps.len()];
        interrupted += u32::from(killed_after(&fixture, "generate", step.as_deref()));

        let now = files();
        let copies: Vec<Vec<u8>> = fixture.files(".course/saves").into_values().collect();
        for (file, content) in &typed {
            let is_old = now.get(file) == Some(content);
            let is_new = now.get(file) == generated.get(file);
            assert!(is_old || is_new, "{file} is old or new in round {round}");
            assert!(
                is_old || copies.contains(content),
                "{file} is in a backup in round {round}"
            );
        }
        torn += u32::from(now != typed && now != generated);
        fixture.run("generate").exits(0);
        assert_same_files(&files(), &generated, &format!("repaired in round {round}"));
    }
    assert!(
        interrupted >= 5 && torn >= 1,
        "{interrupted} kills interrupted the command, {torn} between two files"
    );
}

#[test]
fn generate_removes_what_a_torn_rename_left() {
    let fixture = Fixture::new();
    let before = generated_files(&fixture);
    fixture.write("src/.course-Xy12ab", "half a fi");
    fixture.write("tests/ch01/.course-9zQ0rt", "");
    fixture.write("src/light.rs", "half a");
    fixture.run("generate").exits(0);
    assert_same_files(&generated_files(&fixture), &before, "after generate");
}

/// The files of the folders that `generate` writes to, and `Cargo.toml`.
fn generated_files(fixture: &Fixture) -> Files {
    let mut files = fixture.work();
    files.extend(fixture.files("tests"));
    files.extend(fixture.files("solutions"));
    files
}

/// Removes temporary files that were written and never renamed.
fn without_leftovers(mut files: Files) -> Files {
    files.retain(|file, _| !file.starts_with("src/.course-"));
    files
}

#[test]
fn an_interrupt_kills_the_tests() {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "timeout_seconds = 2",
        "timeout_seconds = 600",
    );
    fixture.fill(
        "src/light.rs",
        "green-time",
        "green_for",
        "loop { std::thread::park() }",
    );
    let mut child = fixture.command("check").spawn().expect("the runner starts");
    // The runner, cargo, and the test program.
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
    assert_eq!(code, Some(130), "the exit code of an interrupted program");
    eventually(
        "its child processes are gone",
        || fixture.processes().is_empty(),
        || format!("{:?}", fixture.processes()),
    );
}
