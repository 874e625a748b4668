//! The page in the book.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use crate::borders::Border;
use crate::compare::Fate;

/// The vocabulary that messages are sent from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Types,
    Agent,
    Transcript,
    Chat,
}

impl Source {
    pub const ALL: [Self; 4] = [Self::Types, Self::Agent, Self::Transcript, Self::Chat];

    fn heading(self) -> &'static str {
        match self {
            Self::Types => "From `types`, chapter 1",
            Self::Agent => "From `agent`, chapters 14 and 15",
            Self::Transcript => "From `transcript`, chapter 17",
            Self::Chat => "From `chat`, chapter 18",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Types => "types",
            Self::Agent => "agent",
            Self::Transcript => "transcript",
            Self::Chat => "chat",
        })
    }
}

/// What was found, by border, sender and field.
#[derive(Default)]
pub struct Found(BTreeMap<(&'static str, String, String), Cell>);

/// What became of one field of one sender's messages at one border.
#[derive(Default)]
struct Cell {
    seen: usize,
    lost: usize,
    became: BTreeMap<String, usize>,
    changed: Vec<(Value, Value)>,
    /// Values that came back as they were.
    kept: usize,
}

impl Found {
    pub fn note(&mut self, border: &'static str, role: &str, path: &str, fate: &Fate) {
        let key = (border, role.to_string(), path.to_string());
        let cell = self.0.entry(key).or_default();
        cell.seen += 1;
        match fate {
            Fate::Kept => cell.kept += 1,
            Fate::Lost => cell.lost += 1,
            Fate::Became(kind) => *cell.became.entry(kind.clone()).or_default() += 1,
            Fate::Changed(sent, returned) => cell.changed.push((sent.clone(), returned.clone())),
        }
    }

    /// The sender and the path of each field that was not always kept.
    pub fn lost(&self, border: &str) -> impl Iterator<Item = (&str, &str)> {
        let cells = self.0.iter().filter(move |((name, ..), _)| *name == border);
        let cells = cells.filter(|(_, cell)| cell.kept < cell.seen);
        cells.map(|((_, role, path), _)| (role.as_str(), path.as_str()))
    }
}

impl Cell {
    /// In words: what became of it, and whether always.
    fn words(&self) -> String {
        if self.kept == self.seen {
            return "kept".to_string();
        }
        let mut ways: BTreeSet<String> = BTreeSet::new();
        // Where a block stands in another's place, it may be by chance. Where it is one kind
        // as a rule, it is that block now.
        match self.became.iter().max_by_key(|(_, count)| **count) {
            Some((kind, count)) if *count > self.lost && !kind.is_empty() => {
                ways.insert(format!("its block becomes `{kind}`"));
            }
            None if self.lost == 0 => {}
            _ => {
                ways.insert("lost".to_string());
            }
        }
        ways.extend(self.change());
        let ways = ways.into_iter().collect::<Vec<_>>().join("; ");
        match self.kept {
            0 => ways,
            _ => format!("kept, or {ways}"),
        }
    }

    /// How the values changed that did.
    fn change(&self) -> Option<String> {
        let (first, _) = self.changed.first()?;
        if first.is_null() {
            return Some("another one".to_string());
        }
        let of = |each: fn(&(Value, Value)) -> bool| self.changed.iter().all(each);
        let kinds: BTreeSet<(&str, &str)> = self
            .changed
            .iter()
            .map(|(sent, returned)| (kind(sent), kind(returned)))
            .collect();
        let words = self.word_changes();
        Some(
            if let Some((from, to)) = kinds.iter().find(|(from, to)| from != to) {
                format!("{from} to {to}")
            } else if of(|(_, returned)| returned == "" || *returned == 0) {
                "emptied".to_string()
            } else if !words.is_empty() {
                let words = words.into_iter().map(|(to, from)| {
                    let from: Vec<String> = from.iter().map(|word| format!("`{word}`")).collect();
                    let to: Vec<String> = to.iter().map(|word| format!("`{word}`")).collect();
                    format!("{} to {}", from.join(", "), to.join(" or "))
                });
                words.collect::<Vec<_>>().join("; ")
            } else if first.is_number() {
                "another one".to_string()
            } else if of(|(sent, returned)| holds(returned, sent)) {
                "joined with more".to_string()
            } else if of(is_cut) {
                "cut to milliseconds".to_string()
            } else if of(|(sent, returned)| {
                parsed(sent).is_some() && parsed(sent) == parsed(returned)
            }) {
                "written anew".to_string()
            } else {
                "another one".to_string()
            },
        )
    }

    /// If the field has few words: to which others it may change, and the words that do.
    fn word_changes(&self) -> BTreeMap<BTreeSet<String>, BTreeSet<String>> {
        let word = |value: &Value| match value {
            Value::Bool(flag) => Some(flag.to_string()),
            Value::String(word) => {
                let is_word = |sign: char| sign.is_ascii_alphabetic() || sign == '_';
                (!word.is_empty() && word.chars().all(is_word)).then(|| word.clone())
            }
            _ => None,
        };
        let mut changes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (sent, returned) in &self.changed {
            let (Some(sent), Some(returned)) = (word(sent), word(returned)) else {
                return BTreeMap::new();
            };
            changes.entry(sent).or_default().insert(returned);
        }
        let mut words: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        if changes.len() <= 12 {
            for (from, to) in changes {
                words.entry(to).or_default().insert(from);
            }
        }
        words
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "flag",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

fn holds(whole: &Value, part: &Value) -> bool {
    matches!((whole, part), (Value::String(whole), Value::String(part)) if whole.contains(part.as_str()))
}

fn is_cut((sent, returned): &(Value, Value)) -> bool {
    let time = |value: &Value| {
        let time = chrono::DateTime::parse_from_rfc3339(value.as_str().unwrap_or_default());
        time.ok().map(|time| time.timestamp_millis())
    };
    time(sent).is_some() && time(sent) == time(returned)
}

fn parsed(value: &Value) -> Option<Value> {
    serde_json::from_str(value.as_str()?).ok()
}

/// The whole page.
pub fn page(cases: u32, sections: &[String]) -> String {
    format!(
        "{}{}",
        INTRODUCTION.replace("CASES", &grouped(cases * 4)),
        sections.concat()
    )
}

fn grouped(number: u32) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    }
}

/// The table of one vocabulary: a row for each field, a column for each border.
pub fn section(source: Source, borders: &[&Border], found: &Found) -> String {
    let fields: BTreeSet<(&str, &str)> = found
        .0
        .keys()
        .map(|(_, role, path)| (path.as_str(), role.as_str()))
        .collect();
    let mut rows: Vec<(&str, Vec<&str>, Vec<String>)> = Vec::new();
    for (path, role) in fields {
        let cells = borders.iter().map(|border| {
            let key = (border.name, role.to_string(), path.to_string());
            found.0.get(&key).map_or("—".to_string(), Cell::words)
        });
        let cells: Vec<String> = cells.collect();
        // Senders to whose field the same happens share a row.
        match rows
            .iter_mut()
            .find(|(other, _, same)| *other == path && *same == cells)
        {
            Some((_, roles, _)) => roles.push(role),
            None => rows.push((path, vec![role], cells)),
        }
    }
    let names: Vec<&str> = borders.iter().map(|border| border.name).collect();
    let mut section = format!("\n## {}\n\n", source.heading());
    for border in borders {
        section += &format!("- **{}**: {}\n", border.name, border.how);
    }
    section += &format!("\n| field | of | {} |\n", names.join(" | "));
    section += &format!("| --- | --- |{}\n", " --- |".repeat(names.len()));
    for (path, roles, cells) in &rows {
        let of = roles
            .iter()
            .map(|role| format!("`{role}`"))
            .collect::<Vec<_>>()
            .join(", ");
        section += &format!("| `{path}` | {of} | {} |\n", cells.join(" | "));
    }
    section
}

const INTRODUCTION: &str = "\
# What each border loses

The course has four vocabularies of messages, with a border between any two of them. This page \
shows what happens to each field at each border.

A test writes these tables. It generates CASES conversations with every field of the formats. \
Each has one message, and before a tool's result also its call. The test converts each \
conversation at every border of its vocabulary, converts the result back, and compares. A field \
is *kept* if it always comes back unchanged. *Kept, or …* means that it depends on the value. A \
field that follows from the rest of the conversation counts as kept, such as the name of a \
result's tool, which its call has.

The test fails if a border loses something that its documentation does not mention, or keeps \
something that the documentation calls lost. It also fails if this page differs from its \
findings. After a change, this command writes the page again:

```console
$ CLAW_LOSSES=write cargo test -p claw-code-solutions --test losses
```

A path has dots between names, and the type of a list's element in brackets: \
`content[image].data`. *Of* is the role whose messages have the field. *Joined with more* means \
that the text is kept together with other text.
";
