//! Builds the tests and the crates of the next chapter while the learner reads.

use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use super::input::Input;
use crate::cargo;
use crate::chapter_crate::ChapterCrate;
use crate::progress::Progress;
use crate::repo::Repo;
use crate::verdict;

/// Starts to build the test program of the next chapter with its crates, unless it is the one with
/// the number `built`. Sends [`Input::BuiltAhead`] at the end. [`cargo::kill_running`] stops it.
pub(super) fn build_ahead(repo: Repo, built: Option<u32>, sender: Sender<Input>) {
    let kills = cargo::kills();
    thread::spawn(move || {
        // The next save often comes soon.
        thread::sleep(PAUSE);
        if cargo::kills() != kills {
            return;
        }
        let Some((next, package)) = what_comes_next(&repo, built) else {
            return;
        };
        // An error has no consequence: the crates are built when the chapter is opened.
        let request = package.request(&[], Duration::ZERO, kills);
        if cargo::build_ahead(&request).is_ok() {
            let _ = sender.send(Input::BuiltAhead(next));
        }
    });
}

/// The next chapter and its package. `None` if it needs no more crates, or if it is the one with
/// the number `built`.
fn what_comes_next(repo: &Repo, built: Option<u32>) -> Option<(u32, ChapterCrate)> {
    let progress = Progress::load(repo.clone()).ok()?;
    let course = &progress.course;
    let mut later = course.written();
    let (next, manifest) =
        later.find(|(chapter, manifest)| chapter.number > progress.open && manifest.runs_here())?;
    if manifest.features.is_empty() || built == Some(next.number) {
        return None;
    }
    let sections = verdict::to_test(manifest, &progress.pieces(&[next.number]).ok()?);
    let package = ChapterCrate::write(repo, course, next, next, &sections).ok()?;
    Some((next.number, package))
}

/// The time before the build starts.
const PAUSE: Duration = Duration::from_secs(2);
