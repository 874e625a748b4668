//! Given code of chapter 11.
