//! Finds out what a shell command does.

use std::path::{Component, Path};
use std::sync::LazyLock;

use super::{
    Access, CommandClass, Effects, PathUse, READ_ONLY, Script, Usage, WRITES, Word, suspected_class,
};

/// The most words of a simple command whose meaning is looked up.
const MAX_WORDS: usize = 200;

/// The usage lines of both tables, with their classes. Each command of git is also there with
/// `--no-pager`.
static USAGES: LazyLock<Vec<Usage>> = LazyLock::new(|| {
    let read_only = READ_ONLY.iter().map(|row| (CommandClass::ReadOnly, row));
    let writes = WRITES.iter().map(|row| (CommandClass::Writes, row));
    let mut usages = Vec::new();
    for (class, (name, line)) in read_only.chain(writes) {
        let usage = Usage::parse(class, name, line);
        if usage.name[0] == "git" {
            let mut without_pager = usage.clone();
            without_pager.name.insert(1, "--no-pager");
            usages.push(without_pager);
        }
        usages.push(usage);
    }
    usages
});

/// What a command does: its [`certain_effects`], or else its [`suspected_class`].
pub fn classify(text: &str) -> Effects {
    certain_effects(text).unwrap_or_else(|| Effects {
        class: suspected_class(text),
        ..Effects::default()
    })
}

/// The effects of a script, if [`Script::parse`] can read it and the tables know every one of
/// its commands. A redirection that writes a file makes it [`CommandClass::Writes`] at least.
pub fn certain_effects(text: &str) -> Option<Effects> {
    let script = Script::parse(text)?;
    let mut effects = Effects::default();
    for redirection in script.redirections {
        if redirection.access == Access::Write {
            effects.class = CommandClass::Writes;
        }
        effects.paths.push(redirection);
    }
    for command in &script.commands {
        effects.add(command_effects(command)?);
    }
    Some(effects)
}

/// The effects of a simple command, and of the commands that its options [name](exec_commands),
/// by the first usage line that fits. `None` for `find` and `test` with a `--`: they read options even
/// after it.
fn command_effects(words: &[Word]) -> Option<Effects> {
    let is_one_of =
        |word: &Word, texts: &[&str]| word.as_deref().is_some_and(|it| texts.contains(&it));
    let ignores_end = words
        .first()
        .is_some_and(|it| is_one_of(it, &["find", "test"]));
    let has_end = words.iter().any(|it| is_one_of(it, &["--"]));
    if words.len() > MAX_WORDS || (ignores_end && has_end) {
        return None;
    }
    let (words, commands) = exec_commands(words)?;
    let mut effects = USAGES
        .iter()
        .find_map(|usage| usage_effects(usage, &words))?;
    for command in &commands {
        effects.add(exec_effects(command)?);
    }
    Some(effects)
}

/// The effects of a command that an option of `find` names. It may only read, since nobody knows
/// which file `{}` is. All of its words must be known, since an unknown one may hide a `;` and more
/// options. No word may contain `{}` beside other text: the script `cat {}` would run the names of
/// files.
fn exec_effects(words: &[Word]) -> Option<Effects> {
    let is_whole = |word: &str| word == "{}" || !word.contains("{}");
    let mut known = words.iter().map(Word::as_deref);
    if !known.all(|word| word.is_some_and(is_whole)) {
        return None;
    }
    command_effects(words).filter(|effects| effects.class == CommandClass::ReadOnly)
}

/// The effects of a command by a usage line. `None` if the line does not fit: an option is not
/// listed, an operand is missing, or one is left over.
fn usage_effects(usage: &Usage, words: &[Word]) -> Option<Effects> {
    let mut operands = usage.operands_of(words)?.into_iter().peekable();
    let mut effects = Effects {
        class: usage.class,
        ..Effects::default()
    };
    for kind in &usage.operands {
        let (kind, must_exist, may_repeat) = match kind.strip_suffix("...") {
            Some(kind) => (kind, false, true),
            None => (kind.trim_end_matches('?'), !kind.ends_with('?'), false),
        };
        if kind == "COMMAND" {
            let command: Vec<Word> = operands.by_ref().cloned().collect();
            effects.add(command_effects(&command)?);
        }
        if must_exist && operands.peek().is_none() {
            return None;
        }
        for operand in operands.by_ref() {
            effects.add(operand_effects(kind, operand, usage.class)?);
            if !may_repeat {
                break;
            }
        }
    }
    operands.next().is_none().then_some(effects)
}

/// The effects of an operand of this kind, which a program of this class has. `None` if the
/// operand is not of the kind, or there is no such kind:
///
/// - `ANY` may be unknown, and every other kind must be known;
/// - `TEXT` and `PATH` are any text;
/// - `FORMAT` begins with `+`;
/// - `FOLDER` has no `..`, which bash resolves in its own way, and does not begin with `-`;
/// - `SCRIPT` has [`certain_effects`].
fn operand_effects(kind: &str, operand: &Word, class: CommandClass) -> Option<Effects> {
    let mut effects = Effects::default();
    if kind == "ANY" {
        return Some(effects);
    }
    let text = operand.clone()?;
    let access = match class {
        CommandClass::ReadOnly => Access::Read,
        _ => Access::Write,
    };
    match kind {
        "TEXT" => {}
        "PATH" => effects.paths.push(PathUse { path: text, access }),
        "FORMAT" if text.starts_with('+') => {}
        "FOLDER" if is_plain_folder(&text) => effects.folders.push(text),
        "SCRIPT" => return certain_effects(&text),
        _ => return None,
    }
    Some(effects)
}

/// Whether it is certain to which folder `cd` changes for this text.
fn is_plain_folder(text: &str) -> bool {
    let mut parts = Path::new(text).components();
    !text.starts_with('-') && parts.all(|it| it != Component::ParentDir)
}

/// Splits a command of `find` into the command without its `-exec` and `-execdir` options, and
/// the commands that these run. Any other command is returned as it is.
///
/// The command of an option ends at `;`, or at a `+` directly after `{}`; `None` if there is no
/// end.
pub fn exec_commands(words: &[Word]) -> Option<(Vec<Word>, Vec<Vec<Word>>)> {
    let is = |word: &Word, texts: &[&str]| word.as_deref().is_some_and(|it| texts.contains(&it));
    if !words.first().is_some_and(|word| is(word, &["find"])) {
        return Some((words.to_vec(), Vec::new()));
    }
    let mut rest = words.iter();
    let mut others = Vec::new();
    let mut commands = Vec::new();
    while let Some(word) = rest.next() {
        if !is(word, &["-exec", "-execdir"]) {
            others.push(word.clone());
            continue;
        }
        let mut command = Vec::new();
        loop {
            match rest.next()? {
                end if is(end, &[";"]) => break,
                end if is(end, &["+"]) && command.last().is_some_and(|it| is(it, &["{}"])) => {
                    break;
                }
                word => command.push(word.clone()),
            }
        }
        commands.push(command);
    }
    Some((others, commands))
}
