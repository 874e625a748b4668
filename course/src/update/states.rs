//! Tells the learner's code from the course's.

use anyhow::Result;

use super::common::{Common, State};
use super::pieces::Parts;

/// Finds the form of each item in one of the learner's files.
pub(super) fn look_at(
    common: &mut Common,
    file: &str,
    text: Option<&String>,
    changed: bool,
) -> Result<()> {
    let version = &common.old.files[file];
    let all = |state| {
        let keys = version.units.keys();
        keys.map(move |key| ((file.to_string(), key.clone()), state))
    };
    match text {
        None => common.states.extend(all(State::Stub)),
        Some(text) if *text == version.stub => common.states.extend(all(State::Stub)),
        Some(text) if *text == version.solved => common.states.extend(all(State::Solved)),
        // Its items stay as they are, and their states only decide what new items come solved. It
        // need not be Rust.
        Some(text) if !changed => {
            let stub = version.stub_parts()?;
            for key in version.units.keys() {
                let has = |parts: &Parts| {
                    let piece = parts.get(key);
                    piece.is_some_and(|piece| text.contains(&piece.item))
                };
                let state = match () {
                    () if has(&version.parts) => State::Solved,
                    () if has(stub) => State::Stub,
                    // A type that is not written yet.
                    () if stub.get(key).is_none() && !declares(text, &key.item) => State::Stub,
                    () => State::Theirs,
                };
                common.states.insert((file.to_string(), key.clone()), state);
            }
        }
        Some(text) => {
            let parts = Parts::of(text)?;
            let (stub, solved) = (version.stub_parts()?, &version.parts);
            for key in version.units.keys() {
                let item = |parts: &Parts| parts.get(key).map(|piece| piece.item.clone());
                let theirs = item(&parts);
                let state = match () {
                    () if theirs == item(stub) => State::Stub,
                    () if theirs == item(solved) => State::Solved,
                    () => State::Theirs,
                };
                common.states.insert((file.to_string(), key.clone()), state);
            }
            common.parts.insert(file.to_string(), parts);
        }
    }
    Ok(())
}

/// Whether `text` may declare the type with this key.
fn declares(text: &str, key: &str) -> bool {
    let name = key.rsplit(' ').next().unwrap_or_default();
    let kinds = ["struct", "enum", "trait", "type", "const", "static"];
    kinds
        .iter()
        .any(|kind| text.contains(&format!("{kind} {name}")))
}
