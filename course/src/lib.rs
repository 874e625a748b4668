//! # The tools of the course
//!
//! The course has one source, the reference in `solutions/`, and one manifest for each chapter
//! (`book/src/chNN-slug.toml`) that lists what of it the learner writes. This crate makes
//! everything else from those two.
//!
//! - [`repo`] knows the paths of the repository. [`course_toml`] reads the table of contents,
//!   [`manifest`] the manifests.
//! - [`source`] finds items in Rust files. [`stubs`] cuts the learner's parts out of the
//!   reference, and [`splice`] replaces one section's parts in a learner's file.
//! - [`suite`] finds each section's test file. [`generated`] makes the lists of chapters:
//!   features, modules and test files.
//! - [`update`] brings another version of the course into a learner's clone.
//! - [`backups`] backs up every file that a command overwrites.
//! - [`cargo`] runs the real `cargo test`; [`chapter_tests`] knows what it builds for a chapter
//!   by itself, as a [`chapter_crate`], or with others.
//!   [`verdict`] judges each checkpoint by the results, and [`verdict_cache`] keeps the verdicts
//!   until a source changes, of which [`digest`] makes a fingerprint.
//! - [`journal`] keeps since when a section is red, for a teacher's overview.
//! - [`detached`] makes the `Cargo.toml` of a copy of the learner's package.
//! - [`pristine`] finds changes that would falsify a report.
//! - [`program`] knows from which chapter on the learner's `claw` can be built.
//! - [`subfolder_alias`] makes `cargo course` start in the folders below the top one, too.
//! - [`cargo_config`] reads cargo's configuration, and [`crate_cache`] knows which crates are on
//!   this machine. [`doctor`] finds out what the machine lacks.
//! - [`platform`] knows what this system can run. [`loopback`] finds a port for a
//!   server and checks the hosts of requests.
//! - [`open_chapter`] reads and changes the newest open chapter. [`progress`] is the state that
//!   every command works with. [`old_state`] carries over what older versions stored.
//! - [`cli`] is the command line, [`commands`] the subcommands of `cargo course`, [`watch`] its
//!   screen, for which [`file_watcher`] waits for saves. [`messages`] formats what they print.
//! - [`book`] expands the directives of the book's pages.
//! - [`verify`] proves that all parts agree. [`imports`] finds circles between the files of a
//!   crate.

pub mod backups;
pub mod book;
pub mod cargo;
pub mod cargo_config;
pub mod chapter_crate;
pub mod chapter_tests;
pub mod cli;
pub mod commands;
pub mod course_toml;
pub mod crate_cache;
pub mod detached;
pub mod digest;
pub mod doctor;
pub mod file_watcher;
pub mod generated;
pub mod git_clone;
pub mod hints;
pub mod imports;
pub mod installed;
pub mod journal;
pub mod learning_path;
pub mod loopback;
pub mod manifest;
pub mod messages;
pub mod old_state;
pub mod open_chapter;
pub mod platform;
pub mod pristine;
pub mod program;
pub mod progress;
pub mod repo;
pub mod source;
pub mod splice;
pub mod stubs;
pub mod subfolder_alias;
pub mod suite;
pub mod update;
pub mod verdict;
pub mod verdict_cache;
pub mod verify;
pub mod watch;
