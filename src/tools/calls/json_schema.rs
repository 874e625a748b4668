//! Checks values against a JSON Schema. Only this file names the library that it uses.

use std::error::Error;

use boon::{Compiler, ErrorKind, InstanceToken, SchemaIndex, Schemas, UrlLoader, ValidationError};
use serde_json::Value;

/// One step of the path from a call's arguments to a value inside them.
#[derive(Debug, Clone, PartialEq)]
pub enum PathStep {
    /// The member with this name.
    Name(String),
    /// The item of an array at this index, counted from 0.
    Index(usize),
}

/// A value in a call's arguments that does not match the schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// The path from the arguments to the value; empty for the arguments themselves.
    pub path: Vec<PathStep>,
    /// The value; `Null` if it is missing.
    pub got: Value,
    /// What is wrong with the value.
    pub problem: Problem,
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// The value is required and missing.
    Missing,
    /// The schema has no value with this name.
    Unknown {
        /// The names in the schema.
        allowed: Vec<String>,
    },
    /// The value has the wrong type.
    Type {
        /// The allowed types, such as `string`.
        expected: Vec<&'static str>,
    },
    /// The value is not in a fixed list.
    Enum {
        /// The allowed values.
        allowed: Vec<Value>,
    },
    /// The value matches none of several schemas. Each inner list has the mismatches with
    /// one of them.
    AnyOf(Vec<Vec<Mismatch>>),
    /// The value breaks another rule, such as `must be at least 1`.
    Rule(String),
}

/// Every mismatch between `args` and `schema`, in no fixed order. The error says what is
/// wrong with the schema itself.
pub fn mismatches(schema: &Value, args: &Value) -> Result<Vec<Mismatch>, String> {
    Ok(CompiledSchema::new(schema.clone())?.mismatches(args))
}

/// A schema that is ready to check values.
pub struct CompiledSchema {
    schema: Value,
    schemas: Schemas,
    index: SchemaIndex,
}

impl CompiledSchema {
    /// Compiles `schema`. The error says what is wrong with it.
    pub fn new(schema: Value) -> Result<Self, String> {
        let mut compiler = Compiler::new();
        let mut schemas = Schemas::new();
        compiler.use_loader(Box::new(NoLoader));
        let message = |error: boon::CompileError| format!("{error:#}");
        compiler
            .add_resource(SCHEMA_URL, schema.clone())
            .map_err(message)?;
        let index = compiler
            .compile(SCHEMA_URL, &mut schemas)
            .map_err(message)?;
        Ok(Self {
            schema,
            schemas,
            index,
        })
    }

    /// Every mismatch between `args` and the schema, in no fixed order.
    pub fn mismatches(&self, args: &Value) -> Vec<Mismatch> {
        let schema = &self.schema;
        let mut found = Vec::new();
        if let Err(error) = self.schemas.validate(args, self.index) {
            collect(schema, args, &error, &mut found);
        }
        // The library counts the names of a branch such as `allOf` as unknown while a value in
        // the branch is wrong. So unknown names of the arguments themselves are reported only
        // when nothing else is wrong.
        let branches = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"];
        let is_unknown =
            |one: &Mismatch| one.path.len() == 1 && matches!(one.problem, Problem::Unknown { .. });
        if !found.iter().all(is_unknown) && branches.iter().any(|key| schema.get(key).is_some()) {
            found.retain(|one| !is_unknown(one));
        }
        found
    }
}

/// The URL of the schema while it is compiled.
const SCHEMA_URL: &str = "tool:///parameters";

/// Refuses to load other documents: a schema can come from another program, and must not
/// make the agent read files.
struct NoLoader;

impl UrlLoader for NoLoader {
    fn load(&self, _url: &str) -> Result<Value, Box<dyn Error>> {
        Err("a tool's schema must be complete and cannot refer to other documents".into())
    }
}

