//! The book's machinery from outside, on a small course made for the purpose.

mod check;
mod common;
mod program;
mod serve;
