//! The tests of given code, on your own crate. Empty a given function, write it again, and run
//! them, such as those of chapter 3: `cargo test --test given ch03`.
#![allow(
    dead_code,
    unused_imports,
    reason = "the helpers also serve the suites of the chapters"
)]

#[cfg(feature = "ch3")]
mod ch03;
#[cfg(feature = "ch4")]
mod ch04;
#[cfg(feature = "ch6")]
mod ch06;
#[cfg(all(unix, feature = "ch7"))]
mod ch07;
#[cfg(feature = "ch8")]
mod ch08;
#[cfg(feature = "ch10")]
mod ch10;
#[cfg(all(unix, feature = "ch11"))]
mod ch11;
#[cfg(all(unix, feature = "ch12"))]
mod ch12;
#[cfg(feature = "ch13")]
mod ch13;
#[cfg(feature = "ch16")]
mod ch16;
#[cfg(feature = "ch17")]
mod ch17;
#[cfg(feature = "ch19")]
mod ch19;
#[cfg(feature = "ch20")]
mod ch20;
#[path = "../../../tests/support/mod.rs"]
mod support;
