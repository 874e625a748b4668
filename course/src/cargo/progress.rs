//! The progress of a run of the tests.

/// A step of a run, and how far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Cargo downloads crates: how many of how many are there.
    Downloading(usize, usize),
    /// Cargo builds: how many of how many parts are done.
    Building(usize, usize),
    /// Tests run: how many have finished.
    Testing(usize),
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Downloading(done, all) => write!(f, "downloaded {done} of {all} crates …"),
            Self::Building(done, all) => write!(f, "compiled {done} of {all} …"),
            Self::Testing(finished) => write!(f, "{finished} tests done …"),
        }
    }
}

impl Step {
    /// The newest step in a part of cargo's standard error, from a progress bar such as
    /// `Building [===>  ] 12/87: syn`. `None` without a complete one.
    pub fn in_stderr(part: &str) -> Option<Self> {
        part.rsplit(['\r', '\n']).find_map(|line| {
            let (head, bar) = line.split_once(" [")?;
            let (_, count) = bar.split_once("] ")?;
            let end = count.find(|c: char| !c.is_ascii_digit() && c != '/');
            let (done, all) = count[..end.unwrap_or(count.len())].split_once('/')?;
            let (done, all) = (done.parse().ok()?, all.parse().ok()?);
            match () {
                () if head.ends_with("Building") => Some(Self::Building(done, all)),
                () if head.ends_with("Downloading") => Some(Self::Downloading(done, all)),
                () => None,
            }
        })
    }
}
