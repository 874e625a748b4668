//! Shell commands that do what other tools do, for agents that have only a shell.

pub(super) fn list(path: &str) -> String {
    format!("ls {}", word(path))
}

pub(super) fn read(path: &str) -> String {
    format!("cat {}", word(path))
}

pub(super) fn search(pattern: &str, path: &str) -> String {
    format!("grep -rnIE -e {} {}", word(pattern), word(path))
}

/// Writes a file, and creates its folder.
pub(super) fn create(path: &str, text: &str) -> String {
    let folder = match path.rsplit_once('/') {
        Some((folder, _)) if !folder.is_empty() => format!("mkdir -p {} && ", word(folder)),
        _ => String::new(),
    };
    format!("{folder}printf %s {} > {}", word(text), word(path))
}

/// Replaces the first occurrence of a text. The exit code is 1 if there is none.
pub(super) fn replace(path: &str, from: &str, to: &str) -> String {
    let script = r"$n += s/\Q$ENV{FROM}\E/$ENV{TO}/; END { exit !$n }";
    let (from, to) = (word(from), word(to));
    format!(
        "FROM={from} TO={to} perl -0777 -i -pe '{script}' {}",
        word(path)
    )
}

/// A word, quoted for the shell if it has to be.
fn word(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./-+,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
