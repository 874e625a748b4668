//! Chapter 3, The Tool Interface.
//!
//! Folders are real ones, made for the test and removed after it. The tools are small
//! and made by hand, so that each section is tested by itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use claw_code::provider::arguments_problem;
use claw_code::tools::*;
use claw_code::types::*;
use futures_util::FutureExt;
use serde_json::{Value, json};

// 3.1 A first tool

#[test]
fn test_ch3_list_definition() {
    let tool = ListTool::new("/");
    let definition = tool.definition();
    assert_eq!(definition.name, "list");
    assert!(
        definition.description.split_whitespace().count() >= 5,
        "the description is all a model knows of the tool; this one says little: {:?}",
        definition.description
    );
    let properties = definition.parameters["properties"]
        .as_object()
        .expect("the parameters are an object schema with properties");
    assert_eq!(
        properties.keys().collect::<Vec<_>>(),
        ["path"],
        "list has one parameter, `path`"
    );
    assert_eq!(properties["path"]["type"], "string", "`path` is a string");
    assert!(
        properties["path"]["description"]
            .as_str()
            .is_some_and(|words| !words.is_empty()),
        "`path` is described to the model"
    );
    assert_eq!(
        definition.parameters["required"],
        json!([]),
        "`path` may be left out"
    );
}

#[test]
fn test_ch3_list_says_what_it_does() {
    let tool: Box<dyn Tool> = Box::new(ListTool::new("/"));
    assert!(
        tool.is_read_only(),
        "listing a folder changes nothing, and plan mode should know"
    );
    assert!(
        tool.is_concurrent_safe(),
        "two listings do not disturb each other"
    );
    assert!(!tool.is_destructive());
    assert_eq!(
        tool.summary(&json!({ "path": "src" })),
        "[list: src]",
        "the summary of chapter 1 shows the tool's name and its path"
    );
}

// 3.2 Where a path leads

#[test]
fn test_ch3_resolve_inside() {
    let folder = Folder::new(&["src/main.rs", "src/bin/tool.rs"]);
    let root = folder.real();
    for (path, leads_to) in [
        (".", root.clone()),
        ("", root.clone()),
        ("src", root.join("src")),
        ("./src/", root.join("src")),
        ("src/main.rs", root.join("src/main.rs")),
        ("src/bin/../main.rs", root.join("src/main.rs")),
        ("src/..", root.clone()),
    ] {
        assert_eq!(
            resolve(folder.path(), path),
            Ok(leads_to),
            "`{path}` lies inside the root folder; the place has neither `.` nor `..` in it"
        );
    }
}

#[test]
fn test_ch3_resolve_refuses_climbing() {
    let folder = Folder::new(&["root/src/main.rs", "secret.txt"]);
    let root = folder.path().join("root");
    for path in [
        "..",
        "../secret.txt",
        "src/../../secret.txt",
        "./../secret.txt",
    ] {
        let message = refused(resolve(&root, path), path);
        assert!(
            message.contains(path),
            "the message repeats the path as the model wrote it, `{path}`; it says: {message}"
        );
        assert!(
            message.contains("leads out of the root folder"),
            "the message says what is wrong with `{path}`; it says: {message}"
        );
    }
    let there = refused(resolve(&root, "../secret.txt"), "../secret.txt");
    let not_there = refused(resolve(&root, "../nothing.txt"), "../nothing.txt");
    assert_eq!(
        there.replace("secret", "nothing"),
        not_there,
        "the answer to a path outside must not tell whether something is there"
    );
    refused(resolve(&root, "src/../../root/src"), "src/../../root/src");
}

#[test]
fn test_ch3_resolve_refuses_absolute_paths() {
    let folder = Folder::new(&["src/main.rs"]);
    let inside = folder.real().join("src").display().to_string();
    let outside = std::env::temp_dir().display().to_string();
    for path in [outside.as_str(), inside.as_str()] {
        let message = refused(resolve(folder.path(), path), path);
        assert!(
            message.contains(path) && message.contains("absolute"),
            "the message names `{path}` and says that it is absolute; it says: {message}"
        );
    }
}

#[test]
fn test_ch3_resolve_refuses_links_that_lead_out() {
    let folder = Folder::new(&["root/src/main.rs", "outside/secret.txt"]);
    let root = folder.path().join("root");
    let made = link("../outside", &root.join("away")) && link("src", &root.join("near"));
    let missing = refused(resolve(&root, "no/such/thing"), "no/such/thing");
    assert!(
        missing.contains("there is no `no/such/thing`"),
        "a path that names nothing is an error that says so; it says: {missing}"
    );
    if !made {
        return; // This system does not let us make links.
    }
    for path in ["away", "away/secret.txt", "src/../away"] {
        let message = refused(resolve(&root, path), path);
        assert!(
            message.contains("leads out of the root folder"),
            "`{path}` leads out through a link; the message says: {message}"
        );
    }
    assert_eq!(
        resolve(&root, "near/main.rs"),
        Ok(folder.real().join("root/src/main.rs")),
        "a link that stays inside is followed, and the place is free of links"
    );
    assert!(link("root", &folder.path().join("to-root")));
    assert_eq!(
        resolve(&folder.path().join("to-root"), "src"),
        Ok(folder.real().join("root/src")),
        "the root folder itself may be reached through a link"
    );
}

#[test]
fn test_ch3_resolve_bad_paths() {
    let folder = Folder::new(&["Cargo.toml"]);
    for path in ["Cargo.toml/src", "a\0b", &"long/".repeat(5000)] {
        let message = refused(resolve(folder.path(), path), path);
        assert!(
            message.contains(path),
            "the message names the path that cannot be opened; it says: {message}"
        );
    }
    let message = refused(resolve(folder.path(), "a\0b"), "a\0b");
    assert!(
        message.contains("cannot be opened"),
        "what is wrong with this path is not that it is missing; the message says: {message}"
    );
    let gone = folder.path().join("gone");
    let message = refused(resolve(&gone, "."), ".");
    assert!(
        message.contains("the root folder cannot be opened"),
        "when the root folder is missing, the message says that it is this one; it says: {message}"
    );
}

