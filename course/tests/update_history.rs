//! Replays the repository's history over learners in different states. Nothing that a learner
//! wrote may be lost, and code that compiled must compile after each update.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use common::Fixture;
use course::learning_path::LearningPath;
use course::manifest::{Section, SectionId};
use course::repo::Repo;
use course::stubs::Unit;
use course::update::change::Outcome;
use course::update::common::{GivesWay, Merged};
use course::update::incoming::Incoming;
use course::update::merge::{Gifts, merge};
use course::update::pieces::Parts;
use course::update::plan;
use course::update::units::Followed;
use course::update::version::Version;
use tempfile::TempDir;

type Sources = BTreeMap<String, Vec<u8>>;

/// The first commit whose sections have names, which an update needs.
const FIRST: &str = "6f65d5c";

/// The updates of each learner.
const UPDATES: usize = 10;

/// The learners.
const LEARNERS: u64 = 50;

#[test]
fn the_history_of_the_course_over_learners_in_many_states() {
    let folder = TempDir::with_prefix("course-history-").expect("a temporary folder");
    let versions = history(folder.path());
    match versions.len() {
        0 | 1 => eprintln!("The clone has no history, so only made-up versions are replayed."),
        count => eprintln!("{count} versions of the history"),
    }
    replay(&versions, LEARNERS);
}

/// A clone may lack the history.
#[test]
fn a_made_up_history_over_learners_in_many_states() {
    let fixtures = made_up_history();
    let versions = fixtures.iter().map(|fixture| {
        let repo = Repo::find(&fixture.root()).expect("a course");
        Version::incoming(&repo).expect("a version")
    });
    let versions: Vec<Version> = versions.collect();
    let seen = replay(&versions, 200);
    for outcome in [
        "StubAgain",
        "TypeReplaced",
        "NewSection",
        "NewItem",
        "Moved",
        "Reworded",
    ] {
        assert!(seen.contains(outcome), "{outcome} is in {seen:?}");
    }
}

/// Brings each of `learners` from the first version to the last. Returns what happened to items.
fn replay(versions: &[Version], learners: u64) -> BTreeSet<String> {
    let pairs = versions.windows(2);
    let followed: Vec<Followed> = pairs.map(|pair| Followed::of(&pair[0], &pair[1])).collect();
    let mut seen = BTreeSet::new();
    for learner in 0..learners {
        let Some(first) = versions.first() else {
            break;
        };
        let mut sources = state(first, learner, false);
        for (number, pair) in versions.windows(2).enumerate() {
            let when = format!("learner {learner}, update {}", number + 1);
            let written = marks(&sources);
            let merged = updated(&pair[0], &pair[1], &followed[number], &sources);
            let after = apply(&sources, &merged);
            assert_nothing_lost(&after, &merged, &written, &when);
            assert_readable(&pair[1], &merged, &when);
            let outcomes = merged.changes.iter();
            seen.extend(outcomes.map(|change| format!("{:?}", change.outcome)));
            sources = after;
        }
    }
    seen
}

