//! Rust source, and where in it each item stands.
//!
//! Items are found with `syn` and cut out of the text by their spans, so that what
//! lies between them (comments, blank lines, formatting) stays as somebody wrote it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use quote::ToTokens;
use syn::spanned::Spanned;

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

    /// Paths of every function whose body a learner could be asked to write, such that
    /// [`find`](Self::find) finds each.
    pub fn functions(&self) -> Vec<Vec<String>> {
        let mut paths = Vec::new();
        for item in &self.ast.items {
            match item {
                syn::Item::Fn(function) => paths.push(vec![function.sig.ident.to_string()]),
                syn::Item::Impl(block) => {
                    let Some(owner) = type_name(&block.self_ty) else {
                        continue;
                    };
                    for member in &block.items {
                        if let syn::ImplItem::Fn(function) = member {
                            let name = function.sig.ident.to_string();
                            paths.push(self.unmistakable(&owner, trait_of(block), name));
                        }
                    }
                }
                syn::Item::Trait(block) => {
                    for member in &block.items {
                        if let syn::TraitItem::Fn(function) = member
                            && function.default.is_some()
                        {
                            paths.push(vec![
                                block.ident.to_string(),
                                function.sig.ident.to_string(),
                            ]);
                        }
                    }
                }
                _ => {}
            }
        }
        paths
    }

    /// `Type::name`, or `<Type as Trait>::name` where the type has several of the name.
    fn unmistakable(&self, owner: &str, of: Option<String>, name: String) -> Vec<String> {
        let short = vec![owner.to_string(), name];
        match (self.find(&short), of) {
            (Err(_), Some(of)) => vec![format!("<{owner} as {of}>"), short[1].clone()],
            _ => short,
        }
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

    fn top_level(&self, name: &str) -> Vec<Found> {
        self.ast
            .items
            .iter()
            .filter_map(|item| {
                let (ident, attrs, kind, body) = declaration(item)?;
                (ident == name).then(|| self.found(kind, item, attrs, body))
            })
            .collect()
    }

    fn members(&self, owner: &str, name: &str) -> Vec<Found> {
        let (owner, wanted_trait) = split_owner(owner);
        let mut found = Vec::new();
        for item in &self.ast.items {
            match item {
                syn::Item::Enum(i) if i.ident == owner => {
                    for variant in i.variants.iter().filter(|v| v.ident == name) {
                        found.push(self.found(Kind::Variant, variant, &variant.attrs, None));
                    }
                }
                syn::Item::Struct(i) if i.ident == owner => {
                    for field in &i.fields {
                        if field.ident.as_ref().is_some_and(|ident| ident == name) {
                            found.push(self.found(Kind::Field, field, &field.attrs, None));
                        }
                    }
                }
                syn::Item::Trait(i) if i.ident == owner => {
                    for member in &i.items {
                        if let syn::TraitItem::Fn(f) = member
                            && f.sig.ident == name
                        {
                            let body = f.default.as_ref().map(Spanned::span);
                            found.push(self.found(Kind::Function, member, &f.attrs, body));
                        }
                    }
                }
                syn::Item::Impl(i) if is_impl_of(i, &owner, wanted_trait.as_deref()) => {
                    for member in &i.items {
                        if let syn::ImplItem::Fn(f) = member
                            && f.sig.ident == name
                        {
                            let body = Some(f.block.span());
                            found.push(self.found(Kind::Function, member, &f.attrs, body));
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn found(
        &self,
        kind: Kind,
        item: &(impl ToTokens + Spanned),
        attrs: &[syn::Attribute],
        body: Option<proc_macro2::Span>,
    ) -> Found {
        let range = item.span().byte_range();
        let after_attrs = attrs.last().map_or(range.start, |attr| {
            let end = attr.span().byte_range().end;
            let gap = self.text[end..].len() - self.text[end..].trim_start().len();
            end + gap
        });
        Found {
            kind,
            bare: after_attrs..range.end,
            range,
            body: body.map(|span| span.byte_range()),
            attributes: attrs
                .iter()
                .filter(|attr| !attr.path().is_ident("doc"))
                .map(|attr| attr.span().byte_range())
                .collect(),
            tokens: without_docs(item.to_token_stream()),
        }
    }
}

/// A top-level item's name, attributes, kind and, of a function, its body.
fn declaration(
    item: &syn::Item,
) -> Option<(
    &syn::Ident,
    &[syn::Attribute],
    Kind,
    Option<proc_macro2::Span>,
)> {
    let (ident, attrs, kind, body) = match item {
        syn::Item::Fn(i) => (&i.sig.ident, &i.attrs, Kind::Function, Some(i.block.span())),
        syn::Item::Struct(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Enum(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Union(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Trait(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Type(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Const(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Static(i) => (&i.ident, &i.attrs, Kind::Type, None),
        _ => return None,
    };
    Some((ident, attrs, kind, body))
}

/// The white space with which the line of byte `at` begins.
pub fn indent_at(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let rest = &text[line..];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// `code` with `indent` taken off the beginning of its lines.
pub fn dedent(indent: &str, code: &str) -> String {
    let lines: Vec<&str> = code
        .lines()
        .map(|line| line.strip_prefix(indent).unwrap_or(line.trim_start()))
        .collect();
    lines.join("\n")
}

/// The tokens of a piece of source as one string, or as given if they do not lex.
pub fn tokens_of(text: &str) -> String {
    text.parse::<proc_macro2::TokenStream>()
        .map_or_else(|_| text.to_string(), |tokens| tokens.to_string())
}

/// Where an item's module lies: its file below `src`, and the path left inside it.
///
/// `types::message::Message::user` is `src/types/message.rs` and `Message::user`.
pub fn locate(src: &Path, item: &str) -> Result<(PathBuf, Vec<String>)> {
    let segments = split_path(item);
    let mut dir = src.to_path_buf();
    let mut file = None;
    let mut used = 0;
    for segment in &segments {
        let flat = dir.join(format!("{segment}.rs"));
        let nested = dir.join(segment).join("mod.rs");
        file = match (flat.is_file(), nested.is_file()) {
            (true, _) => Some(flat),
            (_, true) => Some(nested),
            _ => break,
        };
        dir.push(segment);
        used += 1;
    }
    let file = file.ok_or_else(|| {
        anyhow!(
            "`{item}` begins with no module of {}: a path starts at the crate's root, as in `types::message::Message`",
            src.display()
        )
    })?;
    Ok((file, segments[used..].to_vec()))
}

/// The module that a file below `src` holds: `types::message` for `types/message.rs`.
pub fn module_of(file: &str) -> String {
    file.trim_end_matches(".rs")
        .trim_end_matches("/mod")
        .replace('/', "::")
}

/// Splits at `::`, except inside `<Type as Trait>`.
fn split_path(item: &str) -> Vec<String> {
    let mut segments = vec![String::new()];
    let mut depth = 0;
    let mut rest = item;
    while let Some(next) = rest.chars().next() {
        if depth == 0 && rest.starts_with("::") {
            segments.push(String::new());
            rest = &rest[2..];
            continue;
        }
        depth += match next {
            '<' => 1,
            '>' => -1,
            _ => 0,
        };
        if let Some(last) = segments.last_mut() {
            last.push(next);
        }
        rest = &rest[next.len_utf8()..];
    }
    segments
}

/// `<Type as Trait>` as its two names; a plain `Type` has no trait.
fn split_owner(owner: &str) -> (String, Option<String>) {
    let inside = owner.strip_prefix('<').and_then(|o| o.strip_suffix('>'));
    let inner = inside.unwrap_or(owner);
    match inner.split_once(" as ") {
        Some((name, of)) => (name.to_string(), Some(of.to_string())),
        None => (inner.to_string(), None),
    }
}

fn is_impl_of(block: &syn::ItemImpl, owner: &str, wanted_trait: Option<&str>) -> bool {
    type_name(&block.self_ty).is_some_and(|name| name == owner)
        && wanted_trait.is_none_or(|wanted| {
            trait_of(block).is_some_and(|of| {
                let name = of.split(' ').next();
                // How a `>>` is spaced says nothing.
                name == Some(wanted) || of.replace(' ', "") == wanted.replace(' ', "")
            })
        })
}

/// The trait that a block implements, without its module: `From < u8 >`.
fn trait_of(block: &syn::ItemImpl) -> Option<String> {
    let segment = block.trait_.as_ref()?.0.segments.last()?;
    Some(segment.to_token_stream().to_string())
}

fn is_test(attribute: &syn::Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| segment.ident == "test")
}

fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}

/// Tokens as text, doc comments left out: two ways to document are one code.
fn without_docs(tokens: proc_macro2::TokenStream) -> String {
    use proc_macro2::{TokenStream, TokenTree};
    fn strip(tokens: TokenStream) -> TokenStream {
        let mut kept = Vec::new();
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let is_doc = group.stream().into_iter().next().is_some_and(
                        |first| matches!(first, TokenTree::Ident(word) if word == "doc"),
                    );
                    let after_hash = matches!(
                        kept.last(),
                        Some(TokenTree::Punct(mark)) if mark.as_char() == '#'
                    );
                    if is_doc && after_hash {
                        kept.pop();
                    } else {
                        let inner = strip(group.stream());
                        kept.push(proc_macro2::Group::new(group.delimiter(), inner).into());
                    }
                }
                other => kept.push(other),
            }
        }
        kept.into_iter().collect()
    }
    strip(tokens).to_string()
}