// 3.3 Reading a folder

#[test]
fn test_ch3_entries_are_marked() {
    let folder = Folder::new(&["src/main.rs", "Cargo.toml", ".gitignore"]);
    assert_eq!(
        entries(folder.path()).expect("the folder can be read"),
        [".gitignore", "Cargo.toml", "src/"],
        "folders end in `/`, files in nothing, hidden files are there too, and nothing below `src` is"
    );
    if link("src", &folder.path().join("link-to-folder"))
        && link("Cargo.toml", &folder.path().join("link-to-file"))
        && link("nothing", &folder.path().join("link-to-nothing"))
    {
        assert_eq!(
            entries(folder.path()).expect("the folder can be read"),
            [
                ".gitignore",
                "Cargo.toml",
                "link-to-file@",
                "link-to-folder@",
                "link-to-nothing@",
                "src/"
            ],
            "a link ends in `@`, whatever it leads to"
        );
    }
}

#[test]
fn test_ch3_entries_are_sorted_by_name() {
    let folder = Folder::new(&["a/x", "a-b", "a.txt", "a0", "B", "ä", "c/x"]);
    assert_eq!(
        entries(folder.path()).expect("the folder can be read"),
        ["B", "a/", "a-b", "a.txt", "a0", "c/", "ä"],
        "names are sorted as they are, before any mark is put behind them: `a` comes before `a-b`"
    );
}

#[test]
fn test_ch3_entries_are_one_line_each() {
    let plain = Folder::new(&["plain name.txt"]);
    assert_eq!(
        entries(plain.path()).expect("the folder can be read"),
        ["plain name.txt"]
    );
    let folder = Folder::new(&[]);
    if std::fs::write(folder.path().join("two\nlines\u{1b}[31m"), "").is_ok() {
        assert_eq!(
            entries(folder.path()).expect("the folder can be read"),
            ["two\\nlines\\u{1b}[31m"],
            "a control character in a name is written as an escape, so that no name looks like two"
        );
    }
    assert!(
        entries(&folder.path().join("gone")).is_err(),
        "a folder that cannot be read is an error"
    );
}

// 3.4 The call

#[tokio::test]
async fn test_ch3_list_folders() {
    let folder = Folder::new(&["src/main.rs", "src/bin/tool.rs", "Cargo.toml"]);
    for (path, listing) in [
        (".", "Cargo.toml\nsrc/"),
        ("src", "bin/\nmain.rs"),
        ("src/bin", "tool.rs"),
    ] {
        assert_eq!(
            list(folder.path(), path).expect("the folder can be read"),
            ToolResult::text(listing),
            "list `{path}`: one entry a line, no line end behind the last"
        );
    }
    let tool = ListTool::new(folder.path());
    for (args, listing) in [
        (json!({}), "Cargo.toml\nsrc/"),
        (json!({ "path": "src" }), "bin/\nmain.rs"),
    ] {
        let result = tool.call(args.clone()).await;
        assert_eq!(
            result.expect("the folder can be read"),
            ToolResult::text(listing),
            "a call of the tool with the arguments {args}"
        );
    }
}

#[test]
fn test_ch3_list_empty_folder() {
    let folder = Folder::new(&[]);
    let result = list(folder.path(), ".").expect("the folder can be read");
    assert!(
        result.content.contains("empty") && !result.content.starts_with("error: "),
        "an empty folder is no error, and is called empty: no text at all looks like a tool that failed; the content is {:?}",
        result.content
    );
    assert!(!result.is_truncated, "nothing was left out");
}

#[tokio::test]
async fn test_ch3_list_bad_paths() {
    let folder = Folder::new(&["root/Cargo.toml", "secret.txt"]);
    let root = folder.path().join("root");
    for (path, says) in [
        ("src", "there is no `src`"),
        ("Cargo.toml", "`Cargo.toml` is a file"),
        ("..", "leads out of the root folder"),
        ("/", "absolute"),
    ] {
        let result = list(&root, path).unwrap_or_else(|error| {
            panic!(
                "the model can mend `{path}`, so it gets ToolResult::error and no Err: {error:#}"
            )
        });
        assert!(
            result.content.starts_with("error: ") && result.content.contains(says),
            "list `{path}` should be an error that says {says:?}; the content is {:?}",
            result.content
        );
        let called = ListTool::new(&root).call(json!({ "path": path })).await;
        assert_eq!(
            called.expect("no Err from the tool either"),
            result,
            "the tool answers what list answers"
        );
    }
}

#[test]
fn test_ch3_list_huge_folder() {
    let folder = Folder::new(&[]);
    let add = |name: String| std::fs::write(folder.path().join(name), "").expect("a new file");
    (0..MAX_ENTRIES).for_each(|number| add(format!("{number:05}")));
    let full = list(folder.path(), ".").expect("the folder can be read");
    assert!(
        !full.is_truncated && full.content.lines().count() == MAX_ENTRIES,
        "{MAX_ENTRIES} entries are listed whole"
    );
    (0..7).for_each(|number| add(format!("1{number:05}")));
    let result = list(folder.path(), ".").expect("the folder can be read");
    let lines: Vec<&str> = result.content.lines().collect();
    assert!(
        result.is_truncated,
        "a listing that leaves entries out is marked as truncated"
    );
    assert_eq!(
        lines.len(),
        MAX_ENTRIES + 1,
        "the first {MAX_ENTRIES} entries are listed, and one line counts the rest"
    );
    assert_eq!(lines[0], "00000");
    assert_eq!(
        lines[MAX_ENTRIES], "[7 more entries left out]",
        "the last line says how many entries are missing"
    );
}

