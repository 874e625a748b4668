//! Builds the crates of the next chapter while the learner reads.

use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use super::input::Input;
use crate::cargo;
use crate::progress::Progress;
use crate::repo::Repo;

/// Starts to build the crates of the next chapter, unless they are those of the features `built`.
/// Sends [`Input::BuiltAhead`] at the end. [`cargo::kill_running`] stops it.
pub(super) fn build_ahead(repo: Repo, built: Option<String>, sender: Sender<Input>) {
    let kills = cargo::kills();
    thread::spawn(move || {
        // The next save often comes soon.
        thread::sleep(PAUSE);
        let Some((features, flags)) = what_comes_next(&repo) else {
            return;
        };
        // An error has no consequence: the crates are built when the chapter is opened.
        if built.as_ref() != Some(&features)
            && cargo::build_crates(repo.root(), &features, &flags, kills).is_ok()
        {
            let _ = sender.send(Input::BuiltAhead(features));
        }
    });
}

/// The features with which the next chapter's library is built, which has the code up to the newest
/// open chapter, and the compiler's flags for a test program without tests. `None` if the next
/// chapter needs no more crates.
fn what_comes_next(repo: &Repo) -> Option<(String, Vec<String>)> {
    let progress = Progress::load(repo.clone()).ok()?;
    let course = &progress.course;
    let mut later = course.written();
    let (next, manifest) =
        later.find(|(chapter, manifest)| chapter.number > progress.open && manifest.runs_here())?;
    let open = course.chapter(progress.open).ok()?;
    let features = format!("{},{}", open.feature(), next.crates_feature());
    let flags = cargo::leave_out(course.written().map(|(chapter, _)| chapter.feature()));
    (!manifest.features.is_empty()).then_some((features, flags))
}

/// The time before the build starts.
const PAUSE: Duration = Duration::from_secs(2);
