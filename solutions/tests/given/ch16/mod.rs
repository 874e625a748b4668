//! Given code of chapter 16.
