//! Section 8.6: The glob tool

use std::collections::BTreeSet;
use std::fs::{File, FileTimes};
use std::future::poll_fn;
use std::sync::mpsc;
use std::task::Poll;
use std::time::{Duration, SystemTime};

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch8_glob_definition() {
    let tool = GlobTool::new("/");
    let definition = tool.definition();
    assert_eq!(definition.name, "glob");
    assert_eq!(
        definition.parameters["required"],
        json!(["pattern"]),
        "only the pattern is required"
    );
    let properties = definition.parameters["properties"].as_object();
    let properties = properties.expect("the schema has properties");
    assert_eq!(
        properties
            .keys()
            .map(String::as_str)
            .collect::<BTreeSet<_>>(),
        BTreeSet::from(["hidden", "ignored", "limit", "path", "pattern"]),
        "the parameters of glob"
    );
    for (name, schema) in properties {
        let description = schema["description"].as_str();
        assert!(
            description.is_some_and(|text| text.len() > 10),
            "the model needs a description of `{name}`"
        );
    }
}

#[test]
fn test_ch8_glob_flags_and_summary() {
    let tool = GlobTool::new("/");
    assert!(
        tool.is_read_only() && tool.is_concurrent_safe(),
        "a search changes nothing"
    );
    assert_eq!(
        tool.summary(&json!({ "pattern": "*.rs", "path": "." })),
        "[glob: *.rs]",
        "the terminal shows the pattern"
    );
}

#[tokio::test]
async fn test_ch8_glob_finds_files() {
    let folder = project();
    for (rule, args, expected) in [
        (
            "a name, at any depth",
            json!({ "pattern": "*.rs" }),
            "src/bin/tool.rs\nsrc/lib.rs\nsrc/main.rs",
        ),
        (
            "a path",
            json!({ "pattern": "src/*.rs" }),
            "src/lib.rs\nsrc/main.rs",
        ),
        (
            "only in a folder",
            json!({ "pattern": "*.rs", "path": "src/bin" }),
            "src/bin/tool.rs",
        ),
        (
            "alternatives",
            json!({ "pattern": "*.{toml,md}" }),
            "Cargo.toml\nREADME.md",
        ),
        (
            "an ignored file",
            json!({ "pattern": "*.o", "ignored": true }),
            "target/main.o",
        ),
        (
            "a hidden file",
            json!({ "pattern": ".env", "hidden": true }),
            ".env",
        ),
    ] {
        assert_eq!(
            call_tool(&GlobTool::new(folder.path()), &args).await,
            ToolResult::text(expected),
            "{rule}: glob {args} lists paths relative to the root folder, in path order"
        );
    }
}

#[tokio::test]
async fn test_ch8_glob_is_cut_at_the_limit() {
    let folder = sixty_files();
    let tool = GlobTool::new(folder.path());
    let result = call_tool(&tool, &json!({ "pattern": "*.txt", "limit": 3 })).await;
    assert!(
        result.is_truncated
            && result
                .content
                .starts_with("0/0/00.txt\n0/0/12.txt\n0/0/24.txt\n["),
        "the result should show the first three files in path order, whichever the walk visited first: {}",
        result.content
    );
    assert!(
        result.content.contains("3 of 60 files"),
        "the footer should count all files: {}",
        result.content
    );
}

#[tokio::test]
async fn test_ch8_glob_limit_may_be_written_as_a_fraction() {
    let folder = sixty_files();
    let tool = GlobTool::new(folder.path());
    let result = call_tool(&tool, &json!({ "pattern": "*.txt", "limit": 60.0 })).await;
    assert!(
        !result.is_truncated && result.content.lines().count() == 60,
        "60.0 is an integer to JSON Schema, so all 60 files are shown: {}",
        result.content
    );
}

#[tokio::test]
async fn test_ch8_glob_without_a_match_is_no_error() {
    let folder = project();
    let args = json!({ "pattern": "*.py", "path": "src" });
    let none = call_tool(&GlobTool::new(folder.path()), &args).await;
    assert!(
        !none.is_error
            && none.content.starts_with("there are no files in `src`")
            && none.content.contains("`*.py`")
            && none.content.contains("ignored"),
        "the result should say that there are no files, and name the folder, the glob, and the files that were left out; it is: {}",
        none.content
    );
}