#[test]
fn test_ch3_list_leaves_the_thread_to_others() {
    let folder = Folder::new(&["Cargo.toml"]);
    let listing = list(folder.path(), ".").expect("the folder can be read");
    let tool = ListTool::new(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(1)
        .build();
    runtime.expect("a runtime").block_on(async {
        // The only thread for work that blocks is taken: what is handed to it has to wait.
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || wait.recv());
        let mut call = tool.call(json!({}));
        assert!(
            (&mut call).now_or_never().is_none(),
            "the disk may be slow: `call` leaves it to `spawn_blocking` and waits, and does not read on the thread that runs other tasks"
        );
        drop(release);
        let _ = busy.await;
        assert_eq!(
            call.await.expect("the folder can be read"),
            listing,
            "the listing comes once there is a thread for it"
        );
    });
}

// 3.5 Naming a value

#[test]
fn test_ch3_path_text() {
    for (path, text) in [
        (vec![], "the arguments"),
        (vec![name("path")], "`path`"),
        (
            vec![name("edits"), Step::Index(2), name("old")],
            "`edits[2].old`",
        ),
        (vec![name("a"), name("b"), name("c")], "`a.b.c`"),
        (vec![Step::Index(0), Step::Index(10)], "`[0][10]`"),
        (
            vec![name("old_string"), name("x-y"), name("größe")],
            "`old_string.x-y.größe`",
        ),
    ] {
        assert_eq!(path_text(&path), text, "the path is {path:?}");
    }
}

#[test]
fn test_ch3_path_text_odd_names() {
    for (path, text) in [
        (vec![name("headers"), name("a.b")], "`headers[\"a.b\"]`"),
        (vec![name("a b")], "`[\"a b\"]`"),
        (vec![name("")], "`[\"\"]`"),
        (vec![name("say \"hi\"\n")], "`[\"say \\\"hi\\\"\\n\"]`"),
        (vec![name("[0]"), name("x")], "`[\"[0]\"].x`"),
    ] {
        assert_eq!(
            path_text(&path),
            text,
            "a name with other characters stands in brackets, as JSON; the path is {path:?}"
        );
    }
}

#[test]
fn test_ch3_shown_values() {
    for value in [
        json!(7),
        json!("seven"),
        json!(null),
        json!(["a", 1.5, { "b": true }]),
        json!("two\nlines"),
    ] {
        assert_eq!(
            shown(&value),
            value.to_string(),
            "a short value is shown whole, as JSON on one line: a string is told from a number by its quotes"
        );
    }
    let letters = "ä".repeat(MAX_SHOWN - 2);
    assert_eq!(
        shown(&json!(letters)),
        format!("\"{letters}\""),
        "{MAX_SHOWN} characters, the quotes included, are shown whole"
    );
    let letters = "ä".repeat(1000);
    assert_eq!(
        shown(&json!(letters)),
        format!("\"{}…", "ä".repeat(MAX_SHOWN - 1)),
        "of a longer value {MAX_SHOWN} characters are shown, however many bytes they take"
    );
}

// 3.6 One sentence for each problem

#[test]
fn test_ch3_sentence_missing_and_unknown() {
    assert_sentence(
        &["path"],
        json!(null),
        Problem::Missing,
        "`path` is required",
    );
    assert_sentence(
        &["edit", "pth"],
        json!("a"),
        Problem::Unknown {
            allowed: vec!["path".into(), "limit".into()],
        },
        "`edit.pth` is not known; known are `path`, `limit`",
    );
    assert_sentence(
        &["pth"],
        json!("a"),
        Problem::Unknown { allowed: vec![] },
        "`pth` is not known",
    );
}

#[test]
fn test_ch3_sentence_expected_and_got() {
    let expected = vec!["integer", "null"];
    assert_sentence(
        &["limit"],
        json!("ten"),
        Problem::Type { expected },
        "`limit` must be integer or null, not \"ten\"",
    );
    let expected = vec!["object"];
    assert_sentence(
        &[],
        json!("{\"path\": "),
        Problem::Type { expected },
        "the arguments must be object, not \"{\\\"path\\\": \"",
    );
    let allowed = vec![json!("append"), json!(1), json!(null)];
    assert_sentence(
        &["mode"],
        json!("add"),
        Problem::Choice { allowed },
        "`mode` must be \"append\" or 1 or null, not \"add\"",
    );
    assert_sentence(
        &["limit"],
        json!(0),
        Problem::Rule("must be at least 1".into()),
        "`limit` must be at least 1, not 0",
    );
    let long = json!("x".repeat(500));
    let sentence = format!("`text` must be integer, not {}", shown(&long));
    let expected = vec!["integer"];
    assert_sentence(&["text"], long, Problem::Type { expected }, &sentence);
}

#[test]
fn test_ch3_sentence_forms() {
    let wrong = |at: &str, got: Value, expected: &'static str| Mismatch {
        path: vec![name("when"), name(at)],
        got,
        problem: Problem::Type {
            expected: vec![expected],
        },
    };
    assert_sentence(
        &["when"],
        json!({ "day": "x", "hour": "y" }),
        Problem::Forms(vec![
            vec![
                wrong("day", json!("x"), "integer"),
                wrong("hour", json!("y"), "integer"),
            ],
            vec![wrong("day", json!("x"), "null")],
        ]),
        "`when` fits no form: `when.day` must be integer, not \"x\" and `when.hour` must be integer, not \"y\"; or `when.day` must be null, not \"x\"",
    );
}

// 3.7 Names that nobody knows

#[test]
fn test_ch3_closed_admits_known_names_only() {
    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    let problems = mismatches(&closed(&schema), &json!({ "path": "a", "pth": "b" }));
    assert_eq!(
        problems,
        Ok(vec![Mismatch {
            path: vec![name("pth")],
            got: json!("b"),
            problem: Problem::Unknown {
                allowed: vec!["path".into()]
            },
        }]),
        "a schema that lists its properties admits no other names once it is closed"
    );
    assert_eq!(
        mismatches(&closed(&schema), &json!({ "path": "a" })),
        Ok(vec![]),
        "what fitted before fits still"
    );
    assert_eq!(
        mismatches(&closed(&schema), &json!({ "path": 1 })).map(|found| found.len()),
        Ok(1),
        "what did not fit before does not fit now"
    );
}

