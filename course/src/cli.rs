//! The command line of `cargo course`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use crate::manifest::SectionId;

/// Build a terminal coding agent, chapter by chapter. Without a command: watch the
/// sources, and show the first checkpoint that is not green.
#[derive(Debug, Parser)]
#[command(name = "cargo course", bin_name = "cargo course", version, after_help = AFTER_HELP)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands, for learners first and for maintainers last.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show every section and the first checkpoint that is not green
    Status {
        /// As JSON, for other programs
        #[arg(long)]
        json: bool,
    },
    /// Run tests and say what they mean: all open chapters, or what is named
    Check {
        /// A chapter (1), a section (1.3) or a test's name
        what: Option<String>,
    },
    /// Give the next hint for the current section, or for the one named
    Hint {
        /// The section, such as 1.3
        section: Option<SectionId>,
    },
    /// Say what comes next; opens the next chapter when this one is done
    Next,
    /// Open a chapter: its tests are run from now on
    Open {
        /// The chapter's number
        chapter: u32,
    },
    /// Show the reference's answer, or put it into your files
    Solution {
        /// A chapter (1) or a section (1.3)
        what: Place,
        /// Write it into src/ (what you wrote is saved first)
        #[arg(long)]
        apply: bool,
    },
    /// Join late: solve everything before a chapter, and open it
    Jump {
        /// The chapter's number
        chapter: u32,
    },
    /// Go back to the stubs (what you wrote is saved first)
    Reset {
        /// A chapter (1) or a section (1.3)
        what: Place,
    },
    /// Put back what the last command overwrote
    Undo {
        /// The number of a save, from --list
        save: Option<u32>,
        /// Show the saves there are
        #[arg(long, conflicts_with = "save")]
        list: bool,
    },
    /// See the agent at work, offline, on a small project in a scratch folder
    Demo {
        /// Run what you have built, from chapter 5 on, and not the reference
        #[arg(long)]
        yours: bool,
        /// What to ask it (default: you talk to it)
        prompt: Vec<String>,
    },
    /// Write the results of all open chapters to a file
    Report {
        /// The file, in JUnit's XML
        #[arg(long, value_name = "FILE")]
        junit: PathBuf,
    },
    /// Build the book and serve it on this machine
    Book {
        /// Open it in the browser
        #[arg(long)]
        open: bool,
        /// The port to serve on (default: 3000, or the next that is free)
        #[arg(long)]
        port: Option<u16>,
    },
    /// For maintainers: write src/ anew from solutions/ and the manifests
    Generate,
    /// For maintainers: prove that stubs, solutions, tests and book agree
    Verify {
        /// Only this chapter
        #[arg(long)]
        chapter: Option<u32>,
    },
}

/// A whole chapter or one section of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Such as `1`.
    Chapter(u32),
    /// Such as `1.3`.
    Section(SectionId),
}

impl std::str::FromStr for Place {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Ok(number) = text.parse() {
            return Ok(Self::Chapter(number));
        }
        match text.parse() {
            Ok(section) => Ok(Self::Section(section)),
            Err(_) => bail!("`{text}` is neither a chapter, such as 1, nor a section, such as 1.3"),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Chapter(number) => write!(f, "{number}"),
            Self::Section(id) => write!(f, "{id}"),
        }
    }
}

const AFTER_HELP: &str = "\
Red is the expected start: every checkpoint fails until you have written its section.
Nothing you type is lost: what a command overwrites is kept under .course/, and
`cargo course undo` brings it back.";
