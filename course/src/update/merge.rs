//! Brings a learner's `src/` from one version of the course to the next, item by item.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};

use super::change::{Change, Outcome};
use super::common::{Common, GivesWay, Merged, Sources, State};
use super::file_merge::FileMerge;
use super::pieces::{Key, Parts};
use super::states::look_at;
use super::units::{At, Followed, units};
use super::version::Version;
use crate::manifest::{Section, SectionId};
use crate::source::module_of;

/// What the learner's path says about the depth sections.
pub struct Gifts<'a> {
    /// Whether a new section is given.
    pub gives_new: &'a dyn Fn(&Section) -> bool,
    /// Whether a section was given.
    pub gave: &'a dyn Fn(&Section) -> bool,
}

/// Brings the files of a learner's `src`, by their paths in it, from `old` to `new`, between which
/// items were `followed`.
///
/// An error if a file that changes cannot be read as Rust.
pub fn merge(
    old: &Version,
    new: &Version,
    followed: &Followed,
    learner: &Sources,
    gifts: &Gifts,
    gives_way: &GivesWay,
) -> Result<Merged> {
    let mut common = Common {
        old,
        new,
        followed,
        states: BTreeMap::new(),
        solved: BTreeSet::new(),
        parts: BTreeMap::new(),
        gives_way,
    };
    let texts = texts(old, new, learner)?;
    for (file, it) in &old.files {
        look_at(&mut common, file, texts.get(file), has_changed(old, new, file))
            .with_context(|| format!("src/{file} has a syntax error, so the update cannot tell your code in it from the course's; fix the error below, or start the file's chapter again with `cargo course reset` (your code is backed up first)"))?;
        debug_assert!(
            it.units
                .keys()
                .all(|key| { common.states.contains_key(&(file.clone(), key.clone())) })
        );
    }
    let mut merged = Merged::default();
    choose_forms(&mut common, gifts, &mut merged);

    let affected = affected_files(&common);
    for file in new.files.keys() {
        let before = followed.files.get(file).unwrap_or(file);
        let stays = before == file && !has_changed(old, new, file);
        if stays && !affected.contains(file) {
            continue;
        }
        let text = merge_file(&common, &mut merged, file, before, &texts)?;
        let theirs = learner.get(file);
        let text = match theirs {
            Some(bytes) if is_crlf(bytes) => text.replace('\n', "\r\n"),
            _ => text,
        };
        if theirs.map(Vec::as_slice) != Some(text.as_bytes()) {
            merged.files.insert(file.clone(), Some(text));
        }
    }
    remove_files(&common, &mut merged, &texts);
    let counted = |at: &&At| common.states[*at] == State::Theirs;
    let theirs = followed.items.values().filter(counted).count();
    let touched = merged
        .changes
        .iter()
        .filter(|it| it.outcome.is_about_theirs());
    merged.kept = theirs.saturating_sub(touched.count());
    Ok(merged)
}

/// Whether the course has changed a file, or has it in one version only.
fn has_changed(old: &Version, new: &Version, file: &str) -> bool {
    let (Some(was), Some(is)) = (old.files.get(file), new.files.get(file)) else {
        return true;
    };
    was.stub != is.stub || was.solved != is.solved
}

/// The learner's files as texts with `\n` line ends. A file that is not text is left out, or an
/// error if the update would change it.
fn texts(old: &Version, new: &Version, learner: &Sources) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for (file, bytes) in learner {
        let text = String::from_utf8(bytes.clone());
        match text {
            Ok(text) => drop(texts.insert(file.clone(), text.replace("\r\n", "\n"))),
            Err(_) if old.files.contains_key(file) && has_changed(old, new, file) => {
                anyhow::bail!("src/{file} is not text; `cargo course undo` may bring it back")
            }
            Err(_) => {}
        }
    }
    Ok(texts)
}

/// The files that must be merged even if the course has not changed them: an item leaves them, comes
/// into them or is completed, or their code gives way.
fn affected_files(common: &Common) -> BTreeSet<String> {
    let mut affected = BTreeSet::new();
    for (at, from) in &common.followed.items {
        if common.followed.moved.contains(from) {
            affected.extend([at.0.clone(), from.0.clone()]);
        }
    }
    let is_stub = |before: &At| common.states[before] == State::Stub;
    let completed =
        (common.solved.iter()).filter(|at| common.followed.items.get(*at).is_some_and(is_stub));
    affected.extend(completed.map(|at| at.0.clone()));
    affected.extend(common.gives_way.items.iter().map(|at| at.0.clone()));
    let imports = common.gives_way.imports.iter();
    affected.extend(imports.map(|import| import.0.clone()));
    affected
}

/// Removes the files that only the old version has. Each that contains code of the learner's is
/// reported.
fn remove_files(common: &Common, merged: &mut Merged, texts: &BTreeMap<String, String>) {
    let (old, new) = (common.old, common.new);
    for file in old.files.keys().filter(|it| !new.files.contains_key(*it)) {
        let Some(text) = texts.get(file) else {
            continue;
        };
        merged.files.insert(file.clone(), None);
        let is_renamed = common.followed.files.values().any(|before| before == file);
        if !is_renamed && *text != common.old_text(file) {
            merged
                .changes
                .push(Change::of(Outcome::FileGone, file.clone()));
        }
    }
}

