//! Finds out which parts of a chapter the learner has written.

use std::cell::OnceCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::PieceReport;
use crate::manifest::{Manifest, Section, SectionId};
use crate::repo::{Repo, relative_name, rust_files};
use crate::source::{self, Found, Source};
use crate::stubs::{Piece, Solution};

/// The parts of each section, and which of them the learner has written.
pub type SectionPieces = BTreeMap<SectionId, Vec<PieceReport>>;

/// Finds the parts of some sections in the learner's files.
pub fn look_at_pieces(repo: &Repo, solution: &Solution, sections: &[&Section]) -> SectionPieces {
    let files = LearnerFiles::read(repo, solution, sections);
    let look = |section: &&Section| {
        let of_section = solution.pieces(section.id);
        (
            section.id,
            of_section.map(|piece| files.look(piece)).collect(),
        )
    };
    sections.iter().map(look).collect()
}

/// The sections whose tests a check has to run: all but those that the learner has not begun, whose
/// tests fail. The first of these has to, since its tests show what is to do.
pub fn to_test(manifest: &Manifest, pieces: &SectionPieces) -> BTreeSet<SectionId> {
    let is_later = |section: SectionId| pieces.get(&section).is_some_and(|own| has_not_begun(own));
    let ids = manifest.sections.iter().map(|section| section.id);
    let first = ids.clone().find(|id| is_later(*id));
    ids.filter(|id| Some(*id) == first || !is_later(*id))
        .collect()
}

/// Whether a section with these parts consists of functions alone that are stubs, each as it was
/// given.
pub(super) fn has_not_begun(pieces: &[PieceReport]) -> bool {
    let is_stub = |piece: &PieceReport| {
        piece.is_function && !piece.written && !piece.begun && !piece.is_missing
    };
    !pieces.is_empty() && pieces.iter().all(is_stub)
}

/// The learner's files. Files that do not parse are left out.
struct LearnerFiles {
    /// Those that the sections have parts in.
    own: BTreeMap<String, Source>,
    /// All of them, once a function is not where it was.
    all: OnceCell<BTreeMap<String, Source>>,
    /// Those that the learner has added, once another item is not where it was.
    added: OnceCell<BTreeMap<String, Source>>,
    src: PathBuf,
    /// The folder of the reference, which has the files that the course has.
    solutions: PathBuf,
}

impl LearnerFiles {
    /// Reads the files that `sections` have parts in.
    fn read(repo: &Repo, solution: &Solution, sections: &[&Section]) -> Self {
        let mut own = BTreeMap::new();
        for section in sections {
            for piece in solution.pieces(section.id) {
                if let Entry::Vacant(place) = own.entry(piece.file.clone())
                    && let Ok(source) = Source::read(&repo.src().join(&piece.file))
                {
                    place.insert(source);
                }
            }
        }
        Self {
            own,
            all: OnceCell::new(),
            added: OnceCell::new(),
            src: repo.src(),
            solutions: repo.solutions(),
        }
    }

    /// `piece` in a file that the learner has moved it to. A type that is not written yet is in no
    /// file, and another file of the course may have one with its name.
    fn moved(&self, piece: &Piece) -> Option<(&str, &Source, Found)> {
        let files = match &piece.signature {
            Some(_) => self.all.get_or_init(|| self.sources(|_| true)),
            None => {
                let is_added = |name: &str| !self.solutions.join(name).exists();
                self.added.get_or_init(|| self.sources(is_added))
            }
        };
        files.iter().find_map(|(name, source)| {
            let found = source.find_all(&piece.path).ok()?.into_iter();
            let mut found = found.filter(|found| source.signature(found) == piece.signature);
            Some((name.as_str(), source, found.next()?))
        })
    }

    /// The files in `src/` whose names `is_wanted` accepts.
    fn sources(&self, is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Source> {
        let files = rust_files(&self.src).unwrap_or_default().into_iter();
        let named = files.map(|path| (relative_name(&self.src, &path), path));
        let wanted = named.filter(|(name, _)| is_wanted(name));
        let sources = wanted.filter_map(|(name, path)| Some((name, Source::read(&path).ok()?)));
        sources.collect()
    }

    /// Whether `piece` is written, and where.
    fn look(&self, piece: &Piece) -> PieceReport {
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
            is_missing: false,
            begun: false,
        };
        let own = self.own.get(&piece.file);
        let find = |path: &[String]| {
            let found = own?.find_all(path).unwrap_or_default();
            // Of two with a `cfg`, the one that is written.
            let is_written = |found: &Found| own.is_some_and(|own| !is_stub(own, found));
            let written = found.iter().position(is_written).unwrap_or(0);
            Some((own?, found.into_iter().nth(written)?))
        };
        let moved = || {
            // A field or variant of a type that has not moved is not written.
            if piece.signature.is_none() && find(&piece.path[..1]).is_some() {
                return None;
            }
            let (file, source, found) = self.moved(piece)?;
            Some((file, (source, found)))
        };
        let own_place = find(&piece.path).map(|place| (piece.file.as_str(), place));
        let Some((file, (source, found))) = own_place.or_else(moved) else {
            // The compiler names the mistake in a file that does not parse.
            let is_broken = own.is_none() && self.src.join(&piece.file).exists();
            let signature = piece.signature.as_ref().filter(|_| !is_broken);
            report.altered = signature.map(|_| "is missing".to_string());
            report.is_missing = true;
            if let Some((source, owner)) = find(&piece.path[..1]) {
                report.line = source.line_of(owner.bare.start);
            }
            return report;
        };
        report.file = format!("src/{file}");
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
            (None, Some(_)) => !is_stub(source, &found),
            (None, None) => true,
        };
        report.begun =
            is_stub(source, &found) && !tokens_of_body(source, &found).starts_with("{ todo ! (");
        report
    }
}

/// Whether the body of a function is still to write.
fn is_stub(source: &Source, found: &Found) -> bool {
    // Reading tokens takes much longer, and most bodies are written.
    let body = found.body.as_ref().map(|body| &source.text[body.clone()]);
    body.is_some_and(|text| text.contains("todo"))
        && tokens_of_body(source, found).contains("todo ! (")
}

/// The tokens of a function's body. Empty for any other item.
fn tokens_of_body(source: &Source, found: &Found) -> String {
    let body = found.body.as_ref();
    body.map_or_else(String::new, |body| {
        source::tokens_of(&source.text[body.clone()])
    })
}
