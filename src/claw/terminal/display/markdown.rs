//! Markdown for a terminal, while it arrives.
//!
//! A library such as `pulldown-cmark` parses a document that is complete. A reply is shown
//! word by word, so a style begins where its mark can open one, whether or not its end follows.

use super::word_wrap::{Run, WordWrap};

/// Shows Markdown: headings and strong text in bold, code in color, lists with a hanging
/// indent. Code in a line keeps its marks, so that it can be told from other text. What it does not know is shown as it is.
#[derive(Default)]
pub struct Markdown {
    /// The style of text that is not Markdown, which is only wrapped.
    raw_style: Option<&'static str>,
    wrap: WordWrap,
    /// The characters of a word that is not complete.
    word: String,
    /// The spaces at the start of the line.
    spaces: usize,
    is_line_started: bool,
    is_heading: bool,
    is_bold: bool,
    is_italic: bool,
    is_code: bool,
    /// Whether the line is one of a code block.
    is_code_block: bool,
}

impl Markdown {
    /// Shows text that is not Markdown in this style.
    pub fn raw(style: &'static str) -> Self {
        Self {
            raw_style: Some(style),
            ..Self::default()
        }
    }

    /// Adds text. Returns the rows that it fills, each with its line end.
    pub fn push(&mut self, text: &str, columns: usize) -> String {
        let mut rows = String::new();
        for char in text.chars() {
            match char {
                '\n' => rows += &self.end_line(columns),
                ' ' | '\t' if !self.is_line_started && self.word.is_empty() => self.spaces += 1,
                ' ' | '\t' if self.is_code_block => self.word.push(' '),
                ' ' | '\t' => {
                    rows += &self.end_word(columns);
                    self.wrap.space();
                }
                _ => self.word.push(char),
            }
        }
        rows
    }

    /// Ends the line and returns its rows.
    pub fn end_line(&mut self, columns: usize) -> String {
        let was_code_block = self.is_code_block;
        let is_fence = !self.is_line_started && begins_fence(&self.word);
        let mut rows = String::new();
        if was_code_block && !is_fence {
            self.wrap.start_at(self.spaces + 2);
            let line = std::mem::take(&mut self.word);
            rows += &self.wrap.word(&[(CODE, line)], columns);
        } else {
            rows += &self.end_word(columns);
        }
        match is_fence && self.raw_style.is_none() {
            true => {
                self.is_code_block = !was_code_block;
                self.word.clear();
            }
            false => rows += &self.wrap.end_line(),
        }
        self.wrap.indent = 0;
        self.spaces = 0;
        self.is_line_started = false;
        self.is_heading = false;
        self.is_bold = false;
        self.is_italic = false;
        self.is_code = false;
        rows
    }

    /// The row that is not full, and its width.
    pub fn open_row(&self) -> (String, usize) {
        self.wrap.open_row()
    }

    fn end_word(&mut self, columns: usize) -> String {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return String::new();
        }
        if let Some(style) = self.raw_style {
            if !std::mem::replace(&mut self.is_line_started, true) {
                self.wrap.start_at(self.spaces);
            }
            return self.wrap.word(&[(style, word)], columns);
        }
        if !self.is_line_started {
            if begins_fence(&word) {
                // The rest of the line names the language.
                self.word = word;
                return String::new();
            }
            self.is_line_started = true;
            if word.len() <= 6 && word.bytes().all(|byte| byte == b'#') {
                self.is_heading = true;
                return String::new();
            }
            self.wrap.start_at(self.spaces);
            let number = word.strip_suffix(['.', ')']).unwrap_or_default();
            let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
            if matches!(word.as_str(), "-" | "*" | "+") {
                let rows = self.wrap.word(&[("", "•".into())], columns);
                self.wrap.indent = self.spaces + 2;
                return rows;
            }
            if is_number {
                self.wrap.indent = self.spaces + word.len() + 1;
            }
        }
        let runs = self.runs(&word);
        self.wrap.word(&runs, columns)
    }

    /// The parts of a word by their style, without the marks of the styles.
    fn runs(&mut self, word: &str) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut rest = word;
        let mut before = None;
        while let Some(char) = rest.chars().next() {
            let mark = ["`", "**", "*"].into_iter().find(|it| rest.starts_with(it));
            let after = mark.and_then(|mark| rest[mark.len()..].chars().next());
            let was_code = self.is_code;
            let is_toggled = match mark {
                Some("`") => {
                    self.is_code ^= true;
                    false
                }
                Some(mark) if !self.is_code => {
                    let is_on = match mark {
                        "**" => &mut self.is_bold,
                        _ => &mut self.is_italic,
                    };
                    let is_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
                    let opens = !is_word(before) && after.is_some_and(begins_text);
                    toggle(is_on, opens, !is_word(after))
                }
                _ => false,
            };
            if let (true, Some(mark)) = (is_toggled, mark) {
                rest = &rest[mark.len()..];
                continue;
            }
            let style = if was_code { CODE } else { self.style() };
            match runs.last_mut() {
                Some((last, text)) if *last == style => text.push(char),
                _ => runs.push((style, char.to_string())),
            }
            before = Some(char);
            rest = &rest[char.len_utf8()..];
        }
        runs
    }

    fn style(&self) -> &'static str {
        match (
            self.is_code,
            self.is_bold || self.is_heading,
            self.is_italic,
        ) {
            (true, ..) => CODE,
            (_, true, true) => "1;3",
            (_, true, false) => "1",
            (_, false, true) => "3",
            (_, false, false) => "",
        }
    }
}

fn begins_fence(word: &str) -> bool {
    word.starts_with("```") || word.starts_with("~~~")
}

/// The style of code.
const CODE: &str = "36";

/// Whether strong or emphasized text can begin like this, unlike `*.rs` or `**/`.
fn begins_text(char: char) -> bool {
    char.is_alphanumeric() || "\"'([`*“".contains(char)
}

/// Turns a style on or off where the mark can do that. Returns whether it did.
fn toggle(is_on: &mut bool, opens: bool, closes: bool) -> bool {
    let is_toggled = if *is_on { closes } else { opens };
    *is_on ^= is_toggled;
    is_toggled
}
