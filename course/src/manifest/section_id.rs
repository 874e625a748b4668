//! The numbers of sections.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// A section's number, such as `1.10`: the tenth of chapter 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionId {
    /// The chapter.
    pub chapter: u32,
    /// The section within it, from 1.
    pub number: u32,
}

impl fmt::Display for SectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.chapter, self.number)
    }
}

impl FromStr for SectionId {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let parts = text
            .split_once('.')
            .and_then(|(c, n)| Some((c.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((chapter, number)) => Ok(Self { chapter, number }),
            None => {
                bail!("`{text}` is not a section: write the chapter and the section, as in 1.3")
            }
        }
    }
}

impl Serialize for SectionId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SectionId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}
