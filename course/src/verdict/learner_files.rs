//! Finds out which parts of a chapter the learner has written.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::PieceReport;
use crate::manifest::Manifest;
use crate::repo::Repo;
use crate::source::{self, Source};
use crate::stubs::{Piece, Solution};

/// The learner's files of one chapter. Files that do not parse are left out.
pub(super) struct LearnerFiles(BTreeMap<String, Source>);

impl LearnerFiles {
    /// Reads the files that the sections of `manifest` have parts in.
    pub(super) fn read(repo: &Repo, solution: &Solution, manifest: &Manifest) -> Self {
        let mut files = BTreeMap::new();
        for section in &manifest.sections {
            for piece in solution.pieces(section.id) {
                if let Entry::Vacant(place) = files.entry(piece.file.clone())
                    && let Ok(source) = Source::read(&repo.src().join(&piece.file))
                {
                    place.insert(source);
                }
            }
        }
        Self(files)
    }

    /// Whether `piece` is written, and where.
    pub(super) fn look(&self, piece: &Piece) -> PieceReport {
        let name = piece.path.join("::");
        let mut report = PieceReport {
            what: match &piece.attribute {
                Some(_) => format!("an attribute on {name}"),
                None => name,
            },
            written: false,
            file: format!("src/{}", piece.file),
            line: 0,
            altered: None,
            is_attribute: piece.attribute.is_some(),
            is_function: piece.signature.is_some(),
        };
        let Some(source) = self.0.get(&piece.file) else {
            return report;
        };
        let find = |path: &[String]| source.find(path).ok().flatten();
        let Some(found) = find(&piece.path) else {
            report.altered = piece.signature.as_ref().map(|_| "is missing".to_string());
            if let Some(owner) = find(&piece.path[..1]) {
                report.line = source.line_of(owner.bare.start);
            }
            return report;
        };
        report.line = source.line_of(found.bare.start);
        if piece.signature.is_some() && source.signature(&found) != piece.signature {
            report.altered = Some("no longer has its given signature".to_string());
        }
        report.written = match (&piece.attribute, &found.body) {
            (Some(attribute), _) => {
                let wanted = source::tokens_of(attribute);
                found
                    .attributes
                    .iter()
                    .any(|range| source::tokens_of(&source.text[range.clone()]) == wanted)
            }
            (None, Some(body)) => {
                !source::tokens_of(&source.text[body.clone()]).contains("todo ! (")
            }
            (None, None) => true,
        };
        report
    }
}
