//! What the doc comments of conversions say is lost.

use std::path::Path;

/// The doc comments of one conversion, and the losses that they list.
#[derive(Clone, Default)]
pub struct Documentation {
    comments: Vec<String>,
    pub losses: Vec<Documented>,
}

/// One loss that a doc comment lists.
#[derive(Clone)]
pub struct Documented {
    /// A part of the comment.
    pub text: &'static str,
    /// The beginnings of the lost paths, each with its role if it is lost only there.
    fields: Vec<(Option<&'static str>, &'static str)>,
    /// The name that the conversion reports, if it reports one.
    pub reported: Option<&'static str>,
}

impl Documented {
    pub fn covers(&self, role: &str, path: &str) -> bool {
        let covers = |(only, start): &(Option<&str>, &str)| {
            only.is_none_or(|only| only == role) && path.starts_with(start)
        };
        self.fields.iter().any(covers)
    }
}

impl Documentation {
    /// The entries of `documented.txt` for a conversion, such as `agent to a model`.
    pub fn of(conversion: &str) -> Option<Self> {
        let mut sections = include_str!("documented.txt").split("\n# ");
        let section = sections.find_map(|it| it.strip_prefix(conversion)?.strip_prefix('\n'))?;
        let mut documentation = Self::default();
        for line in section.lines().filter(|line| !line.is_empty()) {
            if let Some((file, item)) = line.strip_prefix("in ").and_then(|it| it.split_once(": "))
            {
                documentation.comments.push(doc_comment(file, item));
                continue;
            }
            let mut parts = line.split(" => ");
            let (text, fields) = (parts.next()?, parts.next()?);
            let fields = fields.split(", ").map(|field| match field.split_once(':') {
                Some((role, path)) => (Some(role), path.trim_start()),
                None => (None, field),
            });
            documentation.losses.push(Documented {
                text,
                fields: fields.collect(),
                reported: parts.next(),
            });
        }
        Some(documentation)
    }

    /// Checks that the comments contain the text of each entry, and that each of their rows has
    /// an entry, if only in `all`, or says that a field is kept.
    pub fn check(&self, all: &[&Documented]) -> Result<(), String> {
        for Documented { text, .. } in &self.losses {
            if !self.comments.iter().any(|comment| comment.contains(text)) {
                return Err(format!("no comment contains {text:?}"));
            }
        }
        let mut rows = self.comments.iter().flat_map(|comment| rows(comment));
        let is_checked = |row: &str| keeps(row) || all.iter().any(|it| row.contains(it.text));
        match rows.find(|row| !is_checked(row)) {
            Some(row) => Err(format!("documented.txt has no entry for {row:?}")),
            None => Ok(()),
        }
    }
}

/// The doc comment of the item that begins like this. Its lines are joined, except for those of
/// lists and tables.
fn doc_comment(file: &str, item: &str) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
    let source = std::fs::read_to_string(source).expect("the source can be read");
    let mut lines: Vec<&str> = source.lines().map(str::trim_start).collect();
    let at = lines.iter().position(|line| line.starts_with(item));
    lines.truncate(at.unwrap_or_else(|| panic!("{file} has no `{item}`")));
    let is_comment = |line: &&&str| line.starts_with("///") || line.starts_with("#[");
    let count = lines.iter().rev().take_while(is_comment).count();
    let mut comment = String::new();
    for line in &lines[lines.len() - count..] {
        let Some(line) = line.strip_prefix("///").map(str::trim) else {
            continue;
        };
        let is_new = line.is_empty() || line.starts_with("- ") || line.starts_with('|');
        comment += if is_new { "\n" } else { " " };
        comment += line;
    }
    comment
}

/// The items of a comment's lists and the rows of its tables, without the heads of the tables.
fn rows(comment: &str) -> impl Iterator<Item = &str> {
    let is_rule = |line: Option<&&str>| line.is_some_and(|it| it.starts_with("| ---"));
    let lines: Vec<&str> = comment.lines().collect();
    let rows = (0..lines.len()).filter(move |at| {
        let is_row = lines[*at].starts_with("- ") || lines[*at].starts_with("| ");
        is_row && !is_rule(lines.get(*at)) && !is_rule(lines.get(at + 1))
    });
    rows.map(|at| comment.lines().nth(at).unwrap_or_default())
}

/// Whether a row says only that something is kept.
fn keeps(row: &str) -> bool {
    let beginnings = [
        "yes",
        "every block",
        "only on a `Tool` message",
        "on a tool's message |",
        "blocks, in their order",
        "a block, as",
        "the same",
        "`name` |",
        "`name`, with `/`",
        "a `tool_result` block",
        "a failed run:",
    ];
    let becomes = row.split_once(" | ").unwrap_or_default().1;
    row.starts_with("- An assistant's message gets an `id`")
        || beginnings.iter().any(|it| becomes.starts_with(it))
}
