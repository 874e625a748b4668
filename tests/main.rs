//! The tests of every chapter, in one test program: it is linked once.
//!
//! With `--cfg 'without="ch2"'`, the tests of chapter 2 are not compiled. `cargo course generate`
//! writes this list.

#[cfg(all(feature = "ch0", not(without = "ch0")))]
#[path = "ch00/mod.rs"]
mod ch0;

#[cfg(all(feature = "ch1", not(without = "ch1")))]
#[path = "ch01/mod.rs"]
mod ch1;

#[cfg(all(feature = "ch2", not(without = "ch2")))]
#[path = "ch02/mod.rs"]
mod ch2;

#[cfg(all(feature = "ch3", not(without = "ch3")))]
#[path = "ch03/mod.rs"]
mod ch3;

#[cfg(all(feature = "ch4", not(without = "ch4")))]
#[path = "ch04/mod.rs"]
mod ch4;

#[cfg(all(feature = "ch5", not(without = "ch5")))]
#[path = "ch05/mod.rs"]
mod ch5;

#[cfg(all(feature = "ch6", not(without = "ch6")))]
#[path = "ch06/mod.rs"]
mod ch6;

#[cfg(all(unix, feature = "ch7", not(without = "ch7")))]
#[path = "ch07/mod.rs"]
mod ch7;

#[cfg(all(feature = "ch8", not(without = "ch8")))]
#[path = "ch08/mod.rs"]
mod ch8;

#[cfg(all(feature = "ch9", not(without = "ch9")))]
#[path = "ch09/mod.rs"]
mod ch9;

#[cfg(all(feature = "ch10", not(without = "ch10")))]
#[path = "ch10/mod.rs"]
mod ch10;

#[cfg(all(unix, feature = "ch11", not(without = "ch11")))]
#[path = "ch11/mod.rs"]
mod ch11;

#[cfg(all(unix, feature = "ch12", not(without = "ch12")))]
#[path = "ch12/mod.rs"]
mod ch12;

#[cfg(all(feature = "ch13", not(without = "ch13")))]
#[path = "ch13/mod.rs"]
mod ch13;

#[cfg(all(feature = "ch14", not(without = "ch14")))]
#[path = "ch14/mod.rs"]
mod ch14;

#[cfg(all(feature = "ch15", not(without = "ch15")))]
#[path = "ch15/mod.rs"]
mod ch15;

#[cfg(all(feature = "ch16", not(without = "ch16")))]
#[path = "ch16/mod.rs"]
mod ch16;

#[cfg(all(feature = "ch17", not(without = "ch17")))]
#[path = "ch17/mod.rs"]
mod ch17;

#[cfg(all(feature = "ch18", not(without = "ch18")))]
#[path = "ch18/mod.rs"]
mod ch18;

#[cfg(all(feature = "ch19", not(without = "ch19")))]
#[path = "ch19/mod.rs"]
mod ch19;

#[cfg(all(feature = "ch20", not(without = "ch20")))]
#[path = "ch20/mod.rs"]
mod ch20;

mod support;
