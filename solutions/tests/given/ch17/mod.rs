//! Given code of chapter 17.
