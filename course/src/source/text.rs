//! Source as text: indentation and tokens.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The indentation of the line with the byte `at`.
pub fn indent_at(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let rest = &text[line..];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// `code` without `indent` at the beginning of its lines.
pub fn dedent(indent: &str, code: &str) -> String {
    let lines: Vec<&str> = code
        .lines()
        .map(|line| line.strip_prefix(indent).unwrap_or(line.trim_start()))
        .collect();
    lines.join("\n")
}

/// The modules that a file declares as files of their own, such as `usage` for `mod usage;`.
pub fn declared_modules(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().map(str::trim);
    let lines = lines.map(|line| line.strip_prefix("pub ").unwrap_or(line));
    lines
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .collect()
}

/// The tokens of a piece of source as one string, or the text itself if it does not lex.
pub fn tokens_of(text: &str) -> String {
    text.parse::<TokenStream>()
        .map_or_else(|_| text.to_string(), |tokens| tokens.to_string())
}

/// The code of a piece of source as one string: its tokens without comments and documentation.
/// The text itself if it does not lex.
pub fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    match text.parse() {
        Ok(tokens) => push_code(tokens, &mut code),
        Err(_) => code.push_str(text),
    }
    code
}

fn push_code(tokens: TokenStream, code: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::None => ("", ""),
                };
                code.push_str(open);
                push_code(group.stream(), code);
                code.push_str(close);
            }
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let inner =
                    |next: &TokenTree| matches!(next, TokenTree::Punct(it) if it.as_char() == '!');
                let bang = tokens.next_if(inner);
                if tokens.next_if(is_documentation).is_none() {
                    code.push('#');
                    code.extend(bang.map(|_| '!'));
                }
            }
            // Two identifiers need a space between them, and `= =` is not `==`.
            TokenTree::Punct(punct) => {
                code.push(punct.as_char());
                if punct.spacing() == Spacing::Alone {
                    code.push(' ');
                }
            }
            token => {
                code.push_str(&token.to_string());
                code.push(' ');
            }
        }
    }
}

/// Whether these are the brackets of an attribute `doc`, which is how a doc comment lexes.
fn is_documentation(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let mut inside = group.stream().into_iter();
    matches!(inside.next(), Some(TokenTree::Ident(ident)) if ident == "doc")
        && matches!(inside.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == '=')
}
