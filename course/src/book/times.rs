//! Times on the pages: how long a chapter and each section take, and what is core.

use super::Pages;
use crate::course_toml::Chapter;
use crate::manifest::{Manifest, Section, SectionId};
use crate::messages::time;

impl Pages {
    /// The chapter's name in the table of contents, with the time of its core. Other pages keep
    /// their names.
    pub fn name_with_time(&self, page: &str, name: &str) -> String {
        match self.chapter_of(page) {
            Some((_, manifest)) => {
                let unix = if manifest.unix { " · Unix" } else { "" };
                format!("{name} · {}{unix}", time(manifest.times().core))
            }
            None => name.to_string(),
        }
    }

    /// What follows a heading: under a chapter's title its times, under a section's title its
    /// time and whether it is core.
    pub(super) fn below_heading(&self, page: &str, line: &str) -> Option<String> {
        let (_, manifest) = self.chapter_of(page)?;
        if line.starts_with("# ") {
            let unix = if manifest.unix { NEEDS_UNIX } else { "" };
            return Some(format!(
                "<p class=\"chapter-time\">{}</p>{unix}",
                chapter_times(manifest)
            ));
        }
        let id: SectionId = line.strip_prefix("## ")?.split(' ').next()?.parse().ok()?;
        let section = manifest.sections.iter().find(|section| section.id == id)?;
        // The page's script folds depth sections.
        let depth = if section.depth { " depth" } else { "" };
        Some(format!(
            "<p class=\"section-time{depth}\">{}</p>",
            section_time(section)
        ))
    }

    /// Whether `page` is a written chapter's.
    pub fn is_chapter(&self, page: &str) -> bool {
        self.chapter_of(page).is_some()
    }

    fn chapter_of(&self, page: &str) -> Option<(&Chapter, &Manifest)> {
        let stem = page.strip_suffix(".md")?;
        let mut chapters = self.course.written();
        chapters.find(|(chapter, _)| chapter.stem() == stem)
    }
}

/// At the top of a chapter that needs Unix.
const NEEDS_UNIX: &str = "\n<p><strong>This chapter needs Unix</strong>: Linux, macOS, or WSL on \
Windows. On Windows itself, <code>cargo course next</code> passes over it, and the chapters after it \
do without its code.</p>";

/// Such as `Core 1 h 40 · depth 3 h`.
pub(super) fn chapter_times(manifest: &Manifest) -> String {
    let times = manifest.times();
    let core = time(times.core);
    match times.depth {
        0 => format!("Core {core}"),
        depth => format!("Core {core} · depth {}", time(depth)),
    }
}

fn section_time(section: &Section) -> String {
    let minutes = time(section.minutes);
    match (section.depth, section.tests.is_empty()) {
        (false, _) => format!("Core · {minutes}"),
        (true, true) => format!("Depth · {minutes}"),
        (true, false) => format!(
            "Depth · {minutes} · given on the core path; <code>cargo course reset {}</code> makes it your work",
            section.id
        ),
    }
}
