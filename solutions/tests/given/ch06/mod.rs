//! Given code of chapter 6.
