//! The words of shell commands, for patterns such as `git status *`.

use globset::GlobMatcher;

/// How sure a match has to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Certainty {
    /// The call does what the pattern says and nothing else. For rules that allow.
    Certain,
    /// The call may do what the pattern says. For rules that deny or ask.
    Possible,
}

/// Characters with which a shell command does more than run one program with fixed
/// arguments. Inside quotes most of them are harmless, but they count there too.
const SHELL_SYNTAX: &str = ";&|<>()$`\\*?[]{}~#!\n\r";

/// The characters after which a shell may begin another command.
const COMMAND_ENDS: &str = ";&|<>()$`{}\n\r";

/// The words of a command that runs one program and nothing else: the program and its
/// arguments, without their quotes. `None` for every command about which this is not certain:
/// one with a character of `SHELL_SYNTAX`, an unclosed quote or no word at all, or one whose
/// first word contains `=`, which may set a variable.
pub fn simple_words(command: &str) -> Option<Vec<String>> {
    todo!("simple-commands: write simple_words")
}

/// The words of the commands that the text may run, and of some that it does not run. A name
/// that the shell puts together, as in `a=rm; $a x` or `{rm,x}`, is not found, nor one inside a
/// longer word, as in `PAGER=rm git log`. Words on both sides of a redirection are separated, as in
/// `git >log push`, and the `2` of `2>&1` counts as a word.
///
/// A backslash before a `\n` joins two lines, unless it is in a comment or after another
/// backslash. So a text with such pairs is read twice: first without them, then as it is. Every
/// `'`, every `"` and every other backslash is removed. A command ends at each character of
/// `COMMAND_ENDS`, and words end at whitespace. Commands without a word are left out.
pub fn possible_commands(text: &str) -> Vec<Vec<String>> {
    todo!("possible-commands: write possible_commands")
}

/// Whether `pattern` matches all of `words`, one word after another. A last pattern of `*`
/// matches any number of words, even zero.
///
/// With [`Certainty::Possible`], each word may also match without a `/` at its end, with or without
/// the folders in front of its name: the pattern `rm` matches `rm` and `/bin/rm`, and the patterns
/// `docs` and `a/docs` match `a/docs/`.
pub fn words_match(pattern: &[GlobMatcher], words: &[String], certainty: Certainty) -> bool {
    todo!("word-patterns: write words_match")
}
