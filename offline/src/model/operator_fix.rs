//! Finds the right arithmetic operator for a function of two numbers.

/// What a test expects of a function of two numbers.
#[derive(Clone, Copy)]
pub(super) struct Case<'t> {
    pub(super) function: &'t str,
    pub(super) left: i64,
    pub(super) right: i64,
    pub(super) expected: i64,
}

impl<'t> Case<'t> {
    /// The case on a line such as `assert_eq!(add(2, 3), 5);`.
    pub(super) fn parse(line: &'t str) -> Option<Self> {
        let assertion = line.trim().strip_prefix("assert_eq!(")?;
        let (function, rest) = assertion.strip_suffix(");")?.split_once('(')?;
        let (arguments, expected) = rest.split_once("), ")?;
        let (left, right) = arguments.split_once(", ")?;
        Some(Self {
            function,
            left: left.parse().ok()?,
            right: right.parse().ok()?,
            expected: expected.parse().ok()?,
        })
    }
}

type Arithmetic = fn(i64, i64) -> Option<i64>;

const OPERATORS: [(&str, Arithmetic); 4] = [
    ("+", i64::checked_add),
    ("-", i64::checked_sub),
    ("*", i64::checked_mul),
    ("/", i64::checked_div),
];

/// An edit that replaces one operator.
pub(super) struct Fix {
    /// The source from the name of the function up to the operator's right operand, so that
    /// it occurs only once in the file.
    pub(super) from: String,
    pub(super) to: String,
    pub(super) wrong_operator: &'static str,
    pub(super) operator: &'static str,
}

impl Fix {
    /// The fix after which the function returns what all cases expect: another operator
    /// between its two parameters.
    pub(super) fn find(source: &str, function: &str, cases: &[Case]) -> Option<Self> {
        let definition = &source[source.find(&format!("fn {function}("))?..];
        let body = &definition[..definition.find("\n}")?];
        let (left, right) = parameters(body)?;
        let (end, wrong_operator) = OPERATORS.iter().find_map(|(operator, _)| {
            let expression = format!("{left} {operator} {right}");
            Some((body.find(&expression)? + expression.len(), *operator))
        })?;
        let fits = |arithmetic: Arithmetic, case: &Case| {
            arithmetic(case.left, case.right) == Some(case.expected)
        };
        let (operator, _) = OPERATORS
            .iter()
            .find(|(_, arithmetic)| cases.iter().all(|case| fits(*arithmetic, case)))?;
        let from = &body[..end];
        let kept = from.strip_suffix(&format!("{wrong_operator} {right}"))?;
        (operator != &wrong_operator).then(|| Self {
            from: from.into(),
            to: format!("{kept}{operator} {right}"),
            wrong_operator,
            operator,
        })
    }
}

/// The names of a function's two parameters.
fn parameters(definition: &str) -> Option<(&str, &str)> {
    let (_, after) = definition.split_once('(')?;
    let (parameters, _) = after.split_once(')')?;
    let (left, right) = parameters.split_once(',')?;
    Some((
        left.split(':').next()?.trim(),
        right.split(':').next()?.trim(),
    ))
}
