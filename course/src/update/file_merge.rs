//! Brings one file of a learner's to the new version, item by item.

use std::collections::BTreeMap;

use anyhow::Result;

use super::change::Outcome;
use super::common::{Common, Merged, State};
use super::function::comment;
use super::layout::{Placed, choose, gap, joined};
use super::pieces::{Key, Parts, Piece};
use super::units::At;
use super::uses;
use super::version::VersionUnit;

/// The merge of one file.
pub struct FileMerge<'a> {
    pub(super) common: &'a Common<'a>,
    pub(super) merged: &'a mut Merged,
    /// The file in the new version.
    pub(super) file: &'a str,
    /// The file in the old version.
    before: &'a str,
}

impl<'a> FileMerge<'a> {
    /// The merge of `file`, which is `before` in the old version.
    pub fn new(
        common: &'a Common<'a>,
        merged: &'a mut Merged,
        file: &'a str,
        before: &'a str,
    ) -> Self {
        Self {
            common,
            merged,
            file,
            before,
        }
    }

    /// The file's text in the new version: `new` with what the learner has changed in `theirs`
    /// since `old`. `arrivals` are items of the learner's that come from another place: where they
    /// go, and where they were.
    pub fn merge(
        mut self,
        mut old: Parts,
        mut theirs: Parts,
        new: Parts,
        arrivals: &[(Key, At)],
    ) -> Result<String> {
        for (key, from) in arrivals {
            let their_file = self.common.parts.get(&from.0);
            if let Some(piece) = their_file.and_then(|parts| parts.get(&from.1)) {
                add(&mut theirs, key, piece, &new);
            }
            let stub = self.common.old.files[&from.0].stub_parts()?;
            if let Some(piece) = stub.get(&from.1) {
                add(&mut old, key, piece, &new);
            }
        }
        let mut placed: Vec<Placed> = Vec::new();
        let imports = uses::merge(self.common, self.file, self.before, &old, &theirs, &new);
        let mut imports = Some((USES.to_string(), imports));
        let mut blocks: BTreeMap<&str, usize> = BTreeMap::new();
        for piece in &new.pieces {
            if piece.is_use() {
                placed.extend(imports.take());
                continue;
            }
            let nth = blocks.entry(&piece.key).or_default();
            let id = format!("{} {nth}", piece.key);
            let text = match &piece.block {
                Some(block) => self.block(&old, &theirs, piece, block, *nth),
                None => {
                    let key = Key {
                        block: None,
                        item: piece.key.clone(),
                    };
                    self.item(&key, old.get(&key), theirs.get(&key), piece)
                }
            };
            *nth += 1;
            placed.push((id, text.unwrap_or_default()));
        }
        if let Some(imports) = imports {
            placed.insert(0, imports);
        }
        self.add_own(&mut placed, &old, &theirs, &new);
        let header = choose(&old.header, &theirs.header, &new.header);
        let tail = choose(&old.tail, &theirs.tail, &new.tail);
        Ok(joined(header, &placed, tail))
    }

    /// Adds what only the learner's file has, each item after the one that it follows there.
    fn add_own(&mut self, placed: &mut Vec<Placed>, old: &Parts, theirs: &Parts, new: &Parts) {
        let mut anchor: Option<String> = None;
        let mut blocks: BTreeMap<&str, usize> = BTreeMap::new();
        for piece in &theirs.pieces {
            if piece.is_use() {
                anchor = Some(USES.to_string());
                continue;
            }
            let nth = blocks.entry(&piece.key).or_default();
            let id = format!("{} {nth}", piece.key);
            *nth += 1;
            if placed.iter().any(|(placed, _)| *placed == id) {
                anchor = Some(id);
                continue;
            }
            let text = match &piece.block {
                Some(block) => self.own_block(old, new, piece, block),
                None => {
                    let key = Key {
                        block: None,
                        item: piece.key.clone(),
                    };
                    self.own(&key, old.get(&key), piece)
                }
            };
            if let Some(text) = text {
                let after = anchor
                    .as_ref()
                    .and_then(|anchor| placed.iter().position(|(id, _)| id == anchor));
                let at = after.map_or(0, |at| at + 1);
                placed.insert(at, (id.clone(), text));
                anchor = Some(id);
            }
        }
    }

