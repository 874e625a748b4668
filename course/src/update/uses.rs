//! The imports of a file in the new version.

use std::collections::BTreeSet;

use super::common::Common;
use super::pieces::{Parts, Piece};
use crate::imports::{Import, imports};
use crate::source::module_of;

/// The imports of `file`, which is `before` in the old version: those of the new version, those
/// that the learner added, and those that only the old version had, since the learner's code may
/// use them. Without those whose target is gone.
pub fn merge(
    common: &Common,
    file: &str,
    before: &str,
    old: &Parts,
    theirs: &Parts,
    new: &Parts,
) -> String {
    let all = |parts: &Parts| -> Vec<Piece> {
        let uses = parts.pieces.iter().filter(|piece| piece.is_use());
        uses.cloned().collect()
    };
    let (was, mine, is) = (all(old), all(theirs), all(new));
    let keys = |pieces: &[Piece]| -> BTreeSet<String> {
        pieces.iter().map(|piece| piece.key.clone()).collect()
    };
    let gives_way = common.gives_way.imports.iter().any(|it| it.0 == file);
    if keys(&was) == keys(&is) && file == before && !gives_way {
        let pieces = if mine.is_empty() { &is } else { &mine };
        return pieces.iter().map(Piece::text).collect();
    }
    let mut text: String = is.iter().map(Piece::text).collect();
    let listed: BTreeSet<String> = is.iter().flat_map(leaves).map(|it| line(&it)).collect();
    let mut names: BTreeSet<String> = is
        .iter()
        .flat_map(leaves)
        .filter_map(|it| it.name)
        .collect();
    let items = new.pieces.iter().filter(|piece| !piece.is_use());
    names.extend(items.filter_map(|piece| piece.key.split(' ').nth(1).map(str::to_string)));
    let courses: BTreeSet<String> = was.iter().flat_map(leaves).map(|it| line(&it)).collect();
    for piece in &mine {
        let leaves = leaves(piece);
        let is_wanted = |import: &&Import| {
            let line = line(import);
            let taken = import
                .name
                .as_ref()
                .is_some_and(|it| it != "_" && names.contains(it));
            let reexport = import.is_reexport && courses.contains(&line);
            let way = (file.to_string(), line.clone());
            !listed.contains(&line)
                && !taken
                && !reexport
                && !common.gives_way.imports.contains(&way)
                && !is_gone(common, before, file, import)
        };
        let wanted: Vec<&Import> = leaves.iter().filter(is_wanted).collect();
        if wanted.len() == leaves.len() {
            text.push_str(&piece.text());
        } else {
            let visibility = piece.item.split("use ").next().unwrap_or_default();
            for import in &wanted {
                text.push_str(&format!("\n{visibility}{}", line(import)));
            }
        }
        names.extend(wanted.into_iter().filter_map(|it| it.name.clone()));
    }
    text
}

/// The imports of a `use` item.
fn leaves(piece: &Piece) -> Vec<Import> {
    match syn::parse_str::<syn::Item>(&piece.item) {
        Ok(item) => imports(&item),
        Err(_) => Vec::new(),
    }
}

/// An import as an item of its own.
pub fn line(import: &Import) -> String {
    let path = import.path.join("::");
    match &import.name {
        None => format!("use {path}::*;"),
        Some(name) if Some(name) == import.path.last() => format!("use {path};"),
        Some(name) => format!("use {path} as {name};"),
    }
}

/// The imports in a piece of source, as items of their own.
pub fn lines(item: &str) -> Vec<String> {
    match syn::parse_str::<syn::Item>(item) {
        Ok(item) => imports(&item).iter().map(line).collect(),
        Err(_) => Vec::new(),
    }
}

/// Whether the old version had the target of an import and the new one does not.
fn is_gone(common: &Common, before: &str, file: &str, import: &Import) -> bool {
    let first = import.path.first().map(String::as_str);
    if !matches!(first, Some("crate" | "super" | "self")) {
        return false;
    }
    let (old, new) = (common.old.modules(), common.new.modules());
    old.has(&from_root(before, &import.path)) && !new.has(&from_root(file, &import.path))
}

/// A path in `file`, from the crate's root.
fn from_root(file: &str, path: &[String]) -> Vec<String> {
    let module = module_of(file);
    let mut base: Vec<String> = match module.as_str() {
        "lib" => Vec::new(),
        module => module.split("::").map(str::to_string).collect(),
    };
    let mut rest = path;
    while let Some((first, more)) = rest.split_first() {
        match first.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => drop(base.pop()),
            _ => break,
        }
        rest = more;
    }
    let root = ["crate".to_string()].into_iter();
    root.chain(base).chain(rest.iter().cloned()).collect()
}