#[test]
fn test_ch3_closed_leaves_decisions_alone() {
    for schema in [
        json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": true }),
        json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": { "type": "integer" } }),
        json!({ "type": "object", "properties": { "a": {} }, "unevaluatedProperties": { "type": "integer" } }),
        json!({ "type": "object" }),
        json!({ "type": "string" }),
        json!(true),
    ] {
        assert_eq!(
            closed(&schema),
            schema,
            "a schema that says what becomes of other names, or lists no names at all, stays as it is"
        );
    }
}

#[test]
fn test_ch3_closed_sees_names_from_elsewhere() {
    let schema = json!({
        "type": "object",
        "properties": { "path": { "type": "string" } },
        "allOf": [{ "properties": { "limit": { "type": "integer" } } }],
        "$ref": "#/$defs/more",
        "$defs": { "more": { "patternProperties": { "^x-": { "type": "string" } } } }
    });
    assert_eq!(
        mismatches(
            &closed(&schema),
            &json!({ "path": "a", "limit": 1, "x-note": "b" })
        ),
        Ok(vec![]),
        "names may also come from `allOf`, `$ref` and patterns: `additionalProperties` does not see those, another keyword does"
    );
    assert_eq!(
        mismatches(&closed(&schema), &json!({ "pth": "a" })).map(|found| found.len()),
        Ok(1),
        "a name that stands nowhere is not known, in this schema either"
    );
    let nested = json!({
        "type": "object",
        "properties": { "inner": { "type": "object", "properties": { "a": {} } } }
    });
    assert_eq!(
        mismatches(&closed(&nested), &json!({ "inner": { "b": 1 } })),
        Ok(vec![]),
        "only the arguments themselves are closed, not the objects inside them"
    );
}

// 3.8 Checking the arguments

#[test]
fn test_ch3_validate_accepts() {
    for args in [
        json!({ "path": "a.txt" }),
        json!({ "path": "a.txt", "limit": 3, "mode": "append" }),
        json!({ "path": "a.txt", "edits": [{ "old": "x" }, { "old": "y" }] }),
    ] {
        assert_eq!(
            validate(&edit(), &args),
            ValidationResult::Ok,
            "{args} fits the schema"
        );
    }
    assert_eq!(
        validate(&ToolDefinition::new("now", "Tell the time"), &json!({})),
        ValidationResult::Ok,
        "no arguments fit a tool without parameters"
    );
}

#[test]
fn test_ch3_validate_names_each_problem() {
    for (args, line) in [
        (json!({}), "- `path` is required"),
        (json!({ "path": 7 }), "- `path` must be string, not 7"),
        (
            json!({ "path": "a", "mode": "add" }),
            "- `mode` must be \"replace\" or \"append\", not \"add\"",
        ),
        (
            json!({ "path": "a", "edits": [{ "old": "x" }, { "old": 1 }] }),
            "- `edits[1].old` must be string, not 1",
        ),
        (
            json!({ "path": "a", "edits": [{}] }),
            "- `edits[0].old` is required",
        ),
        (
            json!({ "path": "a", "limit": 0 }),
            "- `limit` must be at least 1, not 0",
        ),
        (
            json!({ "path": "a", "pth": "b" }),
            "- `pth` is not known; known are `edits`, `limit`, `mode`, `path`",
        ),
        (
            json!({ "path": "a", "edits": [{ "old": "x", "odl": "y" }] }),
            "- `edits[0].odl` is not known; known are `old`",
        ),
        (
            json!("{\"path\": \"a"),
            "- the arguments must be object, not \"{\\\"path\\\": \\\"a\"",
        ),
        (json!(null), "- the arguments must be object, not null"),
    ] {
        assert_eq!(
            complaint(&args),
            format!("the arguments do not fit the tool `edit`:\n{line}"),
            "the arguments were {args}"
        );
    }
}

#[test]
fn test_ch3_validate_speaks_of_every_rule() {
    for (schema, value, says) in [
        (
            json!({ "minLength": 2 }),
            json!("a"),
            "must have at least 2 characters, not \"a\"",
        ),
        (
            json!({ "maxLength": 2 }),
            json!("abc"),
            "must have at most 2 characters, not \"abc\"",
        ),
        (
            json!({ "pattern": "^a+$" }),
            json!("b"),
            "must match the pattern ^a+$, not \"b\"",
        ),
        (
            json!({ "maximum": 2 }),
            json!(3),
            "must be at most 2, not 3",
        ),
        (
            json!({ "exclusiveMinimum": 2 }),
            json!(2),
            "must be more than 2, not 2",
        ),
        (
            json!({ "exclusiveMaximum": 2 }),
            json!(2),
            "must be less than 2, not 2",
        ),
        (
            json!({ "multipleOf": 2 }),
            json!(3),
            "must be a multiple of 2, not 3",
        ),
        (
            json!({ "minItems": 2 }),
            json!([1]),
            "must have at least 2 items, not [1]",
        ),
        (
            json!({ "maxItems": 1 }),
            json!([1, 2]),
            "must have at most 1 items, not [1,2]",
        ),
        (
            json!({ "uniqueItems": true }),
            json!([1, 2, 1]),
            "must have no item twice ([0] and [2] are equal), not [1,2,1]",
        ),
        (
            json!({ "const": "a" }),
            json!("b"),
            "must be \"a\", not \"b\"",
        ),
        (
            json!({ "type": ["boolean", "number"] }),
            json!(null),
            "must be boolean or number, not null",
        ),
        (
            json!({ "type": ["array", "object"] }),
            json!(1),
            "must be array or object, not 1",
        ),
        (
            json!({ "not": { "const": 1 } }),
            json!(1),
            "must fit the schema (not failed), not 1",
        ),
        (
            json!(false),
            json!(1),
            "must fit the schema (false schema), not 1",
        ),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
            json!(1),
            "fits no form: `it` must be string, not 1; or `it` must be null, not 1",
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, { "type": "null" }] }),
            json!(1),
            "fits no form: `it` must be string, not 1; or `it` must be null, not 1",
        ),
    ] {
        let definition = ToolDefinition {
            name: "rule",
            description: "Has one rule",
            parameters: json!({ "type": "object", "properties": { "it": schema } }),
        };
        let ValidationResult::Error { message, .. } =
            validate(&definition, &json!({ "it": value }))
        else {
            panic!("{value} does not fit {schema}");
        };
        assert_eq!(
            message,
            format!("the arguments do not fit the tool `rule`:\n- `it` {says}"),
            "the schema is {schema}"
        );
    }
}

