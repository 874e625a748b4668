//! The reference, with some sections solved and the rest cut out.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::course_toml::Course;
use crate::manifest::{Section, SectionId};
use crate::repo::{self, Repo, read_text, relative_name};
use crate::source::{self, Found, Source};

use super::cut::{Cut, Piece, Unit};
use super::gaps::{GAP, close_gaps};

/// A function of the reference.
pub struct FunctionText<'a> {
    /// The file, relative to `src`.
    pub file: &'a str,
    /// Its [name](source::Implementation::name) in the file.
    pub name: String,
    /// The section that asks for it, or for the type or block around it.
    pub section: Option<SectionId>,
    /// The text of its [`range`](source::Implementation::range).
    pub text: &'a str,
    /// Its name, if it is [private](source::Implementation::private).
    pub private: Option<String>,
}

/// The reference and the parts that each section cuts out of it.
#[derive(Default)]
pub struct Solution {
    pub(super) files: BTreeMap<String, Source>,
    pub(super) cuts: Vec<Cut>,
}

impl Solution {
    /// Reads the reference and finds the items that the manifests list. The error names every
    /// item that it lacks.
    pub fn load(repo: &Repo, course: &Course) -> Result<Self> {
        let mut solution = Self::default();
        let root = repo.solutions();
        for path in repo::rust_files(&root)? {
            solution.read(&root, &path)?;
        }
        solution.with_sections(&root, course, course.sections())
    }

    /// Does the same for some sections, and reads only the files in which they list items. To
    /// parse the whole reference takes longer than most chapters' tests.
    pub fn load_sections(repo: &Repo, course: &Course, sections: &[&Section]) -> Result<Self> {
        let sections = sections.iter().copied();
        Self::default().with_sections(&repo.solutions(), course, sections)
    }

