//! Given code of chapter 7.
