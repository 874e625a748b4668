//! Every chapter's suite, in one test binary: one link instead of twenty-nine.

#[cfg(feature = "ch1")]
#[path = "ch01.rs"]
mod ch1;

#[cfg(feature = "ch2")]
#[path = "ch02.rs"]
mod ch2;

#[cfg(feature = "ch3")]
#[path = "ch03.rs"]
mod ch3;

#[cfg(feature = "ch4")]
#[path = "ch04.rs"]
mod ch4;

#[cfg(feature = "ch5")]
#[path = "ch05.rs"]
mod ch5;

#[cfg(feature = "ch6")]
#[path = "ch06.rs"]
mod ch6;

#[cfg(feature = "ch7")]
#[path = "ch07.rs"]
mod ch7;

#[cfg(feature = "ch8")]
#[path = "ch08.rs"]
mod ch8;

#[cfg(feature = "ch9")]
#[path = "ch09.rs"]
mod ch9;

#[cfg(feature = "ch14")]
#[path = "ch14.rs"]
mod ch14;

#[cfg(feature = "ch15")]
#[path = "ch15.rs"]
mod ch15;

#[cfg(feature = "ch16")]
#[path = "ch16.rs"]
mod ch16;

#[cfg(feature = "ch17")]
#[path = "ch17.rs"]
mod ch17;

#[cfg(feature = "ch18")]
#[path = "ch18.rs"]
mod ch18;

#[cfg(feature = "ch19")]
#[path = "ch19.rs"]
mod ch19;

#[cfg(feature = "ch20")]
#[path = "ch20.rs"]
mod ch20;
