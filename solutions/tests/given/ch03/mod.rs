//! Given code of chapter 3.
