//! Tests of the book builder on a small course.

#[cfg(unix)]
mod browser;
mod check;
mod common;
#[cfg(unix)]
mod depth;
mod glossary;
mod program;
mod serve;
#[cfg(unix)]
mod teaching;
#[cfg(unix)]
mod trace;
