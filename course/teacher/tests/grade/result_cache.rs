//! Results outlive a kill of the grader, and hide no change.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::class::{Class, Ran, passed};

#[test]
fn a_kill_loses_no_result_and_tears_no_file() {
    let class = Class::new();
    class.stub("a").solve("src/light.rs").solve("src/lamp.rs");
    class.stub("b").green_for("(cars * 2).max(5).min(60)");
    class.stub("c").green_for("cars +");
    let written = || files(&class.clone().join("grades"));
    class.grade(&["--chapter", "1"]).exits(0);
    let wanted = written();
    let results = class.clone().join("target/grade/results");
    fs::remove_dir_all(&results).expect("the results");

    // Each run is killed while it stores a result, or when it has stored one.
    let mut kills = 0;
    while class.stored().len() < 3 {
        let before = inodes(&class.stored());
        let is_stored = kills % 2 == 1;
        let now = || match is_stored {
            true => class.stored().len(),
            false => files(&results).len(),
        };
        killed_at_change(&class, now);
        kills += 1;
        assert!(kills < 20, "the results get more");
        let after = inodes(&class.stored());
        for (name, inode) in before {
            assert_eq!(after.get(&name), Some(&inode), "{name} is graded once");
        }
    }
    assert!(kills >= 3, "{kills} kills");
    // These are killed while they write the grades.
    for kills in 0..4 {
        for folder in ["grades", ".course/saves"] {
            let _ = fs::remove_dir_all(class.clone().join(folder));
        }
        let now = || written().len() > kills;
        killed_at_change(&class, now);
        for (name, content) in written() {
            let is_temporary = name.starts_with(".course-");
            assert!(is_temporary || wanted[&name] == content, "{name} is torn");
        }
    }

    let ran = class.grade(&["--chapter", "1"]).exits(0);

    taken(&ran, 3, 3);
    let mut written = written();
    written.retain(|name, _| !name.starts_with(".course-"));
    assert!(written == wanted, "the grades are those of a single run");
    let left = files(&results);
    assert!(left.keys().all(|name| name.ends_with(".json")), "{left:?}");
}

#[test]
fn a_result_is_taken_only_if_nothing_has_changed() {
    let class = Class::new();
    let submission = class.stub("a");
    submission.solve("src/light.rs").solve("src/lamp.rs");
    class.stub("b");
    let grade = |more: &[&str]| class.grade(&[&["--chapter", "1"], more].concat()).exits(0);
    let first = grade(&[]);
    taken(&first, 0, 2);
    let second = grade(&[]);
    taken(&second, 2, 2);
    assert_eq!(second.json(), first.json());
    assert!(!second.stderr.contains("Building"), "{}", second.stderr);

    // Changes of one submission. Its notes are always new.
    submission.write("build.rs", "fn main() {}");
    let noted = grade(&[]);
    taken(&noted, 2, 2);
    assert!(noted.stdout.contains("not used: its build.rs"));
    submission.edit("src/light.rs", "(5, 60)", "(5, 61)");
    let changed = grade(&[]);
    taken(&changed, 1, 2);
    assert_eq!(
        (passed(&noted.json(), "a"), passed(&changed.json(), "a")),
        (6, 5)
    );
    let file = class.stored().remove("a").expect("a result");
    let length = fs::metadata(&file).expect("a result").len();
    for length in [length - 1, 0] {
        let torn = File::options().write(true).open(&file).expect("a result");
        torn.set_len(length).expect("it can be cut");
        let repaired = grade(&[]);
        taken(&repaired, 1, 2);
        assert_eq!(repaired.json(), changed.json());
    }

    // What all submissions depend on.
    taken(&grade(&["--memory", "3000"]), 0, 2);
    taken(&grade(&["--seconds", "200"]), 0, 2);
    for (file, old, new) in [
        ("tests/ch01/s01_green_for.rs", "assert", " assert"),
        (
            "book/src/ch01-one-light.toml",
            "minutes = 10",
            "minutes = 11",
        ),
        (
            "Cargo.toml",
            "missing_docs = \"deny\"",
            "missing_docs = \"warn\"",
        ),
        ("solutions/src/light.rs", "(5, 60)", "(5, 59 + 1)"),
    ] {
        let path = class.clone().join(file);
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.contains(old), "{file} has {old}");
        fs::write(&path, text.replacen(old, new, 1)).expect("a file");
        taken(&grade(&[]), 0, 2);
    }
    taken(&grade(&["--fresh"]), 0, 2);
}

#[test]
fn a_result_is_not_stored_if_the_clone_changes_meanwhile() {
    let class = Class::new();
    class.stub("a");
    class.stub("b");
    let mut grading = class.grading(&["--chapter", "1"]);
    grading.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut grading = grading.spawn().expect("the program starts");
    let mut lines = BufReader::new(grading.stderr.take().expect("an output")).lines();
    let first = lines.find(|line| matches!(line, Ok(text) if text.starts_with("1 of 2")));
    assert!(first.is_some(), "the first submission is graded");

    fs::write(class.clone().join("tests/new.rs"), "").expect("a file");

    let others: Vec<String> = lines.map_while(Result::ok).collect();
    let warns = |line: &String| line.starts_with("warning: files of this clone have changed");
    assert!(others.iter().any(warns), "{others:#?}");
    assert_eq!(grading.wait().expect("it ends").code(), Some(0));
    let stored: Vec<String> = class.stored().into_keys().collect();
    assert_eq!(stored, ["a"]);
}

/// Asserts how many results a run has taken from earlier ones.
fn taken(ran: &Ran, known: usize, of: usize) {
    let line = format!("{known} of {of} graded before, taken from target/grade/results; `--fresh`");
    let says = match known {
        0 => !ran.stderr.contains("graded before"),
        _ => ran.stderr.contains(&line),
    };
    assert!(says, "{known} of {of}: {}", ran.stderr);
}

/// Starts grading, and kills it when `now` changes or when it ends.
fn killed_at_change<T: PartialEq>(class: &Class, now: impl Fn() -> T) {
    let before = now();
    let mut grading = class.grading(&["--chapter", "1"]);
    // A killed program leaves its temporary folder.
    grading.env("TMPDIR", class.dir.path());
    let child = grading.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = child.expect("the program starts");
    while now() == before && child.try_wait().expect("it is a child").is_none() {}
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

/// The files of a folder, by their names.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            // A temporary file can be gone.
            let content = fs::read(entry.path()).ok()?;
            Some((entry.file_name().into_string().ok()?, content))
        })
        .collect()
}

/// A file that is written again gets another number.
fn inodes(stored: &BTreeMap<String, PathBuf>) -> BTreeMap<String, u64> {
    let inode = |path: &PathBuf| fs::metadata(path).expect("a result").ino();
    stored
        .iter()
        .map(|(name, path)| (name.clone(), inode(path)))
        .collect()
}
