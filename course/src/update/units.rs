//! Follows the items that the learner writes from one version of the course to the next.

use std::collections::{BTreeMap, BTreeSet};

use super::function::Function;
use super::pieces::Key;
use super::version::{Version, VersionUnit};

/// An item of a version: its file and its place in it.
pub type At = (String, Key);

/// How the new version's files and items were called in the old one.
pub struct Followed {
    /// The new files that replace a file with another name: the new name and the old.
    pub files: BTreeMap<String, String>,
    /// The old places of the new version's items.
    pub items: BTreeMap<At, At>,
    /// The old places of items that have left their place.
    pub moved: BTreeSet<At>,
}

impl Followed {
    /// Compares two versions.
    pub fn of(old: &Version, new: &Version) -> Self {
        let files = renamed_files(old, new);
        let items = followed(old, new, &files);
        let has_left = |(at, before): &(&At, &At)| {
            let file = files.get(&at.0).unwrap_or(&at.0);
            (file, &at.1) != (&before.0, &before.1)
        };
        let left = items.iter().filter(has_left);
        let moved = left.map(|(_, before)| before.clone()).collect();
        Self {
            files,
            items,
            moved,
        }
    }
}

/// The files of the new version that replace a file with another name: the new name and the old.
///
/// A file is followed to the new file that holds most of its items.
fn renamed_files(old: &Version, new: &Version) -> BTreeMap<String, String> {
    let keys = |version: &Version, file: &str| -> BTreeSet<String> {
        let pieces = version.files[file].parts.pieces.iter();
        let named = pieces.filter(|piece| !piece.is_use() && !piece.key.starts_with("mod "));
        named.map(|piece| piece.key.clone()).collect()
    };
    let fresh: Vec<&String> = new
        .files
        .keys()
        .filter(|file| !old.files.contains_key(*file))
        .collect();
    let fresh: Vec<(&String, BTreeSet<String>)> = fresh
        .into_iter()
        .map(|file| (file, keys(new, file)))
        .collect();
    let mut best: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for file in old
        .files
        .keys()
        .filter(|file| !new.files.contains_key(*file))
    {
        let own = keys(old, file);
        let shared = |there: &BTreeSet<String>| own.intersection(there).count();
        let candidates = fresh.iter().map(|(name, there)| (shared(there), *name));
        if let Some((count, name)) = candidates.max()
            && count > 0
            && count * 2 >= own.len()
            && best.get(name).is_none_or(|(other, _)| *other < count)
        {
            best.insert(name.clone(), (count, file.clone()));
        }
    }
    best.into_iter().map(|(new, (_, old))| (new, old)).collect()
}

/// The old place of each item of the new version that the old one had, too. Items are followed
/// through renamed files, to other files, and to other sections; in one section, also through a
/// new name.
fn followed(old: &Version, new: &Version, renamed: &BTreeMap<String, String>) -> BTreeMap<At, At> {
    let mut lost = units(old);
    let mut found = BTreeMap::new();
    let mut fresh = BTreeMap::new();
    for (at, unit) in units(new) {
        let file = renamed.get(&at.0).unwrap_or(&at.0).clone();
        let before = (file, at.1.clone());
        match lost.remove(&before) {
            Some(_) => drop(found.insert(at, before)),
            None => drop(fresh.insert(at, unit)),
        }
    }
    pair(&mut lost, &mut fresh, &mut found, |_, at, unit| {
        Some((unit.name.clone(), at.1.item.clone()))
    });
    pair(&mut lost, &mut fresh, &mut found, |_, _, unit| {
        Some(unit.unit.path.clone())
    });
    let by_signature = |is_new: bool, at: &At, unit: &VersionUnit| {
        let version = if is_new { new } else { old };
        let piece = version.files[&at.0].parts.get(&at.1)?;
        Some((unit.name.clone(), Function::of(&piece.item)?.contract()))
    };
    pair(&mut lost, &mut fresh, &mut found, by_signature);
    found
}

/// All items that a learner writes.
pub fn units(version: &Version) -> BTreeMap<At, &VersionUnit> {
    let files = version.files.iter();
    files
        .flat_map(|(file, it)| {
            let units = it.units.iter();
            units.map(move |(key, unit)| ((file.clone(), key.clone()), unit))
        })
        .collect()
}

/// Moves the items from `lost` and `fresh` to `found` that have the same name on both sides, and
/// no other item has it.
fn pair<N: Ord>(
    lost: &mut BTreeMap<At, &VersionUnit>,
    fresh: &mut BTreeMap<At, &VersionUnit>,
    found: &mut BTreeMap<At, At>,
    name: impl Fn(bool, &At, &VersionUnit) -> Option<N>,
) {
    let named = |units: &BTreeMap<At, &VersionUnit>, is_new: bool| {
        let mut names: BTreeMap<N, Vec<At>> = BTreeMap::new();
        for (at, unit) in units {
            if let Some(name) = name(is_new, at, unit) {
                names.entry(name).or_default().push(at.clone());
            }
        }
        names
    };
    let old = named(lost, false);
    for (name, places) in named(fresh, true) {
        if let ([new], Some([old])) = (places.as_slice(), old.get(&name).map(Vec::as_slice)) {
            lost.remove(old);
            fresh.remove(new);
            found.insert(new.clone(), old.clone());
        }
    }
}
