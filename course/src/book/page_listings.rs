//! The listings of a page, and their ids.

use std::collections::BTreeMap;

use super::directive::directives;

/// The items that a page lists, and the line of each one's first listing.
pub(super) struct PageListings<'a>(BTreeMap<&'a str, usize>);

impl<'a> PageListings<'a> {
    /// The listings of a page.
    pub(super) fn of(markdown: &'a str) -> Self {
        let mut lines = BTreeMap::new();
        for one in directives(markdown) {
            if matches!(one.name, "item" | "stub") {
                lines.entry(one.argument).or_insert(one.line);
            }
        }
        Self(lines)
    }

    /// Whether the page lists `item`.
    pub(super) fn contains(&self, item: &str) -> bool {
        self.0.contains_key(item)
    }

    /// The id of the listing of `item` on `line`. Only the first listing of an item has one.
    pub(super) fn id(&self, item: &str, line: usize) -> Option<String> {
        (self.0.get(item) == Some(&line)).then(|| listing_id(item))
    }
}

/// The id of an item's listing: its path with hyphens in place of what an id cannot contain.
pub(super) fn listing_id(item: &str) -> String {
    let words = item.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!("item-{}", words.join("-"))
}
