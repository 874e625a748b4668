//! Splits a source file into its items, so that each can be kept or replaced by itself.

use std::ops::Range;

use anyhow::Result;
use quote::ToTokens;
use syn::spanned::Spanned;

use crate::source::Source;
use crate::splice::end_of_line;

/// A file as a list of items. Joined again, the parts are the file's text.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The file's own doc comment and attributes.
    pub header: String,
    /// The items, in order.
    pub pieces: Vec<Piece>,
    /// The text after the last item.
    pub tail: String,
}

/// One item, with the text between it and the item before it.
#[derive(Debug, Clone, Default)]
pub struct Piece {
    /// Its kind and name, such as `fn run` or `impl Display for Lamp`.
    pub key: String,
    /// Blank lines and comments above it, and the indentation of its first line.
    pub gap: String,
    /// The item, from its doc comment to its end.
    pub item: String,
    /// The members of an `impl` or trait block.
    pub block: Option<Block>,
    /// The bytes of the item in the file.
    pub range: Range<usize>,
}

/// The members of an `impl` or trait block.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// From its doc comment to the opening brace.
    pub head: String,
    /// The members, in order.
    pub members: Vec<Piece>,
    /// From the end of the last member to the closing brace.
    pub tail: String,
}

/// The place of an item in a file: its block's key, if it is a member, and its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The key of the `impl` or trait block.
    pub block: Option<String>,
    /// The item's own key.
    pub item: String,
}

impl Parts {
    /// Splits `text`. The error names the line and column.
    pub fn of(text: &str) -> Result<Self> {
        Ok(Self::of_source(&Source::parse(text)?))
    }

    /// Splits a parsed file.
    pub fn of_source(source: &Source) -> Self {
        let text = &source.text;
        let ends = source.ast.attrs.iter().map(|it| it.span().byte_range().end);
        let header = ends.max().map_or(0, |end| end_of_line(text, end));
        let items = source.ast.items.iter().map(|item| {
            let block = match item {
                syn::Item::Impl(block) => {
                    let members = block.items.iter().map(|it| (member_key(it), it.span()));
                    Some((&block.brace_token, members.collect::<Vec<_>>()))
                }
                syn::Item::Trait(block) => {
                    let members = block.items.iter().map(|it| (trait_key(it), it.span()));
                    Some((&block.brace_token, members.collect()))
                }
                _ => None,
            };
            let block = block.map(|(brace, members)| {
                let open = brace.span.open().byte_range().end;
                let members = members.into_iter();
                (
                    open,
                    members
                        .map(|(key, span)| (key, span.byte_range()))
                        .collect(),
                )
            });
            (item_key(item), item.span().byte_range(), block)
        });
        let (pieces, end) = pieces(text, header, items.collect());
        Self {
            header: text[..header].to_string(),
            pieces,
            tail: text[end..].to_string(),
        }
    }

    /// The item at `key`, and the block that contains it, if any.
    pub fn get(&self, key: &Key) -> Option<&Piece> {
        match &key.block {
            None => self.pieces.iter().find(|piece| piece.key == key.item),
            Some(block) => self.members(block).find(|member| member.key == key.item),
        }
    }

    /// The members of all blocks with the key `block`.
    pub fn members(&self, block: &str) -> impl Iterator<Item = &Piece> {
        let blocks = self.pieces.iter().filter(move |piece| piece.key == block);
        blocks
            .filter_map(|piece| piece.block.as_ref())
            .flat_map(|block| &block.members)
    }

    /// Every item and member, with its place.
    pub fn all(&self) -> Vec<(Key, &Piece)> {
        let mut all = Vec::new();
        for piece in &self.pieces {
            let top = Key {
                block: None,
                item: piece.key.clone(),
            };
            all.push((top, piece));
            for member in piece.block.iter().flat_map(|block| &block.members) {
                let key = Key {
                    block: Some(piece.key.clone()),
                    item: member.key.clone(),
                };
                all.push((key, member));
            }
        }
        all
    }

