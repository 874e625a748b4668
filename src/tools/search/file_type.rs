//! File types: ripgrep's names for groups of globs.

use ignore::types::{FileTypeDef, Types, TypesBuilder};
use strsim::osa_distance;

/// How many names a suggestion lists.
pub const MAX_SUGGESTIONS: usize = 3;

/// The matcher for files of the type `name`, such as `rust`. The error is a message for the
/// model, with [suggestions](suggest_types) for an unknown name.
pub fn select_type(name: &str) -> Result<Types, String> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    let known = builder.definitions();
    builder.select(name).build().map_err(|_| {
        let mut message = format!("there is no file type {name:?}");
        let suggestions = suggest_types(name, &known);
        if !suggestions.is_empty() {
            message += &format!("; did you mean `{}`?", suggestions.join("` or `"));
        }
        message + " (a glob such as `*.{ini,cfg}` can select any group of files)"
    })
}

/// The known types that an unknown `name` may mean, sorted by name, at most
/// [`MAX_SUGGESTIONS`]. The first of these rules that finds any decides:
///
/// 1. [`TYPE_ALIASES`] has the type for `name`, or the type has the glob `*.name`;
/// 2. the type's name begins with `name`, which has two letters or more;
/// 3. the type's name is the closest to `name` by [`osa_distance`], with a distance of at most 2
///    that is less than the number of letters of `name`.
///
/// Case does not matter, and neither do leading `*` and `.`: `*.yml` and `.YML` mean `yml`.
pub fn suggest_types<'a>(name: &str, known: &'a [FileTypeDef]) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let name = name.trim_start_matches(['*', '.']);
    let extension = format!("*.{name}");
    let letters = name.chars().count();
    let rank = |one: &FileTypeDef| {
        let mut globs = one.globs().iter();
        let distance = osa_distance(name, one.name());
        if globs.any(|glob| glob.to_lowercase() == extension)
            || TYPE_ALIASES.contains(&(name, one.name()))
        {
            Some(0)
        } else if letters > 1 && one.name().starts_with(name) {
            Some(1)
        } else {
            (distance <= 2 && distance < letters).then_some(1 + distance)
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

/// Other names of languages, each with its type.
pub const TYPE_ALIASES: [(&str, &str); 6] = [
    ("c#", "csharp"),
    ("c++", "cpp"),
    ("golang", "go"),
    ("javascript", "js"),
    ("shell", "sh"),
    ("text", "txt"),
];