    /// The text of an item of the new version, with what the learner has made of it. `None` if the
    /// learner has removed it.
    pub(super) fn item(
        &mut self,
        key: &Key,
        old: Option<&Piece>,
        theirs: Option<&Piece>,
        new: &Piece,
    ) -> Option<String> {
        let Some(theirs) = theirs else {
            return match old {
                Some(old) if old.item == new.item => None,
                _ => Some(new.text()),
            };
        };
        let gap = gap(old, Some(theirs), new);
        let unchanged = old.is_some_and(|old| old.item == new.item) && !self.is_changed_type(key);
        let item = match old {
            _ if theirs.item == new.item => theirs.item.clone(),
            Some(old) if old.item == theirs.item => new.item.clone(),
            _ if unchanged && !self.gives_way(key) => {
                if let Some(unit) = self.unit(key) {
                    self.note_carried(key, unit, true);
                }
                theirs.item.clone()
            }
            _ => self.changed_by_both(key, old, theirs, new),
        };
        Some(format!("{gap}{item}"))
    }

    /// The text of an item that the new version does not have in this place.
    pub(super) fn own(&mut self, key: &Key, old: Option<&Piece>, theirs: &Piece) -> Option<String> {
        let before = (self.before.to_string(), key.clone());
        if self.common.followed.moved.contains(&before) {
            return None;
        }
        if old.is_some_and(|old| old.item == theirs.item) {
            return None;
        }
        // A type that the stub lacks.
        if let Some(unit) = self.unit(key).cloned()
            && self.state(key) == Some(State::Theirs)
        {
            let text = self.written_type(key, &unit, theirs, theirs.item.clone());
            return Some(format!("{}{text}", theirs.gap));
        }
        if self.gives_way(key) {
            return Some(self.commented_out(key, theirs));
        }
        if old.is_some() || self.common.states.contains_key(&before) {
            self.note(Outcome::NoLongerAsked, key, "");
        }
        Some(theirs.text())
    }

    pub(super) fn commented_out(&mut self, key: &Key, theirs: &Piece) -> String {
        self.note(Outcome::CommentedOut, key, "");
        let indent = theirs.gap.rsplit('\n').next().unwrap_or_default();
        let notice = "The update of the course made this a comment, since it does not compile with the new version:";
        let text = comment(indent, notice, &theirs.item);
        format!("{}{}", theirs.gap, text.trim())
    }

    /// The item of the new version, if the learner writes it.
    pub(super) fn unit(&self, key: &Key) -> Option<&'a VersionUnit> {
        self.common.new.files.get(self.file)?.units.get(key)
    }

    fn state(&self, key: &Key) -> Option<State> {
        let at = (self.file.to_string(), key.clone());
        let before = self.common.followed.items.get(&at)?;
        self.common.states.get(before).copied()
    }

    pub(super) fn gives_way(&self, key: &Key) -> bool {
        let at = (self.file.to_string(), key.clone());
        self.common.gives_way.items.contains(&at)
    }
}

/// What identifies the imports in a list of placed items.
const USES: &str = "use";

/// Adds an item that comes from another place.
fn add(parts: &mut Parts, key: &Key, piece: &Piece, new: &Parts) {
    let piece = Piece {
        key: key.item.clone(),
        gap: new
            .get(key)
            .map_or("\n\n".to_string(), |new| new.gap.clone()),
        ..piece.clone()
    };
    let Some(block) = &key.block else {
        parts.pieces.push(piece);
        return;
    };
    let home = parts.pieces.iter_mut().find(|piece| piece.key == *block);
    let home = match home {
        Some(home) => home,
        None => {
            let like = new.pieces.iter().find(|piece| piece.key == *block);
            let mut home = like.cloned().unwrap_or_default();
            if let Some(block) = &mut home.block {
                block.members.clear();
            }
            // Different from the new one, so that its members are looked at.
            home.item.clear();
            parts.pieces.push(home);
            let last = parts.pieces.len() - 1;
            &mut parts.pieces[last]
        }
    };
    if let Some(block) = &mut home.block {
        block.members.push(piece);
    }
}
