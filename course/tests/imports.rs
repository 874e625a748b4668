//! The imports between the files of a crate.

use std::fs;

use course::imports::{Imports, Used};

/// The files that code depends on which calls `user::run` and names `identifiers`, each relative to
/// the crate's root and sorted. The crate has `files`, each with its text.
fn dependencies(files: &[(&str, &str)], identifiers: &[&str]) -> Vec<String> {
    dependencies_of(&["user", "run"], files, identifiers)
}

/// The same for code that uses `path` from the crate's root.
fn dependencies_of(path: &[&str], files: &[(&str, &str)], identifiers: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, text) in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let imports = Imports::load(&folder.path().join("lib.rs")).expect("a crate");
    let used = Used {
        paths: vec![path.iter().map(|name| name.to_string()).collect()],
        identifiers: identifiers.iter().map(|name| name.to_string()).collect(),
    };
    let found = imports.dependencies(&used, 1).into_iter();
    let relative = found.map(|file| file.strip_prefix(folder.path()).expect("a file inside"));
    relative.map(|file| file.display().to_string()).collect()
}

/// The files besides `lib.rs` and `user.rs` that code depends on which calls `user::run`, with this
/// text of `user.rs`. `car.rs` defines `Car`, `wheel.rs` defines `Wheel`, and `extra.rs` has the
/// text `extra`.
fn beside(user: &str, extra: &str) -> Vec<String> {
    beside_with(user, extra, &[])
}

/// The same for code that also names `identifiers`.
fn beside_with(user: &str, extra: &str, identifiers: &[&str]) -> Vec<String> {
    let files = [
        (
            "lib.rs",
            "pub mod car;\npub mod extra;\npub mod user;\npub mod wheel;\n",
        ),
        ("car.rs", "pub struct Car;\n"),
        ("wheel.rs", "pub struct Wheel;\n"),
        ("extra.rs", extra),
        ("user.rs", user),
    ];
    let mut found = dependencies(&files, identifiers);
    found.retain(|file| file != "lib.rs" && file != "user.rs");
    found
}

#[test]
fn a_name_of_a_module_and_of_a_function_in_it_means_both() {
    let files = dependencies(
        &[
            ("lib.rs", "pub mod table;\npub mod user;\n"),
            ("table/mod.rs", "mod sort;\npub use sort::*;\n"),
            ("table/sort.rs", "pub fn sort() {}\n"),
            (
                "user.rs",
                "use crate::table::sort;\npub fn run() { sort() }\n",
            ),
        ],
        &[],
    );
    assert!(
        files.contains(&"table/sort.rs".to_string()),
        "`sort` in user.rs is the function in table/sort.rs: {files:?}"
    );
}

#[test]
fn the_name_of_a_module_means_all_files_inside_it() {
    let files = [
        ("lib.rs", "pub mod all;\npub mod user;\n"),
        ("all/mod.rs", "mod deep;\nmod it;\n"),
        ("all/deep/mod.rs", "mod last;\n"),
        ("all/deep/last.rs", ""),
        ("all/it.rs", ""),
        ("user.rs", ""),
    ];
    assert_eq!(
        dependencies_of(&["all"], &files, &[]),
        [
            "all/deep/last.rs",
            "all/deep/mod.rs",
            "all/it.rs",
            "all/mod.rs",
            "lib.rs"
        ]
    );
}

#[test]
fn code_depends_on_the_files_of_the_modules_around_an_item() {
    let files = [
        ("lib.rs", "pub mod all;\npub mod user;\n"),
        ("all/mod.rs", "pub mod it;\n"),
        ("all/it.rs", "pub struct It;\n"),
        ("user.rs", ""),
    ];
    assert_eq!(
        dependencies_of(&["all", "it", "It"], &files, &[]),
        ["all/it.rs", "all/mod.rs", "lib.rs"]
    );
}

#[test]
fn an_item_of_any_kind_is_found_behind_a_glob() {
    for item in [
        "pub struct It;",
        "pub enum It {}",
        "pub union It { a: u8 }",
        "pub trait It {}",
        "pub type It = u8;",
        "pub const It: u8 = 1;",
        "pub static It: u8 = 1;",
        "pub fn It() {}",
        "macro_rules! It { () => {} }",
    ] {
        let files = dependencies(
            &[
                ("lib.rs", "pub mod all;\npub mod user;\n"),
                ("all/mod.rs", "mod it;\npub use it::*;\n"),
                ("all/it.rs", item),
                ("user.rs", "pub fn run() { crate::all::It }\n"),
            ],
            &[],
        );
        assert!(
            files.contains(&"all/it.rs".to_string()),
            "user.rs names `{item}`, which is in all/it.rs: {files:?}"
        );
    }
}

