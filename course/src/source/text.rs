//! Source as text: indentation and tokens.

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

/// The tokens of a piece of source as one string, or the text itself if it does not lex.
pub fn tokens_of(text: &str) -> String {
    text.parse::<proc_macro2::TokenStream>()
        .map_or_else(|_| text.to_string(), |tokens| tokens.to_string())
}

/// The tokens as text, without doc comments, which do not change the code.
pub(super) fn without_docs(tokens: proc_macro2::TokenStream) -> String {
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
