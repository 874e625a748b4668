//! What is proved section by section.

use crate::course_toml::Chapter;
use crate::manifest::{Manifest, Section};

/// A section with its chapter.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The chapter.
    pub chapter: &'a Chapter,
    /// The chapter's manifest.
    pub manifest: &'a Manifest,
    /// The section.
    pub section: &'a Section,
}
