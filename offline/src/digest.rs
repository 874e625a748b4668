//! A hash for ids and signatures.

/// FNV-1a. It is short, and unlike the standard library's hasher it returns the same value
/// on every machine and in every Rust release.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
