//! Given code of chapter 8.
