//! `cargo course bundle`. The whole archive takes minutes, so that test runs only when asked for:
//! `cargo test --test bundle -- --ignored`.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use course::repo::{Repo, files_below};
use course_teacher::bundle::clone_course;
use tempfile::TempDir;

fn git(folder: &Path, arguments: &[&str]) {
    let author = [
        "-c",
        "user.name=The Maker",
        "-c",
        "user.email=maker@example.com",
    ];
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(author).args(arguments);
    assert!(git.status().expect("git starts").success(), "{git:?}");
}

fn write(folder: &Path, file: &str, text: &str) {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

#[test]
fn the_clone_has_nothing_of_the_maker() {
    let folder = TempDir::new().expect("a folder");
    let (published, maker) = (folder.path().join("published"), folder.path().join("maker"));
    write(&published, "book/src/course.toml", "");
    write(&published, "src/lib.rs", "todo!()");
    write(&published, ".gitignore", "/.course\n/target\n");
    git(&published, &["init", "--quiet"]);
    git(&published, &["add", "."]);
    let someone = [
        "-c",
        "user.name=Course",
        "-c",
        "user.email=course@example.com",
    ];
    git(
        &published,
        &[&someone[..], &["commit", "--quiet", "-m", "The course"]].concat(),
    );
    git(folder.path(), &["clone", "--quiet", "published", "maker"]);
    // A committed, an uncommitted and an ignored file.
    write(&maker, "src/lib.rs", "my own code");
    git(&maker, &["commit", "--quiet", "--all", "-m", "My own work"]);
    write(&maker, "src/new.rs", "my own code");
    write(&maker, ".course/path.json", "my own code");
    let clone = folder.path().join("room/claw-code");
    let repo = Repo::find(&maker).expect("it is a course");
    let version = clone_course(&repo, &clone).expect("it can be cloned");
    assert!(
        version.contains(" of 20"),
        "the commit and its date: {version}"
    );
    let read = fs::read_to_string(clone.join("src/lib.rs")).expect("it is there");
    assert_eq!(read, "todo!()", "as published");
    let own = folder.path().to_str().expect("UTF-8");
    for file in files_below(&clone).expect("the clone can be read") {
        let name = file
            .strip_prefix(&clone)
            .expect("it is below")
            .display()
            .to_string();
        assert!(
            !name.contains("new.rs") && !name.contains(".course/"),
            "{name}"
        );
        let text = String::from_utf8_lossy(&fs::read(&file).expect("a file")).into_owned();
        for secret in ["my own code", "maker@example.com", own] {
            assert!(!text.contains(secret), "{secret} in {name}: {text}");
        }
    }
    let status = course::git_clone::git(&clone, &["status", "--porcelain"]);
    assert_eq!(status.as_deref(), Some(""), "nothing is changed");
    let there = Repo::find(&clone).expect("it is a course");
    let base = course::git_clone::merge_base(&there).expect("the clone knows what was published");
    assert_eq!(Some(base), course::git_clone::merge_base(&repo));
}

/// The command is killed at each of its steps.
#[test]
fn a_kill_leaves_no_half_archive_and_changes_nothing_of_the_maker() {
    let folder = TempDir::new().expect("a folder");
    let maker = clone_of_a_small_course(folder.path());
    write(&maker, "src/lib.rs", "//! My own code.\n");
    write(&maker, "src/new.rs", "//! My own code.\n");
    write(&maker, ".course/path.json", "my own progress");
    let stick = folder.path().join("stick");
    let archive = stick.join("room.tar.gz");
    let room = maker.join("target/bundle/claw-code-room");
    let bundle = || {
        let mut bundle = Command::new(env!("CARGO_BIN_EXE_course-teacher"));
        bundle.arg("bundle").arg(&archive).current_dir(&maker);
        bundle.stdout(Stdio::null()).stderr(Stdio::null());
        bundle
    };
    let before = files_of(&maker);
    let in_room = |file: &str| room.join(file);
    let mut torn = 0;
    for earlier in [None, Some("the archive of an earlier run")] {
        for step in [
            room.clone(),
            in_room("claw-code/.git"),
            in_room("claw-code/src/lib.rs"),
            in_room(".cargo/config.toml"),
            in_room("claw-code/target/runner/debug/course"),
            in_room("book/index.html"),
            in_room("check.sh"),
            stick.clone(),
        ] {
            let _ = fs::remove_dir_all(&room);
            let _ = fs::remove_dir_all(&stick);
            fs::create_dir(&stick).expect("a folder");
            if let Some(text) = earlier {
                fs::write(&archive, text).expect("an archive");
            }

            let on_stick = lengths(&stick);
            let is_reached = || match step == stick {
                true => lengths(&stick) != on_stick,
                false => step.exists(),
            };
            kill_when(&mut bundle(), is_reached);

            let when = format!("killed at {step:?}");
            match fs::read(&archive) {
                Ok(bytes) if earlier.is_some_and(|text| text.as_bytes() == bytes) => torn += 1,
                Ok(_) => assert!(is_complete(&archive), "half an archive, {when}"),
                Err(_) => {
                    assert_eq!(earlier, None, "the earlier archive is gone, {when}");
                    torn += 1;
                }
            }
            assert!(files_of(&maker) == before, "the maker's files, {when}");
        }
    }
    assert!(torn >= 8, "{torn} of 16 kills interrupted the command");

    // What the last kill left is not in the way.
    assert!(bundle().status().expect("it starts").success());
    assert!(is_complete(&archive));
    assert_eq!(lengths(&stick).len(), 1, "nothing else is left");
    assert!(!room.exists(), "nothing else is left");
    assert!(files_of(&maker) == before);
}

/// With `build.target` in a cargo configuration, or this variable.
#[test]
fn programs_are_found_in_the_folder_of_a_target() {
    let folder = TempDir::new().expect("a folder");
    let maker = clone_of_a_small_course(folder.path());
    let rustc = Command::new("rustc").arg("-vV").output();
    let rustc = String::from_utf8(rustc.expect("rustc starts").stdout).expect("text");
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
    let archive = folder.path().join("room.tar.gz");
    let made = Command::new(env!("CARGO_BIN_EXE_course-teacher"))
        .arg("bundle")
        .arg(&archive)
        .current_dir(&maker)
        .env("CARGO_BUILD_TARGET", host.expect("a host"))
        .status();
    assert!(made.expect("it starts").success());
    let list = Command::new("tar").arg("-tzf").arg(&archive).output();
    let names = String::from_utf8(list.expect("tar starts").stdout).expect("text");
    for file in ["claw-code/target/runner/debug/course", "book/index.html"] {
        assert!(names.contains(file), "{file} is in {names}");
    }
}

/// Starts `command`, and kills it and what it has started when `is_reached` or when it ends.
fn kill_when(command: &mut Command, is_reached: impl Fn() -> bool) {
    use std::os::unix::process::CommandExt;
    let mut child = command.process_group(0).spawn().expect("it starts");
    while !is_reached() && child.try_wait().expect("it is a child").is_none() {}
    let group = i32::try_from(child.id()).ok();
    let group = group.and_then(rustix::process::Pid::from_raw);
    let group = group.expect("the number of a process");
    // The group is gone if all have ended.
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    child.wait().expect("it ends");
}

/// Whether an archive can be read to its end and holds the last file.
fn is_complete(archive: &Path) -> bool {
    let list = Command::new("tar").arg("-tzf").arg(archive).output();
    let list = list.expect("tar starts");
    let names = String::from_utf8_lossy(&list.stdout);
    list.status.success()
        && ["README.txt", "check.sh", "book/index.html"]
            .iter()
            .all(|name| names.contains(&format!("claw-code-room/{name}\n")))
}

/// The names and lengths of the files in a folder.
fn lengths(folder: &Path) -> BTreeMap<OsString, u64> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let length = |entry: DirEntry| Some((entry.file_name(), entry.metadata().ok()?.len()));
    entries.filter_map(length).collect()
}

