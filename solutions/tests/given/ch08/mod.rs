//! Given code of chapter 8.

mod file_types;
