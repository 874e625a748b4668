//! What a section cuts out of the reference, and what it puts there.

use std::ops::Range;
use std::path::Path;

use anyhow::{Result, bail};

use super::Solution;
use super::gaps::{GAP, lines_of};
use crate::manifest::{Section, SectionId};
use crate::source::{self, Kind};

/// One piece of the reference that a learner writes.
pub(super) struct Cut {
    pub section: SectionId,
    pub file: String,
    pub range: Range<usize>,
    pub stub: String,
    pub unit: Unit,
    pub piece: Piece,
}

/// One thing that the learner writes, as the manifest lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The file, relative to `src`.
    pub file: String,
    /// The item's path inside it.
    pub path: Vec<String>,
    /// The attribute to write on that item; `None` when the item itself is meant.
    pub attribute: Option<String>,
    /// The tokens of a function's signature; `None` for all else.
    pub signature: Option<String>,
}

/// The smallest piece of a file that is replaced as a whole when a solution is put
/// in or a section is reset: a function, or a type with all it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The file, relative to `src`.
    pub file: String,
    /// The item's path inside it.
    pub path: Vec<String>,
}

impl Solution {
    pub(super) fn add(&mut self, root: &Path, section: &Section) -> Result<()> {
        let mut missing = Vec::new();
        for item in &section.items {
            match self.cut_item(root, section.id, item) {
                Ok(cut) => self.cuts.push(cut),
                Err(error) => missing.push(format!("{error:#}")),
            }
        }
        for given in &section.attributes {
            match self.cut_attribute(root, section.id, &given.on, &given.attribute) {
                Ok(cut) => self.cuts.push(cut),
                Err(error) => missing.push(format!("{error:#}")),
            }
        }
        if !missing.is_empty() {
            bail!("section {}: {}", section.id, missing.join("; "));
        }
        Ok(())
    }

    /// No two cuts may overlap, and a type must belong to one section, since it is
    /// put in and reset as a whole.
    pub(super) fn check(&self) -> Result<()> {
        for (at, one) in self.cuts.iter().enumerate() {
            for other in &self.cuts[at + 1..] {
                let apart = one.file != other.file
                    || one.range.end <= other.range.start
                    || other.range.end <= one.range.start;
                if !apart {
                    bail!(
                        "`{}` is listed twice: under {} and under {}",
                        one.unit.path.join("::"),
                        one.section,
                        other.section
                    );
                }
                if one.unit == other.unit && one.section != other.section {
                    bail!(
                        "parts of `{}` are listed under {} and under {}; a type's parts belong to one section",
                        one.unit.path.join("::"),
                        one.section,
                        other.section
                    );
                }
            }
        }
        Ok(())
    }

    fn cut_item(&self, root: &Path, section: SectionId, item: &str) -> Result<Cut> {
        let (file, path, found) = self.find(root, item)?;
        let text = &self.files[&file].text;
        let (range, stub) = match (found.kind, &found.body) {
            (Kind::Function, Some(body)) => {
                let indent = source::indent_at(text, found.bare.start);
                let what = path.join("::");
                let todo =
                    format!("{{\n{indent}    todo!(\"{section}: write {what}\")\n{indent}}}");
                (body.clone(), todo)
            }
            (Kind::Function, None) => bail!("{item} has no body to write"),
            _ => (lines_of(text, &found.range), format!("{GAP}\n")),
        };
        Ok(Cut {
            section,
            unit: unit_of(&file, &path, found.kind),
            piece: Piece {
                file: file.clone(),
                path,
                attribute: None,
                signature: self.files[&file].signature(&found),
            },
            file,
            range,
            stub,
        })
    }

    fn cut_attribute(
        &self,
        root: &Path,
        section: SectionId,
        on: &str,
        attribute: &str,
    ) -> Result<Cut> {
        let (file, path, found) = self.find(root, on)?;
        let text = &self.files[&file].text;
        let wanted = source::tokens_of(attribute);
        let Some(range) = found
            .attributes
            .iter()
            .find(|range| source::tokens_of(&text[(*range).clone()]) == wanted)
        else {
            bail!("{on} carries no attribute {attribute}");
        };
        Ok(Cut {
            section,
            range: lines_of(text, range),
            stub: format!("{GAP}\n"),
            unit: unit_of(&file, &path, found.kind),
            piece: Piece {
                file: file.clone(),
                path,
                attribute: Some(attribute.to_string()),
                signature: None,
            },
            file,
        })
    }
}

fn unit_of(file: &str, path: &[String], kind: Kind) -> Unit {
    let keep = match kind {
        Kind::Variant | Kind::Field => 1,
        Kind::Function | Kind::Type => path.len(),
    };
    Unit {
        file: file.to_string(),
        path: path[..keep].to_vec(),
    }
}
