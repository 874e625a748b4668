//! Helpers for the tests of chapter 11, Safety Checks.

use std::os::unix::fs::symlink;
use std::path::Path;

use claw_code::permission::*;
use claw_code::safety::*;
use claw_code::tools::DynamicTool;
use claw_code::types::*;
use serde_json::{Value, json};
use tree_sitter::{Node, Parser, Tree};

use crate::support::TempFolder;

/// Creates a symbolic link at `path` in the folder.
pub fn link(folder: &TempFolder, path: &str, target: impl AsRef<Path>) {
    symlink(target, folder.path().join(path)).expect("links can be created here");
}

/// The places of a workspace without a home folder.
pub fn places(workspace: &TempFolder) -> Places {
    Places {
        workspace: workspace.canonical(),
        home: None,
    }
}

/// The check of paths in this workspace.
pub fn path_check(workspace: &TempFolder) -> PathCheck {
    PathCheck::new(places(workspace))
}

/// A call with these arguments.
pub fn call(tool: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "call_1".into(),
        name: tool.into(),
        arguments,
    }
}

/// A tool that changes things.
pub fn tool(name: &str) -> DynamicTool {
    let schema = json!({ "type": "object", "properties": {}, "required": [] });
    DynamicTool::new(name, "A tool for a test", schema, |_| async {
        Ok(ToolResult::text("ran"))
    })
}

/// Known words, separated by spaces; `?` is a word that is not known.
pub fn words(text: &str) -> Vec<Word> {
    let words = text.split_whitespace();
    words
        .map(|word| (word != "?").then(|| word.to_string()))
        .collect()
}

/// The tree of a script.
pub fn tree(source: &str) -> Tree {
    let mut parser = Parser::new();
    let language = tree_sitter_bash::LANGUAGE.into();
    parser.set_language(&language).expect("a language");
    parser.parse(source, None).expect("a tree")
}

/// The first node of this kind, from the top.
#[track_caller]
pub fn first<'a>(tree: &'a Tree, kind: &str) -> Node<'a> {
    let mut nodes = vec![tree.root_node()];
    while let Some(node) = nodes.pop() {
        if node.kind() == kind {
            return node;
        }
        let mut cursor = node.walk();
        let children: Vec<_> = node.children(&mut cursor).collect();
        nodes.extend(children.into_iter().rev());
    }
    panic!("no {kind} in the tree: {}", tree.root_node().to_sexp());
}

/// The commands of `tests/ch11/commands.txt` with the names of their classes.
pub fn corpus() -> Vec<(&'static str, String)> {
    let lines = include_str!("commands.txt").lines();
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let (class, command) = line.split_once(' ').expect("a class and a command");
            (class, command.replace('␤', "\n"))
        })
        .collect()
}

/// The class with a name of the corpus.
pub fn class(name: &str) -> CommandClass {
    match name {
        "read-only" => CommandClass::ReadOnly,
        "writes" => CommandClass::Writes,
        "unknown" => CommandClass::Unknown,
        "network" => CommandClass::Network,
        "destructive" => CommandClass::Destructive,
        _ => panic!("`{name}` is not the name of a class"),
    }
}

/// What this system can enforce, as the kernel says.
#[cfg(target_os = "linux")]
pub fn system_level() -> SandboxLevel {
    use landlock::{ABI, Access, AccessFs, AccessNet};
    use landlock::{CompatLevel, Compatible, Ruleset, RulesetAttr};
    let required = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let files = required().handle_access(AccessFs::from_all(ABI::V3));
    let network = required().handle_access(AccessNet::from_all(ABI::V4));
    let can = |ruleset: Result<Ruleset, _>| ruleset.and_then(|it| it.create()).is_ok();
    match (can(files), can(network)) {
        (true, true) => SandboxLevel::FilesAndNetwork,
        (true, false) => SandboxLevel::Files,
        (false, _) => SandboxLevel::None,
    }
}

/// What this system can enforce: it has no Landlock.
#[cfg(not(target_os = "linux"))]
pub fn system_level() -> SandboxLevel {
    SandboxLevel::None
}
