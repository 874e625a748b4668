//! Runs the scripts of the workflow files for GitHub and GitLab, in order, with the variables that
//! the hosts set. Left out is what needs the host: its actions (checkout, cache, upload), the cache
//! and image of GitLab, and the programs `apt-get`, `rustup` and `sudo`, which do nothing here.
//! `cargo course` is the program that cargo built for this test, without the launcher. It starts
//! only in the top folder of a clone, as the alias does.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use serde_yaml_ng::Value as Yaml;

use crate::class::{Class, copy, of, passed};

#[test]
fn github_fails_unless_the_core_sections_pass() {
    if Command::new("jq").arg("--version").output().is_err() {
        eprintln!("jq is not installed: the workflow for GitHub is not tested");
        return;
    }
    let class = Class::new();
    for (name, passes, tests, summary) in submissions(&class, [true, false, false]) {
        let ran = on_github(&class, name);

        assert_eq!(ran.passes, passes, "{name}: {}", ran.log);
        ran.publishes(name, tests);
        let text = fs::read_to_string(class.dir.path().join("summary")).unwrap_or_default();
        assert!(
            text.contains(summary),
            "{summary} is in {text}\n{}",
            ran.log
        );
    }
}

#[test]
fn gitlab_fails_only_if_there_are_no_grades() {
    let class = Class::new();
    for (name, passes, tests, _) in submissions(&class, [true, true, false]) {
        let folder = class.submissions().join(name).join("grades");
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join("forged.xml"), "").expect("a file");

        let ran = on_gitlab(&class, name);

        assert_eq!(ran.passes, passes, "{name}: {}", ran.log);
        ran.publishes(name, tests);
        let forged = ran.published.map(|folder| folder.join("forged.xml"));
        assert!(
            forged.is_some_and(|forged| !forged.exists()),
            "no file of the student is published as a result"
        );
    }
}

#[test]
fn cargo_uses_nothing_that_students_can_commit_on_gitlab() {
    let gitlab = fs::read_to_string(folder().join("gitlab.yml")).expect("the workflow");
    assert!(!gitlab.contains("CARGO_HOME") && !gitlab.contains("cache:"));
}

/// A solved submission, an untouched one and one that cannot be graded: their names, whether the
/// job passes, how many tests pass, if any run, and a part of GitHub's summary.
fn submissions(
    class: &Class,
    passes: [bool; 3],
) -> [(&'static str, bool, Option<usize>, &'static str); 3] {
    class
        .stub("solved")
        .solve("src/light.rs")
        .solve("src/lamp.rs")
        .solve("src/crossing.rs");
    class.stub("untouched");
    class.stub("empty").remove("src");
    let [solved, untouched, empty] = passes;
    [
        (
            "solved",
            solved,
            Some(2),
            "| 2.1 Two lamps | core | 10 | true |",
        ),
        (
            "untouched",
            untouched,
            Some(0),
            "| 2.1 Two lamps | core | 10 | false |",
        ),
        ("empty", empty, None, "not-graded it has no folder src"),
    ]
}

/// A job that has ended.
struct Ran {
    passes: bool,
    /// What the scripts printed.
    log: String,
    /// The folder that the job publishes.
    published: Option<PathBuf>,
    /// The JUnit file among it.
    junit: PathBuf,
}

impl Ran {
    /// Asserts that the results are published and say that `tests` tests pass. `None` is for a
    /// submission that is not graded.
    fn publishes(&self, name: &str, tests: Option<usize>) {
        let folder = self.published.as_ref();
        let folder = folder.unwrap_or_else(|| panic!("{name} publishes: {}", self.log));
        let read = |path: &Path| {
            fs::read_to_string(path)
                .unwrap_or_else(|error| panic!("{path:?}: {error}\n{}", self.log))
        };
        let grades: Value = serde_json::from_str(&read(&folder.join("grades.json"))).expect("JSON");
        assert_eq!(grades["submissions"].as_array().map(Vec::len), Some(1));
        assert_eq!(read(&folder.join("grades.csv")).lines().count(), 2);
        let junit = read(&self.junit);
        let junit = quick_junit::Report::deserialize_from_str(&junit).expect("valid JUnit");
        match tests {
            Some(tests) => {
                assert_eq!(passed(&grades, "submission"), tests, "{name}");
                assert_eq!((junit.tests, junit.failures), (2, 2 - tests), "{name}");
            }
            None => assert_eq!(of(&grades, "submission")["status"], "not-graded", "{name}"),
        }
    }
}

