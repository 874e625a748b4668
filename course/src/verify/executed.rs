//! The functions that tests execute. A proof by tests depends on their bodies, and not on those of
//! other functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// The variable with the file to which a test program writes what it executes.
pub const EXECUTED: &str = "COURSE_EXECUTED";

/// Some functions of the reference: for each file, their places among its
/// [bodies](crate::source::Source::bodies).
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Executed(BTreeMap<String, BTreeSet<usize>>);

impl Executed {
    /// The function at `place` of `file`.
    pub fn one(file: String, place: usize) -> Self {
        Self([(file, [place].into())].into())
    }

    /// What a test program has written to `file`. `functions` has the file and the place of each
    /// function, by its number.
    pub fn read(file: &Path, functions: &[(String, usize)]) -> Result<Self> {
        let mut executed = Self::default();
        let text = fs::read_to_string(file).context("cannot read what the tests executed")?;
        for line in text.lines() {
            let number = line.parse::<usize>().ok();
            let (file, place) = number
                .and_then(|number| functions.get(number))
                .with_context(|| format!("the tests wrote {line:?} in place of a number"))?;
            executed.0.entry(file.clone()).or_default().insert(*place);
        }
        Ok(executed)
    }

    /// Adds what `other` has.
    pub fn add(&mut self, other: Self) {
        for (file, places) in other.0 {
            self.0.entry(file).or_default().extend(places);
        }
    }

    /// Their places in each file.
    pub fn files(&self) -> impl Iterator<Item = (&String, &BTreeSet<usize>)> {
        self.0.iter()
    }

    /// The file and the place of each.
    fn functions(&self) -> impl Iterator<Item = (&String, usize)> {
        let files = self.0.iter();
        files.flat_map(|(file, places)| places.iter().map(move |place| (file, *place)))
    }

    /// Whether the function at `place` of `file` is among them.
    pub fn contains(&self, file: &str, place: usize) -> bool {
        self.0
            .get(file)
            .is_some_and(|places| places.contains(&place))
    }
}

/// What the tests for a proof have executed.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct ExecutedBy {
    /// All of them together.
    pub all: Executed,
    /// Those that ran one by one, by their names.
    pub tests: BTreeMap<String, Executed>,
}

impl ExecutedBy {
    /// Adds what `test`, or several tests, executed.
    pub fn add(&mut self, test: Option<&str>, executed: Executed) {
        if let Some(test) = test {
            let of_test = self.tests.entry(test.to_string()).or_default();
            of_test.add(executed.clone());
        }
        self.all.add(executed);
    }
}

/// [`ExecutedBy`] as it is stored: most tests of a section execute the same functions, so each test
/// has their numbers in the list of all.
#[derive(Serialize, Deserialize)]
struct Stored {
    all: Executed,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    tests: BTreeMap<String, Vec<usize>>,
}

impl From<ExecutedBy> for Stored {
    fn from(ExecutedBy { all, tests }: ExecutedBy) -> Self {
        let numbers = |executed: Executed| {
            let functions = all.functions().enumerate();
            let own = functions.filter(|(_, (file, place))| executed.contains(file, *place));
            own.map(|(number, _)| number).collect()
        };
        let tests = tests.into_iter();
        Self {
            tests: tests
                .map(|(test, executed)| (test, numbers(executed)))
                .collect(),
            all,
        }
    }
}

impl From<Stored> for ExecutedBy {
    fn from(Stored { all, tests }: Stored) -> Self {
        let functions: Vec<_> = all.functions().collect();
        let executed = |numbers: Vec<usize>| {
            let mut executed = Executed::default();
            for (file, place) in numbers
                .into_iter()
                .filter_map(|number| functions.get(number))
            {
                executed.add(Executed::one(file.to_string(), *place));
            }
            executed
        };
        let tests = tests.into_iter();
        Self {
            tests: tests
                .map(|(test, numbers)| (test, executed(numbers)))
                .collect(),
            all: all.clone(),
        }
    }
}

/// The call with which a function reports that it is executed.
pub fn call(function: usize) -> String {
    format!(" crate::course_executed::report({function});")
}

/// The module that [`call`] needs, for the `functions` functions of the reference.
pub fn module(functions: usize) -> String {
    MODULE.replace("FUNCTIONS", &functions.to_string())
}

/// The first call of a function writes its number. A test that ends the program, or hangs, has
/// written the numbers up to then.
const MODULE: &str = r#"
#[allow(missing_docs)]
pub mod course_executed {
    use std::fs::{File, OpenOptions};
    use std::io::Write;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    static SEEN: [AtomicBool; FUNCTIONS] = [const { AtomicBool::new(false) }; FUNCTIONS];
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    pub fn report(function: usize) {
        if SEEN[function].load(Ordering::Relaxed) || SEEN[function].swap(true, Ordering::Relaxed) {
            return;
        }
        let open = || OpenOptions::new().append(true).open(std::env::var_os("COURSE_EXECUTED")?).ok();
        if let Some(mut file) = FILE.get_or_init(open).as_ref() {
            let _ = file.write_all(format!("{function}\n").as_bytes());
        }
    }
}
"#;
