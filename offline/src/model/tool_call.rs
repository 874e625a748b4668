//! Chooses a tool for an action, among the tools that a request offers, and fills its
//! arguments.

use serde_json::{Map, Value, json};

use super::action::Action;
use super::patch;
use super::schema_sample::sample;
use super::shell_command as shell;
use crate::model_request::ToolDefinition;
use crate::tool_kind::{
    ArgumentNames, COMMAND, CONTENT, ITEMS, NEW, OLD, PATCH, PATH, PATTERN, PLAN, ToolKind,
    is_one_of,
};

/// A call that does an action.
struct Candidate {
    kind: ToolKind,
    /// For each argument its names and its value.
    arguments: Vec<(ArgumentNames, Value)>,
}

/// The tool for an action and the arguments to call it with, or a message that names the
/// missing tool. The arguments of a tool that takes text are that text.
pub(super) fn choose_call<'a>(
    action: &Action,
    tools: &[&'a ToolDefinition],
) -> Result<(&'a ToolDefinition, String), String> {
    let candidates = candidates(action);
    for candidate in &candidates {
        let mut fitting = tools
            .iter()
            .filter(|it| kind_of(it) == Some(candidate.kind));
        let call = fitting.find_map(|tool| Some((*tool, fill(candidate, tool, action)?)));
        if let Some(call) = call {
            return Ok(call);
        }
    }
    let needed: Vec<String> = (candidates.iter())
        .map(|it| format!("`{}`", it.kind.course_name()))
        .collect();
    let offered: Vec<String> = tools.iter().map(|it| format!("`{}`", it.name)).collect();
    Err(format!(
        "I lack the tool for that: {}. {}",
        needed.join(" or "),
        match offered.as_slice() {
            [] => "I have no tools.".into(),
            names => format!("I have {}.", names.join(", ")),
        }
    ))
}

/// Whether the tools replace text only with patches, which need the text of the file.
pub(super) fn needs_source(tools: &[&ToolDefinition]) -> bool {
    let has = |kind| tools.iter().any(|tool| kind_of(tool) == Some(kind));
    has(ToolKind::Patch) && !has(ToolKind::Edit)
}

fn kind_of(tool: &ToolDefinition) -> Option<ToolKind> {
    let properties = tool.parameters["properties"].as_object();
    let names = properties.into_iter().flat_map(|it| it.keys());
    ToolKind::of(&tool.name, names.map(String::as_str))
}

/// The calls that do an action, best first.
fn candidates(action: &Action) -> Vec<Candidate> {
    match action {
        Action::List { path } => vec![
            candidate(ToolKind::List, [(PATH, path)]),
            candidate(ToolKind::Glob, [(PATTERN, &glob_below(path))]),
            run(&shell::list(path)),
        ],
        Action::Read { path } => vec![
            candidate(ToolKind::Read, [(PATH, path)]),
            run(&shell::read(path)),
        ],
        Action::Search { pattern, path } => vec![
            candidate(ToolKind::Search, [(PATTERN, pattern), (PATH, path)]),
            run(&shell::search(pattern, path)),
        ],
        Action::Create { path, text } => vec![
            candidate(ToolKind::Write, [(PATH, path), (CONTENT, text)]),
            candidate(ToolKind::Patch, [(PATCH, &patch::create(path, text))]),
            run(&shell::create(path, text)),
        ],
        Action::Replace {
            path,
            from,
            to,
            source,
        } => {
            let edit = [(PATH, path.as_str()), (OLD, from), (NEW, to)];
            let patch = source.iter().map(|source| {
                let patch = patch::replace(path, source, from, to);
                candidate(ToolKind::Patch, [(PATCH, patch.as_str())])
            });
            let edit = [candidate(ToolKind::Edit, edit)].into_iter();
            let command = run(&shell::replace(path, from, to));
            edit.chain(patch).chain([command]).collect()
        }
        Action::Run { command } => vec![run(command)],
        Action::Propose { steps } => {
            let steps = (1..).zip(steps);
            let lines: Vec<String> = steps
                .map(|(number, it)| format!("{number}. {it}"))
                .collect();
            vec![candidate(
                ToolKind::ProposePlan,
                [(PLAN, &lines.join("\n"))],
            )]
        }
        Action::WriteTodos { items } => {
            let item = |(content, status): &(String, &str)| json!({ "content": content, "status": status });
            let items = items.iter().map(item).collect();
            vec![Candidate {
                kind: ToolKind::WriteTodos,
                arguments: vec![(ITEMS, Value::Array(items))],
            }]
        }
    }
}

