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
        let Some(features) = features(&repo).filter(|features| built.as_ref() != Some(features))
        else {
            return;
        };
        // An error has no consequence: the crates are built when the chapter is opened.
        if cargo::build_crates(repo.root(), &features, kills).is_ok() {
            let _ = sender.send(Input::BuiltAhead(features));
        }
    });
}

/// The features that select the code of the newest open chapter and the crates of the next one.
/// `None` if that one needs no more crates.
fn features(repo: &Repo) -> Option<String> {
    let progress = Progress::load(repo.clone()).ok()?;
    let mut later = progress.course.written();
    let (next, manifest) =
        later.find(|(chapter, manifest)| chapter.number > progress.open && manifest.runs_here())?;
    let open = progress.course.chapter(progress.open).ok()?;
    let features = format!("{},{}", open.feature(), next.crates_feature());
    (!manifest.features.is_empty()).then_some(features)
}

/// The time before the build starts.
const PAUSE: Duration = Duration::from_secs(2);