/// Versions of the miniature: a reworded doc comment and a new section; another signature and a
/// renamed file; a changed type and a split section.
fn made_up_history() -> [Fixture; 4] {
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

/// The versions to replay, oldest first: as many as the clone has, spread over the history.
fn history(folder: &Path) -> Vec<Version> {
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
    let steps = UPDATES.min(commits.len().saturating_sub(1));
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

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}

/// The sources of a learner: some sections solved, a few functions half written, and comments,
/// helpers and a file of the learner's own.
///
/// With `types`, all sections with types are solved, so that the code compiles.
fn state(version: &Version, learner: u64, types: bool) -> Sources {
    let mut dice = Dice(learner + 1);
    let sections: Vec<SectionId> = {
        let all = version.course.written().flat_map(|(_, it)| &it.sections);
        all.map(|section| section.id).collect()
    };
    let reached = dice.roll(sections.len() as u64 + 1) as usize;
    let keeps = [100, 100, 90, 50][dice.roll(4) as usize];
    let mut solved: BTreeSet<SectionId> = BTreeSet::new();
    for (at, section) in sections.iter().enumerate() {
        let is_kept = dice.roll(100) < keeps;
        let is_type = types && version.solution.has_shapes(*section);
        if (at < reached && is_kept) || is_type {
            solved.insert(*section);
        }
    }
    let mut sources = Sources::new();
    for (file, it) in &version.files {
        let is_solved = |section: SectionId, _: &Unit| solved.contains(&section);
        let mut text = version.solution.render_units(file, is_solved);
        let has_code = it.units.values().any(|unit| solved.contains(&unit.section));
        if has_code && dice.roll(4) == 0 {
            text = edited(&text, &mut dice, learner);
        }
        sources.insert(file.clone(), text.into_bytes());
    }
    sources.insert("mine.rs".to_string(), b"//! MARK-own-file\n".to_vec());
    sources
}

/// `text` with the learner's own code in some functions and between the items.
fn edited(text: &str, dice: &mut Dice, learner: u64) -> String {
    let parts = Parts::of(text).expect("a rendered file");
    let mut out = text.to_string();
    // The places in functions and in types.
    let mut places: Vec<(usize, bool)> = parts
        .all()
        .into_iter()
        .filter(|(key, piece)| key.item.starts_with("fn ") && piece.item.ends_with('}'))
        .map(|(_, piece)| (piece.range.start + body(&piece.item), false))
        .collect();
    places.extend(parts.pieces.iter().filter_map(|piece| {
        let brace = piece.item.find(" {\n")?;
        let is_type = piece.key.starts_with("type ") && piece.block.is_none();
        is_type.then_some((piece.range.start + brace + 2, true))
    }));
    places.sort_unstable();
    for (at, is_type) in places.into_iter().rev() {
        let number = dice.roll(1_000_000_000);
        match dice.roll(6) {
            0 => out.insert_str(at, &format!("\n        // MARK-{learner}-{number}\n")),
            1 if !is_type => out.insert_str(
                at,
                &format!("\n        let _mark = \"MARK-{learner}-{number}\";\n"),
            ),
            _ => {}
        }
    }
    let number = dice.roll(1_000_000_000);
    if dice.roll(2) == 0 {
        out.push_str(&format!(
            "\n/// MARK-{learner}-{number}\nfn own_helper_{number}(x: u32) -> u32 {{\n    x + 1\n}}\n"
        ));
    }
    out
}

/// The byte after the opening brace of a function's body.
fn body(item: &str) -> usize {
    let wrapped = format!("impl X {{{item}\n}}");
    let source = course::source::Source::parse(wrapped).expect("a function");
    let path = source.functions().into_iter().next().expect("a function");
    let found = source.find(&path).expect("one").expect("one");
    found.body.expect("a body").start - "impl X {".len() + 1
}

/// The learner's marks, each with its file.
fn marks(sources: &Sources) -> BTreeMap<String, String> {
    let mut marks = BTreeMap::new();
    for (file, content) in sources {
        let text = String::from_utf8_lossy(content);
        for (at, _) in text.match_indices("MARK-") {
            let rest = &text[at..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            marks.insert(rest[..end.unwrap_or(rest.len())].to_string(), file.clone());
        }
    }
    marks
}

fn updated(old: &Version, new: &Version, followed: &Followed, sources: &Sources) -> Merged {
    let never = |_: &Section| false;
    let gifts = Gifts {
        gives_new: &never,
        gave: &never,
    };
    merge(old, new, followed, sources, &gifts, &GivesWay::default()).expect("a merge")
}

fn apply(sources: &Sources, merged: &Merged) -> Sources {
    let mut after = sources.clone();
    for (file, text) in &merged.files {
        match text {
            Some(text) => drop(after.insert(file.clone(), text.clone().into_bytes())),
            None => drop(after.remove(file)),
        }
    }
    after
}

/// Every mark is in the new sources, or the update has named its file or item as one whose text is
/// only in the backup.
fn assert_nothing_lost(
    after: &Sources,
    merged: &Merged,
    written: &BTreeMap<String, String>,
    when: &str,
) {
    let left = marks(after);
    for (mark, file) in written {
        let in_backup = merged.changes.iter().any(|change| {
            let named = matches!(
                change.outcome,
                Outcome::FileGone | Outcome::FileReplaced | Outcome::GivenReplaced
            );
            named && file.contains(change.item.split("::").next().unwrap_or_default())
        });
        assert!(
            left.contains_key(mark) || in_backup,
            "{mark} of src/{file} is lost; {when}: {:#?}",
            merged.changes
        );
    }
}

fn assert_readable(new: &Version, merged: &Merged, when: &str) {
    for (file, text) in &merged.files {
        let Some(text) = text else {
            continue;
        };
        let known = new.files.get(file);
        if known.is_some_and(|it| it.stub == *text || it.solved == *text) {
            continue;
        }
        if let Err(error) = syn::parse_file(text) {
            panic!("src/{file} cannot be read, {when}: {error}\n{text}");
        }
    }
}

/// The whole update of a few learners, each with its builds. A build takes 6 seconds of CPU, and an
/// update makes 2 to 13, so CI does not run this test, but builds each kind of change on the
/// miniature. By hand: `cargo test --test update_history -- --ignored --nocapture`. `LEARNERS=3`
/// runs fewer.
#[test]
#[ignore = "builds the learner's crate a hundred times"]
fn code_that_compiled_compiles_after_each_update() {
    let learners = std::env::var("LEARNERS")
        .ok()
        .and_then(|it| it.parse().ok());
    let folder = TempDir::with_prefix("course-history-").expect("a temporary folder");
    let versions = history(folder.path());
    let start = std::time::Instant::now();
    for learner in 0..learners.unwrap_or(8) {
        let dir = folder.path().join("learner");
        let _ = fs::remove_dir_all(&dir);
        common::copy_folder(versions[0].repo.root(), &dir);
        let repo = Repo::find(&dir).expect("the course");
        for (file, content) in state(&versions[0], learner, true) {
            common::write(&repo.src().join(file), &content);
        }
        let last = versions[0]
            .course
            .written()
            .last()
            .expect("a chapter")
            .0
            .number;
        let text = fs::read_to_string(repo.cargo_toml()).expect("Cargo.toml");
        let text = course::open_chapter::with_open_chapter(&text, last).expect("a default");
        common::write(&repo.cargo_toml(), text.as_bytes());
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
        for (number, new) in versions.iter().enumerate().skip(1) {
            let when = format!("learner {learner}, update {number}");
            let source = new.repo.root().to_string_lossy().into_owned();
            let incoming = Incoming::get(&repo, Some(&source)).expect("a folder");
            let path = LearningPath::default();
            let plan = plan(&repo, &incoming, &path, &target).expect("a plan");
            let problems: Vec<String> = plan
                .problems
                .iter()
                .map(|it| format!("{}:{} {}", it.file, it.line, it.message))
                .collect();
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for change in &plan.merged.changes {
                *counts.entry(format!("{:?}", change.outcome)).or_default() += 1;
            }
            eprintln!(
                "{:?} {when}: kept {}, {counts:?}, compiled before: {}, {problems:?} {:?}",
                start.elapsed(),
                plan.merged.kept,
                plan.compiled,
                plan.not_built
            );
            assert!(
                !plan.compiled || problems.is_empty(),
                "{when}: {problems:#?}"
            );
            course::backups::overwrite(&repo, "update", &plan.changes).expect("an update");
        }
    }
}
