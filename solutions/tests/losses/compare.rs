//! The fate of each field.

use serde_json::Value;

/// The fate of one field of one message.
#[derive(Debug, Clone)]
pub enum Fate {
    Kept,
    /// The field is gone.
    Lost,
    /// The value before and after.
    Changed(Value, Value),
    /// Its block has another type now.
    Became(String),
}

/// Fields with any JSON, which is compared as a whole.
const OPAQUE: [&str; 5] = ["arguments", "payload", "details", "input", "data"];

/// The end of a path that means the order of a list's elements.
pub const ORDER: &str = " (order)";

/// The role or the type of a message.
pub fn role(message: &Value) -> &str {
    let role = message["role"].as_str().or(message["type"].as_str());
    role.unwrap_or_default()
}

/// The innermost fields of a message: the path and the value of each.
pub fn leaves(message: &Value) -> Vec<(String, Value)> {
    let mut leaves = Vec::new();
    walk(message, "", &mut |path, value| {
        leaves.push((path.to_string(), value.clone()))
    });
    leaves
}

fn walk(value: &Value, path: &str, leaf: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(fields) if !is_opaque(path) => {
            for (name, value) in fields {
                if is_field(path, name) && !value.is_null() {
                    walk(value, &join(path, name), leaf);
                }
            }
        }
        Value::Array(elements) if !is_opaque(path) => {
            for element in elements {
                walk(element, &element_path(path, element), leaf);
            }
        }
        _ => leaf(path, value),
    }
}

/// The fate of each field of `sent`.
pub fn compare(sent: &Value, returned: &[Value]) -> Vec<(String, Fate)> {
    let mut fates = Vec::new();
    match returned {
        [one] => pair(sent, Some(one), "", &mut fates),
        _ => pair(sent, None, "", &mut fates),
    }
    fates
}

fn pair(sent: &Value, returned: Option<&Value>, path: &str, fates: &mut Vec<(String, Fate)>) {
    let all = |fate: Fate, fates: &mut Vec<_>| {
        walk(sent, path, &mut |path, _| {
            fates.push((path.to_string(), fate.clone()))
        });
    };
    match (sent, returned) {
        (_, None | Some(Value::Null)) => all(Fate::Lost, fates),
        (Value::Object(fields), Some(Value::Object(others))) if !is_opaque(path) => {
            let (kind, other) = (tag(sent), returned.map(tag).unwrap_or_default());
            if !path.is_empty() && kind != other {
                return all(Fate::Became(other.to_string()), fates);
            }
            for (name, value) in fields {
                if is_field(path, name) && !value.is_null() {
                    pair(value, others.get(name), &join(path, name), fates);
                }
            }
        }
        (Value::Array(elements), Some(Value::Array(others))) if !is_opaque(path) => {
            let places = places(elements, others);
            for (element, at) in elements.iter().zip(&places) {
                let path = element_path(path, element);
                pair(element, at.map(|at| &others[at]), &path, fates);
            }
            if elements.len() > 1 {
                let fate = match places.iter().flatten().is_sorted() {
                    true => Fate::Kept,
                    false => Fate::Changed(Value::Null, Value::Null),
                };
                fates.push((format!("{path}{ORDER}"), fate));
            }
        }
        (_, Some(returned)) if *sent == *returned => fates.push((path.to_string(), Fate::Kept)),
        (Value::Object(_) | Value::Array(_), Some(returned)) if !is_opaque(path) => {
            // If a list became a text, the parts that the text contains are not lost.
            walk(sent, path, &mut |path, value| {
                let said = value.as_str().zip(returned.as_str());
                let fate = match said.is_some_and(|(part, whole)| whole.contains(part)) {
                    true => Fate::Changed(sent.clone(), returned.clone()),
                    false => Fate::Lost,
                };
                fates.push((path.to_string(), fate));
            });
        }
        (_, Some(returned)) => {
            let fate = Fate::Changed(sent.clone(), returned.clone());
            fates.push((path.to_string(), fate));
        }
    }
}