#[tokio::test]
async fn test_ch8_bad_glob_call_is_an_error() {
    let folder = project();
    let tool = GlobTool::new(folder.path());
    for (rule, args, part) in [
        (
            "the pattern must be valid",
            json!({ "pattern": "*.{rs" }),
            "unclosed",
        ),
        (
            "the pattern must not be empty",
            json!({ "pattern": "" }),
            "empty",
        ),
        (
            "the path must exist",
            json!({ "pattern": "*", "path": "nowhere" }),
            "there is no `nowhere`",
        ),
        (
            "the path must stay in the root folder",
            json!({ "pattern": "*", "path": "../" }),
            "leads out",
        ),
        (
            "the path must be a folder",
            json!({ "pattern": "*", "path": "Cargo.toml" }),
            "Cargo.toml",
        ),
        (
            "the limit must be positive",
            json!({ "pattern": "*", "limit": 0 }),
            "at least 1",
        ),
        (
            "the pattern is required",
            json!({ "path": "src" }),
            "`pattern` is required",
        ),
        (
            "parameters must be known",
            json!({ "glob": "*.rs" }),
            "`glob` is unknown",
        ),
    ] {
        let result = call_tool(&tool, &args).await;
        assert_error(rule, &args, &result, part);
    }
}

/// A user who may read every folder, such as root, gets no note.
#[cfg(unix)]
#[tokio::test]
async fn test_ch8_glob_reports_a_folder_that_it_cannot_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = project();
    let closed = folder.path().join("src/bin");
    let set = |mode| std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode));
    set(0o000).expect("the permissions can be set");
    let is_closed = std::fs::read_dir(&closed).is_err();
    let args = json!({ "pattern": "*.rs" });
    let result = call_tool(&GlobTool::new(folder.path()), &args).await;
    set(0o755).expect("the permissions can be set");
    assert_eq!(
        result
            .content
            .contains("could not be read, such as src/bin: "),
        is_closed,
        "a note should say that the result may be incomplete: {}",
        result.content
    );
}

#[tokio::test]
async fn test_ch8_glob_reports_what_the_walk_could_not_read() {
    let folder = project();
    folder.write(".ignore", "{\n");
    let args = json!({ "pattern": "*.rs", "path": "src" });
    let result = call_tool(&GlobTool::new(folder.path()), &args).await;
    assert!(
        result.content.contains("src/main.rs") && result.content.contains("could not be read"),
        "an error of the walk becomes a note below the files: {}",
        result.content
    );
}

/// Access times show whether the walk has read a folder. Where there are none, this test
/// checks nothing.
#[test]
fn test_ch8_dropped_glob_call_stops_its_walk() {
    let folder = project();
    let tool = GlobTool::new(folder.path());
    let runtime = one_blocking_thread();
    let call = || tool.call(json!({ "pattern": "*" }));
    if set_unread(&folder).is_none() {
        return;
    }
    let done = runtime.block_on(call());
    assert!(done.is_ok(), "the walk succeeds: {done:?}");
    if !was_read(&folder) {
        return;
    }
    set_unread(&folder);
    runtime.block_on(async {
        let (release, released) = mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || released.recv());
        let mut call = call();
        let is_ready = poll_fn(|context| Poll::Ready(call.as_mut().poll(context).is_ready()));
        let is_ready = is_ready.await;
        tokio::task::yield_now().await;
        assert!(
            !is_ready && !was_read(&folder),
            "the walk should run in `spawn_blocking`, whose only thread is busy"
        );
        drop((call, release));
        // The only blocking thread gets to this task after the walk.
        let walked = tokio::task::spawn_blocking(|| ()).await;
        walked.expect("an empty task succeeds");
    });
    assert!(
        !was_read(&folder),
        "the call was dropped before its walk began, and the walk still reads folders for a result that nobody reads"
    );
}

fn one_blocking_thread() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.max_blocking_threads(1).build().expect("a runtime")
}

/// Sets the access time of the folder `src` back. `None` if the system can't do that.
fn set_unread(folder: &TempFolder) -> Option<()> {
    let times = FileTimes::new().set_accessed(long_ago());
    File::open(folder.path().join("src"))
        .ok()?
        .set_times(times)
        .ok()
}

/// Whether the folder `src` was read since [`set_unread`].
fn was_read(folder: &TempFolder) -> bool {
    let accessed = folder
        .path()
        .join("src")
        .metadata()
        .and_then(|it| it.accessed());
    accessed.is_ok_and(|time| time > long_ago())
}

fn long_ago() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000)
}
