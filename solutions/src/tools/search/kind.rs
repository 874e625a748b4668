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
/// `.name`; if there are none, those whose name begins so; if there are none either, the
/// nearest of those at most two letters away, which must be fewer than `name` has.
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

/// How many letters must be put in, taken out or replaced to make `b` of `a`.
pub fn distance(a: &str, b: &str) -> usize {
    // One row of the table at a time: before letter i of `a`, row[j] is the distance of
    // its first i letters from the first j of `b`.
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, to) in b.chars().enumerate() {
            let replaced = corner + usize::from(from != to);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
    }
    row[row.len() - 1]
}
