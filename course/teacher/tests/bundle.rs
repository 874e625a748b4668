//! `cargo course bundle`. The whole archive takes minutes, so that test runs only when asked for:
//! `cargo test --test bundle -- --ignored`.

use std::fs;
use std::path::Path;
use std::process::Command;

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