#[test]
fn test_ch3_validate_asks_about_unknown_names_last() {
    let definition = ToolDefinition {
        name: "branches",
        description: "Brings a name in from elsewhere",
        parameters: json!({
            "type": "object",
            "properties": { "path": { "type": "string" } },
            "$ref": "#/$defs/more",
            "$defs": { "more": { "properties": { "limit": { "type": "integer" } } } }
        }),
    };
    for (args, line) in [
        (
            json!({ "limit": "ten", "pth": 1 }),
            "- `limit` must be integer, not \"ten\"",
        ),
        (
            json!({ "limit": 10, "pth": 1 }),
            "- `pth` is not known; known are `path`",
        ),
    ] {
        let ValidationResult::Error { message, .. } = validate(&definition, &args) else {
            panic!("{args} does not fit");
        };
        assert_eq!(
            message,
            format!("the arguments do not fit the tool `branches`:\n{line}"),
            "names from `$ref` count as unknown while something in there is wrong, so nothing is said of names yet"
        );
    }
}

#[test]
fn test_ch3_validate_reports_all_problems() {
    let args = json!({ "limit": "ten", "mode": "add", "pth": "a", "b": 1, "a": 1, "c": 1 });
    let expected = "the arguments do not fit the tool `edit`:
- `a` is not known; known are `edits`, `limit`, `mode`, `path`
- `b` is not known; known are `edits`, `limit`, `mode`, `path`
- `c` is not known; known are `edits`, `limit`, `mode`, `path`
- `limit` must be integer, not \"ten\"
- `mode` must be \"replace\" or \"append\", not \"add\"
- `path` is required
- `pth` is not known; known are `edits`, `limit`, `mode`, `path`";
    for _ in 0..20 {
        assert_eq!(
            complaint(&args),
            expected,
            "every problem is told at once, in the same order each time: the lines are sorted"
        );
    }
}

#[test]
fn test_ch3_validate_tells_nothing_twice() {
    let path = json!({ "properties": { "path": { "type": "string" } } });
    let definition = ToolDefinition {
        name: "twice",
        description: "Says one thing in two places",
        parameters: json!({ "type": "object", "allOf": [path, path] }),
    };
    let ValidationResult::Error { message, .. } = validate(&definition, &json!({ "path": 1 }))
    else {
        panic!("`path` is no string in either place");
    };
    assert_eq!(
        message, "the arguments do not fit the tool `twice`:\n- `path` must be string, not 1",
        "a problem that two parts of the schema find is told once"
    );
}

#[test]
fn test_ch3_validate_bounds_the_message() {
    let edits = |count: usize| json!({ "path": "a", "edits": vec![json!({ "old": 1 }); count] });
    let ten = complaint(&edits(MAX_PROBLEMS));
    assert_eq!(
        ten.lines().count(),
        1 + MAX_PROBLEMS,
        "{MAX_PROBLEMS} problems are told in full:\n{ten}"
    );
    let many = complaint(&edits(MAX_PROBLEMS + 32));
    assert_eq!(
        many.lines().count(),
        1 + MAX_PROBLEMS + 1,
        "of more than {MAX_PROBLEMS} problems the first {MAX_PROBLEMS} are told, and a line counts the rest:\n{many}"
    );
    assert_eq!(many.lines().last(), Some("- and 32 more"));
}

#[test]
fn test_ch3_validate_codes() {
    let ValidationResult::Error { code, .. } = validate(&edit(), &json!({})) else {
        panic!("`path` is required");
    };
    assert_eq!(code, BAD_ARGUMENTS, "these arguments do not fit");

    let folder = Folder::new(&["schema.json"]);
    let elsewhere = folder.path().join("schema.json");
    std::fs::write(&elsewhere, "true").expect("a file with a schema that everything fits");
    let elsewhere = format!("file://{}", elsewhere.display());
    for (schema, says) in [
        (json!({ "type": "objekt" }), "/type"),
        (json!({ "$ref": elsewhere }), "other documents"),
    ] {
        let definition = ToolDefinition {
            name: "broken",
            description: "Has a schema that is none",
            parameters: schema.clone(),
        };
        let ValidationResult::Error { message, code } = validate(&definition, &json!({})) else {
            panic!("{schema} is no schema to check arguments with, so none will do");
        };
        assert_eq!(code, BROKEN_SCHEMA, "the schema {schema} is broken");
        for piece in ["`broken`", "schema", says] {
            assert!(
                message.contains(piece),
                "the message names the tool and says what is wrong with its schema, {piece:?} among it; it says: {message}"
            );
        }
    }
}

// 3.9 Cutting between characters

#[test]
fn test_ch3_boundaries() {
    let text = "aé漢🦀";
    let starts = [0, 1, 3, 6, 10];
    for at in 0..text.len() + 5 {
        let floor = starts.iter().rev().find(|&&start| start <= at);
        let ceil = starts.iter().find(|&&start| start >= at).unwrap_or(&10);
        assert_eq!(
            Some(&floor_boundary(text, at)),
            floor,
            "the last boundary at or before byte {at} of {text:?}, whose characters begin at {starts:?}"
        );
        assert_eq!(
            &ceil_boundary(text, at),
            ceil,
            "the first boundary at or behind byte {at} of {text:?}, whose characters begin at {starts:?}"
        );
    }
    assert_eq!(floor_boundary("", 3), 0);
    assert_eq!(ceil_boundary("", 3), 0);
}

// 3.10 Head and tail

