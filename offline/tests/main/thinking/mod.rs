//! The thoughts in replies, and their return in the next request.

mod errors;
mod returned_thoughts;
mod thoughts;
