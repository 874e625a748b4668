//! The packages of the crates that the checks test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context as _, Result};

use super::folder::Folder;
use crate::cargo::Compile;
use crate::detached;
use crate::manifest::SectionId;
use crate::program;
use crate::progress::Progress;
use crate::repo::Repo;
use crate::suite;
use crate::verify::executed;

/// One crate to compile.
pub struct Package {
    /// The name of the package and of its folder.
    pub name: String,
    /// The newest open chapter.
    pub chapter: u32,
    /// The sections whose tests it gets.
    pub suite: BTreeSet<SectionId>,
    /// Its sources, relative to `src`.
    pub files: BTreeMap<String, String>,
    /// Whether its tests run.
    pub compile: Compile,
    /// The chapter whose modules compile with its tests, as they do after a learner's save.
    pub with_tests: Option<u32>,
    /// Whether the workspace's lints apply, so that warnings are found.
    pub strict: bool,
    /// Whether the compiler keeps its work for the next run. It does not for the many crates with a
    /// wrong type: each compiles little and would take up 60 MB.
    pub incremental: bool,
}

impl Package {
    /// A crate that is only checked, has no tests and allows warnings.
    pub fn new(name: String, chapter: u32, files: BTreeMap<String, String>) -> Self {
        Self {
            name,
            chapter,
            suite: BTreeSet::new(),
            files,
            compile: Compile::Check,
            with_tests: None,
            strict: false,
            incremental: true,
        }
    }

    /// Writes it. It differs from the learner's package, which has `manifest`, in its name, sources
    /// and open chapter. The reference has `functions` functions.
    pub fn write(
        &self,
        progress: &Progress,
        dir: &mut Folder,
        manifest: &str,
        functions: usize,
    ) -> Result<()> {
        let name = &self.name;
        let mut document: toml_edit::DocumentMut = manifest.parse()?;
        document.remove("workspace");
        document.remove("profile");
        // The checks test the library only.
        document.remove("bin");
        document["package"]["name"] = toml_edit::value(name);
        document["lib"]["name"] = toml_edit::value(self.library());
        document["features"]["default"] = {
            let mut default = toml_edit::Array::new();
            default.push(format!("ch{}", self.chapter));
            if program::first_chapter(&document).is_some_and(|first| first <= self.chapter) {
                default.push(program::PROGRAM);
            }
            toml_edit::value(default)
        };
        if self.strict {
            document["lints"] = toml_edit::table();
            document["lints"]["workspace"] = toml_edit::value(true);
        }
        dir.write(&format!("{name}/Cargo.toml"), &document.to_string())?;
        self.write_tests(progress, dir)?;
        for (file, text) in &self.files {
            let path = format!("{name}/src/{file}");
            match file == "lib.rs" && self.compile == Compile::Build {
                true => dir.write(&path, &format!("{text}{}", executed::module(functions)))?,
                false => dir.write(&path, text)?,
            }
        }
        Ok(())
    }

    /// The name of its library.
    fn library(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Writes its test program.
    fn write_tests(&self, progress: &Progress, dir: &mut Folder) -> Result<()> {
        let repo = &progress.repo;
        let tests = format!("{}/tests", self.name);
        let library = self.library();
        let mut main = match self.with_tests {
            None => {
                format!("//! The tests of some sections.\nextern crate {library} as claw_code;\n")
            }
            Some(number) => {
                let modules = modules_with_tests(repo, number)?;
                dir.write(&format!("{tests}/modules.rs"), &modules)?;
                format!(
                    "//! The tests of a chapter.\n#![allow(dead_code, unexpected_cfgs, unused_imports)]\nextern crate {library} as library;\nextern crate self as claw_code;\ninclude!(\"modules.rs\");\n"
                )
            }
        };
        if !self.suite.is_empty() {
            main += &suite::declarations(repo, &progress.course, &self.suite)?;
        }
        dir.write(&format!("{tests}/main.rs"), &main)
    }
}

/// The manifest of the workspace: the root manifest without its package. Paths of dependencies
/// become absolute, since the file moves.
pub fn workspace(repo: &Repo, manifest: &str, packages: &[Package]) -> Result<String> {
    let mut document: toml_edit::DocumentMut = manifest.parse()?;
    document.retain(|key, _| key == "workspace" || key == "profile");
    // Nobody reads a backtrace from these crates, and they build in two thirds of the time.
    document["profile"]["dev"]["debug"] = toml_edit::value(false);
    document["profile"]["dev"]["incremental"] = toml_edit::value(false);
    for package in packages.iter().filter(|package| package.incremental) {
        document["profile"]["dev"]["package"][&package.name]["incremental"] =
            toml_edit::value(true);
    }
    detached::make_paths_absolute(&mut document, repo.root());
    let table = document["workspace"]
        .as_table_mut()
        .context("Cargo.toml has no [workspace]")?;
    table.remove("exclude");
    let mut members = toml_edit::Array::new();
    members.extend(packages.iter().map(|package| package.name.as_str()));
    table["members"] = toml_edit::value(members);
    Ok(document.to_string())
}

/// `tests/modules.rs` as the compiler sees it with `--cfg 'with_tests="chN"'`, for this N.
fn modules_with_tests(repo: &Repo, number: u32) -> Result<String> {
    let text = fs::read_to_string(repo.tests().join("modules.rs"));
    let text = text.context("cannot read tests/modules.rs")?;
    Ok(text.replace(&format!("with_tests = \"ch{number}\""), "all()"))
}
