//! Given code of chapter 18.
