//! Brings one file of a learner's to the new version, item by item.

use std::collections::BTreeMap;

use anyhow::Result;

use super::change::{Change, Outcome};
use super::function::{Function, comment, words};
use super::merge::{Common, Merged, State, item_name};
use super::pieces::{Block, Key, Parts, Piece};
use super::units::At;
use super::uses;
use super::version::VersionUnit;
use crate::source::{module_of, tokens_of};

/// The merge of one file.
pub struct FileMerge<'a> {
    common: &'a Common<'a>,
    merged: &'a mut Merged,
    /// The file in the new version.
    file: &'a str,
    /// The file in the old version.
    before: &'a str,
}

/// The text of an item in the result, with what identifies it.
type Placed = (String, String);

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

    /// The text of an `impl` or trait block of the new version, with the learner's members.
    fn block(
        &mut self,
        old: &Parts,
        theirs: &Parts,
        new: &Piece,
        block: &Block,
        nth: usize,
    ) -> Option<String> {
        let same = |parts: &Parts| {
            let mut blocks = parts.pieces.iter().filter(|piece| piece.key == new.key);
            blocks.nth(nth).cloned()
        };
        let (was, is) = (same(old), same(theirs));
        if theirs.members(&new.key).next().is_none() && is.is_none() {
            return match was {
                Some(was) if was.item == new.item => None,
                _ => Some(new.text()),
            };
        }
        let mut placed: Vec<Placed> = Vec::new();
        for member in &block.members {
            let key = Key {
                block: Some(new.key.clone()),
                item: member.key.clone(),
            };
            let text = self.item(&key, old.get(&key), theirs.get(&key), member);
            placed.push((member.key.clone(), text.unwrap_or_default()));
        }
        let empty = Block::default();
        let part = |piece: &Option<Piece>| piece.clone().and_then(|piece| piece.block);
        let (was_block, is_block) = (part(&was), part(&is));
        let mut anchor: Option<String> = None;
        for member in &is_block.as_ref().unwrap_or(&empty).members {
            let key = Key {
                block: Some(new.key.clone()),
                item: member.key.clone(),
            };
            if placed.iter().any(|(id, _)| *id == member.key) {
                anchor = Some(member.key.clone());
            } else if let Some(text) = self.own(&key, old.get(&key), member) {
                let after = anchor
                    .as_ref()
                    .and_then(|anchor| placed.iter().position(|(id, _)| id == anchor));
                let at = after.map_or(0, |at| at + 1);
                placed.insert(at, (member.key.clone(), text));
                anchor = Some(member.key.clone());
            }
        }
        let (head, tail) = match (&was_block, &is_block) {
            (Some(was), Some(is)) => (
                choose(&was.head, &is.head, &block.head),
                choose(&was.tail, &is.tail, &block.tail),
            ),
            _ => (block.head.as_str(), block.tail.as_str()),
        };
        let gap = gap(was.as_ref(), is.as_ref(), new);
        Some(format!("{gap}{}", closed(head, &placed, tail)))
    }

    /// The text of a block that only the learner's file has, without the members that have a
    /// place in the new version.
    fn own_block(
        &mut self,
        old: &Parts,
        new: &Parts,
        piece: &Piece,
        block: &Block,
    ) -> Option<String> {
        let mut placed: Vec<Placed> = Vec::new();
        for member in &block.members {
            let key = Key {
                block: Some(piece.key.clone()),
                item: member.key.clone(),
            };
            if new.get(&key).is_none()
                && let Some(text) = self.own(&key, old.get(&key), member)
            {
                placed.push((member.key.clone(), text));
            }
        }
        if placed.is_empty() && !block.members.is_empty() {
            return None;
        }
        let key = Key {
            block: None,
            item: piece.key.clone(),
        };
        if block.members.is_empty() {
            return self.own(&key, old.get(&key), piece);
        }
        if self.gives_way(&key) {
            return Some(self.commented_out(&key, piece));
        }
        Some(format!(
            "{}{}",
            piece.gap,
            closed(&block.head, &placed, &block.tail)
        ))
    }

    /// The text of an item of the new version, with what the learner has made of it. `None` if the
    /// learner has removed it.
    fn item(
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
            _ if unchanged && !self.gives_way(key) => theirs.item.clone(),
            _ => self.changed_by_both(key, old, theirs, new),
        };
        Some(format!("{gap}{item}"))
    }

    /// The text of an item that both the learner and the course have changed, or that no longer
    /// compiles.
    fn changed_by_both(
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
    fn written_type(
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
    fn is_changed_type(&self, key: &Key) -> bool {
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

    /// The text of an item that the new version does not have in this place.
    fn own(&mut self, key: &Key, old: Option<&Piece>, theirs: &Piece) -> Option<String> {
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

    fn commented_out(&mut self, key: &Key, theirs: &Piece) -> String {
        self.note(Outcome::CommentedOut, key, "");
        let indent = theirs.gap.rsplit('\n').next().unwrap_or_default();
        let notice = "The update of the course made this a comment, since it does not compile with the new version:";
        let text = comment(indent, notice, &theirs.item);
        format!("{}{}", theirs.gap, text.trim())
    }

    fn has_same_tests(&self, key: &Key, unit: &VersionUnit) -> bool {
        let at = (self.file.to_string(), key.clone());
        self.common.followed.items.get(&at).is_some_and(|before| {
            let old = &self.common.old.files[&before.0].units[&before.1];
            self.common.old.tests(old.section) == self.common.new.tests(unit.section)
        })
    }

    /// Notes code that stays the learner's and is not as it was.
    fn note_carried(&mut self, key: &Key, unit: &VersionUnit, same_docs: bool) {
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

    fn note(&mut self, outcome: Outcome, key: &Key, detail: &str) {
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

    /// The item of the new version, if the learner writes it.
    fn unit(&self, key: &Key) -> Option<&'a VersionUnit> {
        self.common.new.files.get(self.file)?.units.get(key)
    }

    fn state(&self, key: &Key) -> Option<State> {
        let at = (self.file.to_string(), key.clone());
        let before = self.common.followed.items.get(&at)?;
        self.common.states.get(before).copied()
    }

    fn gives_way(&self, key: &Key) -> bool {
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

/// The learner's text if the learner has changed it since the old version; otherwise the new one.
fn choose<'t>(old: &str, theirs: &'t str, new: &'t str) -> &'t str {
    match old == theirs {
        true => new,
        false => theirs,
    }
}

/// The text above an item. Comments of the learner's stay.
fn gap<'t>(old: Option<&Piece>, theirs: Option<&'t Piece>, new: &'t Piece) -> &'t str {
    match (old, theirs) {
        (_, Some(theirs)) if theirs.gap.trim().is_empty() => &new.gap,
        (Some(old), Some(theirs)) => choose(&old.gap, &theirs.gap, &new.gap),
        (None, Some(theirs)) => &theirs.gap,
        _ => &new.gap,
    }
}

/// A file of these parts.
fn joined(header: &str, placed: &[Placed], tail: &str) -> String {
    let mut text = header.to_string();
    for (_, item) in placed.iter().filter(|(_, item)| !item.is_empty()) {
        if text.is_empty() {
            text.push_str(item.trim_start_matches('\n'));
            continue;
        }
        if !item.starts_with('\n') {
            text.push_str("\n\n");
        }
        text.push_str(item);
    }
    let tail = if tail.is_empty() { "\n" } else { tail };
    text + tail
}

/// A block of these parts.
fn closed(head: &str, placed: &[Placed], tail: &str) -> String {
    let mut text = head.to_string();
    let mut members = placed
        .iter()
        .filter(|(_, item)| !item.is_empty())
        .peekable();
    let is_empty = members.peek().is_none();
    for (at, (_, item)) in members.enumerate() {
        match at {
            // No blank line below the opening brace.
            0 => text.push_str(&format!("\n{}", item.trim_start_matches('\n'))),
            _ if item.starts_with('\n') => text.push_str(&spaced(item)),
            _ => text.push_str(&format!("\n\n{item}")),
        }
    }
    let tail = match is_empty {
        true => tail.trim_start(),
        false => tail,
    };
    if !is_empty && !tail.starts_with('\n') {
        text.push('\n');
    }
    text + tail
}

/// A member after another one, with a blank line above it.
fn spaced(item: &str) -> String {
    format!("\n\n{}", item.trim_start_matches('\n'))
}
