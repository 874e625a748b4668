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
