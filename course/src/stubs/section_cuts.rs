//! Finds the parts that a section cuts out of the reference.

use std::path::Path;

use anyhow::{Result, bail};

use super::cut::{Cut, Piece, Unit};
use super::gaps::{GAP, lines_of};
use super::solution::Solution;
use crate::manifest::{Section, SectionId};
use crate::source::{self, Kind};

impl Solution {
    /// Adds the cuts of `section`. The error names every item that is missing.
    pub(super) fn add(&mut self, root: &Path, section: &Section) -> Result<()> {
        let mut missing = Vec::new();
        for item in &section.items {
            match self.cut_item(root, section, item) {
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

    /// Checks that no two cuts overlap and that each type belongs to one section, since it is
    /// replaced as a whole.
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

    fn cut_item(&mut self, root: &Path, section: &Section, item: &str) -> Result<Cut> {
        self.read(root, &source::locate(root, item)?.0)?;
        let (file, path, found) = self.find(root, item)?;
        let text = &self.files[&file].text;
        let (range, stub) = match (found.kind, &found.body) {
            (Kind::Function, Some(body)) => {
                let indent = source::indent_at(text, found.bare.start);
                let what = path.join("::");
                let todo = format!(
                    "{{\n{indent}    todo!(\"{}: write {what}\")\n{indent}}}",
                    section.name
                );
                (body.clone(), todo)
            }
            (Kind::Function, None) => bail!("{item} has no body to write"),
            _ => (lines_of(text, &found.range), format!("{GAP}\n")),
        };
        Ok(Cut {
            section: section.id,
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
        &mut self,
        root: &Path,
        section: SectionId,
        on: &str,
        attribute: &str,
    ) -> Result<Cut> {
        self.read(root, &source::locate(root, on)?.0)?;
        let (file, path, found) = self.find(root, on)?;
        let text = &self.files[&file].text;
        let wanted = source::tokens_of(attribute);
        let Some(range) = found
            .attributes
            .iter()
            .find(|range| source::tokens_of(&text[(*range).clone()]) == wanted)
        else {
            bail!("{on} has no attribute {attribute}");
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
