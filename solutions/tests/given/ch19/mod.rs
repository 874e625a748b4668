//! Given code of chapter 19.