#[test]
fn test_ch3_truncate_keeps_what_fits() {
    for text in ["", "short", "äöü"] {
        for limit in text.len()..text.len() + 40 {
            assert_eq!(
                truncate(text, limit),
                text,
                "{text:?} has {} bytes and fits into {limit}",
                text.len()
            );
        }
    }
}

#[test]
fn test_ch3_truncate_says_what_is_missing() {
    let text: String = (0..200).map(|number| format!("line {number}\n")).collect();
    let cut = truncate(&text, 80);
    let lines: Vec<&str> = cut.lines().collect();
    assert_eq!(lines[0], "line 0", "the head stays:\n{cut}");
    assert_eq!(lines.last(), Some(&"line 199"), "the tail stays:\n{cut}");
    let (head, left_out, tail) = parts(&cut);
    assert_eq!(
        left_out,
        text.len() - head.len() - tail.len(),
        "the number is that of the bytes which are missing:\n{cut}"
    );
    assert!(
        head.len().abs_diff(tail.len()) <= 1,
        "head and tail are about as long as each other: {} and {} bytes",
        head.len(),
        tail.len()
    );
}

#[test]
fn test_ch3_truncate_at_every_limit() {
    let crabs = "🦀".repeat(40);
    let mixed = "aé漢🦀e\u{301}👨‍👩‍👧\r\n".repeat(12);
    let ascii = "0123456789".repeat(20);
    for text in [&crabs, &mixed, &ascii] {
        for limit in 0..text.len() {
            let cut = truncate(text, limit);
            assert!(
                cut.len() <= limit,
                "{} bytes came back for a limit of {limit}: {cut:?}",
                cut.len()
            );
            if !cut.contains("left out") {
                assert!(
                    text.starts_with(&*cut) && limit < "\n[999 bytes left out]\n".len(),
                    "without room for the line in the middle the head alone stays; for {limit} bytes this came: {cut:?}"
                );
                assert!(
                    cut.len() + 3 >= limit,
                    "the head takes up the limit of {limit} but for a piece of a character: {cut:?}"
                );
                continue;
            }
            let (head, left_out, tail) = parts(&cut);
            assert!(
                text.starts_with(head) && text.ends_with(tail),
                "head and tail are the text's own, for a limit of {limit}: {cut:?}"
            );
            assert_eq!(
                left_out,
                text.len() - head.len() - tail.len(),
                "the number is that of the missing bytes, for a limit of {limit}: {cut:?}"
            );
            assert!(
                cut.len() + 12 >= limit,
                "a limit of {limit} has room for more than these {} bytes: {cut:?}",
                cut.len()
            );
            assert!(
                head.len().abs_diff(tail.len()) <= 8,
                "head and tail are about as long as each other, for a limit of {limit}: {cut:?}"
            );
        }
    }
}

#[test]
fn test_ch3_bounded_marks_what_it_cuts() {
    let whole = ToolResult::text("0123456789".repeat(10));
    assert_eq!(
        bounded(whole.clone(), 100),
        whole,
        "100 bytes fit into 100 and are not truncated"
    );
    let cut = bounded(whole.clone(), 99);
    assert!(cut.is_truncated, "what was cut is marked as truncated");
    assert_eq!(
        cut.content,
        truncate(&whole.content, 99),
        "the content is cut by truncate"
    );
    let already = ToolResult {
        content: "short".into(),
        is_truncated: true,
    };
    assert_eq!(
        bounded(already.clone(), 100),
        already,
        "what the tool cut itself stays marked, though it fits"
    );
    assert_eq!(
        bounded(ToolResult::text("ä"), 1),
        ToolResult {
            content: String::new(),
            is_truncated: true
        },
        "nothing fits, and it is said that something was there"
    );
}

// 3.11 From a call to a result

#[tokio::test]
async fn test_ch3_run_calls_the_tool() {
    let tool = Probe::new(Does::Echo);
    let args = json!({ "path": "a.txt" });
    assert_eq!(
        run(&tool, &args).await,
        ToolResult::text(args.to_string()),
        "the tool gets the arguments as they are, and its result is the result"
    );
    assert_eq!(tool.calls(), 1, "one call is carried out once");
}

#[tokio::test]
async fn test_ch3_run_checks_the_schema_first() {
    let tool = Probe::new(Does::Echo);
    for args in [json!({}), json!({ "path": 7 }), json!("path")] {
        let result = run(&tool, &args).await;
        let ValidationResult::Error { message, .. } = validate(tool.definition(), &args) else {
            panic!("{args} does not fit the schema of the tool");
        };
        assert_eq!(
            result,
            ToolResult::error(message),
            "the words of validate are the error result for {args}"
        );
    }
    assert_eq!(
        tool.calls(),
        0,
        "a tool is not called with arguments that do not fit"
    );
    assert_eq!(
        tool.checks(),
        0,
        "a tool's own check may rely on the schema, so it is not asked about arguments that do not fit"
    );
}

#[tokio::test]
async fn test_ch3_run_asks_the_tool() {
    let tool = Probe::new(Does::Echo);
    assert_eq!(
        run(&tool, &json!({ "path": "forbidden" })).await,
        ToolResult::error("`path` is taken"),
        "what the tool's own validate_input says is the error result"
    );
    assert_eq!(
        tool.calls(),
        0,
        "a tool is not called after its own check refused"
    );
    assert_eq!(tool.checks(), 1);
}

#[tokio::test]
async fn test_ch3_run_turns_err_into_a_result() {
    let tool = Probe::new(Does::Fail);
    let result = run(&tool, &json!({ "path": "a.txt" })).await;
    assert!(
        result.content.starts_with("error: "),
        "an Err becomes an error result; the content is {:?}",
        result.content
    );
    for piece in ["`probe`", "cannot save a.txt", "the disk is full"] {
        assert!(
            result.content.contains(piece),
            "the result names the tool and every cause, {piece:?} among them; the content is {:?}",
            result.content
        );
    }
}

// 3.12 Whatever goes wrong

