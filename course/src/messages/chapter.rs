//! A chapter: its heading, its sections, and why it is not done.

use super::build_error::{cargo_failed, does_not_compile};
use super::section::section_reason;
use super::style::Style;
use super::text::{indented, time};
use crate::manifest::SectionId;
use crate::verdict::{ChapterReport, RunError, SectionReport, State};

/// The chapter's heading, with the number of green checkpoints.
pub fn heading(style: &Style, report: &ChapterReport) -> String {
    let (done, all) = report.count();
    let count = match report.problem {
        None | Some(RunError::CutShort { .. }) => format!("{done} of {all} checkpoints green"),
        Some(_) => format!("{done} of {all} checkpoints were green before this error"),
    };
    let left = match report.minutes_left() {
        0 => String::new(),
        minutes => format!(" · about {} left", time(minutes)),
    };
    format!(
        "{}  {}",
        style.bold(&format!("Chapter {} · {}", report.number, report.title)),
        style.dim(&format!("{count}{left}"))
    )
}

/// The sections, one line for each, with a pointer to the section `chosen`. A line of more than
/// `width` columns has only the mark, the title and the minutes.
pub fn list(
    style: &Style,
    report: &ChapterReport,
    chosen: Option<SectionId>,
    width: usize,
) -> Vec<String> {
    /// The columns of the pointer and the mark, and of the longest time.
    const MARKS: usize = 4;
    const MINUTES: usize = 6;
    let current = report.current().map(|section| section.id);
    let title = |section: &SectionReport| format!("{:<6}{}", section.id.to_string(), section.title);
    let details = |section: &SectionReport| {
        let kind = if section.depth { "depth" } else { "core" };
        let minutes = time(section.minutes);
        let details = format!("{kind:<7}{minutes:<9}{}", state_name(section));
        details.trim_end().to_string()
    };
    let sections = report.sections.iter();
    let widest = |text: &dyn Fn(&SectionReport) -> String| {
        let widths = sections
            .clone()
            .map(|section| text(section).chars().count());
        widths.max().unwrap_or_default()
    };
    let titles = widest(&title) + 2;
    let is_narrow = MARKS + titles + widest(&details) > width;
    let line = |section: &SectionReport| {
        let here = current == Some(section.id);
        let pointer = if chosen == Some(section.id) {
            "›"
        } else {
            " "
        };
        let (details, room) = match is_narrow {
            true => (
                time(section.minutes),
                titles.min(width.saturating_sub(MARKS + MINUTES)),
            ),
            false => (details(section), titles),
        };
        let mut title = title(section);
        if title.chars().count() + 2 > room {
            let shown = title.chars().take(room.saturating_sub(3));
            title = shown.chain(['…']).collect();
        }
        let title = format!("{title:<room$}");
        let title = match here {
            true => style.bold(&title),
            false => title,
        };
        format!(
            "{pointer} {} {title}{}",
            mark(style, section, here),
            style.dim(&details)
        )
    };
    sections.map(line).collect()
}

/// The sections as one line of marks, for small screens.
pub fn bar(style: &Style, report: &ChapterReport) -> String {
    let current = report.current().map(|section| section.id);
    let marks: Vec<String> = report
        .sections
        .iter()
        .map(|section| mark(style, section, current == Some(section.id)))
        .collect();
    format!("  {}", marks.join(" "))
}

/// Why the current checkpoint is not green, or that the chapter is done.
pub fn reason(style: &Style, report: &ChapterReport) -> Vec<String> {
    match &report.problem {
        Some(RunError::DoesNotCompile { errors }) => {
            return does_not_compile(style, report, errors);
        }
        Some(RunError::CargoFailed { message }) => {
            return cargo_failed(style, "the tests", message);
        }
        Some(RunError::CutShort { message }) => {
            let mut lines = vec![style.red("The test run did not finish:")];
            lines.extend(indented(message));
            if let Some(section) = report.current() {
                lines.push(String::new());
                lines.extend(section_reason(style, &report.page, section));
            }
            return lines;
        }
        None => {}
    }
    match report.current() {
        Some(section) => section_reason(style, &report.page, section),
        None => done(style, report),
    }
}

/// Names the first earlier section that is wrong, if `section` is wrong too: its mistake can be
/// the cause.
pub fn earlier_mistake(
    style: &Style,
    report: &ChapterReport,
    section: &SectionReport,
) -> Option<String> {
    let is_wrong = |section: &SectionReport| section.state == State::Wrong && !section.given;
    let sections = report.sections.iter();
    let mut earlier = sections.take_while(|other| other.id != section.id);
    let other = earlier.find(|other| is_wrong(section) && is_wrong(other))?;
    Some(style.yellow(&format!(
        "Section {0} is not right yet either, which can be the cause: `cargo course check {0}`.",
        other.id
    )))
}

/// The chapters that have just turned green, other than the one in `report`.
pub fn finished(style: &Style, chapters: &[u32], report: &ChapterReport) -> Vec<String> {
    let others = chapters.iter().filter(|number| **number != report.number);
    let mut lines: Vec<String> = others
        .map(|number| style.green(&chapter_done(*number)))
        .collect();
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// Why `next` stays in a chapter. What there is to do follows.
pub fn comes_first(number: u32) -> String {
    format!("Chapter {number} is not done yet. This comes first:")
}

/// A chapter is done. After chapter 0, the learner's first agent runs.
pub fn chapter_done(number: u32) -> String {
    match number {
        0 => format!("Chapter 0 is done. {FIRST_AGENT}"),
        number => format!("Chapter {number} is done."),
    }
}

/// Every checkpoint is green. Names the sections without a checkpoint.
fn done(style: &Style, report: &ChapterReport) -> Vec<String> {
    let mut lines = vec![style.green(&format!(
        "Chapter {} is done: every checkpoint is green.",
        report.number
    ))];
    if report.number == 0 {
        lines.push(FIRST_AGENT.to_string());
    }
    let given = report.sections.iter().filter(|s| s.state == State::Reading);
    let given: Vec<String> = given.map(|s| format!("{} {}", s.id, s.title)).collect();
    if !given.is_empty() {
        lines.push(format!(
            "Also read the sections without a checkpoint: {}, in {}.",
            given.join(", "),
            report.page
        ));
    }
    lines
}

fn mark(style: &Style, section: &SectionReport, here: bool) -> String {
    match section.state {
        State::Done | State::Waiting | State::NotWritten if section.given => style.dim("+"),
        State::Done => style.green("✓"),
        State::Reading => style.dim("–"),
        State::Wrong => style.red("✗"),
        _ if here => style.yellow("▸"),
        _ => style.dim("·"),
    }
}

fn state_name(section: &SectionReport) -> &'static str {
    match section.state {
        State::Done | State::Waiting if section.given => "given",
        State::NotWritten if section.given => "to be given",
        State::Done => "",
        State::Reading => "to read",
        State::NotWritten if section.pieces.iter().any(|piece| piece.written) => "not finished",
        State::NotWritten => "not written",
        State::Wrong if section.given => "given, but its tests fail",
        State::Wrong => "not right yet",
        State::Waiting => "needs another section",
        State::Unknown => "not run",
    }
}

const FIRST_AGENT: &str = "Your first agent runs: `cargo claw` talks to it.";
