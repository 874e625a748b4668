//! Rust source, and where in it each item stands.
//!
//! Items are found with `syn` and cut out of the text by their spans, so that what
//! lies between them (comments, blank lines, formatting) stays as somebody wrote it.

mod path;
mod search;
mod text;

pub use path::{locate, module_of};
pub use text::{dedent, indent_at, tokens_of};

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use quote::ToTokens;
use syn::spanned::Spanned;

use search::{declaration, is_test, trait_of, type_name};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A parsed source file together with its text.
pub struct Source {
    /// The file's text; every range below counts its bytes.
    pub text: String,
    ast: syn::File,
}

/// What kind of item a path led to.
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

/// An item's place in the text. All ranges are in bytes.
#[derive(Debug, Clone)]
pub struct Found {
    /// What it is.
    pub kind: Kind,
    /// From its first attribute or doc comment to its end.
    pub range: Range<usize>,
    /// From its visibility or keyword to its end: the item without what stands above.
    pub bare: Range<usize>,
    /// A function's body, braces included.
    pub body: Option<Range<usize>>,
    /// Each attribute that is not a doc comment.
    pub attributes: Vec<Range<usize>>,
    /// The item's tokens, comments and layout left out.
    pub tokens: String,
}

/// A block with members.
#[derive(Debug, Clone)]
pub struct Block {
    /// The type's name, or the trait's own.
    pub owner: String,
    /// The trait that is implemented, its type arguments included.
    pub of: Option<String>,
    /// Its text before the opening brace, what stands above it included.
    pub head: String,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

impl Source {
    /// Parses `text`. The error names the line and what `syn` stumbled over.
    pub fn parse(text: impl Into<String>) -> Result<Self> {
        let mut text = text.into();
        // `syn` passes over a byte order mark, and would count without it.
        if text.starts_with(BYTE_ORDER_MARK) {
            text.remove(0);
        }
        let ast = syn::parse_file(&text).map_err(|error| {
            let at = error.span().start();
            anyhow!("line {}, column {}: {error}", at.line, at.column + 1)
        })?;
        Ok(Self { text, ast })
    }

    /// Reads and parses the file at `path`.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(text).with_context(|| format!("cannot parse {}", path.display()))
    }

    /// The item that `path` names inside this file: `name`, or `Type::name` for a
    /// method, variant or field, or `<Type as Trait>::name` where two traits have it.
    pub fn find(&self, path: &[String]) -> Result<Option<Found>> {
        let mut found = match path {
            [name] => self.top_level(name),
            [owner, name] => self.members(owner, name),
            _ => bail!("an item's path is `name` or `Type::name` after its module"),
        };
        // A method may have a field's name. It is the one that somebody writes.
        if found.iter().any(|one| one.kind == Kind::Function) {
            found.retain(|one| one.kind != Kind::Field);
        }
        match found.len() {
            0 => Ok(None),
            1 => Ok(found.into_iter().next()),
            n => bail!(
                "{n} items are called `{}`; write `<Type as Trait>::name` for the one you mean",
                path.join("::")
            ),
        }
    }

    /// Every `impl` and trait block, in the order of the file.
    pub fn blocks(&self) -> Vec<Block> {
        let block = |item: &syn::Item| {
            let (owner, of, brace) = match item {
                syn::Item::Impl(block) => (
                    type_name(&block.self_ty)?,
                    trait_of(block),
                    &block.brace_token,
                ),
                syn::Item::Trait(block) => (block.ident.to_string(), None, &block.brace_token),
                _ => return None,
            };
            let range = item.span().byte_range();
            let open = brace.span.open().byte_range().start;
            Some(Block {
                owner,
                of,
                head: self.text[range.start..open].to_string(),
                range,
            })
        };
        self.ast.items.iter().filter_map(block).collect()
    }

    /// Names of the top-level items and where each begins.
    pub fn names(&self) -> Vec<(String, usize)> {
        self.ast
            .items
            .iter()
            .filter_map(|item| {
                let (ident, ..) = declaration(item)?;
                Some((ident.to_string(), item.span().byte_range().start))
            })
            .collect()
    }

    /// Names of the functions marked `#[test]` or, say, `#[tokio::test]`, in the order
    /// of the file.
    pub fn tests(&self) -> Vec<String> {
        self.ast
            .items
            .iter()
            .filter_map(|item| match item {
                syn::Item::Fn(function) if function.attrs.iter().any(is_test) => {
                    Some(function.sig.ident.to_string())
                }
                _ => None,
            })
            .collect()
    }

    /// The text at `range`, moved left by the indentation of its first line.
    pub fn code(&self, range: &Range<usize>) -> String {
        dedent(
            indent_at(&self.text, range.start),
            &self.text[range.clone()],
        )
    }

    /// A function's signature as callers see it: its name, types and bounds. The names
    /// of its parameters are its own affair. `None` for all else.
    pub fn signature(&self, found: &Found) -> Option<String> {
        let body = found.body.as_ref()?;
        let head = &self.text[found.bare.start..body.start];
        let mut function: syn::ImplItemFn = syn::parse_str(&format!("{head}{{}}")).ok()?;
        for input in &mut function.sig.inputs {
            match input {
                syn::FnArg::Receiver(receiver) => receiver.mutability = None,
                syn::FnArg::Typed(typed) => *typed.pat = syn::parse_quote!(_),
            }
        }
        Some(function.sig.to_token_stream().to_string())
    }

    /// The line, counted from 1, on which the byte `at` stands.
    pub fn line_of(&self, at: usize) -> usize {
        self.text[..at.min(self.text.len())].matches('\n').count() + 1
    }
}
