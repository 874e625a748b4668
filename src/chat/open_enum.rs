//! Enums of an API's blocks that keep a block of an unknown type.

/// Implements `Serialize`, `Deserialize` and `unknown` for an enum with a variant `Other`, which
/// holds the JSON of a block whose `type` is not in `$known`. A block without a `type`, and a block
/// of a known type that lacks a field, are errors that name the field. The enum needs
/// `#[serde(remote = "Self")]`, which makes serde derive plain functions.
macro_rules! open_enum {
    ($block:ident, $known:expr) => {
        impl $block {
            /// The JSON of a block of an unknown type.
            pub fn unknown(&self) -> Option<&serde_json::Value> {
                match self {
                    Self::Other(block) => Some(block),
                    _ => None,
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $block {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let block = <serde_json::Value as serde::Deserialize>::deserialize(from)?;
                let Some(kind) = block["type"].as_str() else {
                    return Err(serde::de::Error::missing_field("type"));
                };
                match $known.contains(&kind) {
                    true => Self::deserialize(block).map_err(serde::de::Error::custom),
                    false => Ok(Self::Other(block)),
                }
            }
        }

        impl serde::Serialize for $block {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match self {
                    Self::Other(block) => serde::Serialize::serialize(block, to),
                    known => Self::serialize(known, to),
                }
            }
        }
    };
}

pub(super) use open_enum;
