//! The table of chapters in README.md, with their times.

use std::fmt::Write;

use anyhow::{Context, Result};

use crate::course_toml::Course;
use crate::messages::time;

const BEGIN: &str = "<!-- `cargo course generate` writes this table. -->\n";
const END: &str = "<!-- End of the table. -->\n";

/// The text of README.md with the current table between its two marks.
pub(super) fn with_table(text: &str, course: &Course) -> Result<String> {
    let marks = "it needs the two marks around the table of chapters";
    let (before, rest) = text.split_once(BEGIN).context(marks)?;
    let (_, after) = rest.split_once(END).context(marks)?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(course)))
}

fn table(course: &Course) -> String {
    let mut text = String::from("\n| | chapter | core | depth |\n| --- | --- | --- | --- |\n");
    for (chapter, manifest) in course.written() {
        let times = manifest.times();
        let _ = writeln!(
            text,
            "| {} | [{}]({}){} | {} | {} |",
            chapter.number,
            chapter.title,
            chapter.page(),
            if manifest.unix { " (Unix)" } else { "" },
            time(times.core),
            match times.depth {
                0 => String::new(),
                depth => time(depth),
            }
        );
    }
    let all = course.times();
    let _ = writeln!(
        text,
        "| | all | {} | {} |\n",
        time(all.core),
        time(all.depth)
    );
    text
}
