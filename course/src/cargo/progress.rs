//! The progress of a run of the tests.

/// A step of a run, and how far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Cargo waits until another build unlocks the target folder.
    Waiting,
    /// Cargo downloads crates: how many are left.
    Downloading(usize),
    /// Cargo builds: how many of how many parts are done.
    Building(usize, usize),
    /// Tests run: how many have finished.
    Testing(usize),
    /// No test has finished for some seconds. After `limit` seconds, those that run are stopped.
    Stalled {
        /// How many tests have finished.
        finished: usize,
        /// The seconds since the last one.
        waited: u64,
        /// The seconds after which the others are stopped.
        limit: u64,
    },
    /// Tests run in processes of their own, because others hung or ended the test program: how many
    /// are left.
    Alone(usize),
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Waiting => f.write_str("waiting for another build to finish …"),
            Self::Downloading(left) => write!(f, "downloading, {left} to go …"),
            Self::Building(done, all) => write!(f, "compiled {done} of {all} …"),
            Self::Testing(finished) => write!(f, "{finished} tests done …"),
            Self::Stalled {
                finished,
                waited,
                limit,
            } => write!(
                f,
                "{finished} tests done, none for {waited} s; limit {limit} s …"
            ),
            Self::Alone(left) => write!(f, "{left} tests left, each runs alone …"),
        }
    }
}

impl Step {
    /// The newest step in a part of cargo's standard error. Cargo writes lines such as
    /// `Blocking waiting for file lock on build directory` and
    /// `Downloading 66 crates, remaining bytes: 1.2MB`, and a progress bar such as
    /// `Building [===>  ] 12/87: syn`. `None` without a complete one.
    pub fn in_stderr(part: &str) -> Option<Self> {
        let mut lines = part.rsplit(['\r', '\n']).map(str::trim_start);
        lines.find_map(|line| match line.split_once(' ')? {
            ("Blocking", _) => Some(Self::Waiting),
            ("Downloading", rest) => {
                let (left, what) = rest.split_once(' ')?;
                let is_complete = what.starts_with("crate");
                left.parse()
                    .ok()
                    .filter(|_| is_complete)
                    .map(Self::Downloading)
            }
            ("Building", bar) => {
                let (_, count) = bar.split_once("] ")?;
                let (done, all) = count
                    .split_once(':')
                    .unwrap_or((count, ""))
                    .0
                    .split_once('/')?;
                Some(Self::Building(
                    done.parse().ok()?,
                    all.trim_end().parse().ok()?,
                ))
            }
            _ => None,
        })
    }
}