/// Runs GitHub's job. Each step is a shell of its own.
fn on_github(class: &Class, submission: &str) -> Ran {
    let workflow = workflow("github.yml");
    let workspace = class.dir.path().join(format!("github-{submission}"));
    let summary = class.dir.path().join("summary");
    let _ = fs::remove_file(&summary);
    let mut ran = Ran {
        passes: true,
        log: String::new(),
        published: None,
        junit: workspace.join("grades/grades.xml"),
    };
    for step in list(&workflow["jobs"]["grade"]["steps"]) {
        let runs = match step["if"].as_str() {
            None => ran.passes,
            Some("${{ !cancelled() && hashFiles('grades/grades.json') != '' }}") => {
                workspace.join("grades/grades.json").is_file()
            }
            Some(other) => panic!("the test does not know the condition {other}"),
        };
        if !runs {
            continue;
        }
        let path = || workspace.join(text(&step["with"]["path"]));
        let action = step["uses"]
            .as_str()
            .and_then(|name| name.split('@').next());
        match action {
            Some("actions/checkout") if step["with"]["repository"].is_null() => {
                copy(&class.submissions().join(submission), &path());
            }
            Some("actions/checkout") => copy(&class.clone(), &path()),
            Some("actions/upload-artifact") => ran.published = Some(path()),
            Some("actions/cache") => {}
            Some(other) => panic!("the test does not know the action {other}"),
            None => {
                let mut bash = bash(class, &workflow["env"], text(&step["run"]));
                bash.current_dir(workspace.join(step["working-directory"].as_str().unwrap_or("")))
                    .env("GITHUB_STEP_SUMMARY", &summary);
                ran.passes &= succeeds(bash, &mut ran.log);
            }
        }
    }
    ran
}

/// Runs GitLab's job. All lines run in one shell.
fn on_gitlab(class: &Class, submission: &str) -> Ran {
    let workflow = workflow("gitlab.yml");
    let job = &workflow["grade"];
    let project = class
        .dir
        .path()
        .join(format!("gitlab-{submission}/submission"));
    copy(&class.submissions().join(submission), &project);
    let lines = ["before_script", "script"].map(|part| list(&job[part]));
    let lines: Vec<&str> = lines.into_iter().flatten().map(text).collect();
    let course = project.with_file_name("course");
    let script = lines
        .join("\n")
        .replace("/tmp/course", course.to_str().expect("UTF-8"));
    let mut bash = bash(
        class,
        &workflow["variables"],
        &format!("set -o pipefail\n{script}"),
    );
    bash.current_dir(&project)
        .env("CI_PROJECT_DIR", &project)
        .env("COURSE", format!("file://{}", class.clone().display()));
    let mut log = String::new();
    let passes = succeeds(bash, &mut log);
    let artifacts = &job["artifacts"];
    let is_published = passes || text(&artifacts["when"]) == "always";
    Ran {
        passes,
        log,
        published: is_published.then(|| project.join(text(&artifacts["paths"][0]))),
        junit: project.join(text(&artifacts["reports"]["junit"])),
    }
}

/// A shell that runs `script` as the hosts do, with the variables of the workflow. A teacher has
/// set the chapter to 2, which
/// the submissions have not opened.
fn bash(class: &Class, variables: &Yaml, script: &str) -> Command {
    let programs = class.dir.path().join("programs");
    fs::create_dir_all(&programs).expect("a folder");
    let grader = format!(
        "shift\ntest -d solutions || exit 101\nexec '{}' \"$@\"",
        env!("CARGO_BIN_EXE_course-teacher")
    );
    for (name, script) in [
        ("apt-get", ""),
        ("rustup", ""),
        ("sudo", ""),
        ("cargo-course", &grader),
    ] {
        let program = programs.join(name);
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("its mode");
    }
    let others = env::var_os("PATH").unwrap_or_default();
    let path = [programs].into_iter().chain(env::split_paths(&others));
    let mut bash = Command::new("bash");
    bash.args(["-ec", script])
        .env("PATH", env::join_paths(path).expect("a path"))
        .envs(
            variables
                .as_mapping()
                .expect("variables")
                .iter()
                .map(|(name, value)| (text(name), text(value))),
        )
        .env("CHAPTER", "2")
        .env("CI", "true");
    bash
}

/// Runs `command`, adds its output to `log` and returns whether it succeeds.
fn succeeds(mut command: Command, log: &mut String) -> bool {
    let output = command.output().expect("bash starts");
    for text in [&output.stdout, &output.stderr] {
        log.push_str(&String::from_utf8_lossy(text));
    }
    output.status.success()
}

fn workflow(file: &str) -> Yaml {
    let text = fs::read_to_string(folder().join(file)).expect("the workflow");
    serde_yaml_ng::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../classroom")
}

fn list(yaml: &Yaml) -> &[Yaml] {
    yaml.as_sequence().expect("a list")
}

fn text(yaml: &Yaml) -> &str {
    yaml.as_str().unwrap_or_else(|| panic!("a text: {yaml:?}"))
}
