//! Replays the repository's history over learners in different states. Nothing that a learner
//! wrote may be lost, and code that compiled must compile after each update.

#[path = "../common/mod.rs"]
mod common;
mod compiled;
mod interface;
mod learner;
mod versions;

use std::collections::{BTreeMap, BTreeSet};

use course::manifest::Section;
use course::repo::Repo;
use course::update::change::Outcome;
use course::update::common::Sources;
use course::update::common::{GivesWay, Merged};
use course::update::merge::{Gifts, merge};
use course::update::units::Followed;
use course::update::version::Version;
use tempfile::TempDir;

use learner::{marks, state};
use versions::{UPDATES, history, made_up_history};

/// The learners.
const LEARNERS: u64 = 50;

#[test]
fn the_history_of_the_course_over_learners_in_many_states() {
    let folder = TempDir::with_prefix("course-history-").expect("a temporary folder");
    let versions = history(folder.path(), UPDATES);
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
        let mut sources = state(first, learner);
        for (number, pair) in versions.windows(2).enumerate() {
            let when = format!("learner {learner}, update {}", number + 1);
            let written = marks(&sources);
            let merged = updated(&pair[0], &pair[1], &followed[number], &sources);
            let after = merged.applied_to(&sources);
            assert_nothing_lost(&after, &merged, &written, &when);
            assert_readable(&pair[1], &merged, &when);
            let outcomes = merged.changes.iter();
            seen.extend(outcomes.map(|change| format!("{:?}", change.outcome)));
            sources = after;
        }
    }
    seen
}

fn updated(old: &Version, new: &Version, followed: &Followed, sources: &Sources) -> Merged {
    let never = |_: &Section| false;
    let gifts = Gifts {
        gives_new: &never,
        gave: &never,
    };
    merge(old, new, followed, sources, &gifts, &GivesWay::default()).expect("a merge")
}

/// Every mark is in the new sources, or the update has named its file or item as one whose text is
/// only in the backup.
pub fn assert_nothing_lost(
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
