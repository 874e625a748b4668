//! The solution with some sections solved and the rest cut out.
//!
//! With none solved this is what `src/` holds as committed: the stubs. With the
//! chapters up to N solved it is the state of a learner who has come that far.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::contents::Course;
use crate::manifest::{Section, SectionId};
use crate::repo::{self, Repo};
use crate::source::{self, Found, Kind, Source};

/// Stands for removed text until the blank lines around it are put in order. It is
/// of Unicode's private use area, so no source contains it.
const GAP: char = '\u{E000}';

/// The reference, and what each section cuts out of it.
pub struct Solution {
    files: BTreeMap<String, Source>,
    cuts: Vec<Cut>,
}

/// One piece of the reference that a learner writes.
struct Cut {
    section: SectionId,
    file: String,
    range: Range<usize>,
    stub: String,
    unit: Unit,
    piece: Piece,
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
    /// Reads the reference and finds everything that the manifests list in it. The
    /// error names every item that could not be found.
    pub fn load(repo: &Repo, course: &Course) -> Result<Self> {
        let root = repo.solutions();
        let mut files = BTreeMap::new();
        for path in repo::rust_files(&root)? {
            let name = path.strip_prefix(&root).unwrap_or(&path);
            let name = name.to_string_lossy().replace('\\', "/");
            // One kind of line ends, whatever git has checked out here.
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", repo.relative(&path)))?;
            let source = Source::parse(text.replace("\r\n", "\n"))
                .with_context(|| format!("cannot parse {}", repo.relative(&path)))?;
            files.insert(name, source);
        }
        let mut solution = Self {
            files,
            cuts: Vec::new(),
        };
        let mut problems = Vec::new();
        for (chapter, manifest) in course.written() {
            for section in &manifest.sections {
                if let Err(error) = solution.add(&root, section) {
                    problems.push(format!("{}.toml, {error:#}", chapter.stem()));
                }
            }
        }
        if let Err(error) = solution.check() {
            problems.push(format!("{error:#}"));
        }
        if !problems.is_empty() {
            bail!("{}", problems.join("\n"));
        }
        Ok(solution)
    }

