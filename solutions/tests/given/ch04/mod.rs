//! Given code of chapter 4.
