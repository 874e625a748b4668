//! File types: the names for groups of globs that ripgrep knows.

use ignore::types::{FileTypeDef, Types, TypesBuilder};

/// How many names are suggested in place of a wrong one.
pub const MAX_SUGGESTIONS: usize = 3;

/// The files of the type `name`, such as `rust`. The error suggests what was meant.
pub fn of_type(name: &str) -> Result<Types, String> {
    todo!("8.2: write of_type")
}

/// The types that somebody may mean who writes `name`, in order of name, at most
/// [`MAX_SUGGESTIONS`]: those that [`OTHER_NAMES`] has for it or whose files end in
/// `.name`; if there are none, those whose name begins with `name`, if that is more than
/// one letter; if there are none either, the nearest at a [`distance`] of one or two
/// that is smaller than the number of letters of `name`.
///
/// Upper and lower case are the same, and `*` and `.` in front are passed over: `*.yml`
/// and `.YML` ask for `yml`.
pub fn alike<'a>(name: &str, known: &'a [FileTypeDef]) -> Vec<&'a str> {
    todo!("8.2: write alike")
}

/// Names of languages, and what their types are called.
pub const OTHER_NAMES: [(&str, &str); 6] = [
    ("c#", "csharp"),
    ("c++", "cpp"),
    ("golang", "go"),
    ("javascript", "js"),
    ("shell", "sh"),
    ("text", "txt"),
];

/// How many slips make `b` of `a`: a letter put in, taken out or replaced, or two
/// neighbours that changed places.
pub fn distance(a: &str, b: &str) -> usize {
    todo!("8.2: write distance")
}
