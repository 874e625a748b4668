//! The package that a check of one chapter builds.
//!
//! Its library is the learner's crate without the chapter, and its test program contains the
//! modules that the chapter changes and tests of the chapter. So a save compiles the test program
//! alone. Where the system has them, the library is a dynamic one, with all crates in it: then
//! linking takes a third of the time.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, value};

use crate::cargo::Request;
use crate::cargo_config;
use crate::course_toml::{Chapter, Course};
use crate::detached::{detached, make_paths_absolute};
use crate::digest;
use crate::manifest::SectionId;
use crate::repo::{Repo, write_atomically, write_if_changed};
use crate::suite;

/// Whether the library of a check is a dynamic one.
const HAS_DYNAMIC_LIBRARY: bool = cfg!(all(target_os = "linux", target_env = "gnu"));

/// The build script of a dynamic library. With `-Bsymbolic`, the library's references to itself are
/// resolved when it is linked. Otherwise the loader looks up 54,000 symbols at each start of the test
/// program, which takes 17 ms, and some tests start it again.
const LINK_SYMBOLS: &str = r#"fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg=-Wl,-Bsymbolic");
}
"#;

/// A package for the tests of one chapter, below the target folder.
pub struct ChapterCrate {
    root: PathBuf,
    manifest: PathBuf,
    /// Cargo's arguments that select the test program and the library's features.
    select: Vec<String>,
    /// The compiler's flags for the test program.
    flags: Vec<String>,
}

impl ChapterCrate {
    /// Writes the package for `chapter` with the crates of the chapter `crates` and the tests of
    /// these sections. Files that are already right stay as they are, so that cargo does not build
    /// anew.
    pub fn write(
        repo: &Repo,
        course: &Course,
        chapter: &Chapter,
        crates: &Chapter,
        sections: &BTreeSet<SectionId>,
    ) -> Result<Self> {
        let target = cargo_config::target_dir(repo.root());
        let name = name(repo, chapter);
        let dir = target.join("check").join(&name);
        let before = course.chapters().rfind(|it| it.number < chapter.number);
        let features = before.map(Chapter::feature);
        let features = features.into_iter().chain([crates.crates_feature()]);
        let features: Vec<String> = features.collect();
        let main = test_program(repo, course, sections, &name)?;
        write_files(&dir, repo, &name, &features, &main)?;
        let select = [
            "--target-dir",
            &target.to_string_lossy(),
            "--test",
            "main",
            "--no-default-features",
            "--features",
            &features.join(","),
        ];
        Ok(Self {
            root: repo.root().to_path_buf(),
            manifest: dir.join("Cargo.toml"),
            select: select.map(String::from).to_vec(),
            flags: flags(&dir, repo, &chapter.feature()),
        })
    }

    /// The request to build the test program, and to run the tests whose paths contain one of
    /// `filters` until none finishes for `timeout`. For `kills`, see [`Request::kills`].
    pub fn request<'a>(
        &'a self,
        filters: &'a [String],
        timeout: Duration,
        kills: usize,
    ) -> Request<'a> {
        Request {
            dir: &self.root,
            manifest: Some(&self.manifest),
            select: &self.select,
            flags: &self.flags,
            without_lines: true,
            filters,
            timeout,
            limits: None,
            kills,
        }
    }
}

/// The name of the package's library and of its folder. Cargo does not distinguish dynamic
/// libraries of the same name, and several clones can share a target folder.
fn name(repo: &Repo, chapter: &Chapter) -> String {
    let mut digest = Sha256::new();
    digest::add(&mut digest, repo.root().as_os_str().as_encoded_bytes());
    format!("before_{}_{}", chapter.feature(), &digest::hex(digest)[..8])
}

