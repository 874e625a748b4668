//! Given code of chapter 20.
