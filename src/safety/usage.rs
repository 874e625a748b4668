//! Usage lines: how a program may be called.

use super::{CommandClass, Word};

/// A row of a table of programs: the words with which a command begins, such as `git log`, and
/// a line with the options and operands that may follow, such as `-[qv] -n: --lines: PATH...`.
/// An option or operand that is not listed makes the command uncertain.
///
/// | text | an option |
/// | --- | --- |
/// | `-[qv]` | one or more of these letters: `-q`, `-qv` |
/// | `-n:` | one letter with a value: `-n 5`, `-n5` |
/// | `--lines:` | a name with a value: `--lines 5`, `--lines=5` |
/// | `--color=` | a name that may have a value: `--color`, `--color=always` |
/// | `-print`, `--all` | exactly this word |
/// | `-name:` | exactly this word, and the next one is its value |
///
/// | text | an operand |
/// | --- | --- |
/// | `PATH` | a path |
/// | `TEXT` | a text that names no file |
/// | `ANY` | a text that need not be known |
/// | `FORMAT` | a text that begins with `+` |
/// | `FOLDER` | a folder in which the following commands run |
/// | `COMMAND...` | a program and its arguments, which the program runs |
/// | `SCRIPT` | a shell script, which the program runs |
///
/// `TEXT?` may be missing, and `TEXT...` may be repeated or missing. `COMMAND...` needs at least a
/// program.
#[derive(Debug, Clone, PartialEq)]
pub struct Usage {
    /// The class of a command that fits.
    pub class: CommandClass,
    /// The words with which the command begins.
    pub name: Vec<&'static str>,
    /// The options.
    pub options: Vec<&'static str>,
    /// The operands.
    pub operands: Vec<&'static str>,
}

impl Usage {
    /// The usage of a row: its first words, and its options and operands.
    pub fn parse(class: CommandClass, name: &'static str, line: &'static str) -> Self {
        let (options, operands) = line.split_whitespace().partition(|it| it.starts_with('-'));
        Self {
            class,
            name: name.split(' ').collect(),
            options,
            operands,
        }
    }

    /// The words after the name, if the command begins with it.
    fn after_name<'a>(&self, words: &'a [Word]) -> Option<&'a [Word]> {
        let (name, rest) = words.split_at_checked(self.name.len())?;
        let mut pairs = self.name.iter().zip(name);
        let is_name = pairs.all(|(part, word)| word.as_deref() == Some(part));
        is_name.then_some(rest)
    }

    /// Whether an option is listed: `Some(true)` if the next word is its value, `Some(false)` if
    /// it is complete, `None` if it is not listed.
    pub fn option(&self, word: &str) -> Option<bool> {
        self.options.iter().find_map(|option| {
            if let Some(letters) = option.strip_prefix("-[") {
                let given = word.strip_prefix('-')?;
                let is_letter = |it| it != ']' && letters.contains(it);
                return (!given.is_empty() && given.chars().all(is_letter)).then_some(false);
            }
            let name = option.trim_end_matches([':', '=']);
            let rest = word.strip_prefix(name)?;
            let is_attached = match name.starts_with("--") {
                true => rest.starts_with('='),
                false => name.len() == 2 && !rest.is_empty(),
            };
            match (rest, option.chars().last()) {
                ("", Some(':')) => Some(true),
                ("", _) => Some(false),
                (_, Some(':' | '=')) if is_attached => Some(false),
                _ => None,
            }
        })
    }

    /// The operands of a command, if it begins with the name and all of its options are listed.
    ///
    /// A word that begins with `-` is an option, except for `-` alone and for words after `--`.
    /// If the last operand is `COMMAND...`, only words before the first operand are options. A
    /// word that is not known may be an option, so it makes the command uncertain, except where no
    /// options can follow and where the usage line ends in `ANY...`. The first `--` is no operand,
    /// if options can still follow there.
    pub fn operands_of<'a>(&self, words: &'a [Word]) -> Option<Vec<&'a Word>> {
        todo!("usage-lines: write Usage::operands_of")
    }
}
