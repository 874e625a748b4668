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
    todo!("suspicion: write suspected_class")
}

/// Whether one of the words is the program of a row, in any folder, and the words after it
/// [have](has_word) all other words of the row, in any order.
fn is_row(row: &str, words: &[String]) -> bool {
    todo!("suspicion: write is_row")
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