    fn with_sections<'a>(
        mut self,
        root: &Path,
        course: &Course,
        sections: impl Iterator<Item = &'a Section>,
    ) -> Result<Self> {
        let mut problems = Vec::new();
        for section in sections {
            if let Err(error) = self.add(root, section) {
                let chapter = course.chapter(section.id.chapter)?;
                problems.push(format!("{}.toml, {error:#}", chapter.stem()));
            }
        }
        if let Err(error) = self.check() {
            problems.push(format!("{error:#}"));
        }
        if !problems.is_empty() {
            bail!("{}", problems.join("\n"));
        }
        Ok(self)
    }

    /// Reads the file at `path`, unless it has been read.
    pub(super) fn read(&mut self, root: &Path, path: &Path) -> Result<()> {
        if let Entry::Vacant(place) = self.files.entry(relative_name(root, path)) {
            let name = || format!("solutions/src/{}", relative_name(root, path));
            let text = read_text(path).with_context(|| format!("cannot read {}", name()))?;
            let source = Source::parse(text).with_context(|| format!("cannot parse {}", name()))?;
            place.insert(source);
        }
        Ok(())
    }

    /// The files of the reference, relative to `src`.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.files.iter().map(|(name, file)| (name.as_str(), file))
    }

    /// One file of the reference.
    pub fn file(&self, name: &str) -> Option<&Source> {
        self.files.get(name)
    }

    /// `file` with the sections solved that `solved` accepts, and the learner's parts of all
    /// others cut out.
    pub fn render(&self, file: &str, solved: impl Fn(SectionId) -> bool) -> String {
        self.render_units(file, |section, _| solved(section))
    }

    /// Does the same with a choice for each unit.
    pub fn render_units(&self, file: &str, solved: impl Fn(SectionId, &Unit) -> bool) -> String {
        let Some(source) = self.files.get(file) else {
            return String::new();
        };
        let mut cuts: Vec<&Cut> = self
            .cuts
            .iter()
            .filter(|cut| cut.file == file && !solved(cut.section, &cut.unit))
            .collect();
        cuts.sort_by_key(|cut| cut.range.start);
        let mut text = String::with_capacity(source.text.len());
        let mut copied = 0;
        for cut in &cuts {
            text.push_str(&source.text[copied..cut.range.start]);
            text.push_str(&cut.stub);
            copied = cut.range.end;
        }
        text.push_str(&source.text[copied..]);
        if cuts.iter().any(|cut| cut.stub.starts_with(GAP)) {
            text = close_gaps(&text);
        }
        // The two packages name their libraries differently.
        text.replace("claw_code_solutions", "claw_code")
    }

    /// `file` without the [implementations](Source::implementations) of its functions and without
    /// the learner's parts of the sections that `solved` does not accept.
    pub fn render_shape(&self, file: &str, solved: impl Fn(SectionId) -> bool) -> String {
        let Some(source) = self.files.get(file) else {
            return String::new();
        };
        let cuts = self.cuts.iter();
        let cuts = cuts.filter(|cut| cut.file == file && !solved(cut.section));
        let mut removed: Vec<Range<usize>> = cuts.map(|cut| cut.range.clone()).collect();
        removed.extend(source.implementations().into_iter().map(|it| it.range));
        removed.sort_by_key(|range| range.start);
        let mut text = String::with_capacity(source.text.len());
        let mut copied = 0;
        for range in removed {
            // A body may be inside a part that is cut out.
            text.push_str(source.text.get(copied..range.start).unwrap_or_default());
            copied = copied.max(range.end);
        }
        text.push_str(&source.text[copied..]);
        text
    }

    /// The [functions](Source::implementations) of all files, in a fixed order.
    pub fn functions(&self) -> Vec<FunctionText<'_>> {
        let mut all = Vec::new();
        for (file, source) in self.files() {
            let cuts: Vec<&Cut> = self.cuts.iter().filter(|cut| cut.file == file).collect();
            for function in source.implementations() {
                let body = function.body;
                let overlaps =
                    |cut: &&&Cut| cut.range.start < body.end && body.start < cut.range.end;
                all.push(FunctionText {
                    file,
                    name: function.name,
                    section: cuts.iter().find(overlaps).map(|cut| cut.section),
                    text: &source.text[function.range],
                    private: function.private,
                });
            }
        }
        all
    }

    /// The same reference, in which the n-th of its [functions](Self::functions) begins with
    /// `call(n)`.
    pub fn with_calls(
        &self,
        repo: &Repo,
        course: &Course,
        call: impl Fn(usize) -> String,
    ) -> Result<Self> {
        let mut changed = Self::default();
        let mut first = 0;
        for (file, source) in self.files() {
            let (mut text, functions) = (source.text.clone(), source.implementations());
            // From the end to the start, so that the ranges before stay right.
            for (place, function) in functions.iter().enumerate().rev() {
                text.insert_str(function.body.start + 1, &call(first + place));
            }
            first += functions.len();
            changed.files.insert(file.to_string(), Source::parse(text)?);
        }
        changed.with_sections(&repo.solutions(), course, course.sections())
    }

    /// Every file with no section solved, which is what `src/` holds as committed.
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

    /// The functions and types that `section` changes, in the manifest's order, each once.
    pub fn units(&self, section: SectionId) -> Vec<&Unit> {
        let mut units: Vec<&Unit> = Vec::new();
        for cut in self.cuts.iter().filter(|cut| cut.section == section) {
            if !units.contains(&&cut.unit) {
                units.push(&cut.unit);
            }
        }
        units
    }

    /// The functions and types that any section changes, each once with its section.
    pub fn all_units(&self) -> Vec<(SectionId, &Unit)> {
        let mut seen = BTreeSet::new();
        let units = self.cuts.iter().map(|cut| (cut.section, &cut.unit));
        units
            .filter(|(_, unit)| seen.insert((&unit.file, &unit.path)))
            .collect()
    }

    /// The parts that the learner writes in `section`, in the manifest's order.
    pub fn pieces(&self, section: SectionId) -> impl Iterator<Item = &Piece> {
        self.cuts
            .iter()
            .filter(move |cut| cut.section == section)
            .map(|cut| &cut.piece)
    }

    /// The number of lines that the learner writes in `section`: those of the reference, without
    /// blank lines, comments and the braces around a function's body.
    pub fn lines_to_write(&self, section: SectionId) -> usize {
        let cuts = self.cuts.iter().filter(|cut| cut.section == section);
        cuts.map(|cut| {
            let text = &self.files[&cut.file].text[cut.range.clone()];
            let body = text
                .strip_prefix('{')
                .and_then(|body| body.strip_suffix('}'));
            let lines = body.unwrap_or(text).lines().map(str::trim);
            lines
                .filter(|line| !line.is_empty() && !line.starts_with("//"))
                .count()
        })
        .sum()
    }

    /// Whether `section` asks for anything but function bodies: attributes, variants, fields
    /// or types. A test that lacks those fails without reaching a stub.
    pub fn has_shapes(&self, section: SectionId) -> bool {
        let mut cuts = self.cuts.iter().filter(|cut| cut.section == section);
        cuts.any(|cut| cut.stub.starts_with(GAP))
    }

    /// The chapters that cut something out of `file`.
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

    /// The section that asks for `item`, a path inside `file`, if any.
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

    /// Finds `item` by its path from the crate's root. Returns its file, its path inside that
    /// file, and the item.
    pub fn find(&self, root: &Path, item: &str) -> Result<(String, Vec<String>, Found)> {
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
}
