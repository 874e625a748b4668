//! Properties of the safety checks that no list of examples can show. The commands are run by a
//! real shell, and the links are swapped by a real thread.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use claw_code_solutions::permission::Places;
use claw_code_solutions::safety::{
    CommandClass, PathCheck, Sandbox, SandboxLevel, Script, classify, hold_inside, open_inside,
};
use claw_code_solutions::tools::Registry;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

/// The commands of chapter 11's collection.
fn corpus() -> impl Iterator<Item = String> {
    include_str!("../../tests/ch11/commands.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(_, command)| command.replace('␤', "\n"))
}

/// A repository with the files that commands of the collection name.
fn watched_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        "a",
        "b",
        "c",
        "x",
        "old/f",
        "new/f",
        "src/main.rs",
        "a folder/f",
        "a file.txt",
        "Cargo.toml",
        "README.md",
        "notes.txt",
        "table.csv",
        "target/f",
        "tests/f",
    ];
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, format!("TODO {file}\nfn main b a\n")).expect("a file");
    }
    let script = "git init -q && git -c user.name=a -c user.email=a@b add -A && \
                  git -c user.name=a -c user.email=a@b commit -qm first && git tag v0 && \
                  echo more >> a";
    let done = Command::new("bash")
        .args(["-c", script])
        .current_dir(&folder)
        .status();
    assert!(done.expect("bash runs").success(), "git can commit");
    folder
}

/// Every file and folder with its content, except `.git/index`: `git status` refreshes the times
/// in it.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut entries = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder").flatten() {
            let path = entry.path();
            let kind = entry.file_type().expect("a type");
            if kind.is_dir() {
                entries.insert(path.clone(), Vec::new());
                folders.push(path);
            } else if !path.ends_with(".git/index") {
                entries.insert(path.clone(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    entries
}

/// Runs a command with bash, for at most two seconds.
fn run(command: &str, folder: &Path) {
    let mut child = Command::new("bash")
        .args(["--norc", "-c", "--", command])
        .current_dir(folder)
        .env("PAGER", "cat")
        .env("HOME", folder.parent().expect("a parent"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("bash runs");
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        if child.try_wait().expect("a status").is_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

#[test]
fn a_read_only_command_of_the_collection_changes_nothing() {
    let folder = watched_folder();
    let before = snapshot(folder.path());
    let mut tried = 0;
    for command in corpus() {
        if classify(&command).class != CommandClass::ReadOnly {
            continue;
        }
        tried += 1;
        run(&command, folder.path());
        let after = snapshot(folder.path());
        assert_eq!(before, after, "{command:?} has changed the folder");
    }
    assert!(tried > 150, "only {tried} commands are read-only");
}

/// Pieces of commands. `p` logs its arguments; everything around it begins, ends or hides a
/// command.
fn pieces() -> impl Strategy<Value = String> {
    let pieces = vec![
        "cat", "ls", "echo", "p", " ", " a", " -n", " b", ";", "&&", "||", "|", "&", "\n", "\\\n",
        "$(p z)", "`p y`", "'", "\"", "\\", ">f", " 2>&1", "<a", "(", ")", "{ ", "; }", "#", " #",
        "*", "~", "$x", "${x:-p}", "$'p'", "<<E\n", "\nE\n", "<<'E'\n", "E", "<<<", " p", "\t",
        "{a}", "<", "`", "\\`", "\r", "A=1 ", "! ", "-- ", ">(p)", "<(p)", "$((1))", "env ",
        "sh -c ", "time ", "|& ", "sort", "find .", " -o f", " -delete", "<<E",
    ];
    prop::sample::select(pieces).prop_map(String::from)
}

/// Texts of pieces, and here-documents of them: few texts of pieces alone are here-documents.
fn texts() -> impl Strategy<Value = String> {
    let text = |length| prop::collection::vec(pieces(), length).prop_map(|it| it.concat());
    let delimiter = prop::sample::select(vec!["E", "'E'", "\\E", "-E"]);
    let parts = (text(0..3), delimiter, text(0..3), text(0..5), text(0..3));
    let heredoc = parts.prop_map(|(before, delimiter, after, body, end)| {
        format!("{before} <<{delimiter}{after}\n{body}\nE\n{end}")
    });
    prop_oneof![text(1..8), heredoc]
}

/// Whatever the parser makes of a text: if it is read-only, then bash runs only programs of the
/// tables, and changes nothing. `p` is in no table.
#[test]
fn a_read_only_text_runs_no_unknown_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let programs = tempfile::tempdir().expect("a folder");
    let program = programs.path().join("p");
    fs::write(&program, "#!/bin/sh\necho run >> \"$LOG\"\n").expect("the program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it can run");
    fs::write(folder.path().join("a"), "text\n").expect("a file");
    let log = programs.path().join("log");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", programs.path().display());
    // Always the same cases, so that a failure is reproducible.
    let mut runner = TestRunner::deterministic();
    let texts = texts();
    let before = snapshot(folder.path());
    let mut tried = 0;
    for _ in 0..20_000 {
        let text = texts.new_tree(&mut runner).expect("a case").current();
        if text.trim().is_empty() || classify(&text).class != CommandClass::ReadOnly {
            continue;
        }
        tried += 1;
        let output = Command::new("bash")
            .args(["--norc", "-c", "--", &text])
            .current_dir(&folder)
            .env("PATH", &path)
            .env("LOG", &log)
            .stdin(Stdio::null())
            .output();
        output.expect("bash runs");
        assert!(
            !log.exists(),
            "{text:?} runs `p`: {:?}",
            Script::parse(&text)
        );
        assert_eq!(
            before,
            snapshot(folder.path()),
            "{text:?} has changed the folder"
        );
    }
    assert!(tried > 300, "only {tried} texts were read-only");
}

/// Sets its flag when it is dropped, also by a panic.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A check and an open, while another thread swaps a folder for a link 10,000 times and more.
#[test]
fn a_swapped_link_never_leads_out_of_the_workspace() {
    let outside = tempfile::tempdir().expect("a folder");
    let workspace = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("file"), "secret").expect("a file");
    fs::create_dir(workspace.path().join("real")).expect("a folder");
    fs::write(workspace.path().join("real/file"), "inside").expect("a file");
    let root = workspace.path().canonicalize().expect("the workspace");
    let check = PathCheck::new(Places {
        workspace: root.clone(),
        home: None,
    });
    let done = AtomicBool::new(false);
    let (mut passed, mut opened) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (real, swapped) = (root.join("real"), root.join("swapped"));
            while !done.load(Ordering::Relaxed) {
                let _ = fs::rename(&real, &swapped);
                let _ = fs::rename(&swapped, &real);
                let _ = symlink(outside.path(), &swapped);
                let _ = fs::remove_file(&swapped);
            }
        });
        let _ends_the_thread = SetOnDrop(&done);
        for _ in 0..10_000 {
            let Ok(path) = check.inside(Path::new("swapped/file")) else {
                continue;
            };
            passed += 1;
            assert!(
                path.starts_with(&root),
                "the check itself was deceived: {path:?}"
            );
            let below = path.strip_prefix(&root).expect("below the workspace");
            let mut text = String::new();
            if let Ok(mut file) = open_inside(&root, below) {
                opened += 1;
                file.read_to_string(&mut text).expect("text");
                assert_eq!(text, "inside", "a swapped link led out of the workspace");
            }
        }
    });
    assert!(
        passed > 0 && opened > 0,
        "{passed} checks passed, {opened} files were opened"
    );
}

