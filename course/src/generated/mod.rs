//! The lists of chapters that `cargo course generate` writes besides the stubs. Since they are
//! generated, adding a chapter only means adding files.

mod condition;
mod features;
mod module_list;
mod modules;
mod readme;
mod test_lists;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::course_toml::Course;
use crate::open_chapter::with_open_chapter;
use crate::repo::{Repo, read_text};
pub use modules::with_modules;

/// Every generated list, as path and text: the lists of test files, the feature tables of
/// both packages, the modules of the reference's `lib.rs` and README's table of chapters.
pub fn lists(repo: &Repo, course: &Course) -> Result<BTreeMap<PathBuf, String>> {
    let mut files = BTreeMap::new();
    test_lists::add(repo, course, &mut files)?;
    let mut rewrite = |path: PathBuf, change: &dyn Fn(&str) -> Result<String>| -> Result<()> {
        let name = repo.relative(&path);
        let text = change(&read(repo, &path)?).with_context(|| format!("in {name}"))?;
        files.insert(path, text);
        Ok(())
    };
    rewrite(repo.cargo_toml(), &|text| {
        features::with_chapters(text, course)
    })?;
    rewrite(repo.root().join("solutions/Cargo.toml"), &|text| {
        let text = features::with_chapters(text, course)?;
        // The reference has every chapter open.
        match course.written().last() {
            Some((newest, _)) => with_open_chapter(&text, newest.number),
            None => Ok(text),
        }
    })?;
    rewrite(repo.solutions().join("lib.rs"), &|text| {
        with_modules(repo, course, text)
    })?;
    let readme = repo.root().join("README.md");
    if readme.exists() {
        rewrite(readme, &|text| readme::with_table(text, course))?;
    }
    Ok(files)
}

fn read(repo: &Repo, path: &Path) -> Result<String> {
    read_text(path).with_context(|| format!("cannot read {}", repo.relative(path)))
}
