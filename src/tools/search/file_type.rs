//! File types: ripgrep's names for groups of globs.

use ignore::types::{FileTypeDef, Types, TypesBuilder};
use strsim::osa_distance;

/// How many names a suggestion lists.
pub const MAX_SUGGESTIONS: usize = 3;

/// The matcher for files of the type `name`, such as `rust`. The error is a message for the
/// model, with [suggestions](suggest_types) for an unknown name.
pub fn select_type(name: &str) -> Result<Types, String> {
    todo!("file-types-and-suggestions: write select_type")
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
    todo!("file-types-and-suggestions: write suggest_types")
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
