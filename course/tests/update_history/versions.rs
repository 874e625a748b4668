//! The versions that are replayed.

use std::fs;
use std::path::Path;
use std::process::Command;

use course::repo::Repo;
use course::update::version::Version;

use crate::common::Fixture;

/// The first commit whose sections have names, which an update needs.
const FIRST: &str = "6f65d5c";

/// The updates of each learner.
pub const UPDATES: usize = 10;

/// Versions of the miniature: a reworded doc comment and a new section; another signature and a
/// renamed file; a changed type and a split section.
pub fn made_up_history() -> [Fixture; 4] {
    const MANIFEST: &str = "book/src/ch01-one-light.toml";
    let lamp = "solutions/src/lamp.rs";
    let first = Fixture::new();
    let second = first.copy();
    second.replace(
        "solutions/src/light.rs",
        "/// The seconds of",
        "/// How many seconds of",
    );
    second.append(
        "solutions/src/light.rs",
        "\n/// Always.\npub fn always() -> bool {\n    true\n}\n",
    );
    second.replace(
        MANIFEST,
        "[[section]]\nid = \"rain\"",
        "[[section]]\nid = \"always\"\nminutes = 5\ntitle = \"Always\"\nitems = [\"light::always\"]\ntests = [\"test_ch1_always\"]\nhints = [\"a\", \"b\", \"c\"]\n\n[[section]]\nid = \"rain\"",
    );
    let third = second.copy();
    fs::rename(
        third.path("solutions/src/light.rs"),
        third.path("solutions/src/signal.rs"),
    )
    .expect("a file");
    for file in [MANIFEST, lamp, "solutions/src/lib.rs"] {
        let text = third.read(file).replace("light::", "signal::");
        third.write(
            file,
            text.replace("\"light\"", "\"signal\"")
                .replace("mod light", "mod signal"),
        );
    }
    third.replace(lamp, "fn green(cars: u32)", "fn green(cars: u32, _: bool)");
    let fourth = third.copy();
    fourth.replace(lamp, "pub seconds: u32", "pub seconds: u64");
    fourth.append(
        lamp,
        "\n/// Never.\npub fn never() -> bool {\n    false\n}\n",
    );
    fourth.replace(
        MANIFEST,
        "\"lamp::Lamp::green\", \"lamp::Lamp::fmt\"]\ntests = [\"test_ch1_lamp_shows_its_time\", \"test_ch1_lamp_reads_well\"]",
        "\"lamp::Lamp::green\"]\ntests = [\"test_ch1_lamp_shows_its_time\"]",
    );
    fourth.replace(
        MANIFEST,
        "[[section]]\nid = \"rain\"",
        "[[section]]\nid = \"lamp-text\"\nminutes = 5\ntitle = \"Text\"\nitems = [\"lamp::Lamp::fmt\"]\ntests = [\"test_ch1_lamp_reads_well\"]\nhints = [\"a\", \"b\", \"c\"]\n\n[[section]]\nid = \"rain\"",
    );
    fourth.replace(
        MANIFEST,
        "items = [\"signal::always\"]",
        "items = [\"signal::always\", \"lamp::never\"]",
    );
    [first, second, third, fourth]
}

/// The versions to replay, oldest first: those of `updates`, or as many as the clone has, spread
/// over the history.
pub fn history(folder: &Path, updates: usize) -> Vec<Version> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let range = format!("{FIRST}..HEAD");
    let list = |range: &str| git(&root, &["rev-list", "--first-parent", "--reverse", range]);
    let known = list(&range);
    // A shallow clone has only the newest commits.
    let list = if known.is_empty() {
        list("HEAD")
    } else {
        known
    };
    let commits: Vec<&str> = list.lines().collect();
    let steps = updates.min(commits.len().saturating_sub(1));
    if steps == 0 {
        return Vec::new();
    }
    let chosen = (0..=steps).map(|step| commits[step * (commits.len() - 1) / steps]);
    let mut versions = Vec::new();
    for (number, commit) in chosen.enumerate() {
        let dir = folder.join(number.to_string());
        export(&root, commit, &dir);
        let repo = Repo::find(&dir).expect("a version of the course");
        match Version::incoming(&repo) {
            Ok(version) => versions.push(version),
            // A commit in the middle of a change.
            Err(error) => eprintln!("{commit} is left out: {error:#}"),
        }
    }
    versions
}

fn export(root: &Path, commit: &str, dir: &Path) {
    fs::create_dir_all(dir).expect("a folder");
    let index = dir.with_extension("index");
    let git = |arguments: &[&str]| {
        let status = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(arguments)
            .env("GIT_INDEX_FILE", &index)
            .status()
            .expect("git starts");
        assert!(status.success(), "git {arguments:?}");
    };
    git(&["read-tree", commit]);
    git(&[
        "checkout-index",
        "--all",
        &format!("--prefix={}/", dir.display()),
    ]);
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output();
    let output = output.map(|it| it.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).into_owned()
}