#[tokio::test]
async fn test_ch3_execute_runs_the_right_tool() {
    let tools = ToolSet::new()
        .with(Probe::new(Does::Echo))
        .with(Named("bash"));
    assert_eq!(
        execute(&tools, &call("bash", json!({}))).await,
        ToolResult::text("bash is done")
    );
    let args = json!({ "path": "a.txt" });
    assert_eq!(
        execute(&tools, &call("probe", args.clone())).await,
        ToolResult::text(args.to_string())
    );
    let refused = execute(&tools, &call("probe", json!({ "path": 7 }))).await;
    assert!(
        refused.content.starts_with("error: ") && refused.content.contains("`path` must be string"),
        "bad arguments become an error result; the content is {:?}",
        refused.content
    );
}

#[tokio::test]
async fn test_ch3_execute_the_first_real_tool() {
    let tools = |root: &Path| ToolSet::new().with(ListTool::new(root));
    let folder = Folder::new(&["src/main.rs", "Cargo.toml"]);
    let none = execute(&ToolSet::new(), &call("list", json!({}))).await;
    assert!(
        none.content.starts_with("error: "),
        "a set without tools answers with an error, too"
    );
    let tools = tools(folder.path());
    assert_eq!(
        execute(&tools, &call("list", json!({}))).await,
        ToolResult::text("Cargo.toml\nsrc/")
    );
    let misspelt = execute(&tools, &call("list", json!({ "pth": "src" }))).await;
    assert!(
        misspelt
            .content
            .contains("`pth` is not known; known are `path`"),
        "a misspelt argument is not passed over: the model would take the listing of `.` for that of `src`; the content is {:?}",
        misspelt.content
    );
}

#[tokio::test]
async fn test_ch3_execute_arguments_that_are_not_json() {
    let tools = ToolSet::new().with(Probe::new(Does::Echo));
    let torn = call("probe", json!("{\"path\": \"a.t"));
    let result = execute(&tools, &torn).await;
    let problem = arguments_problem(&torn).expect("section 2.5 finds these torn");
    assert_eq!(
        result,
        ToolResult::error(problem),
        "arguments that are not JSON fit no schema: what `arguments_problem` says of them helps more"
    );
}

