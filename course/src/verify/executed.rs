//! The report of what tests execute. Every function of the crates whose tests run begins with a
//! [call](call()) that reports its number.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::cases::{Case, Cases};

/// The variable with the file to which a test program writes what it executes.
pub const EXECUTED: &str = "COURSE_EXECUTED";

/// What each case executed, as a test program has written it to `file`. `tests` has the case that
/// each of its tests belongs to. What runs on a thread that is not a test's own counts for all of
/// them.
///
/// A program that is killed while it writes can leave the beginning of a line, which the next
/// program continues. Which function that was is lost, so all the `functions` functions count then.
pub fn read(file: &Path, tests: &BTreeMap<String, Case>, functions: usize) -> Result<Cases> {
    let mut executed = Cases::new();
    for case in tests.values() {
        executed.entry(case.clone()).or_default();
    }
    let text = fs::read_to_string(file).context("cannot read what the tests executed")?;
    for line in text.lines() {
        let Some((number, path)) = whole(line).filter(|(number, _)| *number < functions) else {
            for of_case in executed.values_mut() {
                of_case.extend(0..functions);
            }
            return Ok(executed);
        };
        let Some(path) = path else {
            executed.values_mut().for_each(|of_case| {
                of_case.insert(number);
            });
            continue;
        };
        let case = path.rsplit("::").next().and_then(|name| tests.get(name));
        if let Some(of_case) = case.and_then(|case| executed.get_mut(case)) {
            of_case.insert(number);
        }
    }
    Ok(executed)
}

/// The number and the test's path in a line such as `>17 ch1::test;` or `>17;`. `None` if a part of
/// the line is missing.
fn whole(line: &str) -> Option<(usize, Option<&str>)> {
    let line = line.strip_prefix('>')?.strip_suffix(';')?;
    let (number, path) = match line.split_once(' ') {
        Some((number, path)) => (number, Some(path)),
        None => (line, None),
    };
    let is_whole = path.is_none_or(|path| !path.contains('>'));
    let number = number.parse().ok()?;
    is_whole.then_some((number, path))
}

/// The call with which a function reports that it is executed.
pub fn call(function: usize) -> String {
    format!(" crate::course_executed::report({function});")
}

/// The module that [`call`] needs, for the `functions` functions of the reference.
pub fn module(functions: usize) -> String {
    MODULE.replace("FUNCTIONS", &functions.to_string())
}

/// The first call of a function on the thread of a test writes its number and the test's path, which
/// is the thread's name. On other threads, the first one writes the number alone. So does a test
/// program that a test has started, with `--exact` and a path: it runs for that test. A test that
/// ends the program, or hangs, has written the lines up to then.
///
/// It allocates nothing, since some tests count allocations.
const MODULE: &str = r#"
#[allow(missing_docs)]
pub mod course_executed {
    use std::cell::Cell;
    use std::fs::{File, OpenOptions};
    use std::io::Write;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    thread_local! {
        static ON_THREAD: [Cell<bool>; FUNCTIONS] = const { [const { Cell::new(false) }; FUNCTIONS] };
    }
    static ELSEWHERE: [AtomicBool; FUNCTIONS] = [const { AtomicBool::new(false) }; FUNCTIONS];
    static FILE: OnceLock<Option<(File, bool)>> = OnceLock::new();
    pub fn report(function: usize) {
        if ON_THREAD.with(|seen| seen[function].replace(true)) {
            return;
        }
        let open = || {
            let path = std::env::var_os("COURSE_EXECUTED")?;
            let file = OpenOptions::new().append(true).open(path).ok()?;
            Some((file, std::env::args().any(|argument| argument == "--exact")))
        };
        let Some((file, is_for_another)) = FILE.get_or_init(open).as_ref() else {
            return;
        };
        let thread = std::thread::current();
        let is_path = |name: &&str| !is_for_another && name.contains("::") && name.len() < 400;
        let path = thread.name().filter(is_path);
        if path.is_none() && ELSEWHERE[function].swap(true, Ordering::Relaxed) {
            return;
        }
        let mut line = [0; 512];
        let mut rest = &mut line[..];
        let _ = match path {
            Some(path) => writeln!(rest, ">{function} {path};"),
            None => writeln!(rest, ">{function};"),
        };
        let written = 512 - rest.len();
        let _ = (&*file).write_all(&line[..written]);
    }
}
"#;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn read_text(text: &str) -> Cases {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        fs::write(file.path(), text).expect("it can be written");
        let tests = ["one", "two"].map(|name| (name.to_string(), Case::Alone(name.to_string())));
        read(file.path(), &tests.into(), 3000).expect("it can be read")
    }

    #[test]
    fn a_function_counts_for_its_test_or_for_all() {
        let executed = read_text(">1 ch1::one;\n>2 ch1::two;\n>3;\n");
        let expected = [BTreeSet::from([1, 3]), BTreeSet::from([2, 3])];
        assert!(
            executed.into_values().eq(expected),
            "1 and 2 for one test, 3 for both"
        );
    }

    #[test]
    fn with_a_torn_line_all_functions_count() {
        for torn in [
            ">22",
            ">22>94;\n",
            ">22 ch1::o>94 ch1::one;\n",
            ">1 ch1::one",
            "\n",
            ">3000;\n",
        ] {
            for executed in read_text(&format!(">1 ch1::one;\n{torn}")).into_values() {
                assert_eq!(executed.len(), 3000, "after {torn:?}");
            }
        }
    }
}
