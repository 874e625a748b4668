//! A function as text: its doc comment, its signature and its body.

use std::ops::Range;

use crate::source::{Source, dedent};

/// A function in the text of an item.
pub struct Function {
    text: String,
    name: String,
    bare: Range<usize>,
    body: Range<usize>,
    signature: String,
}

const WRAP: &str = "impl X {";

impl Function {
    /// Reads the function that `item` is. `None` for any other item.
    pub fn of(item: &str) -> Option<Self> {
        let source = Source::parse(format!("{WRAP}{item}\n}}")).ok()?;
        let path = source.functions().into_iter().next()?;
        let found = source.find(&path).ok()??;
        let inside = |range: &Range<usize>| range.start - WRAP.len()..range.end - WRAP.len();
        let signature = source.signature(&found)?;
        Some(Self {
            text: item.to_string(),
            name: path.last()?.clone(),
            bare: inside(&found.bare),
            body: inside(&found.body?),
            signature,
        })
    }

    /// The doc comment and the attributes, without their layout.
    pub fn docs(&self) -> String {
        words(&self.text[..self.bare.start])
    }

    /// The signature with its types, without its name and the names of its parameters.
    pub fn contract(&self) -> String {
        let name = format!("fn {}", self.name);
        self.signature.replacen(&name, "fn", 1)
    }

    /// The body's text.
    pub fn body(&self) -> &str {
        &self.text[self.body.clone()]
    }

    /// This function with the name and the doc comment of `new`. A doc comment that the learner
    /// has changed since `old` stays.
    pub fn carried_to(&self, old: &Self, new: &Self) -> String {
        let docs = match self.docs() == old.docs() {
            true => &new.text[..new.bare.start],
            false => &self.text[..self.bare.start],
        };
        let mut bare = self.text[self.bare.start..].to_string();
        if self.name != new.name {
            bare = bare.replacen(&format!("fn {}", self.name), &format!("fn {}", new.name), 1);
        }
        format!("{docs}{bare}")
    }

    /// This stub with a comment that holds a notice and the learner's old code.
    pub fn with_notice(&self, notice: &str, theirs: &str) -> String {
        let (head, body) = self.text.split_at(self.body.start);
        let inside = body.strip_prefix("{\n").unwrap_or(body);
        let indent = &inside[..inside.len() - inside.trim_start().len()];
        format!("{head}{{\n{}{inside}", comment(indent, notice, theirs))
    }
}

/// A comment with a notice and old code, one line each with `indent`.
pub fn comment(indent: &str, notice: &str, code: &str) -> String {
    let own = code.lines().nth(1).map_or("", |_| {
        let last = code.lines().last().unwrap_or_default();
        &last[..last.len() - last.trim_start().len()]
    });
    let code = dedent(own, code);
    let lines = notice.lines().chain(code.lines());
    lines
        .map(|line| format!("{indent}{}\n", format!("// {line}").trim_end()))
        .collect()
}

/// `text` with one space between its words.
pub fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
