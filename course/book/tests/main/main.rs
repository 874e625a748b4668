//! Tests of the book builder on a small course.

mod check;
mod common;
mod program;
mod serve;