#[tokio::test]
async fn test_ch3_execute_unknown_tool() {
    let tools = ToolSet::new()
        .with(Named("write"))
        .with(Named("bash"))
        .with(Named("read"))
        .with(Named("list"));
    for name in ["List", "lst", ""] {
        let result = execute(&tools, &call(name, json!({}))).await;
        assert!(
            result.content.starts_with("error: ") && result.content.contains(&format!("{name:?}")),
            "a tool that does not exist is an error that names it, {name:?}; the content is {:?}",
            result.content
        );
        assert!(
            result.content.contains("bash, list, read, write"),
            "the tools that do exist are listed, sorted; the content is {:?}",
            result.content
        );
    }
    let result = execute(&ToolSet::new(), &call("list", json!({}))).await;
    assert_eq!(
        result.content, "error: there is no tool \"list\", nor any other tool",
        "where there are no tools, the model is told so instead of an empty list"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch3_execute_survives_panics() {
    let tools = Arc::new(ToolSet::new().with(Probe::new(Does::Panic)));
    for (path, says) in [
        ("text", "index out of range"),
        ("formatted", "bad path formatted"),
        ("before the future", "no future here"),
        ("number", "no message"),
    ] {
        let result = execute_apart(&tools, call("probe", json!({ "path": path }))).await;
        assert!(
            result.content.starts_with("error: ")
                && result.content.contains("`probe`")
                && result.content.contains(says),
            "a panic becomes an error result that names the tool and says {says:?}; the content is {:?}",
            result.content
        );
    }
    let args = json!({ "path": "well behaved" });
    assert_eq!(
        execute_apart(&tools, call("probe", args.clone())).await,
        ToolResult::text(args.to_string()),
        "after a panic the same tool can be called again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch3_execute_survives_panics_of_checks() {
    let tools = Arc::new(ToolSet::new().with(Probe::new(Does::Echo)));
    let args = json!({ "path": "panic in check" });
    let result = execute_apart(&tools, call("probe", args)).await;
    assert!(
        result.content.starts_with("error: ") && result.content.contains("the check broke"),
        "a panic in validate_input becomes an error result as well; the content is {:?}",
        result.content
    );
}

#[tokio::test]
async fn test_ch3_execute_bounds_the_result() {
    let tools = ToolSet::new().with(Probe::new(Does::Flood));
    assert_eq!(RESULT_LIMIT, 32 * 1024, "the limit is given; leave it");
    let long_name = "x".repeat(2 * RESULT_LIMIT);
    for (name, path, what) in [
        ("probe", "result", "a result"),
        ("probe", "error", "the text of an Err"),
        (&long_name, "", "the name of an unknown tool"),
    ] {
        let result = execute(&tools, &call(name, json!({ "path": path }))).await;
        assert!(
            result.content.len() <= RESULT_LIMIT && result.is_truncated,
            "{what} of more than {RESULT_LIMIT} bytes is cut and marked; {} bytes came, marked: {}",
            result.content.len(),
            result.is_truncated
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch3_execute_from_several_tasks() {
    let tools = Arc::new(ToolSet::new().with(Probe::new(Does::Panic)));
    let answers = ["text", "fine", "formatted", "good"]
        .map(|path| execute_apart(&tools, call("probe", json!({ "path": path }))));
    let mut failed = Vec::new();
    for answer in answers {
        failed.push(answer.await.content.starts_with("error: "));
    }
    assert_eq!(
        failed,
        [true, false, true, false],
        "a call that panics takes no other call with it"
    );
}

// What the tests above are made of.

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    /// With these empty files in it, and the folders that hold them.
    fn new(files: &[&str]) -> Self {
        let path = std::env::temp_dir().join(format!("claw-ch3-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).expect("a new folder among the temporary files");
        for file in files {
            let file = path.join(file);
            let above = file.parent().expect("it lies in the new folder");
            std::fs::create_dir_all(above).expect("a new folder");
            std::fs::write(file, "").expect("a new file");
        }
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    /// Its path without links: on some systems the temporary folder is behind one.
    fn real(&self) -> PathBuf {
        self.0.canonicalize().expect("it is there")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Makes a symbolic link, and says whether it could.
fn link(to: &str, at: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(to, at).is_ok();
    #[cfg(windows)]
    return std::os::windows::fs::symlink_dir(to, at).is_ok();
    #[cfg(not(any(unix, windows)))]
    return false;
}

#[track_caller]
fn refused(place: Result<PathBuf, String>, path: &str) -> String {
    match place {
        Err(message) => message,
        Ok(place) => panic!(
            "`{path}` should be refused, and leads to {}",
            place.display()
        ),
    }
}

fn name(name: &str) -> Step {
    Step::Name(name.to_string())
}

#[track_caller]
fn assert_sentence(path: &[&str], got: Value, problem: Problem, sentence: &str) {
    let path = path.iter().map(|step| name(step)).collect();
    let mismatch = Mismatch { path, got, problem };
    assert_eq!(mismatch.to_string(), sentence, "for {mismatch:?}");
}

/// A definition made by hand, with something of every kind in it.
fn edit() -> ToolDefinition {
    ToolDefinition {
        name: "edit",
        description: "Edit a file",
        parameters: json!({
            "type": "object",
            "properties": {
                "path": { "type": "string" },
                "limit": { "type": "integer", "minimum": 1 },
                "mode": { "enum": ["replace", "append"] },
                "edits": { "type": "array", "items": {
                    "type": "object",
                    "properties": { "old": { "type": "string" } },
                    "required": ["old"],
                    "additionalProperties": false
                } }
            },
            "required": ["path"]
        }),
    }
}

/// What validate says of arguments that do not fit [`edit`].
#[track_caller]
fn complaint(args: &Value) -> String {
    match validate(&edit(), args) {
        ValidationResult::Error { message, .. } => message,
        ValidationResult::Ok => panic!("these arguments do not fit and were accepted: {args}"),
    }
}

/// Head, number of bytes left out, and tail of a truncated text.
#[track_caller]
fn parts(cut: &str) -> (&str, usize, &str) {
    let found = cut
        .rsplit_once(" bytes left out]\n")
        .and_then(|(before, tail)| {
            let (head, number) = before.rsplit_once("\n[")?;
            Some((head, number.parse().ok()?, tail))
        });
    found.unwrap_or_else(|| {
        panic!("a truncated text has a line such as [123 bytes left out] between head and tail; this one has not: {cut:?}")
    })
}

/// [`execute`] in a task of its own, so that a panic's message is not printed among this
/// test's. What panics in spite of all ends the test.
fn execute_apart(tools: &Arc<ToolSet>, call: ToolCall) -> impl Future<Output = ToolResult> {
    let tools = Arc::clone(tools);
    let task = tokio::spawn(async move { execute(&tools, &call).await });
    async move {
        task.await.unwrap_or_else(|error| {
            let thrown = error.into_panic();
            let text = thrown.downcast_ref::<&str>().copied();
            let text = text.or_else(|| thrown.downcast_ref::<String>().map(String::as_str));
            panic!("{}", text.unwrap_or("execute panicked"))
        })
    }
}

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "call_1".to_string(),
        name: name.to_string(),
        arguments,
    }
}

/// What a [`Probe`] does when it is called.
enum Does {
    Echo,
    Fail,
    Panic,
    Flood,
}

/// A tool with one required string, `path`, that counts how often it is asked.
struct Probe {
    definition: ToolDefinition,
    does: Does,
    checks: AtomicUsize,
    calls: AtomicUsize,
}

impl Probe {
    fn new(does: Does) -> Self {
        Self {
            definition: ToolDefinition {
                name: "probe",
                description: "Does as the test says",
                parameters: json!({
                    "type": "object",
                    "properties": { "path": { "type": "string" } },
                    "required": ["path"]
                }),
            },
            does,
            checks: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
        }
    }

    fn checks(&self) -> usize {
        self.checks.load(Ordering::SeqCst)
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

impl Tool for Probe {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        self.checks.fetch_add(1, Ordering::SeqCst);
        match args["path"].as_str() {
            Some("forbidden") => ValidationResult::Error {
                message: "`path` is taken".to_string(),
                code: 7,
            },
            Some("panic in check") => panic!("the check broke"),
            _ => ValidationResult::Ok,
        }
    }

    // Written without `async_trait`, so that it can panic before there is a future.
    fn call<'a: 'f, 'f>(
        &'a self,
        args: Value,
    ) -> std::pin::Pin<Box<dyn Future<Output = anyhow::Result<ToolResult>> + Send + 'f>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let path = args["path"].as_str().unwrap_or_default().to_string();
        if path == "before the future" {
            panic!("no future here");
        }
        Box::pin(async move {
            tokio::task::yield_now().await;
            match (&self.does, path.as_str()) {
                (Does::Fail, _) => {
                    Err(anyhow::anyhow!("the disk is full").context(format!("cannot save {path}")))
                }
                (Does::Panic, "text") => panic!("index out of range"),
                (Does::Panic, "formatted") => panic!("bad path {path}"),
                (Does::Panic, "number") => std::panic::panic_any(7),
                (Does::Flood, "result") => Ok(ToolResult::text("x".repeat(2 * RESULT_LIMIT))),
                (Does::Flood, _) => Err(anyhow::anyhow!("x".repeat(2 * RESULT_LIMIT))),
                _ => Ok(ToolResult::text(args.to_string())),
            }
        })
    }
}

/// A tool that has a name and nothing else.
struct Named(&'static str);

#[async_trait]
impl Tool for Named {
    fn definition(&self) -> &ToolDefinition {
        // A definition is borrowed from its tool; this one is made once and kept.
        Box::leak(Box::new(ToolDefinition {
            name: self.0,
            description: "Has a name",
            parameters: json!({}),
        }))
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text(format!("{} is done", self.0)))
    }
}
