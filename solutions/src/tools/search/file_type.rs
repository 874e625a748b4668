//! File types: the names for groups of globs that ripgrep knows.

use ignore::types::{FileTypeDef, Types, TypesBuilder};

/// How many names are suggested in place of a wrong one.
pub const MAX_SUGGESTIONS: usize = 3;

/// The files of the type `name`, such as `rust`. The error suggests what was meant.
pub fn of_type(name: &str) -> Result<Types, String> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    let known = builder.definitions();
    builder.select(name).build().map_err(|_| {
        let mut message = format!("there is no type {name:?}");
        let alike = alike(name, &known);
        if !alike.is_empty() {
            message += &format!(", but there is `{}`", alike.join("`, `"));
        }
        message + ". A glob such as `*.{ini,cfg}` can stand for any group of files"
    })
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
    let name = name.to_lowercase();
    let name = name.trim_start_matches(['*', '.']);
    let extension = format!("*.{name}");
    let rank = |one: &FileTypeDef| {
        let far = distance(name, one.name());
        if one.globs().contains(&extension) || OTHER_NAMES.contains(&(name, one.name())) {
            Some(0)
        } else if name.len() > 1 && one.name().starts_with(name) {
            Some(1)
        } else {
            (far <= 2 && far < name.chars().count()).then_some(1 + far)
        }
    };
    let ranked: Vec<_> = known.iter().map(|one| (rank(one), one.name())).collect();
    let best = ranked.iter().filter_map(|(rank, _)| *rank).min();
    let mut names: Vec<&str> = ranked
        .into_iter()
        .filter(|(rank, _)| best.is_some() && *rank == best)
        .map(|(_, name)| name)
        .collect();
    names.sort_unstable();
    names.truncate(MAX_SUGGESTIONS);
    names
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
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // One row of the table at a time: above[j] is the distance of the first i - 1 letters
    // of `a` from the first j of `b`. What changed places is seen two rows back.
    let mut before = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}
