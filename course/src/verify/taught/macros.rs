//! Reads the arguments of macros.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, Token};

use super::expectations::Reader;
use super::roles::Role;

impl Reader<'_> {
    /// Reads a macro call. What cannot be parsed as expressions is read token by token.
    pub(super) fn read_macro(&mut self, call: &syn::Macro) {
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        let name = name.unwrap_or_default();
        let arguments = expressions(&call.tokens).filter(|_| name != "json");
        let Some(arguments) = arguments else {
            return self.tokens(call.tokens.clone());
        };
        match (name.as_str(), arguments.as_slice()) {
            ("assert_eq", [left, right, message @ ..]) => {
                self.compared(left, right);
                self.with(Role::Message, |reader| reader.formatted(message));
            }
            ("assert_ne", [left, right, message @ ..]) => {
                self.read(Role::Result, left);
                self.read(Role::Result, right);
                self.with(Role::Message, |reader| reader.formatted(message));
            }
            ("assert" | "debug_assert", [condition, message @ ..]) => {
                self.read(Role::Result, condition);
                self.with(Role::Message, |reader| reader.formatted(message));
            }
            // A tool or model of the tests panics on purpose.
            ("panic", message) if self.scope.function.starts_with('.') => self.formatted(message),
            ("panic" | "unreachable" | "println" | "eprintln", message) => {
                self.with(Role::Message, |reader| reader.formatted(message));
            }
            ("format" | "write" | "writeln" | "anyhow" | "bail", arguments) => {
                self.formatted(arguments)
            }
            (_, arguments) => arguments
                .iter()
                .for_each(|argument| self.visit_expr(argument)),
        }
    }

    /// A template of `format!`: the texts between its values.
    fn template(&mut self, literal: &syn::LitStr) {
        let template = literal.value();
        let mut text = String::new();
        let mut rest = template.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            text.push_str(&rest[..at]);
            let is_escaped = rest[at + 1..].starts_with(&rest[at..=at]);
            let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
            match is_escaped {
                true => text.push_str(&rest[at..=at]),
                false => {
                    let name = rest[at + 1..end].split([':', '}']).next();
                    self.uses(name.unwrap_or_default());
                    text.push('\n');
                }
            }
            rest = &rest[if is_escaped { at + 2 } else { end }..];
        }
        text.push_str(rest);
        let line = literal.span().start().line;
        self.text(text, line);
    }

    /// The arguments of `format!` and its relatives.
    fn formatted(&mut self, arguments: &[Expr]) {
        for argument in arguments {
            match argument {
                Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(literal),
                    ..
                }) => self.template(literal),
                Expr::Assign(named) => self.visit_expr(&named.right),
                other => self.visit_expr(other),
            }
        }
    }

    /// Tokens that are not expressions, such as those of `json!`.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) if name == "format" => {
                    tokens.next();
                    if let Some(TokenTree::Group(arguments)) = tokens.next() {
                        let arguments = expressions(&arguments.stream());
                        self.formatted(&arguments.unwrap_or_default());
                    }
                }
                TokenTree::Ident(name) => self.uses(&name.to_string()),
                TokenTree::Literal(literal) => {
                    let next = tokens.peek();
                    let is_key =
                        matches!(next, Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
                    let line = literal.span().start().line;
                    if let syn::Lit::Str(text) = syn::Lit::new(literal) {
                        match is_key && self.role == Role::Expected {
                            true => self.field_name(text.value(), line),
                            false => self.text(text.value(), line),
                        }
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

/// Tokens as expressions with commas between them, if they are.
fn expressions(tokens: &TokenStream) -> Option<Vec<Expr>> {
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    let parsed = parser.parse2(tokens.clone()).ok()?;
    Some(parsed.into_iter().collect())
}
