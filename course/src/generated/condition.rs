//! The conditions under which a chapter is compiled.

use crate::manifest::Manifest;

/// The condition of a `cfg` under which the chapter with this `feature` is compiled.
pub(super) fn condition(manifest: &Manifest, feature: &str) -> String {
    match manifest.unix {
        true => format!("all(unix, feature = {feature:?})"),
        false => format!("feature = {feature:?}"),
    }
}
