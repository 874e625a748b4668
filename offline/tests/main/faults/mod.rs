//! The faults that a script can ask for.

mod connection_faults;
mod content_faults;
