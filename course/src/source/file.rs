//! A parsed source file.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::item::{Block, Found, Kind};
use super::syntax::{declaration, is_test, trait_of, type_name};
use super::text::{dedent, indent_at};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A parsed source file and its text.
pub struct Source {
    /// The file's text. Every range of an item counts its bytes.
    pub text: String,
    pub(crate) ast: syn::File,
}

impl Source {
    /// Parses `text`. The error names the line and column.
    pub fn parse(text: impl Into<String>) -> Result<Self> {
        let mut text = text.into();
        // `syn` skips a byte order mark, so its positions would not fit the text.
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

    /// The item that `path` names in this file: `name`, or `Type::name` for a method, variant
    /// or field, or `<Type as Trait>::name` if two traits have the name.
    pub fn find(&self, path: &[String]) -> Result<Option<Found>> {
        let found = self.find_all(path)?;
        match found.len() {
            0 => Ok(None),
            1 => Ok(found.into_iter().next()),
            n => bail!(
                "{n} items are called `{}`, under different `#[cfg]` or of several traits (`<Type as Trait>::name` names one of these)",
                path.join("::")
            ),
        }
    }

    /// All items that `path` can name. Under different `cfg` attributes, a name may come twice.
    pub fn find_all(&self, path: &[String]) -> Result<Vec<Found>> {
        let mut found = match path {
            [name] => self.top_level(name),
            [owner, name] => self.members(owner, name),
            _ => bail!("after its module, an item's path is `name` or `Type::name`"),
        };
        // A method may have the same name as a field. Then the method is meant.
        if found.iter().any(|one| one.kind == Kind::Function) {
            found.retain(|one| one.kind != Kind::Field);
        }
        Ok(found)
    }

    /// The `impl` and trait blocks, in the order of the file.
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

    /// The names of the top-level items and their first bytes.
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

    /// The names of the functions with an attribute such as `#[test]` or `#[tokio::test]`, in
    /// the order of the file.
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

    /// The text at `range` without the indentation of its first line.
    pub fn code(&self, range: &Range<usize>) -> String {
        dedent(
            indent_at(&self.text, range.start),
            &self.text[range.clone()],
        )
    }

    /// A function's signature as callers see it: name, types and bounds, without the names of
    /// the parameters. `None` for any other item.
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

    /// The line of the byte `at`, from 1.
    pub fn line_of(&self, at: usize) -> usize {
        self.text[..at.min(self.text.len())].matches('\n').count() + 1
    }
}