/// Converts the library's tree of errors to a flat list.
fn collect(schema: &Value, args: &Value, error: &ValidationError, found: &mut Vec<Mismatch>) {
    let tokens = error.instance_location.tokens.iter();
    let path: Vec<PathStep> = tokens.map(path_step).collect();
    let mut add = |member: Option<&str>, problem| {
        let mut path = path.clone();
        path.extend(member.map(|name| PathStep::Name(name.to_string())));
        let got = value_at(args, &path).cloned().unwrap_or(Value::Null);
        found.push(Mismatch { path, got, problem });
    };
    match &error.kind {
        ErrorKind::Required { want } => {
            want.iter()
                .for_each(|name| add(Some(name), Problem::Missing));
        }
        ErrorKind::AdditionalProperties { got } => {
            for name in got {
                let allowed = property_names(schema, error.schema_url, "");
                add(Some(name), Problem::Unknown { allowed });
            }
        }
        ErrorKind::FalseSchema if error.schema_url.ends_with(UNEVALUATED) => {
            let allowed = property_names(schema, error.schema_url, UNEVALUATED);
            add(None, Problem::Unknown { allowed });
        }
        ErrorKind::Type { want, .. } => {
            let expected = want.iter().map(type_name).collect();
            add(None, Problem::Type { expected });
        }
        ErrorKind::Enum { want } => {
            let allowed = want.to_vec();
            add(None, Problem::Enum { allowed });
        }
        ErrorKind::Const { want } => {
            let allowed = vec![(*want).clone()];
            add(None, Problem::Enum { allowed });
        }
        ErrorKind::AnyOf | ErrorKind::OneOf(None) => {
            let forms = error.causes.iter().map(|form| {
                let mut inside = Vec::new();
                collect(schema, args, form, &mut inside);
                inside
            });
            add(None, Problem::AnyOf(forms.collect()));
        }
        ErrorKind::Group
        | ErrorKind::Schema { .. }
        | ErrorKind::Reference { .. }
        | ErrorKind::AllOf => {
            for cause in &error.causes {
                collect(schema, args, cause, found);
            }
        }
        other => add(None, Problem::Rule(rule_text(other))),
    }
}

fn path_step(token: &InstanceToken) -> PathStep {
    match token {
        InstanceToken::Prop(name) => PathStep::Name(name.to_string()),
        InstanceToken::Item(index) => PathStep::Index(*index),
    }
}

fn value_at<'a>(args: &'a Value, path: &[PathStep]) -> Option<&'a Value> {
    path.iter().try_fold(args, |value, step| match step {
        PathStep::Name(name) => value.get(name),
        PathStep::Index(index) => value.get(index),
    })
}

/// The JSON pointer suffix of the keyword that refuses all other names.
const UNEVALUATED: &str = "/unevaluatedProperties";

/// The names under `properties` in the part of the schema to which `url` points, without
/// `keyword` at its end.
fn property_names(schema: &Value, url: &str, keyword: &str) -> Vec<String> {
    let pointer = url.split_once('#').map_or("", |(_, pointer)| pointer);
    let part = schema.pointer(pointer.strip_suffix(keyword).unwrap_or(pointer));
    let properties = part.and_then(|part| part["properties"].as_object());
    properties.map_or_else(Vec::new, |names| names.keys().cloned().collect())
}

fn type_name(json_type: boon::Type) -> &'static str {
    match json_type {
        boon::Type::Null => "null",
        boon::Type::Boolean => "boolean",
        boon::Type::Number => "number",
        boon::Type::Integer => "integer",
        boon::Type::String => "string",
        boon::Type::Array => "array",
        boon::Type::Object => "object",
    }
}

/// The text of a rule, to follow the value's name.
fn rule_text(kind: &ErrorKind) -> String {
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
            format!("must not contain an item twice ([{one}] and [{other}] are equal)")
        }
        other => format!("must match the schema ({other})"),
    }
}
