//! # The commands for teachers
//!
//! `cargo course` builds and starts this program when one of its commands is first used. Each
//! command is a module of its own, with its arguments:
//!
//! - [`bundle`] makes an archive for a room without network.
//! - [`class`] shows a class's progress.
//! - [`grade`] grades submissions.
//! - [`cli`] is the command line.

pub mod bundle;
pub mod class;
pub mod cli;
pub mod grade;
