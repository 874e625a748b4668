//! The learner's program `claw`.

use toml_edit::DocumentMut;

/// The feature of its modules, and its name.
pub const PROGRAM: &str = "claw";

/// The first chapter with which it can be built, from its feature in the learner's `Cargo.toml`.
pub fn first_chapter(manifest: &DocumentMut) -> Option<u32> {
    let needs = manifest.get("features")?.get(PROGRAM)?.as_array()?;
    let mut chapters = needs
        .iter()
        .filter_map(|need| need.as_str()?.strip_prefix("ch"));
    chapters.find_map(|number| number.parse().ok())
}
