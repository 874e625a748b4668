//! Digests of several inputs.

use sha2::{Digest, Sha256};

/// Adds `bytes` and their length, so that no two lists of inputs look the same.
pub fn add(digest: &mut Sha256, bytes: &[u8]) {
    digest.update((bytes.len() as u64).to_le_bytes());
    digest.update(bytes);
}
