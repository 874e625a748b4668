//! # claw-code
//!
//! A terminal coding agent, built one chapter at a time. This file is its map. It lists the
//! modules in the order in which the chapters introduce them.
//!
//! - [`first`] (chapter 0): an agent in one hour. A model, one tool and a loop, on JSON
//!   values. It stands alone: the later chapters build the same agent again, and well.
//! - [`types`] (chapter 1): the vocabulary. Messages ([`types::Message`]), tool calls
//!   ([`types::ToolCall`]), tools ([`types::Tool`]), token counts ([`types::TokenUsage`]) and
//!   permissions ([`types::Permission`]).
//! - [`provider`] (chapter 2): access to a model. The trait [`provider::Provider`], a
//!   scripted provider for tests, and a provider over HTTP that streams its replies.
//! - [`tools`] (chapter 3, and 6 to 9): from a tool call to its result, and the tools
//!   themselves: files, the shell, search, and the registry.
//! - [`engine`] (chapter 4): the loop. Ask the model, run the calls of its reply, ask again.
//! - [`prompt`] (chapter 5): the system prompt. With it, [`claw`] runs in a terminal.
//! - [`permission`] (chapter 10): rules, modes and approvals. They decide which calls run.
//! - [`safety`] (chapter 11): checks that judge paths and commands, and a sandbox.
//! - [`hooks`] (chapter 12): the user's own programs that watch, block or rewrite calls.
//! - [`plan`] (chapter 13): plan mode, and the agent's todo list.
//! - [`agent`] (chapters 14 to 16): the running agent. Messages made of content blocks, two
//!   lanes that keep the application's messages from the model, and a loop that sends
//!   events and can be steered.
//! - [`transcript`] (chapter 17): messages for the program that shows a run, each with a
//!   sentence for people and a part that a provider may see.
//! - [`chat`] (chapters 18 and 19): the flat messages that histories keep, and their
//!   conversion to and from three APIs.
//! - [`models`] (chapter 19): models that speak the Messages and Responses APIs.
//! - [`session`] (chapter 20): conversations in a database, and one per JSONL file.
//!
//! Data flows one way: the user's text becomes a message, messages go to a model, the
//! model's tool calls go to tools, and the tools' results come back as messages. Imports
//! flow one way too: a module uses only modules above it in this list.

// `cargo test NAME` builds every crate a second time, as a test program of its own. All
// tests of this crate are in `tests/`, so that second build is empty and fast.
#![cfg(not(test))]

#[cfg(feature = "ch0")]
pub mod first;

#[cfg(feature = "ch1")]
pub mod types;

#[cfg(feature = "ch2")]
pub mod provider;

#[cfg(feature = "ch3")]
pub mod tools;

#[cfg(feature = "ch4")]
pub mod engine;

#[cfg(feature = "ch5")]
pub mod prompt;

#[cfg(feature = "ch10")]
pub mod permission;

#[cfg(all(unix, feature = "ch11"))]
pub mod safety;

#[cfg(all(unix, feature = "ch12"))]
pub mod hooks;

#[cfg(feature = "ch13")]
pub mod plan;

#[cfg(feature = "ch14")]
pub mod agent;

#[cfg(feature = "ch17")]
pub mod transcript;

#[cfg(feature = "ch18")]
pub mod chat;

#[cfg(feature = "ch19")]
pub mod models;

#[cfg(feature = "ch20")]
pub mod session;

#[cfg(feature = "claw")]
pub mod claw;
