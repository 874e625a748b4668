//! Writes the page. Every text from a learner's file is escaped.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::hand_in::{HandIn, Progress};

/// The number of common mistakes that are shown.
const MOST_MISTAKES: usize = 12;

/// The whole page around `main`.
pub(super) fn page(main: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>The class</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <link rel=\"stylesheet\" href=\"/class.css\">\n\
         <noscript><meta http-equiv=\"refresh\" content=\"10\"></noscript>\n\
         <script src=\"/class.js\" defer></script>\n</head>\n<body>\n\
         <p id=\"stopped\" role=\"alert\" hidden>The server has stopped, so this page is old.</p>\n\
         <main>{main}</main>\n</body>\n</html>\n"
    )
}

/// What changes on the page: who is where, the common mistakes and the table. `now` is in seconds
/// since 1970.
pub(super) fn main(
    source: &str,
    read: &Result<Vec<HandIn>, String>,
    problem: Option<&str>,
    now: u64,
) -> String {
    let mut html = String::from("<h1>The class</h1>\n");
    let problem = problem.map(|error| format!("The last fetch failed: {error}"));
    for problem in problem.iter().chain(read.as_ref().err()) {
        html += &format!("<p role=\"alert\">{}</p>\n", escape(problem));
    }
    let hand_ins = read.as_deref().unwrap_or_default();
    if hand_ins.is_empty() {
        html += &format!(
            "<p>No files yet in {}. Each learner runs <code>cargo course report --class otter.json</code> with a nickname of their own, and puts the file there.</p>\n",
            escape(source)
        );
        return html;
    }
    let progress: Vec<&Progress> = hand_ins
        .iter()
        .filter_map(|hand_in| hand_in.progress.as_ref().ok())
        .collect();
    let unreadable = match hand_ins.len() - progress.len() {
        0 => String::new(),
        1 => ", and 1 file without progress".to_string(),
        count => format!(", and {count} files without progress"),
    };
    let learners = match progress.len() {
        1 => "1 learner".to_string(),
        count => format!("{count} learners"),
    };
    html += &format!("<p>{learners}{unreadable}, from {}</p>\n", escape(source));
    html += &places(&progress);
    html += &mistakes(&progress);
    html += &table(hand_ins, now);
    html
}

/// How many learners are at each section.
fn places(all: &[&Progress]) -> String {
    let mut places: BTreeMap<(Vec<u32>, &str), (usize, &str)> = BTreeMap::new();
    for progress in all {
        let section = progress.section.as_deref().unwrap_or_default();
        let place = places.entry((order(section), section)).or_default();
        *place = (place.0 + 1, &progress.title);
    }
    let mut html = String::from("<h2>Where they are</h2>\n<ul class=\"bars\">\n");
    for ((_, section), (count, title)) in places {
        let name = match section.is_empty() {
            true => "all open chapters are green".to_string(),
            false => format!("<b>{}</b> {}", escape(section), escape(title)),
        };
        let _ = writeln!(
            html,
            "<li><span>{name}</span><progress max=\"{}\" value=\"{count}\"></progress> {count}</li>",
            all.len()
        );
    }
    html + "</ul>\n"
}

/// The numbers of a section such as `4.11`, to sort by. Learners who are done come last.
fn order(section: &str) -> Vec<u32> {
    let number = |part: &str| part.parse().unwrap_or(u32::MAX);
    section.split('.').map(number).collect()
}

/// The mistakes that most learners made.
fn mistakes(all: &[&Progress]) -> String {
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for progress in all {
        for (section, because) in &progress.mistakes {
            let is_now = progress.section.as_ref() == Some(section)
                && progress.explanation.as_ref() == Some(because);
            let count = counts.entry((section, because)).or_default();
            *count = (count.0 + 1, count.1 + usize::from(is_now));
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (made, now))| std::cmp::Reverse((*made, *now)));
    if counts.is_empty() {
        return String::new();
    }
    let mut html = String::from("<h2>Common wrong answers</h2>\n<ol class=\"mistakes\">\n");
    for ((section, because), (made, now)) in counts.into_iter().take(MOST_MISTAKES) {
        let _ = writeln!(
            html,
            "<li><b>{}</b> {} <span class=\"note\">{made} made it, {now} have it now</span></li>",
            escape(section),
            with_code(because)
        );
    }
    html + "</ol>\n"
}

