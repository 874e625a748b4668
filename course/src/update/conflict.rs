//! Decides about items that both the learner and the course have changed.

use super::change::{Change, Outcome};
use super::file_merge::FileMerge;
use super::function::{Function, comment, words};
use super::merge::item_name;
use super::pieces::{Key, Piece};
use super::version::VersionUnit;
use crate::source::{module_of, tokens_of};

impl FileMerge<'_> {
    /// The text of an item that both the learner and the course have changed, or that no longer
    /// compiles.
    pub(super) fn changed_by_both(
        &mut self,
        key: &Key,
        old: Option<&Piece>,
        theirs: &Piece,
        new: &Piece,
    ) -> String {
        let unit = self.unit(key).cloned();
        let Some(is) = Function::of(&new.item) else {
            return match unit {
                Some(unit) => self.written_type(key, &unit, theirs, new.item.clone()),
                None => self.given(key, old, theirs, new),
            };
        };
        let was = old.and_then(|old| Function::of(&old.item));
        let mine = Function::of(&theirs.item);
        let Some(unit) = unit else {
            if let (Some(was), Some(mine), false) = (&was, &mine, self.gives_way(key))
                && was.contract() == is.contract()
                && was.body() == is.body()
            {
                return mine.carried_to(was, &is);
            }
            return self.given(key, old, theirs, new);
        };
        let reason = match (&was, &mine) {
            _ if self.gives_way(key) => "it does not compile with the new version",
            (Some(was), Some(mine)) => {
                let same_signature = was.contract() == is.contract();
                // Only comments were added to the stub.
                if tokens_of(mine.body()) == tokens_of(was.body()) && same_signature {
                    return mine.carried_to(was, &is);
                }
                let same_docs = was.docs() == is.docs();
                if same_signature && (same_docs || self.has_same_tests(key, &unit)) {
                    self.note_carried(key, &unit, same_docs);
                    return mine.carried_to(was, &is);
                }
                match same_signature {
                    true => "its doc comment and its tests changed",
                    false => "its signature changed",
                }
            }
            _ => "it was rewritten",
        };
        self.note(Outcome::StubAgain, key, reason);
        let notice = format!(
            "The update of the course made this a stub again: {reason}.\nThis is the code that you had:"
        );
        // The form of the new version can be the reference's, after an item was taken over.
        let stub = self.common.new.files[self.file].stub_parts();
        let stub = stub.ok().and_then(|parts| {
            let piece = parts.get(key)?;
            Function::of(&piece.item)
        });
        stub.unwrap_or(is).with_notice(&notice, &theirs.item)
    }

    /// The text of a type that the learner wrote: theirs if the reference's code is the same in
    /// both versions, or else the reference's. Code that uses a type does not compile without all
    /// of it.
    pub(super) fn written_type(
        &mut self,
        key: &Key,
        unit: &VersionUnit,
        theirs: &Piece,
        new: String,
    ) -> String {
        if !self.is_changed_type(key) && !self.gives_way(key) {
            self.note_carried(key, unit, true);
            return theirs.item.clone();
        }
        let solved = self.common.new.files[self.file].parts.get(key);
        let solved = solved.map_or(new, |piece| piece.item.clone());
        self.note(Outcome::TypeReplaced, key, "the type changed");
        let notice = "The update of the course completed this type, since the type changed.\nThis is the code that you had:";
        format!("{}{solved}", comment("", notice, &theirs.item))
    }

    /// Whether `key` is a type that the learner writes, and its code in the reference has changed.
    pub(super) fn is_changed_type(&self, key: &Key) -> bool {
        let code = |item: &str| {
            let lines = item.lines().filter(|line| !line.trim().starts_with("//"));
            tokens_of(&lines.collect::<Vec<_>>().join("\n"))
        };
        let at = (self.file.to_string(), key.clone());
        let new = &self.common.new.files[self.file];
        let (Some(before), true) = (
            self.common.followed.items.get(&at),
            new.units.contains_key(key),
        ) else {
            return false;
        };
        let old = self.common.old.files[&before.0].parts.get(&before.1);
        match (old, new.parts.get(key)) {
            _ if key.item.starts_with("fn ") => false,
            (Some(old), Some(new)) => code(&old.item) != code(&new.item),
            _ => true,
        }
    }

    /// The text of a given item that the learner has edited: the course's.
    fn given(&mut self, key: &Key, old: Option<&Piece>, theirs: &Piece, new: &Piece) -> String {
        if words(&theirs.item) != words(&new.item) {
            let detail = match old {
                Some(_) => "",
                None => "the course has an item of this name now",
            };
            self.note(Outcome::GivenReplaced, key, detail);
        }
        new.item.clone()
    }
}

impl FileMerge<'_> {
    fn has_same_tests(&self, key: &Key, unit: &VersionUnit) -> bool {
        let at = (self.file.to_string(), key.clone());
        self.common.followed.items.get(&at).is_some_and(|before| {
            let old = &self.common.old.files[&before.0].units[&before.1];
            self.common.old.tests(old.section) == self.common.new.tests(unit.section)
        })
    }

    /// Notes code that stays the learner's and is not as it was.
    pub(super) fn note_carried(&mut self, key: &Key, unit: &VersionUnit, same_docs: bool) {
        let at = (self.file.to_string(), key.clone());
        let Some(before) = self.common.followed.items.get(&at) else {
            return;
        };
        let old = &self.common.old.files[&before.0].units[&before.1];
        if old.unit != unit.unit {
            let from = format!("from {}", item_name(self.common.old, before));
            self.note(Outcome::Moved, key, &from);
        } else if !same_docs {
            self.note(Outcome::Reworded, key, "");
        }
    }

    pub(super) fn note(&mut self, outcome: Outcome, key: &Key, detail: &str) {
        let unit = self.unit(key);
        let item = match unit {
            Some(_) => item_name(self.common.new, &(self.file.to_string(), key.clone())),
            None => {
                let name = |key: &str| key.rsplit(' ').next().unwrap_or_default().to_string();
                let block = key.block.as_deref().map(name);
                let path = block.into_iter().chain([name(&key.item)]);
                let path: Vec<String> = path.collect();
                format!("{}::{}", module_of(self.file), path.join("::"))
            }
        };
        let section = unit.map(|unit| unit.section);
        self.merged.changes.push(Change {
            outcome,
            section,
            item,
            detail: detail.to_string(),
        });
    }
}
