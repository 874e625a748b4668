//! The tests of code that the course gives to the learner.
//!
//! They are not checkpoints: this code is complete in the stubs, so they would be green from the
//! start. The module of a chapter has a file for each topic.
#![allow(
    dead_code,
    unused_imports,
    reason = "the helpers also serve the suites of the chapters"
)]

extern crate claw_code_solutions as claw_code;

mod ch03;
mod ch04;
mod ch06;
#[cfg(unix)]
mod ch07;
mod ch08;
#[cfg(unix)]
mod ch11;
#[cfg(unix)]
mod ch12;
mod ch13;
mod ch16;
mod ch17;
mod ch19;
mod ch20;
#[path = "../../../tests/support/mod.rs"]
mod support;
