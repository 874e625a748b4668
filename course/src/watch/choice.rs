//! The section that the screen is about.

use super::{Pane, Watch};
use crate::verdict::{ChapterReport, SectionReport};

impl Watch<'_> {
    /// The current chapter's report, if the last run has one.
    pub(super) fn chapter(&self) -> Option<&ChapterReport> {
        self.report.as_ref()?.as_ref().ok()
    }

    /// The section that was chosen, if the report has it.
    pub(super) fn chosen_section(&self) -> Option<&SectionReport> {
        let mut sections = self.chapter()?.sections.iter();
        sections.find(|section| Some(section.id) == self.chosen)
    }

    /// The chosen section, or else the first one that is not green.
    pub(super) fn section(&self) -> Option<&SectionReport> {
        let chosen = self.chosen_section();
        chosen.or_else(|| self.chapter()?.current())
    }

    /// Chooses the section that is `steps` lines further down in the list.
    pub(super) fn choose(&mut self, steps: isize) {
        let Some(report) = self.chapter() else {
            return;
        };
        let from = self.section().map(|section| section.id);
        let mut sections = report.sections.iter();
        let last = report.sections.len().saturating_sub(1);
        let at = sections.position(|section| Some(section.id) == from);
        let at = at.map_or(0, |at| at.saturating_add_signed(steps).min(last));
        self.chosen = report.sections.get(at).map(|section| section.id);
        self.in_sight = Some(at);
        self.pane = Pane::Verdict;
    }
}
