//! What a command may do that can't be read for certain.

use super::{CommandClass, DESTRUCTIVE, NETWORK};
use crate::permission::possible_commands;

/// The class of a command that is not certain: [`CommandClass::Destructive`] if any command that
/// the text may run matches a row of [`DESTRUCTIVE`]; then [`CommandClass::Network`] by the table
/// [`NETWORK`]; otherwise [`CommandClass::Unknown`].
///
/// The commands are those of [`possible_commands`], where `=`, `!` and `,` count as spaces:
/// `--exec=rm` hides a program, too.
pub fn suspected_class(text: &str) -> CommandClass {
    let commands = possible_commands(&text.replace(['=', '!', ','], " "));
    let is_in = |table: &[&str]| {
        let mut rows = table.iter();
        rows.any(|row| commands.iter().any(|words| is_row(row, words)))
    };
    if is_in(DESTRUCTIVE) {
        CommandClass::Destructive
    } else if is_in(NETWORK) {
        CommandClass::Network
    } else {
        CommandClass::Unknown
    }
}

/// Whether one of the words is the program of a row, in any folder, and the words after it
/// [have](has_word) all other words of the row, in any order.
fn is_row(row: &str, words: &[String]) -> bool {
    let mut parts = row.split(' ');
    let program = parts.next();
    // The words after the first such program include those after any later one.
    let mut rest = words.iter();
    rest.any(|word| word.rsplit('/').next() == program)
        && parts.all(|part| rest.clone().any(|word| has_word(part, word)))
}

/// Whether a word of a command may mean a word of a row.
///
/// - A long option may be abbreviated or continued: `--forc` and `--force-with-lease` mean
///   `--force`. `--` alone only means itself. A value after a `=` is a word of its own here.
/// - An option of one letter may be among others: `-uf` means `-f`.
/// - Any other word only means itself.
pub fn has_word(part: &str, word: &str) -> bool {
    match part.as_bytes() {
        [b'-', b'-', _, ..] => {
            word.len() > 2
                && word.starts_with("--")
                && (part.starts_with(word) || word.starts_with(part))
        }
        [b'-', letter] if *letter != b'-' => {
            word.starts_with('-') && !word.starts_with("--") && word.contains(*letter as char)
        }
        _ => word == part,
    }
}
