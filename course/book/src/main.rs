//! `course-book`: see the library's documentation, or `course-book --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    course_book::cli::run()
}
