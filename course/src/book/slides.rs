//! A chapter's slides: its title and picture, and for each core section the Predict question, and
//! the answer with the command of the checkpoint.

use std::fmt::Write;

use anyhow::Result;

use super::{Pages, chapter_number, directives};
use crate::messages::time;

/// The line between two slides.
pub const BETWEEN_SLIDES: &str = "<!-- slide -->";

impl Pages {
    /// The slides of chapter `chapter`, in markdown, with [`BETWEEN_SLIDES`] between them. The first
    /// line of a slide may name it: `<!-- id: chapter-4 -->`.
    pub(super) fn slides(&self, chapter: &str) -> Result<String> {
        let number = chapter_number(chapter)?;
        let (chapter, manifest) = self.course.written_chapter(number)?;
        let mut text = format!(
            "<!-- id: chapter-{number} -->\n# Chapter {number}: {}\n\n{}\n\nCore: {}\n",
            chapter.title,
            chapter.about,
            time(manifest.times().core)
        );
        let page = self.page_text(chapter)?;
        if let Some(picture) = directives(&page).find(|one| one.name == "picture") {
            let picture = self.picture(picture.argument)?;
            let _ = write!(text, "\n{BETWEEN_SLIDES}\n\n{picture}\n");
        }
        for section in manifest.sections.iter().filter(|section| !section.depth) {
            let id = section.id;
            let head = format!("## {id} {}", section.title);
            let (question, answer) = self.question(id)?.unwrap_or_default();
            if !question.is_empty() {
                let _ = write!(
                    text,
                    "\n{BETWEEN_SLIDES}\n<!-- id: {id} -->\n{head}\n\n<div class=\"question\">\n\n**Predict.** {question}\n\n</div>\n"
                );
            }
            let minutes = time(section.minutes);
            let task = match section.tests.is_empty() {
                true => format!("Now read it, in about {minutes}."),
                false => format!(
                    "Now write it, in about {minutes}: <code>cargo course check {id}</code>"
                ),
            };
            let _ = write!(
                text,
                "\n{BETWEEN_SLIDES}\n{head}\n\n{answer}\n\n<p class=\"checkpoint\">{task}</p>\n"
            );
        }
        Ok(text)
    }
}