/// Decides which items of the new version come solved: those that the learner took over from the
/// reference, and new ones that the learner's path gives or whose chapter or section the learner
/// took over as a whole.
fn choose_forms(common: &mut Common, gifts: &Gifts, merged: &mut Merged) {
    let (old, new) = (common.old, common.new);
    let mut chapters: BTreeMap<u32, bool> = BTreeMap::new();
    for (at, unit) in units(old) {
        let solved = common.states[&at] == State::Solved;
        let all = chapters.entry(unit.section.chapter).or_insert(true);
        *all &= solved;
    }
    let mut sections: BTreeMap<SectionId, Vec<(At, Option<At>)>> = BTreeMap::new();
    for (at, unit) in units(new) {
        let before = common.followed.items.get(&at).cloned();
        sections.entry(unit.section).or_default().push((at, before));
    }
    for (id, items) in sections {
        let Ok(section) = new.course.section(id) else {
            continue;
        };
        let mut before = items.iter().filter_map(|(_, before)| before.as_ref());
        let was_solved = |before: &At| common.states[before] == State::Solved;
        let known = before.clone().next().is_some();
        let gave = |before: &At| {
            let id = old.files[&before.0].units[&before.1].section;
            old.course.section(id).is_ok_and(gifts.gave)
        };
        let was_given = known && before.clone().all(gave);
        let takes_over = (known && before.all(was_solved))
            || (!known && chapters.get(&id.chapter) == Some(&true));
        let fresh = !known && (gifts.gives_new)(section);
        let open = common.gives_way.new_types;
        let mut all_solved = true;
        for (at, before) in &items {
            let is_type = !at.1.item.starts_with("fn ");
            let state = before.as_ref().map(|before| common.states[before]);
            let solved = match state {
                Some(State::Solved) => true,
                // A chapter's given code compiles while the chapter's own types are stubs.
                Some(State::Stub) => is_type && open > Some(id.chapter),
                Some(State::Theirs) => false,
                None => takes_over || fresh || (is_type && open >= Some(id.chapter)),
            };
            let solved = solved && !common.gives_way.items.contains(at);
            all_solved &= solved;
            if solved {
                common.solved.insert(at.clone());
            }
            let outcome = match state {
                None if known && !solved => Outcome::NewItem,
                Some(State::Stub) if solved => Outcome::TypeCompleted,
                _ => continue,
            };
            let change = Change::of(outcome, item_name(new, at));
            merged.changes.push(change.about(section, ""));
        }
        if all_solved && old.course.section_named(&section.name).is_none() && (fresh || was_given) {
            merged.given.push(section.name.clone());
        }
        if !known && !all_solved {
            let change = Change::of(Outcome::NewSection, section.title.clone());
            merged.changes.push(change.about(section, ""));
        }
    }
}

/// The path of an item, as manifests write it.
pub fn item_name(version: &Version, at: &At) -> String {
    let unit = &version.files[&at.0].units[&at.1].unit;
    let module = module_of(&unit.file);
    format!("{module}::{}", unit.path.join("::"))
}

/// The text of `file` of the new version, which is `before` in the old one, with the learner's
/// code in it.
fn merge_file(
    common: &Common,
    merged: &mut Merged,
    file: &str,
    before: &str,
    texts: &BTreeMap<String, String>,
) -> Result<String> {
    let new = common.new_text(file);
    let has_old = common.old.files.contains_key(before);
    let old = has_old.then(|| common.old_text(before));
    let theirs = texts.get(before);
    let arrivals: Vec<(Key, At)> = common
        .followed
        .items
        .iter()
        .filter(|(at, from)| at.0 == file && common.followed.moved.contains(*from))
        .filter(|(_, from)| common.states[*from] == State::Theirs)
        .map(|(at, from)| (at.1.clone(), from.clone()))
        .collect();
    let untouched = theirs.is_none() || theirs == old.as_ref();
    if untouched && arrivals.is_empty() {
        return Ok(new);
    }
    if old.is_none() && theirs.is_some_and(|theirs| *theirs != new) {
        let change = Change::of(Outcome::FileReplaced, file.to_string());
        merged.changes.push(change);
    }
    let new = common.new.files[file].parts_of(&new);
    let new = new.with_context(|| format!("src/{file} of the new version"))?;
    let old = old.map(|old| common.old.files[before].parts_of(&old));
    let (old, theirs) = match (old.transpose()?, theirs) {
        (Some(old), Some(theirs)) => {
            let parts = match common.parts.get(before) {
                Some(parts) => parts.clone(),
                None => Parts::of(theirs)?,
            };
            (old, parts)
        }
        (Some(old), None) => (old.clone(), old),
        (None, _) => Default::default(),
    };
    FileMerge::new(common, merged, file, before).merge(old, theirs, new, &arrivals)
}

fn is_crlf(bytes: &[u8]) -> bool {
    if !bytes.contains(&b'\r') {
        return false;
    }
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let crlf = bytes.windows(2).filter(|two| *two == b"\r\n").count();
    crlf > 0 && crlf == lines
}