/// The content of the file outside of the workspace.
const SECRET: &str = "top secret";

/// A folder in memory, where the system has one: a write waits for no disk there.
fn fast_folder() -> tempfile::TempDir {
    let memory = tempfile::tempdir_in("/dev/shm");
    memory.or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// How often calls of the tools succeeded, how often a result showed what is outside, and how
/// often something outside was changed, in these rounds of calls. Another thread swaps a folder for
/// a link and back meanwhile.
fn race(tools: &Registry, root: &Path, outside: &Path, rounds: usize) -> (usize, usize, usize) {
    let (real, swapped) = (root.join("real"), root.join("swapped"));
    fs::create_dir_all(&real).expect("a folder");
    fs::write(real.join("file"), "one").expect("a file");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let done = AtomicBool::new(false);
    let (mut succeeded, mut shown, mut changed) = (0, 0, 0);
    let call = async |tool: &str, arguments: Value| {
        let tool = tools.get(tool).expect("a tool");
        match tool.call(arguments).await {
            Ok(result) if !result.is_error => (1, result.content),
            Ok(result) => (0, result.content),
            Err(error) => (0, format!("{error:#}")),
        }
    };
    let swap = || {
        while !done.load(Ordering::Relaxed) {
            let _ = fs::rename(&real, &swapped);
            std::thread::sleep(Duration::from_micros(fastrand::u64(0..300)));
            let _ = fs::rename(&swapped, &real);
            let _ = symlink(outside, &swapped);
            std::thread::sleep(Duration::from_micros(fastrand::u64(0..100)));
            let _ = fs::remove_file(&swapped);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(swap);
        let _ends_the_thread = SetOnDrop(&done);
        runtime.block_on(async {
            for round in 0..rounds {
                let (old, new) = [("one", "two"), ("two", "one")][round % 2];
                let edit = json!({ "path": "swapped/file", "old_string": old, "new_string": new });
                let file = json!({ "path": "swapped/file" });
                let new = |path: String| json!({ "path": path, "content": "new" });
                for (tool, arguments) in [
                    ("read", file),
                    ("edit", edit),
                    ("list", json!({ "path": "swapped" })),
                    ("grep", json!({ "path": "swapped", "pattern": "top" })),
                    ("write", new(format!("swapped/new-{round}"))),
                    ("write", new(format!("swapped/folder-{round}/new"))),
                ] {
                    let (is_ok, text) = call(tool, arguments).await;
                    succeeded += is_ok;
                    let is_name = tool == "list" && text.contains("secret-file");
                    shown += usize::from(is_name || text.contains(SECRET));
                }
                for name in ["real", "swapped"] {
                    // The folder must stay small.
                    let _ = fs::remove_file(root.join(format!("{name}/new-{round}")));
                    let _ = fs::remove_dir_all(root.join(format!("{name}/folder-{round}")));
                }
                let text = fs::read_to_string(outside.join("secret-file")).unwrap_or_default();
                let file = fs::read_to_string(outside.join("file")).unwrap_or_default();
                let count = outside.read_dir().expect("a folder").count();
                if text != SECRET || file != SECRET || count != 2 {
                    changed += 1;
                    let _ = fs::remove_dir_all(outside);
                    fill(outside);
                }
            }
        });
    });
    (succeeded, shown, changed)
}

/// Creates the folder outside of the workspace, with two files.
fn fill(outside: &Path) {
    fs::create_dir_all(outside).expect("a folder");
    for name in ["file", "secret-file"] {
        fs::write(outside.join(name), SECRET).expect("a file");
    }
}

/// The tools as `claw` has them, while links are swapped. The same calls of tools that trust paths
/// show that the race can be lost.
#[test]
#[cfg(target_os = "linux")]
fn file_tools_are_never_led_out() {
    for (is_held, rounds) in [(true, 2_000), (false, 200)] {
        let (workspace, outside) = (fast_folder(), fast_folder());
        fill(outside.path());
        let root = workspace.path().canonicalize().expect("the workspace");
        let standard = Registry::standard(&root).expect("the tools");
        let tools = match is_held {
            true => hold_inside(&standard, &root).expect("the tools"),
            false => standard,
        };
        let (succeeded, shown, changed) = race(&tools, &root, outside.path(), rounds);
        println!(
            "held inside: {is_held}; {rounds} rounds of 6 calls: {succeeded} succeeded, \
             {shown} results from outside, {changed} changes outside"
        );
        assert!(succeeded > 0, "no call has succeeded");
        assert!(
            !is_held || shown + changed == 0,
            "{shown} shown, {changed} changed"
        );
    }
}

/// The sandbox, whatever command runs in it, on a system that has one.
#[test]
fn no_command_of_the_collection_writes_outside_of_the_sandbox() {
    if Sandbox::level() == SandboxLevel::None {
        eprintln!("this system has no sandbox (Landlock), so nothing was tried in one");
        return;
    }
    let outside = watched_folder();
    let inside = watched_folder();
    let before = snapshot(outside.path());
    let sandbox = Sandbox::new([inside.path().to_path_buf()]);
    // A path of each kind of change, from inside the sandbox.
    let target = outside.path().display();
    for command in [
        format!("rm -rf {target}/*"),
        format!("echo x > {target}/a"),
        format!("mv {target}/a {target}/z"),
        format!("ln -s x {target}/link; mkdir {target}/dir; mkfifo {target}/pipe"),
        format!("truncate -s 0 {target}/b"),
        format!("ln -s {target} l && echo x > l/a"),
        format!(
            "cp a {target}/c; chmod 600 {target}/none; python3 -c 'open(\"{target}/x\", \"w\")'"
        ),
        format!("setsid sh -c 'echo x > {target}/late' & wait"),
    ] {
        let (_, ()) = sandbox
            .run(|| run(&command, inside.path()))
            .expect("the sandbox holds");
        assert_eq!(
            before,
            snapshot(outside.path()),
            "{command} has changed something"
        );
    }
}
