//! Traces: recorded runs of the reference, `book/src/traces/NAME.json`. The tests in
//! `solutions/tests/traces` record them.
//!
//! A trace is an ordered list of steps. The page's script shows one step at a time.

use std::fs;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::Pages;
use super::blocks::{html, with_code};
use super::listing::fenced;
use super::page_listings::{PageListings, listing_id};

/// The fewest and the most steps of a trace.
const STEPS: std::ops::RangeInclusive<usize> = 6..=16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trace {
    title: String,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Who acts, such as `Model`.
    lane: String,
    /// What happens, in a few words.
    title: String,
    /// The language of the value, such as `json`.
    language: String,
    /// The lines of the recorded value.
    value: Vec<String>,
    /// The path of the item that made the value.
    code: String,
    /// An explanation; `code` in backticks.
    about: String,
}

impl Pages {
    /// The trace `name`, for the page with the listings `shown`.
    pub(super) fn trace(&self, name: &str, shown: &PageListings) -> Result<String> {
        ensure!(
            !name.contains(['/', '\\', '.']),
            "write the name of a file in book/src/traces, without folder and extension"
        );
        let path = self.repo.traces().join(format!("{name}.json"));
        let file = self.repo.relative(&path);
        let json = fs::read_to_string(&path)
            .with_context(|| format!("cannot read {file}; record the trace or correct the name"))?;
        let trace: Trace = serde_json::from_str(&json).with_context(|| format!("in {file}"))?;
        let count = trace.steps.len();
        ensure!(
            STEPS.contains(&count) && !trace.title.trim().is_empty(),
            "{file} needs a title and {} to {} steps; it has {count}",
            STEPS.start(),
            STEPS.end()
        );
        let mut text = format!(
            "<section class=\"trace\" id=\"trace-{name}\" aria-labelledby=\"trace-{name}-title\">\n\
             <p class=\"trace-title\" id=\"trace-{name}-title\">Recorded run: {}</p>\n\
             <ol class=\"trace-steps\">\n",
            with_code(&trace.title)
        );
        for (number, step) in (1..).zip(&trace.steps) {
            let step = self
                .step(step, shown)
                .with_context(|| format!("step {number} of {file}"))?;
            text.push_str(&step);
        }
        text.push_str("</ol>\n</section>\n");
        Ok(text)
    }

    fn step(&self, step: &Step, shown: &PageListings) -> Result<String> {
        for (name, text) in [
            ("lane", &step.lane),
            ("title", &step.title),
            ("value", &step.value.concat()),
            ("about", &step.about),
        ] {
            ensure!(!text.trim().is_empty(), "its `{name}` is empty");
        }
        Ok(format!(
            "<li class=\"trace-step\" data-lane=\"{lane}\">\n\
             <p class=\"trace-head\"><span class=\"trace-lane\">{lane}</span> {title}</p>\n\n\
             {value}\n\n<p>{about}</p>\n\n{link}\n\n</li>\n",
            lane = html(&step.lane),
            title = with_code(&step.title),
            value = fenced(&step.language, &step.value.join("\n")),
            about = with_code(&step.about),
            link = self.link(&step.code, shown)?,
        ))
    }

    /// A line in markdown that names the code of a step and links to its listing on this page
    /// or, without one, to the section that asks for it. Given code needs neither.
    fn link(&self, item: &str, shown: &PageListings) -> Result<String> {
        let (file, inner, _) = self.solution.find(&self.repo.solutions(), item)?;
        let name = inner.join("::");
        let target = if shown.contains(item) {
            format!("#{}", listing_id(item))
        } else if let Some(id) = self.solution.section_of(&file, &inner) {
            let title = &self.course.section(id)?.title;
            let page = self.course.chapter(id.chapter)?.stem();
            format!("{page}.md#{}", heading_id(&format!("{id} {title}")))
        } else {
            ensure!(
                self.course.gives(item),
                "this page does not list `{item}`, no section asks for it, and it is not given; list it, or name another item"
            );
            return Ok(format!("Code: `{name}` in `src/{file}`, which is given"));
        };
        Ok(format!("Code: [`{name}`]({target}) in `src/{file}`"))
    }
}

/// The id that mdBook gives to a heading.
fn heading_id(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || matches!(c, '_' | '-') => Some(c.to_ascii_lowercase()),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.collect()
}
