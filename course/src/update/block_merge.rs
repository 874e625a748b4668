//! Brings the `impl` and trait blocks of a file to the new version.

use super::file_merge::FileMerge;
use super::layout::{Placed, choose, closed, gap};
use super::pieces::{Block, Key, Parts, Piece};

impl FileMerge<'_> {
    /// The text of an `impl` or trait block of the new version, with the learner's members.
    pub(super) fn block(
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
    pub(super) fn own_block(
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
}