/// The files of a clone, without those of cargo.
fn files_of(clone: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = files_below(clone).expect("the clone can be read");
    let target = clone.join("target");
    let kept = paths.into_iter().filter(|path| !path.starts_with(&target));
    kept.map(|path| (path.clone(), fs::read(&path).expect("a file")))
        .collect()
}

/// A clone of a course whose runner and book builder are quick to build and need no crates.
fn clone_of_a_small_course(folder: &Path) -> PathBuf {
    let published = folder.join("published");
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}")
    };
    let book = r#"fn main() {
        let folder = std::env::args().nth(3).unwrap();
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder + "/index.html", "The book").unwrap();
    }"#;
    let course = package("course", "[workspace]\nmembers = [\"book\"]\n");
    for (file, text) in [
        ("book/src/course.toml", ""),
        (".gitignore", "/.course\ntarget\n"),
        ("src/lib.rs", ""),
        (
            "Cargo.toml",
            &package("claw-code", "[workspace]\nexclude = [\"course\"]\n"),
        ),
        ("course/Cargo.toml", &course),
        ("course/src/main.rs", "fn main() {}"),
        ("course/book/Cargo.toml", &package("course-book", "")),
        ("course/book/src/main.rs", book),
    ] {
        write(&published, file, text);
    }
    // It takes a while to compress.
    let noise =
        (0..4_000_000_u32).map(|at| (at.wrapping_mul(at).wrapping_mul(2_654_435_761) >> 24) as u8);
    fs::write(published.join("noise"), noise.collect::<Vec<u8>>()).expect("a file");
    for manifest in ["Cargo.toml", "course/Cargo.toml"] {
        let lock = Command::new("cargo")
            .args([
                "generate-lockfile",
                "--quiet",
                "--offline",
                "--manifest-path",
            ])
            .arg(published.join(manifest))
            .status();
        assert!(lock.expect("cargo starts").success());
    }
    git(&published, &["init", "--quiet"]);
    git(&published, &["add", "."]);
    git(&published, &["commit", "--quiet", "-m", "The course"]);
    git(folder, &["clone", "--quiet", "published", "maker"]);
    folder.join("maker")
}