    /// The innermost item that contains the byte `at`.
    pub fn at(&self, at: usize) -> Option<(Key, &Piece)> {
        let containing = |(_, piece): &(Key, &Piece)| {
            let gap = piece.range.start.saturating_sub(piece.gap.len());
            (gap..piece.range.end + 1).contains(&at)
        };
        self.all().into_iter().rfind(containing)
    }
}

impl Piece {
    /// The item with the text above it.
    pub fn text(&self) -> String {
        format!("{}{}", self.gap, self.item)
    }

    /// Whether it is an import.
    pub fn is_use(&self) -> bool {
        self.key.starts_with("use ")
    }
}

/// The key, the range and, for a block, the end of its opening brace and its members.
type Item = (String, Range<usize>, Option<(usize, Vec<Member>)>);
type Member = (String, Range<usize>);

/// The pieces of `items`, whose gaps begin at `start`, and the end of the last one.
fn pieces(text: &str, start: usize, items: Vec<Item>) -> (Vec<Piece>, usize) {
    let mut at = start;
    let mut pieces: Vec<Piece> = Vec::new();
    for (key, range, block) in items {
        let end = end_of_line(text, range.end);
        let block = block.map(|(open, members)| {
            let members = members.into_iter().map(|(key, range)| (key, range, None));
            let (members, after) = self::pieces(text, open, members.collect());
            Block {
                head: text[range.start..open].to_string(),
                members,
                tail: text[after..end].to_string(),
            }
        });
        // Items under different `cfg` attributes can share a name. Blocks often do.
        let same = pieces.iter().filter(|piece| {
            piece.key == key
                || piece
                    .key
                    .split_once('#')
                    .is_some_and(|(name, _)| name == key)
        });
        let key = match (same.count(), &block) {
            (0, _) | (_, Some(_)) => key,
            (count, None) => format!("{key}#{count}"),
        };
        pieces.push(Piece {
            key,
            gap: text[at..range.start].to_string(),
            item: text[range.start..end].to_string(),
            block,
            range: range.start..end,
        });
        at = end;
    }
    (pieces, at)
}

fn item_key(item: &syn::Item) -> String {
    let tokens = |it: &dyn ToTokens| it.to_token_stream().to_string();
    match item {
        syn::Item::Fn(it) => format!("fn {}", it.sig.ident),
        syn::Item::Struct(it) => format!("type {}", it.ident),
        syn::Item::Enum(it) => format!("type {}", it.ident),
        syn::Item::Union(it) => format!("type {}", it.ident),
        syn::Item::Type(it) => format!("type {}", it.ident),
        syn::Item::Trait(it) => format!("type {}", it.ident),
        syn::Item::Const(it) => format!("const {}", it.ident),
        syn::Item::Static(it) => format!("const {}", it.ident),
        syn::Item::Mod(it) => format!("mod {}", it.ident),
        syn::Item::Use(it) => format!("use {}", tokens(&it.tree)),
        syn::Item::Impl(it) => {
            let of = it.trait_.as_ref().map(|of| tokens(&of.0));
            let of = of.map(|of| format!("{of} for ")).unwrap_or_default();
            format!("impl {of}{}", tokens(&it.self_ty))
        }
        other => tokens(other),
    }
}

fn member_key(member: &syn::ImplItem) -> String {
    match member {
        syn::ImplItem::Fn(it) => format!("fn {}", it.sig.ident),
        syn::ImplItem::Const(it) => format!("const {}", it.ident),
        syn::ImplItem::Type(it) => format!("type {}", it.ident),
        other => other.to_token_stream().to_string(),
    }
}

fn trait_key(member: &syn::TraitItem) -> String {
    match member {
        syn::TraitItem::Fn(it) => format!("fn {}", it.sig.ident),
        syn::TraitItem::Const(it) => format!("const {}", it.ident),
        syn::TraitItem::Type(it) => format!("type {}", it.ident),
        other => other.to_token_stream().to_string(),
    }
}
