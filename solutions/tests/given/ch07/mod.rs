//! Given code of chapter 7.

mod bash_schema;
