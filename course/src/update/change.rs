//! What an update does to one item, section or file.

use crate::manifest::{Section, SectionId};

/// What happens to an item, a section or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// A function is a stub again, with the learner's code in a comment.
    StubAgain,
    /// A type comes complete, with the learner's in a comment.
    TypeReplaced,
    /// A type of an earlier chapter that was a stub comes complete, since the course's code needs
    /// it.
    TypeCompleted,
    /// An item of the learner's own no longer compiles and is a comment now.
    CommentedOut,
    /// A given item that the learner had edited is as the new version has it.
    GivenReplaced,
    /// A file of the learner's own has the name of a new file of the course.
    FileReplaced,
    /// The course has removed a file with code of the learner's.
    FileGone,
    /// The course no longer asks for an item. The learner's stays.
    NoLongerAsked,
    /// A new section.
    NewSection,
    /// A new item of a section that existed.
    NewItem,
    /// The learner's code has moved with its item.
    Moved,
    /// The learner's code stays, under a new doc comment.
    Reworded,
}

impl Outcome {
    /// Whether it is about an item that the learner wrote and the course still asks for.
    pub fn is_about_theirs(self) -> bool {
        matches!(
            self,
            Self::StubAgain | Self::TypeReplaced | Self::Moved | Self::Reworded
        )
    }
}

/// One thing that an update does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What happens.
    pub outcome: Outcome,
    /// The section in the new version.
    pub section: Option<SectionId>,
    /// The item, as manifests write it, the file in `src`, or the section's title.
    pub item: String,
    /// The reason, or the old name.
    pub detail: String,
}

impl Change {
    /// A change that belongs to no section.
    pub fn of(outcome: Outcome, item: String) -> Self {
        Self {
            outcome,
            section: None,
            item,
            detail: String::new(),
        }
    }

    /// The same change with its section and detail.
    pub fn about(self, section: &Section, detail: &str) -> Self {
        Self {
            section: Some(section.id),
            detail: detail.to_string(),
            ..self
        }
    }
}