/// A row for each learner: first who is red for the longest time, last the files without progress.
fn table(hand_ins: &[HandIn], now: u64) -> String {
    let mut rows: Vec<&HandIn> = hand_ins.iter().collect();
    rows.sort_by_key(|hand_in| match &hand_in.progress {
        Ok(progress) => (0, u64::MAX - red_seconds(progress).unwrap_or(0)),
        Err(_) => (1, 0),
    });
    let mut html = String::from(
        "<h2>Everybody</h2>\n<table>\n<thead><tr><th>Nickname<th>Section<th>State<th>Red for<th>Green<th>Handed in<th>Course</tr></thead>\n<tbody>\n",
    );
    for hand_in in rows {
        let name = escape(&hand_in.nickname);
        html += &match &hand_in.progress {
            Ok(progress) => row(&name, progress, now),
            Err(error) => format!(
                "<tr class=\"unreadable\"><th scope=\"row\">{name}</th><td colspan=\"6\">The file {}.</td></tr>\n",
                escape(error)
            ),
        };
    }
    html + "</tbody>\n</table>\n"
}

fn row(name: &str, progress: &Progress, now: u64) -> String {
    let section = match &progress.section {
        Some(section) => format!("<b>{}</b> {}", escape(section), escape(&progress.title)),
        None => "all green".to_string(),
    };
    let state = match progress.state.as_str() {
        "does-not-compile" => "does not compile",
        "cargo-failed" => "cargo failed",
        "cut-short" => "the tests did not finish",
        "not-written" => "not written yet",
        "wrong" => "wrong answer",
        "waiting" => "needs another section",
        "unknown" => "not run",
        "" if progress.section.is_none() => "done",
        other => other,
    };
    let explanation = progress.explanation.iter();
    let explanation: String = explanation
        .map(|text| format!(" <span class=\"note\">{}</span>", with_code(text)))
        .collect();
    let unknown = || "unknown".to_string();
    let red = match (&progress.section, red_seconds(progress)) {
        (None, _) => "–".to_string(),
        (_, Some(seconds)) => duration(seconds),
        (_, None) => unknown(),
    };
    let handed_in = match progress.written_at {
        Some(then) if then > now + 120 => "in the future: a clock is wrong".to_string(),
        Some(then) => format!("{} ago", duration(now.saturating_sub(then))),
        None => unknown(),
    };
    let course = match (&progress.course, &progress.path) {
        (Some(course), Some(path)) => format!("{}, {} path", escape(course), escape(path)),
        _ => "an older version".to_string(),
    };
    format!(
        "<tr><th scope=\"row\">{name}</th><td data-label=\"Section\">{section}</td><td data-label=\"State\">{}{explanation}</td><td data-label=\"Red for\">{red}</td><td data-label=\"Green\">{} of {}</td><td data-label=\"Handed in\">{handed_in}</td><td data-label=\"Course\">{course}</td></tr>\n",
        escape(state),
        progress.done,
        progress.all
    )
}

/// How long the current section had been red when the file was written. Both times come from the
/// learner's clock. If they are more than a year apart, it was set in between.
fn red_seconds(progress: &Progress) -> Option<u64> {
    progress.section.as_ref()?;
    let seconds = progress.written_at?.saturating_sub(progress.red_since?);
    (seconds < 365 * 24 * 60 * 60).then_some(seconds)
}

/// A duration in the two largest units that fit, such as `1 h 5 min`.
fn duration(seconds: u64) -> String {
    let minutes = seconds / 60;
    match (minutes / (24 * 60), minutes / 60, minutes % 60) {
        (0, 0, 0) => "less than a minute".to_string(),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (1, ..) => "1 day".to_string(),
        (days, ..) => format!("{days} days"),
    }
}

/// The HTML of an explanation from a manifest, where code is between backticks.
fn with_code(text: &str) -> String {
    let mut html = String::new();
    let mut parts = escape(text);
    while let Some((before, rest)) = parts.split_once('`')
        && let Some((code, after)) = rest.split_once('`')
    {
        html += &format!("{before}<code>{code}</code>");
        parts = after.to_string();
    }
    html + &parts
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            char => escaped.push(char),
        }
    }
    escaped
}
