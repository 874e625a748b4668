//! Given code of chapter 12.