    /// The files of the reference, relative to `src`.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.files.iter().map(|(name, file)| (name.as_str(), file))
    }

    /// One file of the reference.
    pub fn file(&self, name: &str) -> Option<&Source> {
        self.files.get(name)
    }

    /// `file` with the sections that `solved` accepts as in the reference, and the
    /// learner's parts of all others cut out.
    pub fn render(&self, file: &str, solved: impl Fn(SectionId) -> bool) -> String {
        let Some(source) = self.files.get(file) else {
            return String::new();
        };
        let mut cuts: Vec<&Cut> = self
            .cuts
            .iter()
            .filter(|cut| cut.file == file && !solved(cut.section))
            .collect();
        cuts.sort_by_key(|cut| cut.range.start);
        let mut text = String::with_capacity(source.text.len());
        let mut copied = 0;
        for cut in cuts {
            text.push_str(&source.text[copied..cut.range.start]);
            text.push_str(&cut.stub);
            copied = cut.range.end;
        }
        text.push_str(&source.text[copied..]);
        // The reference's program names its library, and the learner's another.
        close_gaps(&text).replace("claw_code_solutions", "claw_code")
    }

    /// Every file with no section solved: what `src/` holds as committed.
    pub fn stubs(&self) -> BTreeMap<String, String> {
        self.render_all(|_| false)
    }

    /// Every file with the sections solved that `solved` accepts.
    pub fn render_all(&self, solved: impl Fn(SectionId) -> bool) -> BTreeMap<String, String> {
        self.files
            .keys()
            .map(|name| (name.clone(), self.render(name, &solved)))
            .collect()
    }

    /// The functions and types that `section` touches, each once, in its order.
    pub fn units(&self, section: SectionId) -> Vec<&Unit> {
        let mut units: Vec<&Unit> = Vec::new();
        for cut in self.cuts.iter().filter(|cut| cut.section == section) {
            if !units.contains(&&cut.unit) {
                units.push(&cut.unit);
            }
        }
        units
    }

    /// What the learner writes in `section`, in the manifest's order.
    pub fn pieces(&self, section: SectionId) -> impl Iterator<Item = &Piece> {
        self.cuts
            .iter()
            .filter(move |cut| cut.section == section)
            .map(|cut| &cut.piece)
    }

    /// Whether `section` asks for something other than function bodies: attributes,
    /// variants, fields or types, which tests see through what the code does.
    pub fn has_shapes(&self, section: SectionId) -> bool {
        let mut cuts = self.cuts.iter().filter(|cut| cut.section == section);
        cuts.any(|cut| cut.stub.starts_with(GAP))
    }

    /// The chapters whose sections cut something out of `file`.
    pub fn chapters_in(&self, file: &str) -> Vec<u32> {
        let mut chapters: Vec<u32> = self
            .cuts
            .iter()
            .filter(|cut| cut.file == file)
            .map(|cut| cut.section.chapter)
            .collect();
        chapters.sort_unstable();
        chapters.dedup();
        chapters
    }

    /// The section that asks for `item`, a path inside `file`, if one does.
    pub fn section_of(&self, file: &str, item: &[String]) -> Option<SectionId> {
        let range = self.files.get(file)?.find(item).ok()??.range;
        self.cuts
            .iter()
            .find(|cut| {
                cut.file == file && range.start <= cut.range.start && cut.range.end <= range.end
                    || cut.file == file
                        && cut.range.start <= range.start
                        && range.end <= cut.range.end
            })
            .map(|cut| cut.section)
    }

    fn add(&mut self, root: &std::path::Path, section: &Section) -> Result<()> {
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

    /// Finds `item` by its path from the crate's root.
    pub fn find(&self, root: &std::path::Path, item: &str) -> Result<(String, Vec<String>, Found)> {
        let (path, inner) = source::locate(root, item)?;
        let file = relative_name(root, &path);
        let found = match self.files.get(&file) {
            Some(source) => source.find(&inner)?,
            None => None,
        };
        match found {
            Some(found) => Ok((file, inner, found)),
            None => bail!(
                "solutions/src/{file} has no item `{}` (listed as {item})",
                inner.join("::")
            ),
        }
    }

    fn cut_item(&self, root: &std::path::Path, section: SectionId, item: &str) -> Result<Cut> {
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
        root: &std::path::Path,
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

    /// No two cuts may overlap, and a type must belong to one section, since it is
    /// put in and reset as a whole.
    fn check(&self) -> Result<()> {
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

/// `path` relative to `root`, with `/` on every system.
pub fn relative_name(root: &std::path::Path, path: &std::path::Path) -> String {
    let inside: PathBuf = path.strip_prefix(root).unwrap_or(path).to_path_buf();
    inside.to_string_lossy().replace('\\', "/")
}

/// Cuts `range` out of `text` together with the blank line it leaves behind.
pub fn remove(text: &str, range: &Range<usize>) -> String {
    let line = text[..range.start].rfind('\n').map_or(0, |n| n + 1);
    let after = text[range.end..].split('\n').next().unwrap_or_default();
    let after = after.trim_start_matches([',', ' ', '\t', '\r']);
    let is_alone =
        text[line..range.start].trim().is_empty() && (after.is_empty() || after.starts_with("//"));
    if !is_alone {
        return format!(
            "{}{}",
            &text[..range.start],
            text[range.end..].trim_start_matches([',', ' '])
        );
    }
    let range = lines_of(text, range);
    close_gaps(&format!(
        "{}{GAP}\n{}",
        &text[..range.start],
        &text[range.end..]
    ))
}

/// The whole lines that an item takes up: a comma behind it and plain comments right
/// above it belong to it.
pub fn lines_of(text: &str, range: &Range<usize>) -> Range<usize> {
    let mut start = text[..range.start].rfind('\n').map_or(0, |n| n + 1);
    while let Some(above) = text[..start.saturating_sub(1)]
        .rfind('\n')
        .map(|n| n + 1)
        .filter(|above| {
            let line = text[*above..start].trim_start();
            line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!")
        })
    {
        start = above;
    }
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |newline| range.end + newline + 1);
    start..end
}

/// Takes the gap marks out, and with them the blank lines that would be left double,
/// behind an opening brace, before a closing one, or at the end. Braces with nothing
/// left between them close up.
fn close_gaps(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_gap = |line: &str| line.starts_with(GAP);
    let mut out: Vec<Cow<str>> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        let end = lines[at..]
            .iter()
            .position(|line| !is_gap(line) && !line.trim().is_empty())
            .map_or(lines.len(), |n| at + n);
        let block = &lines[at..end];
        if block.iter().any(|line| is_gap(line)) {
            let blank = block.iter().any(|line| line.is_empty());
            let opens = out.last().is_none_or(|line| line.ends_with('{'));
            let closing = lines.get(end).map(|line| line.trim_start());
            let closes = closing.is_none_or(|line| line.starts_with('}'));
            if end == lines.len() || (blank && !opens && !closes) {
                out.push(Cow::Borrowed(""));
            } else if opens
                && closes
                && let (Some(line), Some(closing)) = (out.last_mut(), closing)
            {
                line.to_mut().push_str(closing);
                at = end + 1;
                continue;
            }
        } else {
            out.extend(block.iter().copied().map(Cow::Borrowed));
        }
        if let Some(line) = lines.get(end) {
            out.push(Cow::Borrowed(line));
        }
        at = end + 1;
    }
    out.join("\n")
}