/// On Linux, the offline machine is a network namespace without any network.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "builds everything from nothing, which takes minutes"]
fn the_archive_works_without_a_network() {
    let folder = TempDir::new().expect("a folder");
    let archive = folder.path().join("room.tar.gz");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the repository");
    let made = Command::new(env!("CARGO_BIN_EXE_course-teacher"))
        .arg("bundle")
        .arg(&archive)
        .current_dir(&root)
        .status();
    assert!(made.expect("it starts").success());
    let unpacked = Command::new("tar")
        .arg("-xzf")
        .arg(&archive)
        .arg("-C")
        .arg(folder.path())
        .status();
    assert!(unpacked.expect("tar starts").success());
    let room = folder.path().join("claw-code-room");
    let runner = fs::read(room.join("claw-code/target/runner/debug/course")).expect("a runner");
    let runner = String::from_utf8_lossy(&runner);
    for own in [root.to_str().expect("UTF-8"), "/.cargo/registry"] {
        assert!(!runner.contains(own), "the runner contains {own}");
    }
    let offline = |script: &str| {
        let output = Command::new("unshare")
            .args(["-rn", "sh", "-ec"])
            .arg(format!("ip link set lo up; {script}"))
            .current_dir(&room)
            .env("CARGO_HOME", folder.path().join("home"))
            .env_remove("CARGO_TARGET_DIR")
            .output()
            .expect("unshare starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text, errors)
    };
    let (code, text, errors) = offline("sh check.sh");
    assert_eq!(code, Some(0), "{text}\n{errors}");
    assert!(text.contains("ok       crates"), "{text}");
    assert!(text.contains("Chapter 0"), "{text}");
    assert!(!errors.contains("Building the course's runner"), "{errors}");
    let (code, text, errors) = offline("cd claw-code; cargo course jump 4; cargo course status");
    assert_eq!(code, Some(0), "{text}\n{errors}");
    assert!(text.contains("Chapter 4"), "{text}\n{errors}");
}
