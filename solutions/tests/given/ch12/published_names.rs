//! Names that hooks know

use std::path::Path;

use claw_code::hooks::*;
use serde_json::{Value, json};

use super::support::*;
use crate::support::assert_json;

const CWD: &str = "/work/app";

#[test]
fn file_path_is_absolute() {
    for tool in ["read", "write", "edit", "multi_edit"] {
        for path in ["src/a.rs", "./src/b/../a.rs", "/work/app/src/a.rs"] {
            let call = call(tool, json!({ "path": path, "content": "x" }));
            assert_json(
                &format!("`path` of `{tool}` becomes an absolute `file_path`: {path}"),
                &published_input(&call, Path::new(CWD)),
                &json!({ "file_path": "/work/app/src/a.rs", "content": "x" }),
            );
        }
    }
}

#[test]
fn timeout_of_a_command_is_in_milliseconds() {
    let call = call("bash", json!({ "command": "ls", "timeout": 1.5 }));
    assert_json(
        "1.5 s is 1500 ms",
        &published_input(&call, Path::new(CWD)),
        &json!({ "command": "ls", "timeout": 1500 }),
    );
}

#[test]
fn other_arguments_stay() {
    let calls = [
        call("grep", json!({ "path": "src", "pattern": "x" })),
        call("mcp__web__fetch", json!({ "path": "a", "timeout": 3 })),
        call("read", json!({ "path": 7, "timeout": 3 })),
        call("read", json!(["path"])),
        call("bash", Value::Null),
        call("bash", json!({ "command": "ls", "timeout": "3" })),
    ];
    for call in calls {
        assert_json(
            "what hooks know by the same name is unchanged",
            &published_input(&call, Path::new(CWD)),
            &call.arguments,
        );
    }
}

#[test]
fn own_input_is_the_opposite() {
    let calls = [
        call("edit", json!({ "path": "src/a.rs", "old_string": "x" })),
        call("multi_edit", json!({ "path": "src/a.rs", "edits": [] })),
        call("bash", json!({ "command": "ls", "timeout": 1.5 })),
        call("bash", json!({ "command": "ls", "timeout": 1.001 })),
        call("bash", json!({ "command": "ls", "timeout": "3" })),
        call("grep", json!({ "path": "src", "pattern": "x" })),
        call(
            "mcp__x",
            json!({ "file_path": "/work/app/a", "timeout": 3 }),
        ),
        call("read", json!({ "file_path": 7 })),
        call("read", json!([])),
    ];
    for call in calls {
        let published = published_input(&call, Path::new(CWD));
        assert_json(
            "arguments that no hook rewrites are the same again",
            &own_input(&call.name, published, Path::new(CWD)),
            &call.arguments,
        );
    }
}

#[test]
fn rewritten_path_outside_stays_absolute() {
    for path in ["/etc/passwd", "/work/app2/a.rs"] {
        assert_json(
            &format!("a path outside of {CWD} stays as it is"),
            &own_input("read", json!({ "file_path": path }), Path::new(CWD)),
            &json!({ "path": path }),
        );
    }
    let relative = json!({ "file_path": "./src/../b.rs", "content": "x" });
    assert_json(
        "a relative `file_path` becomes the `path` unchanged",
        &own_input("write", relative, Path::new(CWD)),
        &json!({ "path": "./src/../b.rs", "content": "x" }),
    );
}
