//! The tests of every chapter, run against the reference.
//!
//! They are the same files that test the learner's crate; only the crate's name differs.
//! `cargo course generate` writes this list.

extern crate claw_code_solutions as claw_code;

#[cfg(feature = "ch0")]
#[path = "../../tests/ch00/mod.rs"]
mod ch0;

#[cfg(feature = "ch1")]
#[path = "../../tests/ch01/mod.rs"]
mod ch1;

#[cfg(feature = "ch2")]
#[path = "../../tests/ch02/mod.rs"]
mod ch2;

#[cfg(feature = "ch3")]
#[path = "../../tests/ch03/mod.rs"]
mod ch3;

#[cfg(feature = "ch4")]
#[path = "../../tests/ch04/mod.rs"]
mod ch4;

#[cfg(feature = "ch5")]
#[path = "../../tests/ch05/mod.rs"]
mod ch5;

#[cfg(feature = "ch6")]
#[path = "../../tests/ch06/mod.rs"]
mod ch6;

#[cfg(all(unix, feature = "ch7"))]
#[path = "../../tests/ch07/mod.rs"]
mod ch7;

#[cfg(feature = "ch8")]
#[path = "../../tests/ch08/mod.rs"]
mod ch8;

#[cfg(feature = "ch9")]
#[path = "../../tests/ch09/mod.rs"]
mod ch9;

#[cfg(feature = "ch10")]
#[path = "../../tests/ch10/mod.rs"]
mod ch10;

#[cfg(all(unix, feature = "ch11"))]
#[path = "../../tests/ch11/mod.rs"]
mod ch11;

#[cfg(all(unix, feature = "ch12"))]
#[path = "../../tests/ch12/mod.rs"]
mod ch12;

#[cfg(feature = "ch13")]
#[path = "../../tests/ch13/mod.rs"]
mod ch13;

#[cfg(feature = "ch14")]
#[path = "../../tests/ch14/mod.rs"]
mod ch14;

#[cfg(feature = "ch15")]
#[path = "../../tests/ch15/mod.rs"]
mod ch15;

#[cfg(feature = "ch16")]
#[path = "../../tests/ch16/mod.rs"]
mod ch16;

#[cfg(feature = "ch17")]
#[path = "../../tests/ch17/mod.rs"]
mod ch17;

#[cfg(feature = "ch18")]
#[path = "../../tests/ch18/mod.rs"]
mod ch18;

#[cfg(feature = "ch19")]
#[path = "../../tests/ch19/mod.rs"]
mod ch19;

#[cfg(feature = "ch20")]
#[path = "../../tests/ch20/mod.rs"]
mod ch20;

#[path = "../../tests/support/mod.rs"]
mod support;
