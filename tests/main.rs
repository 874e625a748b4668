//! Every chapter's suite, in one test binary: one link instead of twenty-nine. `cargo course`
//! leaves out, `without`, what is not of the chapter at hand, so that a verdict is sooner there.

#[cfg(all(feature = "ch1", not(without = "ch1")))]
#[path = "ch01.rs"]
mod ch1;

#[cfg(all(feature = "ch2", not(without = "ch2")))]
#[path = "ch02.rs"]
mod ch2;

#[cfg(all(feature = "ch3", not(without = "ch3")))]
#[path = "ch03.rs"]
mod ch3;

#[cfg(all(feature = "ch4", not(without = "ch4")))]
#[path = "ch04.rs"]
mod ch4;

#[cfg(all(feature = "ch5", not(without = "ch5")))]
#[path = "ch05.rs"]
mod ch5;

#[cfg(all(feature = "ch6", not(without = "ch6")))]
#[path = "ch06.rs"]
mod ch6;

#[cfg(all(feature = "ch7", not(without = "ch7")))]
#[path = "ch07.rs"]
mod ch7;

#[cfg(all(feature = "ch8", not(without = "ch8")))]
#[path = "ch08.rs"]
mod ch8;

#[cfg(all(feature = "ch9", not(without = "ch9")))]
#[path = "ch09.rs"]
mod ch9;

#[cfg(all(feature = "ch14", not(without = "ch14")))]
#[path = "ch14.rs"]
mod ch14;

#[cfg(all(feature = "ch15", not(without = "ch15")))]
#[path = "ch15.rs"]
mod ch15;

#[cfg(all(feature = "ch16", not(without = "ch16")))]
#[path = "ch16.rs"]
mod ch16;

#[cfg(all(feature = "ch17", not(without = "ch17")))]
#[path = "ch17.rs"]
mod ch17;

#[cfg(all(feature = "ch18", not(without = "ch18")))]
#[path = "ch18.rs"]
mod ch18;

#[cfg(all(feature = "ch19", not(without = "ch19")))]
#[path = "ch19.rs"]
mod ch19;

#[cfg(all(feature = "ch20", not(without = "ch20")))]
#[path = "ch20.rs"]
mod ch20;
