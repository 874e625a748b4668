//! A part that a section cuts out of the reference.

use std::ops::Range;

use crate::manifest::SectionId;

/// One part of the reference that the learner writes.
pub(super) struct Cut {
    pub section: SectionId,
    /// The file, relative to `src`.
    pub file: String,
    /// The bytes that are cut out.
    pub range: Range<usize>,
    /// The text that replaces them in the stub.
    pub stub: String,
    pub unit: Unit,
    pub piece: Piece,
}

/// One part for the learner to write, as the manifest lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The file, relative to `src`.
    pub file: String,
    /// The item's path inside it.
    pub path: Vec<String>,
    /// The attribute to write on that item; `None` if the item itself is to be written.
    pub attribute: Option<String>,
    /// The tokens of a function's signature; `None` for any other item.
    pub signature: Option<String>,
}

/// The smallest part of a file that `solution --apply` and `reset` replace as a whole: a
/// function, or a type with its variants and fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The file, relative to `src`.
    pub file: String,
    /// The item's path inside it.
    pub path: Vec<String>,
}
