//! `course-teacher`: see the library's documentation, or `cargo course grade --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    course_teacher::cli::run()
}
