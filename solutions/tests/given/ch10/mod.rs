//! Given code of chapter 10: patterns for paths.

mod path_patterns;
