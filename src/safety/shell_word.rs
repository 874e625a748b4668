//! The words of a parsed shell command.

use tree_sitter::Node;

/// A word of a command: its text after the shell has removed the quotes, or `None` if the text
/// is known only when the command runs, as that of `$HOME` and `*.rs`.
pub type Word = Option<String>;

/// Characters that the shell replaces or removes in an unquoted word. It replaces `~` only at
/// the beginning of a word, and after a `:` or `=`.
const SPECIAL: [char; 10] = ['\\', '*', '?', '[', ']', '{', '}', '$', '`', '!'];

/// The text of a word's node, if it is certain.
///
/// - A `word` or `number` is its text, unless that `is_special`. Two texts that `find` needs are
///   certain all the same: `{}`, a `concatenation`, and `\;`, a `word` for `;`.
/// - A `raw_string`, in single quotes, is what is between the quotes.
/// - A `string`, in double quotes, is what is between the quotes, unless that has a `\`, `$`
///   or backquote.
/// - A `concatenation` or a `command_name` is the text of its children.
///
/// Every other kind of node is uncertain.
pub fn literal(node: Node, source: &str) -> Word {
    todo!("literal-words: write literal")
}

/// Whether the shell may replace or remove a part of an unquoted text.
fn is_special(text: &str) -> bool {
    text.contains(SPECIAL) || text.starts_with('~') || text.contains(":~") || text.contains("=~")
}
