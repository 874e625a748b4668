//! The imports between the files of a crate.

use std::fs;

use course::imports::Imports;

#[test]
fn a_name_of_a_module_and_of_a_function_in_it_means_both() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, text) in [
        ("lib.rs", "pub mod table;\npub mod user;\n"),
        ("table/mod.rs", "mod sort;\npub use sort::*;\n"),
        ("table/sort.rs", "pub fn sort() {}\n"),
        (
            "user.rs",
            "use crate::table::sort;\npub fn run() { sort() }\n",
        ),
    ] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let imports = Imports::load(&folder.path().join("lib.rs")).expect("a crate");
    let run = ["user".to_string(), "run".to_string()];
    let files = imports.dependencies(&[run.to_vec()], 1);
    assert!(
        files.iter().any(|file| file.ends_with("table/sort.rs")),
        "`sort` in user.rs is the function in table/sort.rs: {files:?}"
    );
}
