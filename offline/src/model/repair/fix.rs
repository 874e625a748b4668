//! The rules for mending a function of two numbers.

use super::failure::Case;

/// An edit that mends a function: this text by that.
#[derive(Debug, PartialEq)]
pub(crate) struct Edit {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) wrong_operator: &'static str,
    pub(crate) operator: &'static str,
}

/// What an operator makes of two numbers, if it makes anything of them.
type Arithmetic = fn(i64, i64) -> Option<i64>;

/// The operators that a function may use, and use by mistake.
const OPERATORS: &[(&str, Arithmetic)] = &[
    ("+", i64::checked_add),
    ("-", i64::checked_sub),
    ("*", i64::checked_mul),
    ("/", i64::checked_div),
    ("%", i64::checked_rem),
];

/// How many lines below its first a function's body is looked for.
const BODY: usize = 6;

/// How many lines a tool's note below a file's lines may have.
const NOTE: usize = 2;

/// Whether this text defines the function.
pub(crate) fn defines(text: &str, function: &str) -> bool {
    definition(text, function).is_some()
}

/// The edit after which the function gives what every case expects: another operator
/// between its two parameters. The text that is replaced goes from the function's name to
/// the operator, so that it stands only once in the file.
pub(crate) fn fix(text: &str, function: &str, cases: &[Case]) -> Option<Edit> {
    let body = definition(text, function)?;
    let (left, right) = parameters(body)?;
    let (end, wrong_operator) = OPERATORS.iter().find_map(|(operator, _)| {
        let expression = format!("{left} {operator} {right}");
        let end = body.find(&expression)? + expression.len();
        Some((end, *operator))
    })?;
    let satisfies = |arithmetic: Arithmetic, case: &Case| {
        arithmetic(case.arguments.0, case.arguments.1) == Some(case.expected)
    };
    let mut others = OPERATORS.iter().filter(|(it, _)| *it != wrong_operator);
    let (operator, _) =
        others.find(|(_, arithmetic)| cases.iter().all(|it| satisfies(*arithmetic, it)))?;
    let from = &body[..end];
    let kept = &body[..end - wrong_operator.len() - right.len() - 1];
    Some(Edit {
        from: from.into(),
        to: format!("{kept}{operator} {right}"),
        wrong_operator,
        operator,
    })
}

/// The function's first lines, from `fn` or `def` on.
fn definition<'t>(text: &'t str, function: &str) -> Option<&'t str> {
    let mut starts = ["fn", "def"]
        .iter()
        .map(|word| format!("{word} {function}("));
    let start = starts.find_map(|start| text.find(&start))?;
    let lines = text[start..].split_inclusive('\n').take(BODY);
    let length: usize = lines.map(str::len).sum();
    Some(&text[start..start + length])
}

/// The names of a function's two parameters.
fn parameters(definition: &str) -> Option<(&str, &str)> {
    let (_, after) = definition.split_once('(')?;
    let (inside, _) = after.split_once(')')?;
    let mut names = inside.split(',').map(|parameter| {
        let name = parameter.split(':').next().unwrap_or_default();
        name.trim()
    });
    match (names.next()?, names.next()?, names.next()) {
        (left, right, None | Some("")) => Some((left, right)),
        _ => None,
    }
}

/// A file's text as it was before a tool put its line numbers in front of the lines.
pub(crate) fn without_line_numbers(output: &str) -> String {
    let numbered: Vec<(usize, &str)> = output.lines().map_while(numbered_line).collect();
    let is_counted = numbered.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0);
    // A note of the tool's may follow the last line, and is no part of the file.
    let is_all = numbered.len() + NOTE >= output.lines().count();
    if is_counted && is_all && !numbered.is_empty() {
        numbered
            .iter()
            .map(|(_, line)| format!("{line}\n"))
            .collect()
    } else {
        output.into()
    }
}

fn numbered_line(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start();
    let digits = line.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, rest) = line.split_at(digits);
    let separators = ["\t", "→", " | ", "| ", ": ", ":", "  "];
    let rest = separators.iter().find_map(|it| rest.strip_prefix(it))?;
    Some((number.parse().ok()?, rest))
}