fn run(command: &str) -> Candidate {
    candidate(ToolKind::Run, [(COMMAND, command)])
}

fn candidate<const N: usize>(kind: ToolKind, arguments: [(ArgumentNames, &str); N]) -> Candidate {
    let arguments = arguments.into_iter();
    Candidate {
        kind,
        arguments: arguments
            .map(|(names, value)| (names, Value::from(value)))
            .collect(),
    }
}

fn glob_below(path: &str) -> String {
    match path {
        "." => "*".into(),
        path => format!("{}/*", path.trim_end_matches('/')),
    }
}

/// The arguments of a call of this tool: each under the name that the tool's schema has for
/// it. `None` if the schema has no such argument, or requires another one that the rules
/// cannot fill.
fn fill(candidate: &Candidate, tool: &ToolDefinition, action: &Action) -> Option<String> {
    if tool.is_freeform {
        let [(_, Value::String(text))] = candidate.arguments.as_slice() else {
            return None;
        };
        return Some(text.clone());
    }
    let mut arguments = Map::new();
    let properties = tool.parameters["properties"].as_object();
    let Some(properties) = properties.filter(|it| !it.is_empty()) else {
        let named = candidate.arguments.iter();
        arguments.extend(named.map(|(names, value)| (names[0].to_string(), value.clone())));
        return Some(Value::Object(arguments).to_string());
    };
    for (names, value) in &candidate.arguments {
        // The first name counts that has a property, in the order of the names.
        let known = names
            .iter()
            .find_map(|name| properties.iter().find(|(it, _)| is_one_of(it, &[name])));
        match known {
            Some((name, property)) => {
                arguments.insert(name.clone(), typed(value, property));
            }
            // Tools search the working directory if they are told no other.
            None if value == "." => {}
            None => return None,
        }
    }
    for name in tool.parameters["required"].as_array().into_iter().flatten() {
        let name = name.as_str()?;
        if !arguments.contains_key(name) {
            let value = required_value(&properties[name], action)?;
            arguments.insert(name.into(), value);
        }
    }
    Some(Value::Object(arguments).to_string())
}

/// The value in the type of the property: some tools take a command as an array of words.
fn typed(value: &Value, property: &Value) -> Value {
    match property["type"] == "array" && value.is_string() {
        true => json!(["bash", "-lc", value]),
        false => value.clone(),
    }
}

/// A value for an argument that the action does not determine: null if that is allowed, a text
/// explains the call, a switch is off.
fn required_value(property: &Value, action: &Action) -> Option<Value> {
    if property.get("enum").is_some() || property.get("default").is_some() {
        return Some(sample(property, ""));
    }
    // In a strict schema, an optional argument is a required one that may be null.
    if allows_null(property) {
        return Some(Value::Null);
    }
    match property["type"].as_str()? {
        "string" => Some(action.announcement().into()),
        "boolean" => Some(json!(false)),
        _ => None,
    }
}

/// Whether a schema allows null, by its types or by its alternatives.
fn allows_null(schema: &Value) -> bool {
    let any = |values: &Value, is_null: fn(&Value) -> bool| {
        values.as_array().is_some_and(|all| all.iter().any(is_null))
    };
    any(&schema["type"], |it| it == "null")
        || ["anyOf", "oneOf"]
            .iter()
            .any(|keyword| any(&schema[*keyword], |it| it["type"] == "null"))
}
