// The modules of the crate, for the tests of one chapter.
//
// When `cargo course` checks chapter 2, the modules that the chapter changes compile into its test
// program, with `--cfg 'with_tests="ch2"'`. The other modules come from the library without the
// chapter, which compiles once. So a change compiles in a fraction of the time. `cargo course
// generate` writes this list.

#[cfg(all(feature = "ch0", with_tests = "ch0"))]
#[path = "../src/first/mod.rs"]
pub mod first;
#[cfg(all(feature = "ch0", not(with_tests = "ch0")))]
pub use library::first;

#[cfg(all(feature = "ch1", with_tests = "ch1"))]
#[path = "../src/types/mod.rs"]
pub mod types;
#[cfg(all(feature = "ch1", not(with_tests = "ch1")))]
pub use library::types;

#[cfg(all(feature = "ch2", with_tests = "ch2"))]
#[path = "../src/provider/mod.rs"]
pub mod provider;
#[cfg(all(feature = "ch2", not(with_tests = "ch2")))]
pub use library::provider;

#[cfg(all(feature = "ch3", any(with_tests = "ch3", with_tests = "ch4", with_tests = "ch6", with_tests = "ch7", with_tests = "ch8", with_tests = "ch9")))]
#[path = "../src/tools/mod.rs"]
pub mod tools;
#[cfg(all(feature = "ch3", not(any(with_tests = "ch3", with_tests = "ch4", with_tests = "ch6", with_tests = "ch7", with_tests = "ch8", with_tests = "ch9"))))]
pub use library::tools;

#[cfg(all(feature = "ch4", any(with_tests = "ch4", with_tests = "ch6", with_tests = "ch7", with_tests = "ch8", with_tests = "ch9")))]
#[path = "../src/engine/mod.rs"]
pub mod engine;
#[cfg(all(feature = "ch4", not(any(with_tests = "ch4", with_tests = "ch6", with_tests = "ch7", with_tests = "ch8", with_tests = "ch9"))))]
pub use library::engine;

#[cfg(all(feature = "ch5", any(with_tests = "ch5", with_tests = "ch6", with_tests = "ch7", with_tests = "ch8", with_tests = "ch9")))]
#[path = "../src/prompt/mod.rs"]
pub mod prompt;
#[cfg(all(feature = "ch5", not(any(with_tests = "ch5", with_tests = "ch6", with_tests = "ch7", with_tests = "ch8", with_tests = "ch9"))))]
pub use library::prompt;

#[cfg(all(feature = "ch10", with_tests = "ch10"))]
#[path = "../src/permission/mod.rs"]
pub mod permission;
#[cfg(all(feature = "ch10", not(with_tests = "ch10")))]
pub use library::permission;

#[cfg(all(all(unix, feature = "ch11"), with_tests = "ch11"))]
#[path = "../src/safety/mod.rs"]
pub mod safety;
#[cfg(all(all(unix, feature = "ch11"), not(with_tests = "ch11")))]
pub use library::safety;

#[cfg(all(all(unix, feature = "ch12"), with_tests = "ch12"))]
#[path = "../src/hooks/mod.rs"]
pub mod hooks;
#[cfg(all(all(unix, feature = "ch12"), not(with_tests = "ch12")))]
pub use library::hooks;

#[cfg(all(feature = "ch13", with_tests = "ch13"))]
#[path = "../src/plan/mod.rs"]
pub mod plan;
#[cfg(all(feature = "ch13", not(with_tests = "ch13")))]
pub use library::plan;

#[cfg(all(feature = "ch14", any(with_tests = "ch14", with_tests = "ch15", with_tests = "ch16")))]
#[path = "../src/agent/mod.rs"]
pub mod agent;
#[cfg(all(feature = "ch14", not(any(with_tests = "ch14", with_tests = "ch15", with_tests = "ch16"))))]
pub use library::agent;

#[cfg(all(feature = "ch17", with_tests = "ch17"))]
#[path = "../src/transcript/mod.rs"]
pub mod transcript;
#[cfg(all(feature = "ch17", not(with_tests = "ch17")))]
pub use library::transcript;

#[cfg(all(feature = "ch18", any(with_tests = "ch18", with_tests = "ch19")))]
#[path = "../src/chat/mod.rs"]
pub mod chat;
#[cfg(all(feature = "ch18", not(any(with_tests = "ch18", with_tests = "ch19"))))]
pub use library::chat;

#[cfg(all(feature = "ch19", with_tests = "ch19"))]
#[path = "../src/models/mod.rs"]
pub mod models;
#[cfg(all(feature = "ch19", not(with_tests = "ch19")))]
pub use library::models;

#[cfg(all(feature = "ch20", with_tests = "ch20"))]
#[path = "../src/session/mod.rs"]
pub mod session;
#[cfg(all(feature = "ch20", not(with_tests = "ch20")))]
pub use library::session;
