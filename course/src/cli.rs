//! The command line of `cargo course`.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use crate::learning_path::Path;
use crate::manifest::SectionId;

/// Build a terminal coding agent, chapter by chapter. Without a command, watch the sources and
/// show the first checkpoint that is not green.
#[derive(Debug, Parser)]
#[command(name = "cargo course", bin_name = "cargo course", version, after_help = AFTER_HELP)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// Whether the command needs `solutions/`. The tests do, since the folder is a member of the
    /// workspace that cargo builds.
    pub fn needs_solutions(&self) -> bool {
        let works_without = matches!(
            self.command,
            Some(
                Command::Hint { section: Some(_) }
                    | Command::Path { path: None }
                    | Command::Undo { .. }
            )
        );
        !works_without
    }
}

/// The commands: first those for learners, then those for teachers and maintainers.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show every section and the first checkpoint that is not green
    Status {
        /// Print JSON for other programs
        #[arg(long)]
        json: bool,
    },
    /// Run the tests of all open chapters, or of one chapter, section or test
    Check {
        /// A chapter (1), a section (1.3) or the name of a test
        what: Option<String>,
    },
    /// Show the next hint for the current section, or for another one
    Hint {
        /// The section, such as 1.3
        section: Option<SectionId>,
    },
    /// Show what comes next; open the next chapter if this one is done
    Next,
    /// Open a chapter, so that its tests run from now on
    Open {
        /// A chapter (4), or a section of it (4.11)
        #[arg(value_name = "CHAPTER|SECTION")]
        what: Scope,
    },
    /// Show the solution, or write it into your files
    Solution {
        /// A chapter (1) or a section (1.3)
        #[arg(value_name = "CHAPTER|SECTION")]
        what: Scope,
        /// Write it into src/ (your code is backed up first)
        #[arg(long)]
        apply: bool,
    },
    /// Join late: solve everything before a chapter or a section, and open it
    Jump {
        /// A chapter (4) or a section (4.11)
        #[arg(value_name = "CHAPTER|SECTION")]
        what: Scope,
    },
    /// Show or choose your path: the core sections, or all of them
    Path {
        /// The path; without it, the times of both are shown
        path: Option<Path>,
    },
    /// Restore the stubs (your code is backed up first)
    Reset {
        /// A chapter (1) or a section (1.3)
        #[arg(
            value_name = "CHAPTER|SECTION",
            required_unless_present = "given",
            conflicts_with = "given"
        )]
        what: Option<Scope>,
        /// The files without anything to write, such as lib.rs and mod.rs
        #[arg(long)]
        given: bool,
    },
    /// Restore the files that the last command overwrote
    Undo {
        /// The number of a backup, from --list
        backup: Option<u32>,
        /// List the backups
        #[arg(long, conflicts_with = "backup")]
        list: bool,
        /// Also take back the edits that undo shows and leaves alone (they are backed up first)
        #[arg(long, conflicts_with = "list")]
        all: bool,
    },
    /// Bring a newer version of the course into this folder; your code stays
    Update {
        /// A folder, a downloaded archive, or a remote, branch or address of git (default: the
        /// remote that this clone comes from)
        source: Option<String>,
        /// Only show what would change
        #[arg(long)]
        dry_run: bool,
    },
    /// See the agent at work, offline, on a small project in a temporary folder
    Demo {
        /// Run the agent that you have built instead of the reference (from chapter 5 on)
        #[arg(long)]
        yours: bool,
        /// The prompt (default: a conversation)
        prompt: Vec<String>,
    },
    /// Run the agent that your finished chapters make; `cargo claw` is short for this
    #[command(disable_help_flag = true)]
    Claw {
        /// The agent's own arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Say what this machine lacks for the course, and how to get it. The exit code is 1 if
    /// something needed is missing
    Doctor {
        /// Print JSON for other programs
        #[arg(long)]
        json: bool,
    },
    /// Download everything that the course needs, to go on without a network
    Fetch,
    /// Write your results to a file, for a dashboard or a teacher. With --junit, the exit code is 1
    /// unless every checkpoint is green and the tests are as they were cloned
    #[command(group = clap::ArgGroup::new("format").required(true))]
    Report {
        /// All open chapters in JUnit's XML format
        #[arg(long, value_name = "FILE", group = "format")]
        junit: Option<PathBuf>,
        /// Your progress for `cargo course class`, such as otter.json: its name is your nickname
        #[arg(long, value_name = "FILE", group = "format")]
        class: Option<PathBuf>,
    },
    /// Build the book and serve it on this machine
    Book {
        /// Open it in the browser
        #[arg(long)]
        open: bool,
        /// The port (default: 3000, or the next free one)
        #[arg(long)]
        port: Option<u16>,
    },
    /// For teachers: make one archive of the course and all its crates for a room without network
    #[command(disable_help_flag = true)]
    Bundle {
        /// The command's own arguments; `cargo course bundle --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// For teachers: show who is where, from the files that learners hand in
    #[command(disable_help_flag = true)]
    Class {
        /// The command's own arguments; `cargo course class --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// For teachers: grade submissions with the tests of this clone
    #[command(disable_help_flag = true)]
    Grade {
        /// The command's own arguments; `cargo course grade --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// For maintainers: write src/ and the lists of chapters from solutions/ and the manifests
    Generate,
    /// For maintainers: create the skeleton of a chapter
    NewChapter {
        /// The chapter's number
        number: u32,
        /// Its name in file names, such as the-tool-registry
        slug: String,
    },
    /// For maintainers: prove that stubs, reference, tests and book agree
    Verify {
        /// Only this chapter
        #[arg(long)]
        chapter: Option<u32>,
        /// Prove everything again, even what has not changed since it was proved
        #[arg(long)]
        fresh: bool,
    },
}

/// A whole chapter or one section of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Such as `1`.
    Chapter(u32),
    /// Such as `1.3`.
    Section(SectionId),
}

impl Scope {
    /// The chapter, or that of the section.
    pub fn chapter(self) -> u32 {
        match self {
            Self::Chapter(number) => number,
            Self::Section(id) => id.chapter,
        }
    }

    /// Its name at the start of a sentence, such as `Chapter 1` or `Section 1.3`.
    pub fn name(self) -> String {
        match self {
            Self::Chapter(number) => format!("Chapter {number}"),
            Self::Section(id) => format!("Section {id}"),
        }
    }
}

impl std::str::FromStr for Scope {
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

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Chapter(number) => write!(f, "{number}"),
            Self::Section(id) => write!(f, "{id}"),
        }
    }
}

const AFTER_HELP: &str = "\
Every checkpoint starts red and turns green when you have written its section.
Nothing you type is lost: a command that overwrites files backs them up under .course/,
and `cargo course undo` restores them.";
