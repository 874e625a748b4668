//! The parts of an item in a source file.

use std::ops::Range;

/// The kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A function or a method, its body included.
    Function,
    /// A struct, enum, union, trait, type alias, constant or static.
    Type,
    /// A variant of an enum.
    Variant,
    /// A named field of a struct.
    Field,
}

/// An item and its location in the text. All ranges are in bytes.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its kind.
    pub kind: Kind,
    /// From its first attribute or doc comment to its end.
    pub range: Range<usize>,
    /// From its visibility or keyword to its end: the item without doc comments and
    /// attributes.
    pub bare: Range<usize>,
    /// A function's body, braces included.
    pub body: Option<Range<usize>>,
    /// The attributes, without doc comments.
    pub attributes: Vec<Range<usize>>,
}

/// An `impl` or trait block.
#[derive(Debug, Clone)]
pub struct Block {
    /// The name of the type, or of the trait that the block defines.
    pub owner: String,
    /// The implemented trait with its type arguments, if any.
    pub of: Option<String>,
    /// Its text up to the opening brace, with attributes and doc comments.
    pub head: String,
    /// Its location, in bytes.
    pub range: Range<usize>,
}