/// For each sent element, the index of the returned one. Unchanged elements are found in any
/// position, and the others are matched so that as little as possible is lost.
fn places(sent: &[Value], returned: &[Value]) -> Vec<Option<usize>> {
    let same_kinds = sent.len() == returned.len()
        && sent
            .iter()
            .zip(returned)
            .all(|(one, other)| tag(one) == tag(other));
    if same_kinds {
        return (0..sent.len()).map(Some).collect();
    }
    let mut places = vec![None; sent.len()];
    let mut free: Vec<usize> = (0..returned.len()).collect();
    for (at, one) in sent.iter().enumerate() {
        let in_place = (sent.len() == returned.len()).then_some(at);
        let here = free
            .iter()
            .position(|to| Some(*to) == in_place && returned[*to] == *one);
        let anywhere = || free.iter().position(|to| returned[*to] == *one);
        if let Some(found) = here.or_else(anywhere) {
            places[at] = Some(free.remove(found));
        }
    }
    let open: Vec<usize> = (0..sent.len()).filter(|at| places[*at].is_none()).collect();
    let rest: Vec<&Value> = open.iter().map(|at| &sent[*at]).collect();
    let others: Vec<&Value> = free.iter().map(|to| &returned[*to]).collect();
    for (at, to) in open.into_iter().zip(aligned(&rest, &others)) {
        places[at] = to.map(|to| free[to]);
    }
    places
}

fn aligned(sent: &[&Value], returned: &[&Value]) -> Vec<Option<usize>> {
    let cost = |one: &Value, other: &Value| match tag(one) == tag(other) {
        _ if one == other => 0,
        true if shares(one, other) => 1,
        false if shares(one, other) => 2,
        true => 3,
        false => 5,
    };
    const ALONE: usize = 3;
    // The cost of matching the rest of both lists from these indexes on.
    let mut costs = vec![vec![0; returned.len() + 1]; sent.len() + 1];
    for at in (0..=sent.len()).rev() {
        for to in (0..=returned.len()).rev() {
            costs[at][to] = match (sent.get(at), returned.get(to)) {
                (None, None) => 0,
                (Some(_), None) => costs[at + 1][to] + ALONE,
                (None, Some(_)) => costs[at][to + 1] + ALONE,
                (Some(one), Some(other)) => (costs[at + 1][to + 1] + cost(one, other))
                    .min(costs[at + 1][to] + ALONE)
                    .min(costs[at][to + 1] + ALONE),
            };
        }
    }
    let mut to = 0;
    let mut aligned = Vec::new();
    for (at, one) in sent.iter().enumerate() {
        while to < returned.len() && costs[at][to] == costs[at][to + 1] + ALONE {
            to += 1;
        }
        let other = returned.get(to);
        let is_pair =
            other.is_some_and(|it| costs[at][to] == costs[at + 1][to + 1] + cost(one, it));
        aligned.push(is_pair.then_some(to));
        to += usize::from(is_pair);
    }
    aligned
}

/// Whether a text of `one` is part of a text of `other`.
fn shares(one: &Value, other: &Value) -> bool {
    let (texts, others) = (leaves(one), leaves(other));
    let mut texts = texts.iter().filter_map(|(_, text)| text.as_str());
    texts.any(|text| {
        let mut others = others.iter().filter_map(|(_, text)| text.as_str());
        others.any(|other| other.contains(text))
    })
}

/// Whether a field has a row. The type of a block is in its path.
fn is_field(path: &str, name: &str) -> bool {
    name != "type" || path.ends_with("tool_calls[]")
}

fn is_opaque(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or_default();
    OPAQUE.contains(&name)
}

fn join(path: &str, name: &str) -> String {
    match path {
        "" => name.to_string(),
        _ => format!("{path}.{name}"),
    }
}

fn element_path(path: &str, element: &Value) -> String {
    format!("{path}[{}]", tag(element))
}

/// The type of a block; empty for a chat call, whose type is always `function`.
fn tag(value: &Value) -> &str {
    match value["type"].as_str() {
        Some("function") | None => "",
        Some(tag) => tag,
    }
}
