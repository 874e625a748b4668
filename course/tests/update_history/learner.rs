//! Learners in different states.

use std::collections::{BTreeMap, BTreeSet};

use course::manifest::{Section, SectionId};
use course::stubs::Unit;
use course::update::common::Sources;
use course::update::pieces::Parts;
use course::update::version::Version;

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}

/// The sources of a learner: some sections solved, a few functions half written, and comments,
/// helpers and a file of the learner's own.
pub fn state(version: &Version, number: u64) -> Sources {
    let mut dice = Dice(number + 1);
    let sections: Vec<SectionId> = {
        let all = version.course.written().flat_map(|(_, it)| &it.sections);
        all.map(|section| section.id).collect()
    };
    let reached = dice.roll(sections.len() as u64 + 1) as usize;
    let keeps = [100, 100, 90, 50][dice.roll(4) as usize];
    let reached = sections.into_iter().take(reached);
    let solved = reached.filter(|_| dice.roll(100) < keeps).collect();
    sources(version, &solved, &mut dice, number)
}

/// A learner whose code compiles before the first update.
pub struct Learner {
    /// The number, from which all else follows.
    pub number: u64,
    /// The sources.
    pub sources: Sources,
    /// The newest open chapter.
    pub open: u32,
    /// Whether the learner is on the core path.
    pub is_core: bool,
    /// Whether the code compiles.
    pub compiles: bool,
}

/// How many chapters have been opened between learners with different open chapters. The compiler
/// uses what it knows of an earlier learner only if the same chapters are open.
const CHAPTERS_BETWEEN: usize = 4;

impl Learner {
    /// A learner as [`state`] makes them who has opened chapters in order and written their types.
    pub fn new(version: &Version, number: u64) -> Self {
        let mut dice = Dice(number + 1);
        let chapters: Vec<u32> = version.course.written().map(|(it, _)| it.number).collect();
        let mut opened: Vec<u32> = chapters
            .into_iter()
            .rev()
            .step_by(CHAPTERS_BETWEEN)
            .collect();
        opened.reverse();
        let nth = number as usize % opened.len();
        let open = opened[nth];
        let all = version.course.written().flat_map(|(_, it)| &it.sections);
        let sections: Vec<&Section> = all.filter(|it| it.id.chapter <= open).collect();
        let is_earlier = |it: &&&Section| nth > 0 && it.id.chapter <= opened[nth - 1];
        let earlier = sections.iter().filter(is_earlier).count();
        let reached = earlier + dice.roll((sections.len() - earlier) as u64 + 1) as usize;
        let keeps = [100, 100, 90, 50][dice.roll(4) as usize];
        let is_core = dice.roll(2) == 0;
        let mut solved = BTreeSet::new();
        for (at, section) in sections.into_iter().enumerate() {
            let is_kept = at < reached && dice.roll(100) < keeps;
            let is_type = version.solution.has_shapes(section.id)
                && (at < reached || section.id.chapter < open);
            if is_kept || is_type || (is_core && section.depth) {
                solved.insert(section.id);
            }
        }
        Self {
            number,
            sources: sources(version, &solved, &mut dice, number),
            open,
            is_core,
            compiles: true,
        }
    }
}

fn sources(
    version: &Version,
    solved: &BTreeSet<SectionId>,
    dice: &mut Dice,
    learner: u64,
) -> Sources {
    let mut sources = Sources::new();
    for (file, it) in &version.files {
        let is_solved = |section: SectionId, _: &Unit| solved.contains(&section);
        let mut text = version.solution.render_units(file, is_solved);
        let has_code = it.units.values().any(|unit| solved.contains(&unit.section));
        if has_code && dice.roll(4) == 0 {
            text = edited(&text, dice, learner);
        }
        sources.insert(file.clone(), text.into_bytes());
    }
    sources.insert("mine.rs".to_string(), b"//! MARK-own-file\n".to_vec());
    sources
}

/// `text` with the learner's own code in some functions and between the items.
fn edited(text: &str, dice: &mut Dice, learner: u64) -> String {
    let parts = Parts::of(text).expect("a rendered file");
    let mut out = text.to_string();
    // The places in functions and in types.
    let mut places: Vec<(usize, bool)> = parts
        .all()
        .into_iter()
        .filter(|(key, piece)| key.item.starts_with("fn ") && piece.item.ends_with('}'))
        .map(|(_, piece)| (piece.range.start + body(&piece.item), false))
        .collect();
    places.extend(parts.pieces.iter().filter_map(|piece| {
        let brace = piece.item.find(" {\n")?;
        let is_type = piece.key.starts_with("type ") && piece.block.is_none();
        is_type.then_some((piece.range.start + brace + 2, true))
    }));
    places.sort_unstable();
    for (at, is_type) in places.into_iter().rev() {
        let number = dice.roll(1_000_000_000);
        match dice.roll(6) {
            0 => out.insert_str(at, &format!("\n        // MARK-{learner}-{number}\n")),
            1 if !is_type => out.insert_str(
                at,
                &format!("\n        let _mark = \"MARK-{learner}-{number}\";\n"),
            ),
            _ => {}
        }
    }
    let number = dice.roll(1_000_000_000);
    if dice.roll(2) == 0 {
        out.push_str(&format!(
            "\n/// MARK-{learner}-{number}\nfn own_helper_{number}(x: u32) -> u32 {{\n    x + 1\n}}\n"
        ));
    }
    out
}

/// The byte after the opening brace of a function's body.
fn body(item: &str) -> usize {
    let wrapped = format!("impl X {{{item}\n}}");
    let source = course::source::Source::parse(wrapped).expect("a function");
    let path = source.functions().into_iter().next().expect("a function");
    let found = source.find(&path).expect("one").expect("one");
    found.body.expect("a body").start - "impl X {".len() + 1
}

/// The learner's marks, each with its file.
pub fn marks(sources: &Sources) -> BTreeMap<String, String> {
    let mut marks = BTreeMap::new();
    for (file, content) in sources {
        let text = String::from_utf8_lossy(content);
        for (at, _) in text.match_indices("MARK-") {
            let rest = &text[at..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            marks.insert(rest[..end.unwrap_or(rest.len())].to_string(), file.clone());
        }
    }
    marks
}
