//! The slides: `book/slides/slides.md` as one HTML file that needs no other file and no network.

use std::fs;

use anyhow::{Context, Result, bail};
use course::book::{BETWEEN_SLIDES, Pages};
use course::repo::Repo;
use mdbook_markdown::pulldown_cmark::{Event, Tag, TagEnd, html};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};

/// The file beside the book's pages.
pub const FILE: &str = "slides.html";

/// The slides as HTML, in the colors of the pages. `None` if the course has no slides.
pub fn render(repo: &Repo, pages: &Pages) -> Result<Option<String>> {
    if !repo.root().join("book/slides").is_dir() {
        return Ok(None);
    }
    let read = |name: &str| {
        fs::read_to_string(repo.root().join(name)).with_context(|| format!("cannot read {name}"))
    };
    let source = read("book/slides/slides.md")?;
    let markdown = match pages.expand("../slides/slides.md", &source) {
        Ok(markdown) => markdown,
        Err(problems) => {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            bail!("the slides have problems:\n{}", lines.join("\n"))
        }
    };
    let slides: String = markdown.split(BETWEEN_SLIDES).map(slide).collect();
    // With the class `js`, the colors follow the system only if the script says so.
    Ok(Some(format!(
        "<!doctype html>\n<html lang=\"en\" class=\"js light\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>claw-code: slides</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n{slides}</main>\n\
         <p id=\"place\" aria-live=\"polite\"></p>\n<script>\n{}</script>\n</body>\n</html>\n",
        read("book/theme/colors.css")?,
        read("book/slides/slides.css")?,
        read("book/slides/slides.js")?
    )))
}

/// One slide. Its links to other pages become text, since the file may be anywhere.
fn slide(markdown: &str) -> String {
    let id = markdown.split_once("<!-- id: ").and_then(|(_, rest)| {
        let (id, _) = rest.split_once(" -->")?;
        Some(format!(" id=\"{id}\""))
    });
    let mut options = MarkdownOptions::default();
    options.smart_punctuation = false;
    let mut kept = Vec::new();
    let events = new_cmark_parser(markdown, &options).filter(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            kept.push(dest_url.starts_with("http") || dest_url.starts_with('#'));
            kept.last().copied().unwrap_or_default()
        }
        Event::End(TagEnd::Link) => kept.pop().unwrap_or_default(),
        _ => true,
    });
    let mut text = String::new();
    html::push_html(&mut text, events);
    format!("<section{}>\n{text}</section>\n", id.unwrap_or_default())
}
