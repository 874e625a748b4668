//! Parts of the file tools: paths inside the workspace's root, file contents, and edits.

mod path;

#[cfg(feature = "ch6")]
mod atomic_write;
#[cfg(feature = "ch6")]
mod attachment;
#[cfg(feature = "ch6")]
mod destination;
#[cfg(feature = "ch6")]
mod edit_match;
#[cfg(feature = "ch6")]
mod edit_mismatch;
#[cfg(feature = "ch6")]
mod file_bytes;
#[cfg(feature = "ch6")]
mod file_error;
#[cfg(feature = "ch6")]
mod folder_access;
#[cfg(feature = "ch6")]
mod text_file;
#[cfg(feature = "ch6")]
mod workspace;
#[cfg(feature = "ch6")]
mod workspace_files;

pub use path::*;

#[cfg(feature = "ch6")]
pub use {
    atomic_write::*, attachment::*, destination::*, edit_match::*, edit_mismatch::*, file_bytes::*,
    file_error::*, folder_access::*, text_file::*, workspace::*,
};
