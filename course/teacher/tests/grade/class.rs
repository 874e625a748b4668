//! A teacher's clone of a miniature course, and submissions to grade.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A teacher's clone and a folder of submissions.
pub struct Class {
    pub dir: TempDir,
}

impl Class {
    pub fn new() -> Self {
        let dir = TempDir::with_prefix("class-").expect("a temporary folder");
        let class = Self { dir };
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixture");
        copy(&fixture, &class.clone());
        fs::create_dir_all(class.submissions()).expect("a folder");
        for arguments in [
            "init --quiet",
            "add --all",
            "-c user.name=a -c user.email=a@example.com commit --quiet --message all",
        ] {
            let git = Command::new("git")
                .args(arguments.split(' '))
                .current_dir(class.clone())
                .status();
            assert!(git.expect("git starts").success(), "git {arguments}");
        }
        class
    }

    pub fn clone(&self) -> PathBuf {
        self.dir.path().join("clone")
    }

    pub fn submissions(&self) -> PathBuf {
        self.dir.path().join("submissions")
    }

    /// A submission that is the course as it was cloned.
    pub fn stub(&self, name: &str) -> Work {
        let path = self.submissions().join(name);
        copy(&self.clone(), &path);
        Work { path }
    }

    /// Grades all submissions.
    pub fn grade(&self, arguments: &[&str]) -> Ran {
        let output = self.grading(arguments).output();
        let output = output.expect("the program starts");
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The command that grades all submissions.
    pub fn grading(&self, arguments: &[&str]) -> Command {
        let mut names: Vec<PathBuf> = fs::read_dir(self.submissions())
            .expect("the submissions")
            .map(|entry| entry.expect("a submission").path())
            .collect();
        names.sort();
        let mut command = Command::new(env!("CARGO_BIN_EXE_course-teacher"));
        command
            .args(["grade", "--json"])
            .args(names)
            .args(arguments)
            .current_dir(self.clone());
        command
    }

    /// The stored results, by the names of their submissions, with the files that hold them.
    pub fn stored(&self) -> BTreeMap<String, PathBuf> {
        let entries = fs::read_dir(self.clone().join("target/grade/results"));
        let paths = entries
            .into_iter()
            .flatten()
            .map(|entry| entry.expect("a file").path());
        let results = paths.filter(|path| path.extension().is_some_and(|end| end == "json"));
        results
            .map(|path| {
                let json = fs::read(&path).expect("a result");
                let result: Value = serde_json::from_slice(&json).expect("it is complete");
                let name = result["grade"]["submission"].as_str().expect("its name");
                let name = name.rsplit('/').next().unwrap_or(name);
                (name.to_string(), path)
            })
            .collect()
    }
}

/// What a command printed.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect("JSON")
    }
}

/// A submission.
pub struct Work {
    pub path: PathBuf,
}

impl Work {
    pub fn write(&self, file: &str, text: &str) -> &Self {
        fs::write(self.path.join(file), text).expect("a file");
        self
    }

    pub fn write_src(&self, file: &str, text: &str) -> &Self {
        self.write(&format!("src/{file}"), text)
    }

    pub fn append_src(&self, file: &str, text: &str) -> &Self {
        let file = format!("src/{file}");
        let now = fs::read_to_string(self.path.join(&file)).expect("the file is there");
        self.write(&file, &(now + text))
    }

    pub fn edit(&self, file: &str, old: &str, new: &str) -> &Self {
        let now = fs::read_to_string(self.path.join(file)).expect("the file is there");
        assert!(now.contains(old), "{file} has {old}");
        self.write(file, &now.replacen(old, new, 1))
    }

    pub fn green_for(&self, body: &str) -> &Self {
        self.edit("src/light.rs", STUB, body)
    }

    /// Takes a file from the reference.
    pub fn solve(&self, file: &str) -> &Self {
        let text = fs::read_to_string(self.path.join("solutions").join(file));
        self.write(file, &text.expect("the reference"))
    }

    pub fn remove(&self, folder: &str) -> &Self {
        fs::remove_dir_all(self.path.join(folder)).expect("the folder is there");
        self
    }

    pub fn each_test(&self, change: impl Fn(String) -> String) {
        for file in ["s01_green_for.rs", "s02_colors.rs", "s03_lamps.rs"] {
            let file = format!("tests/ch01/{file}");
            let text = fs::read_to_string(self.path.join(&file)).expect("a test");
            self.write(&file, &change(text));
        }
    }
}

pub fn of<'a>(grades: &'a Value, name: &str) -> &'a Value {
    let all = grades["submissions"].as_array().expect("submissions");
    let is_it = |grade: &&Value| {
        let submission = grade["submission"].as_str().unwrap_or_default();
        submission.rsplit('/').next() == Some(name)
    };
    all.iter()
        .find(is_it)
        .unwrap_or_else(|| panic!("{name} is graded: {grades:#}"))
}

pub fn passed(grades: &Value, name: &str) -> usize {
    let passed = of(grades, name)["tests"]["passed"].as_u64();
    passed
        .and_then(|count| usize::try_from(count).ok())
        .expect("a number")
}

/// The command lines of all processes.
pub fn processes() -> String {
    let ps = Command::new("ps").args(["-eo", "args"]).output();
    String::from_utf8_lossy(&ps.expect("ps starts").stdout).into_owned()
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if !path.is_dir() {
            fs::copy(&path, to.join(name)).expect("a file");
        } else if !["target", ".course", ".git"]
            .iter()
            .any(|other| name == *other)
        {
            copy(&path, &to.join(name));
        }
    }
}

/// The body of `green_for`.
pub const STUB: &str = "todo!(\"green-time: write green_for\")";
