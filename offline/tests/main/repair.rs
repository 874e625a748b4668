//! "Make the tests pass", with real tools on a real project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::model::{Said, Talk};

/// A folder of its own for a test.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("repair")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// What the tools of an agent do, in short.
fn carry_out(folder: &Path, name: &str, arguments: &Value) -> String {
    let text = |name: &str| arguments[name].as_str().unwrap();
    match name {
        "bash" => bash(folder, text("command")),
        "read" => match fs::read_to_string(folder.join(text("path"))) {
            Ok(file) => (file.lines().zip(1..))
                .map(|(line, number)| format!("{number:>6}\t{line}\n"))
                .collect(),
            Err(error) => format!("error: {error}"),
        },
        "edit" => {
            let path = folder.join(text("path"));
            let file = fs::read_to_string(&path).unwrap();
            match file.matches(text("old_string")).count() {
                1 => {
                    fs::write(path, file.replace(text("old_string"), text("new_string"))).unwrap();
                    "Replaced 1 occurrence.".into()
                }
                count => format!("error: old_string occurs {count} times"),
            }
        }
        "grep" => bash(
            folder,
            &format!("grep -rnE '{}' --include='*.rs' .", text("pattern")),
        ),
        other => panic!("there is no tool {other}"),
    }
}

fn bash(folder: &Path, command: &str) -> String {
    let output = Command::new("sh")
        .args(["-c", &format!("{command} 2>&1")])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("CARGO_NET_OFFLINE", "true")
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    let mut said = String::from_utf8(output.stdout).unwrap();
    if !output.status.success() {
        said += &format!("\n(exit code {})", output.status.code().unwrap_or(-1));
    }
    said
}

/// Lets the model work until it stops. The tools that it used, and its last words.
async fn work(folder: &Path, request: &str) -> (Vec<String>, String) {
    let mut talk = Talk::with(&["read", "edit", "grep", "bash"]).await;
    let mut said: Said = talk.say(request).await;
    let mut used = Vec::new();
    while let [(_, name, arguments)] = said.calls.as_slice() {
        assert!(used.len() < 30, "it comes to an end");
        let result = carry_out(folder, name, arguments);
        used.push(name.clone());
        said = talk.results(&[&result]).await;
    }
    (used, said.text)
}

const MANIFEST: &str = "[package]\nname = \"sums\"\nedition = \"2021\"\n\n[workspace]\n";

const SUMS: &str = "\
pub fn add(a: i32, b: i32) -> i32 {
    a - b
}

pub fn multiply(x: i64, y: i64) -> i64 {
    x + y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(2, 2), 4);
        assert_eq!(add(-2, 3), 1);
    }

    #[test]
    fn multiplies() {
        assert_eq!(multiply(2, 5), 10);
    }
}
";

#[tokio::test]
async fn a_cargo_project_is_mended_until_it_is_green() {
    let folder = project("cargo", &[("Cargo.toml", MANIFEST), ("src/lib.rs", SUMS)]);
    let (used, said) = work(&folder, "make the tests pass").await;
    assert_eq!(said, "The tests pass now. I mended `add`, `multiply`.");
    assert_eq!(
        used,
        ["bash", "read", "edit", "bash", "read", "edit", "bash"]
    );
    let mended = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
    assert_eq!(
        mended,
        SUMS.replace("a - b", "a + b").replace("x + y", "x * y")
    );
}

#[tokio::test]
async fn a_function_in_another_file_is_found() {
    let folder = project(
        "elsewhere",
        &[
            ("demo/Cargo.toml", MANIFEST),
            ("demo/src/lib.rs", "pub mod sums;\n"),
            (
                "demo/src/sums.rs",
                "pub fn add(a: i32, b: i32) -> i32 {\n    a * b\n}\n",
            ),
            (
                "demo/tests/sums.rs",
                "#[test]\nfn adds() {\n    assert_eq!(sums::sums::add(2, 3), 5);\n}\n",
            ),
        ],
    );
    let (used, said) = work(&folder, "make the tests in demo pass").await;
    assert_eq!(said, "The tests pass now. I mended `add`.");
    assert_eq!(used, ["bash", "read", "grep", "read", "edit", "bash"]);
    let mended = fs::read_to_string(folder.join("demo/src/sums.rs")).unwrap();
    assert!(mended.contains("a + b"));
}

#[tokio::test]
async fn other_languages_are_read_too() {
    let test = "grep -q 'a + b' sums.py || { echo 'sums.py:4: expected 5, got -1'; exit 1; }\n";
    let sums = "def add(a, b):\n    return a - b\n\nassert add(2, 3) == 5\n";
    let folder = project("shell", &[("test.sh", test), ("sums.py", sums)]);
    let (used, said) = work(&folder, "make `sh test.sh` pass").await;
    assert_eq!(said, "The tests pass now. I mended `add`.");
    assert_eq!(used, ["bash", "read", "edit", "bash"]);
}

#[tokio::test]
async fn green_tests_are_left_alone() {
    let folder = project("green", &[]);
    fs::create_dir_all(&folder).unwrap();
    let (used, said) = work(&folder, "make `echo ok` pass").await;
    assert_eq!(said, "The tests pass as they are. I changed nothing.");
    assert_eq!(used, ["bash"]);
}

#[tokio::test]
async fn what_the_rules_cannot_mend_is_said() {
    let constant = "pub fn add(a: i32, b: i32) -> i32 {\n    7\n}\n";
    let test = "#[test]\nfn adds() {\n    assert_eq!(add(2, 3), 5);\n}\n";
    let folder = project(
        "constant",
        &[
            ("Cargo.toml", MANIFEST),
            ("src/lib.rs", &format!("{constant}\n{test}")),
        ],
    );
    let (used, said) = work(&folder, "make the tests pass").await;
    assert_eq!(
        said,
        "I see no operator that would mend `add`. This is as far as my rules go."
    );
    assert_eq!(used, ["bash", "read"]);
    let (used, said) = work(&folder, "make `false` pass").await;
    assert!(
        said.starts_with("The command failed in a way that I have no rule for"),
        "{said}"
    );
    assert_eq!(used, ["bash"]);
}
