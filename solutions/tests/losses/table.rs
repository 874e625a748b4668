//! The page in the book.

use claw_code_solutions::session::Vocabulary;

use crate::conversions::Conversion;
use crate::findings::{Finding, Findings};

/// The table of one vocabulary: a row for each field, a column for each conversion. Roles whose
/// field has equal cells share a row.
pub fn section(from: Vocabulary, conversions: &[Conversion], findings: &Findings) -> String {
    let mut rows: Vec<(&str, String, String)> = Vec::new();
    for (path, role) in findings.fields() {
        let cells = conversions.iter().map(|conversion| {
            let finding = findings.get(&conversion.name, role, path);
            finding.map_or("—".to_string(), Finding::text)
        });
        let cells = cells.collect::<Vec<_>>().join(" | ");
        let mut others = rows.iter_mut();
        match others.find(|(other, _, same)| *other == path && *same == cells) {
            Some((_, roles, _)) => *roles += &format!(", `{role}`"),
            None => rows.push((path, format!("`{role}`"), cells)),
        }
    }
    let names: Vec<&str> = conversions.iter().map(|one| one.name.as_str()).collect();
    let chapters = match from {
        Vocabulary::Types => "chapter 1",
        Vocabulary::Agent => "chapters 14 and 15",
        Vocabulary::Transcript => "chapter 17",
        Vocabulary::Chat => "chapter 18",
    };
    let mut section = format!("\n## From `{from}`, {chapters}\n\n");
    for conversion in conversions {
        section += &format!("- **{}**: {}\n", conversion.name, conversion.functions);
    }
    section += &format!("\n| field | of | {} |\n", names.join(" | "));
    section += &format!("| --- | --- |{}\n", " --- |".repeat(names.len()));
    for (path, roles, cells) in rows {
        section += &format!("| `{path}` | {roles} | {cells} |\n");
    }
    section
}

/// The text before the tables.
pub fn introduction(conversations: u32) -> String {
    let (thousands, rest) = (conversations / 1_000, conversations % 1_000);
    INTRODUCTION.replace("COUNT", &format!("{thousands},{rest:03}"))
}

const INTRODUCTION: &str = "\
# What each border loses

The course has four vocabularies of messages, and conversions from each to the others and to \
three APIs. This page says what each conversion does with each field.

A test makes these tables. It generates COUNT random conversations with every field that the \
formats have. Each has one message; a tool's result has its call before it. The test converts each \
conversation, converts the result back, and compares. A field is *kept* if it came back equal each \
time, *lost* if it never came back, and *changed* if it came back with another value. *Kept, or …* \
means that it depends on the value. A dash (—) means that no conversation had the field. A field \
also counts as kept if the rest of the conversation determines it: a result's call has the name of \
its tool, for example.

The test fails if a conversion loses something that its documentation does not mention, or keeps \
something that the documentation calls lost. It also fails if this page differs from what it \
finds. This command writes the page again:

```console
$ CLAW_LOSSES=write cargo test -p claw-code-solutions --test losses
```

A path has dots between names, and the type of a list's element in brackets: \
`content[image].data`. The column *of* lists the roles whose messages have the field. *Joined \
with more* means that the text is there, joined with other text.
";
