//! Finds the directives on a page.

/// The names of this book's directives.
pub(super) const OURS: [&str; 13] = [
    "item",
    "stub",
    "checkpoint",
    "wrong-answers",
    "quiz",
    "trace",
    "picture",
    "chapters",
    "notes",
    "slides",
    "schedule",
    "exit-quiz",
    "rubric",
];

/// One of this book's directives, alone on its line and outside code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive<'a> {
    /// The line, from 1.
    pub line: usize,
    /// The name, such as `checkpoint`.
    pub name: &'a str,
    /// The text after the name; may be empty.
    pub argument: &'a str,
}

/// This book's directives in `markdown`, in order.
pub fn directives(markdown: &str) -> impl Iterator<Item = Directive<'_>> {
    lines(markdown)
        .zip(1..)
        .filter_map(|(line, number)| match line {
            Line::Directive { name, argument, .. } => Some(Directive {
                line: number,
                name,
                argument,
            }),
            Line::Text { .. } => None,
        })
}

/// One line of a page.
pub(super) enum Line<'a> {
    /// One of this book's directives.
    Directive {
        text: &'a str,
        name: &'a str,
        argument: &'a str,
    },
    /// Any other line, with each `{{#` in it that is not escaped.
    Text {
        text: &'a str,
        uses: Vec<Use<'a>>,
        in_code_block: bool,
    },
}

/// A `{{#…}}` somewhere in a line.
pub(super) struct Use<'a> {
    pub text: &'a str,
    pub name: &'a str,
    pub argument: &'a str,
    /// Whether it is in a code block or inline code, where mdBook still expands its own
    /// directives.
    pub in_code: bool,
}

impl Use<'_> {
    /// Whether its `}}` is on the same line.
    pub fn is_closed(&self) -> bool {
        self.text.ends_with("}}")
    }
}

/// The lines of a page, in order.
pub(super) fn lines(markdown: &str) -> impl Iterator<Item = Line<'_>> {
    let mut fence: Option<&str> = None;
    markdown.lines().map(move |text| {
        let in_fence = fence.is_some();
        fence = match (fence, fence_of(text)) {
            (Some(open), Some(close)) if closes(open, close, text) => None,
            (None, opening) => opening,
            (open, _) => open,
        };
        match alone(text) {
            Some(one) if !in_fence && OURS.contains(&one.name) => Line::Directive {
                text: one.text,
                name: one.name,
                argument: one.argument,
            },
            _ => Line::Text {
                text,
                uses: uses(text, in_fence),
                in_code_block: in_fence,
            },
        }
    })
}

/// The backticks or tildes with which a line opens or closes a code block.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = &line[..line.len() - line.trim_start_matches(mark).len()];
    let info = &line[run.len()..];
    (run.len() >= 3 && !(mark == '`' && info.contains('`'))).then_some(run)
}

fn closes(open: &str, close: &str, line: &str) -> bool {
    close.starts_with(open) && line.trim() == close
}

/// The directive that fills the whole line, if any.
fn alone(line: &str) -> Option<Use<'_>> {
    let line = line.trim_end();
    let one = parse(line, false)?;
    (one.text == line && one.is_closed()).then_some(one)
}

/// Each `{{#` of a line that is not escaped.
fn uses(line: &str, in_fence: bool) -> Vec<Use<'_>> {
    let code = code_spans(line);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = line[at..].find("{{#").map(|n| at + n) {
        if line[..next].ends_with('\\') {
            // mdBook's escape covers the line up to its last `}}`.
            break;
        }
        let in_code = in_fence || code.iter().any(|span| span.contains(&next));
        if let Some(one) = parse(&line[next..], in_code) {
            found.push(one);
        }
        at = next + 3;
    }
    found
}

/// The directive at the beginning of `text`. Without a `}}` it extends to the end.
fn parse(text: &str, in_code: bool) -> Option<Use<'_>> {
    let inner = text.strip_prefix("{{#")?;
    let (inner, text) = match inner.find("}}") {
        Some(end) => (&inner[..end], &text[..end + 5]),
        None => (inner, text),
    };
    let (name, argument) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
    Some(Use {
        text,
        name,
        argument: argument.trim(),
        in_code,
    })
}

/// The ranges of inline code in a line: from a run of backticks to the next of equal length.
fn code_spans(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..].find('`').map(|n| at + n) {
        let length = line[start..].len() - line[start..].trim_start_matches('`').len();
        at = start + length;
        runs.push(start..at);
    }
    let mut spans = Vec::new();
    let mut rest = runs.as_slice();
    while let [open, later @ ..] = rest {
        match later.iter().position(|run| run.len() == open.len()) {
            Some(close) => {
                spans.push(open.start..later[close].end);
                rest = &later[close + 1..];
            }
            None => rest = later,
        }
    }
    spans
}