#[test]
fn code_depends_on_the_paths_in_it() {
    for (user, expected) in [
        ("pub fn run(_: crate::car::Car) {}", &["car.rs"][..]),
        ("use crate::car::Car;\npub fn run() {}", &["car.rs"]),
        ("use crate::car;\npub fn run(_: car::Car) {}", &["car.rs"]),
        (
            "use crate::car as it;\npub fn run(_: it::Car) {}",
            &["car.rs"],
        ),
        (
            "use crate::car::{self};\npub fn run(_: car::Car) {}",
            &["car.rs"],
        ),
        (
            "use crate::car::{self as it};\npub fn run(_: it::Car) {}",
            &["car.rs"],
        ),
        ("use crate::*;\npub fn run(_: car::Car) {}", &["car.rs"]),
        // A name after a dot is a field.
        ("use crate::*;\npub fn run(a: (u8,)) { a.car }", &[]),
        // Whoever uses a name that is only passed on depends on it.
        ("pub use crate::car::Car;\npub fn run() {}", &[]),
    ] {
        assert_eq!(beside(user, ""), expected, "{user}");
    }
}

#[test]
fn modules_of_later_chapters_are_no_dependencies() {
    for (chapter, expected) in [(1, true), (2, false)] {
        let lib = format!("#[cfg(feature = \"ch{chapter}\")]\npub mod car;\npub mod user;\n");
        let files = dependencies(
            &[
                ("lib.rs", lib.as_str()),
                ("car.rs", "pub struct Car;\n"),
                ("user.rs", "pub fn run(_: crate::car::Car) {}\n"),
            ],
            &[],
        );
        assert_eq!(
            files.contains(&"car.rs".to_string()),
            expected,
            "car.rs is of chapter {chapter}, and the code of chapter 1: {files:?}"
        );
    }
}

#[test]
fn a_method_in_another_file_than_its_type_is_a_dependency_of_code_that_names_it() {
    let extra = "use crate::car::Car;\nimpl Car { pub fn drive(&self) {} }\n";
    let calls = "use crate::car::Car;\npub fn run(car: Car) { car.drive() }\n";
    assert_eq!(beside(calls, extra), ["car.rs", "extra.rs"]);
    let in_macro = "use crate::car::Car;\npub fn run(car: Car) { dbg!([car.drive()]); }\n";
    assert_eq!(beside(in_macro, extra), ["car.rs", "extra.rs"]);
    let another = "use crate::car::Car;\npub fn run(car: Car) { car.park() }\n";
    assert_eq!(beside(another, extra), ["car.rs"]);
    assert_eq!(
        beside_with(another, extra, &["drive"]),
        ["car.rs", "extra.rs"]
    );
}

#[test]
fn a_constant_in_another_file_than_its_type_is_a_dependency_of_code_that_names_it() {
    let extra = "use crate::car::Car;\nimpl Car { pub const DOORS: u8 = 4; }\n";
    let uses = "use crate::car::Car;\npub fn run() -> u8 { Car::DOORS }\n";
    assert_eq!(beside(uses, extra), ["car.rs", "extra.rs"]);
    let another = "use crate::car::Car;\npub fn run() -> u8 { Car::WHEELS }\n";
    assert_eq!(beside(another, extra), ["car.rs"]);
}

#[test]
fn methods_that_a_macro_defines_have_any_name() {
    let extra = "use crate::car::Car;\nimpl Car { methods!(); }\n";
    let user = "use crate::car::Car;\npub fn run(car: Car) { car.drive() }\n";
    assert_eq!(beside(user, extra), ["car.rs", "extra.rs"]);
}

#[test]
fn a_trait_for_a_type_of_another_file_is_a_dependency_of_code_with_the_type() {
    let extra = "use crate::car::Car;\nimpl Drop for Car { fn drop(&mut self) {} }\n";
    let with_car = "use crate::car::Car;\npub fn run(_: Car) {}\n";
    assert_eq!(beside(with_car, extra), ["car.rs", "extra.rs"]);
    let without = "use crate::wheel::Wheel;\npub fn run(_: Wheel) {}\n";
    assert_eq!(beside(without, extra), ["wheel.rs"]);
}

#[test]
fn a_conversion_is_a_dependency_of_code_with_both_types() {
    let extra = "use crate::{car::Car, wheel::Wheel};
        impl From<Wheel> for Car { fn from(_: Wheel) -> Car { Car } }\n";
    let both = "use crate::{car::Car, wheel::Wheel};
        pub fn run(wheel: Wheel) -> Car { wheel.into() }\n";
    assert_eq!(beside(both, extra), ["car.rs", "extra.rs", "wheel.rs"]);
    let one = "use crate::car::Car;\npub fn run(_: Car) {}\n";
    assert_eq!(beside(one, extra), ["car.rs"]);
}

#[test]
fn an_impl_may_name_its_type_by_an_alias() {
    let alias = "pub type Alias = crate::car::Car;\n";
    let files = dependencies(
        &[
            (
                "lib.rs",
                "pub mod alias;\npub mod car;\npub mod extra;\npub mod user;\n",
            ),
            ("alias.rs", alias),
            ("car.rs", "pub struct Car;\n"),
            (
                "extra.rs",
                "use crate::alias::Alias;\nimpl Drop for Alias { fn drop(&mut self) {} }\n",
            ),
            ("user.rs", "use crate::car::Car;\npub fn run(_: Car) {}\n"),
        ],
        &[],
    );
    assert!(
        files.contains(&"extra.rs".to_string()),
        "extra.rs implements Drop for Car: {files:?}"
    );
}
