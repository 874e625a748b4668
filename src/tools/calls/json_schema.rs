//! The JSON Schema library, behind one function. No other file knows which it is.

use std::error::Error;

use boon::{Compiler, ErrorKind, InstanceToken, Schemas, UrlLoader, ValidationError};
use serde_json::Value;

/// One step down from the arguments to a value inside them.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// To the member of this name.
    Name(String),
    /// To this item of an array, counted from 0.
    Index(usize),
}

/// One thing that is wrong with a call's arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// From the arguments down to the value; empty for the arguments themselves.
    pub path: Vec<Step>,
    /// The value that is there; `Null` if none is.
    pub got: Value,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// It is required, and is not there.
    Missing,
    /// It is there under a name that the schema does not know.
    Unknown {
        /// The names that it knows.
        allowed: Vec<String>,
    },
    /// It is of the wrong type.
    Type {
        /// The right ones, such as `string`.
        expected: Vec<&'static str>,
    },
    /// It is none of a fixed list of values.
    Choice {
        /// The list.
        allowed: Vec<Value>,
    },
    /// It fits none of several forms.
    Forms(Vec<Vec<Mismatch>>),
    /// It breaks another rule, in words such as `must be at least 1`.
    Rule(String),
}

/// Everything that is wrong with `args` by `schema`, in no fixed order. The error says
/// what is wrong with the schema itself.
pub fn mismatches(schema: &Value, args: &Value) -> Result<Vec<Mismatch>, String> {
    // Compiled anew for every call: below 0.1 ms in a release build, after a first one of
    // 10 ms. A program that checks thousands of calls a second would keep the compiled form.
    let mut compiler = Compiler::new();
    let mut schemas = Schemas::new();
    compiler.use_loader(Box::new(NoLoader));
    let broken = |error: boon::CompileError| format!("{error:#}");
    compiler
        .add_resource(HOME, schema.clone())
        .map_err(broken)?;
    let compiled = compiler.compile(HOME, &mut schemas).map_err(broken)?;
    let mut found = Vec::new();
    if let Err(error) = schemas.validate(args, compiled) {
        collect(schema, args, &error, &mut found);
    }
    // Names are evaluated only by branches that hold. Where one does not, the names in it
    // count as unknown: they are asked about again once the branch is mended.
    let branches = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"];
    let is_unknown = |one: &Mismatch| matches!(one.problem, Problem::Unknown { .. });
    if branches.iter().any(|key| schema.get(key).is_some()) && !found.iter().all(is_unknown) {
        found.retain(|one| !is_unknown(one));
    }
    Ok(found)
}

/// What the schema is called while it is compiled.
const HOME: &str = "tool:///parameters";

/// A schema comes from whoever wrote the tool; it must not make the agent read files.
struct NoLoader;

impl UrlLoader for NoLoader {
    fn load(&self, _url: &str) -> Result<Value, Box<dyn Error>> {
        Err("a tool's schema must be whole and cannot refer to other documents".into())
    }
}

/// Flattens the library's tree of errors.
fn collect(schema: &Value, args: &Value, error: &ValidationError, found: &mut Vec<Mismatch>) {
    let path: Vec<Step> = error.instance_location.tokens.iter().map(step).collect();
    let mut add = |below: Option<&str>, problem| {
        let mut path = path.clone();
        path.extend(below.map(|name| Step::Name(name.to_string())));
        let got = at(args, &path).cloned().unwrap_or(Value::Null);
        found.push(Mismatch { path, got, problem });
    };
    match &error.kind {
        ErrorKind::Required { want } => {
            want.iter()
                .for_each(|name| add(Some(name), Problem::Missing));
        }
        ErrorKind::AdditionalProperties { got } => {
            for name in got {
                let allowed = names(schema, error.schema_url, "");
                add(Some(name), Problem::Unknown { allowed });
            }
        }
        ErrorKind::FalseSchema if error.schema_url.ends_with(UNEVALUATED) => {
            let allowed = names(schema, error.schema_url, UNEVALUATED);
            add(None, Problem::Unknown { allowed });
        }
        ErrorKind::Type { want, .. } => {
            let expected = want.iter().map(type_name).collect();
            add(None, Problem::Type { expected });
        }
        ErrorKind::Enum { want } => {
            let allowed = want.to_vec();
            add(None, Problem::Choice { allowed });
        }
        ErrorKind::Const { want } => {
            let allowed = vec![(*want).clone()];
            add(None, Problem::Choice { allowed });
        }
        ErrorKind::AnyOf | ErrorKind::OneOf(None) => {
            let forms = error.causes.iter().map(|form| {
                let mut inside = Vec::new();
                collect(schema, args, form, &mut inside);
                inside
            });
            add(None, Problem::Forms(forms.collect()));
        }
        ErrorKind::Group
        | ErrorKind::Schema { .. }
        | ErrorKind::Reference { .. }
        | ErrorKind::AllOf => {
            for cause in &error.causes {
                collect(schema, args, cause, found);
            }
        }
        other => add(None, Problem::Rule(rule(other))),
    }
}

fn step(token: &InstanceToken) -> Step {
    match token {
        InstanceToken::Prop(name) => Step::Name(name.to_string()),
        InstanceToken::Item(index) => Step::Index(*index),
    }
}

fn at<'a>(args: &'a Value, path: &[Step]) -> Option<&'a Value> {
    path.iter().try_fold(args, |value, step| match step {
        Step::Name(name) => value.get(name),
        Step::Index(index) => value.get(index),
    })
}

/// The keyword that refuses what nothing else in the schema has spoken of.
const UNEVALUATED: &str = "/unevaluatedProperties";

/// The names under `properties` in the part of the schema that `url` points to, once
/// `keyword` is taken off its end.
fn names(schema: &Value, url: &str, keyword: &str) -> Vec<String> {
    let pointer = url.split_once('#').map_or("", |(_, pointer)| pointer);
    let part = schema.pointer(pointer.strip_suffix(keyword).unwrap_or(pointer));
    let properties = part.and_then(|part| part["properties"].as_object());
    properties.map_or_else(Vec::new, |names| names.keys().cloned().collect())
}

fn type_name(one: boon::Type) -> &'static str {
    match one {
        boon::Type::Null => "null",
        boon::Type::Boolean => "boolean",
        boon::Type::Number => "number",
        boon::Type::Integer => "integer",
        boon::Type::String => "string",
        boon::Type::Array => "array",
        boon::Type::Object => "object",
    }
}

/// A rule in words that can follow the value's name.
fn rule(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::MinLength { want, .. } => format!("must have at least {want} characters"),
        ErrorKind::MaxLength { want, .. } => format!("must have at most {want} characters"),
        ErrorKind::Pattern { want, .. } => format!("must match the pattern {want}"),
        ErrorKind::Minimum { want, .. } => format!("must be at least {want}"),
        ErrorKind::Maximum { want, .. } => format!("must be at most {want}"),
        ErrorKind::ExclusiveMinimum { want, .. } => format!("must be more than {want}"),
        ErrorKind::ExclusiveMaximum { want, .. } => format!("must be less than {want}"),
        ErrorKind::MultipleOf { want, .. } => format!("must be a multiple of {want}"),
        ErrorKind::MinItems { want, .. } => format!("must have at least {want} items"),
        ErrorKind::MaxItems { want, .. } => format!("must have at most {want} items"),
        ErrorKind::UniqueItems { got: [one, other] } => {
            format!("must have no item twice ([{one}] and [{other}] are equal)")
        }
        other => format!("must fit the schema ({other})"),
    }
}
