//! The dispatcher validates each version of a call's arguments once: against the schema, and
//! by the tool's own check.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use async_trait::async_trait;
use claw_code_solutions::engine::{Decision, Dispatcher, Gate, OpenCall, QueryEventSender};
use claw_code_solutions::provider::MAX_DEPTH;
use claw_code_solutions::tools::{compiled_schema, validate};
use claw_code_solutions::types::{
    Tool, ToolCall, ToolDefinition, ToolResult, ToolSet, ValidationResult,
};
use serde_json::{Value, json};

#[derive(Clone, Default)]
struct Counts {
    /// How often the definition was read. A call that succeeds reads it for its schema
    /// alone, since the tool has a summary of its own.
    schema: Arc<AtomicUsize>,
    own_check: Arc<AtomicUsize>,
    calls: Arc<AtomicUsize>,
}

struct Counted {
    definition: ToolDefinition,
    counts: Counts,
}

#[async_trait]
impl Tool for Counted {
    fn definition(&self) -> &ToolDefinition {
        self.counts.schema.fetch_add(1, SeqCst);
        &self.definition
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        self.counts.calls.fetch_add(1, SeqCst);
        Ok(ToolResult::text("ok"))
    }

    fn validate_input(&self, _args: &Value) -> ValidationResult {
        self.counts.own_check.fetch_add(1, SeqCst);
        ValidationResult::Ok
    }

    fn summary(&self, _args: &Value) -> String {
        "[t]".to_string()
    }
}

/// Decides the same about every call.
struct Deciding(Decision);

#[async_trait]
impl Gate for Deciding {
    async fn before(&self, _call: &ToolCall, _tool: &dyn Tool) -> Decision {
        self.0.clone()
    }
}

/// How often one call is validated against its schema, validated by its tool, and run.
async fn counts(arguments: Value, decision: Decision) -> [usize; 3] {
    let counts = Counts::default();
    let tools = ToolSet::new().with(Counted {
        definition: ToolDefinition::new("t", "Counts").param("path", "string", "Any", true),
        counts: counts.clone(),
    });
    // A set reads the name from the definition.
    counts.schema.store(0, SeqCst);
    let dispatcher = Dispatcher {
        tools,
        gates: vec![Box::new(Deciding(decision))],
        max_result_bytes: 1_000,
        max_concurrent: 8,
    };
    let call = ToolCall {
        id: "a".into(),
        name: "t".into(),
        arguments,
    };
    let mut calls = [OpenCall::new(call)];
    dispatcher
        .dispatch(&mut calls, &QueryEventSender::none())
        .await;
    [counts.schema, counts.own_check, counts.calls].map(|count| count.load(SeqCst))
}

fn rewrite(arguments: Value) -> Decision {
    Decision::Change {
        arguments: Some(arguments),
        context: None,
    }
}

#[tokio::test]
async fn arguments_that_no_gate_rewrites_are_validated_once() {
    let path = json!({ "path": "a" });
    assert_eq!(counts(path, Decision::Pass).await, [1, 1, 1]);
}

#[tokio::test]
async fn rewritten_arguments_are_validated_once_more() {
    let (old, new) = (json!({ "path": "a" }), json!({ "path": "b" }));
    assert_eq!(counts(old, rewrite(new)).await, [2, 2, 1]);
}

#[tokio::test]
async fn rewritten_arguments_that_do_not_fit_never_reach_the_tool() {
    let (old, new) = (json!({ "path": "a" }), json!({ "path": 7 }));
    // The message about arguments that do not fit names the tool, by the same definition.
    assert_eq!(counts(old, rewrite(new)).await, [2, 1, 0]);
}

#[tokio::test]
async fn torn_arguments_reach_neither_the_schema_nor_the_tool() {
    let torn = json!("{\"path\": \"sr");
    assert_eq!(counts(torn, Decision::Pass).await, [0, 0, 0]);
}

#[test]
fn a_tools_schema_is_compiled_once() {
    let definition = |limit: &str| {
        let parameters = json!({ "type": "object", "properties": { "limit": { "type": limit } } });
        ToolDefinition {
            parameters,
            ..ToolDefinition::new("compiled_once", "")
        }
    };
    let compiled = |limit: &str| compiled_schema(&definition(limit)).expect("a schema");
    let first = compiled("integer");
    assert!(
        Arc::ptr_eq(&first, &compiled("integer")),
        "an equal definition gets the schema that was compiled before"
    );
    let args = json!({ "limit": 1 });
    assert!(first.mismatches(&args).is_empty());
    assert_eq!(
        compiled("string").mismatches(&args).len(),
        1,
        "another definition with the same name has its own schema"
    );
    assert!(compiled("integer").mismatches(&args).is_empty());
}

/// The library that checks a schema calls itself for each level of the arguments, and a stack
/// overflow ends the program.
#[test]
fn the_deepest_arguments_fit_on_the_stack() {
    let node = json!({
        "type": "object",
        "properties": { "a": { "items": { "anyOf": [{ "$ref": "#/$defs/node" }, { "type": "null" }] } } },
        "additionalProperties": false
    });
    let definition = ToolDefinition {
        name: "recursive",
        description: "",
        parameters: json!({ "properties": { "a": node["properties"]["a"] }, "$defs": { "node": node } }),
    };
    let nested =
        |innermost| (0..MAX_DEPTH / 2).fold(innermost, |inside, _| json!({ "a": [inside] }));
    assert_eq!(
        validate(&definition, &nested(json!(null))),
        ValidationResult::Ok
    );
    assert_ne!(
        validate(&definition, &nested(json!(7))),
        ValidationResult::Ok
    );
}