fn write_files(dir: &Path, repo: &Repo, name: &str, features: &[String], main: &str) -> Result<()> {
    let root = fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?;
    let library = dir.join("library");
    fs::create_dir_all(&library).with_context(|| format!("cannot make {}", library.display()))?;
    write_if_changed(
        &library.join("Cargo.toml"),
        library_package(&root, repo, name)?.as_bytes(),
    )?;
    if HAS_DYNAMIC_LIBRARY {
        write_if_changed(&library.join("build.rs"), LINK_SYMBOLS.as_bytes())?;
    }
    write_if_changed(
        &dir.join("Cargo.toml"),
        test_package(&root, repo, name, features)?.as_bytes(),
    )?;
    write_if_changed(&dir.join("main.rs"), main.as_bytes())?;
    // Cargo removes from its own copy what the package does not need.
    let copied = dir.join("root.lock");
    if let Ok(lock) = fs::read(repo.root().join("Cargo.lock"))
        && fs::read(&copied).ok().as_ref() != Some(&lock)
    {
        write_atomically(&dir.join("Cargo.lock"), &lock)?;
        // Last, so that after a kill in between, the next run copies again.
        write_atomically(&copied, &lock)?;
    }
    Ok(())
}

/// The compiler's flags for the test program of the chapter with this `feature`.
fn flags(dir: &Path, repo: &Repo, feature: &str) -> Vec<String> {
    let (dir, root) = (dir.display(), repo.root().display());
    let flags = [
        "--cfg",
        &format!("with_tests={feature:?}"),
        "--cfg",
        &format!("feature={feature:?}"),
        // Where the test program finds a dynamic library.
        "-Crpath",
        // Messages and backtraces show the files as those of plain cargo do.
        "--remap-path-prefix",
        &format!("{root}="),
        "--remap-path-prefix",
        &format!("{dir}={root}"),
        "--remap-path-prefix",
        &format!("{}/../src=src", repo.tests().display()),
    ];
    let mut flags = flags.map(String::from).to_vec();
    if HAS_DYNAMIC_LIBRARY {
        // Linking takes a fifth less time if unused functions stay.
        flags.push("-Clink-arg=-Wl,--no-gc-sections".to_string());
    }
    flags
}

/// The manifest of the test program and of its workspace.
fn test_package(root: &str, repo: &Repo, library: &str, features: &[String]) -> Result<String> {
    let mut document = detached(root, repo.root())?;
    document.remove("bin");
    document.remove("lib");
    let mut test = Table::new();
    test["name"] = value("main");
    test["path"] = value("main.rs");
    document["test"] = Item::ArrayOfTables(ArrayOfTables::from_iter([test]));
    let mut dependency = InlineTable::new();
    dependency.insert("path", "library".into());
    dependency.insert("default-features", false.into());
    dependency.insert("features", Array::from_iter(features).into());
    document["dependencies"][library] = value(dependency);
    Ok(document.to_string())
}

/// The manifest of the library, which is the learner's crate with another name. Cargo links a
/// dynamic library to the dynamic standard library only for other packages.
fn library_package(root: &str, repo: &Repo, name: &str) -> Result<String> {
    let mut document: DocumentMut = root.parse()?;
    for table in ["workspace", "profile", "bin", "test"] {
        document.remove(table);
    }
    make_paths_absolute(&mut document, repo.root());
    document["package"]["name"] = value(name);
    let library = &mut document["lib"];
    library["name"] = value(name);
    library["path"] = value(repo.src().join("lib.rs").to_string_lossy().as_ref());
    if HAS_DYNAMIC_LIBRARY {
        library["crate-type"] = value(Array::from_iter(["dylib"]));
    }
    Ok(document.to_string())
}

/// The source of the test program.
fn test_program(
    repo: &Repo,
    course: &Course,
    sections: &BTreeSet<SectionId>,
    library: &str,
) -> Result<String> {
    Ok(format!(
        "extern crate self as claw_code;\nextern crate {library} as library;\ninclude!({:?});\n{}",
        repo.tests().join("modules.rs"),
        suite::declarations(repo, course, sections)?
    ))
}
