//! Checks the built pages: links, ids and the text alternatives of pictures.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use course::book::Problem;
use course::repo::Repo;
use percent_encoding::percent_decode_str;
use scraper::{ElementRef, Html, Selector};

use crate::page::Page;
use crate::slides;

/// Pages that mdBook makes from the other pages, with the same problems.
const COPIES: [&str; 2] = ["print.html", "404.html"];

/// The source of the slides.
const SLIDES: &str = "book/slides/slides.md";

/// Checks the book in `folder`, which was built from `pages`, and the slides beside it. Returns the
/// number of links.
pub(super) fn check(
    repo: &Repo,
    folder: &Path,
    pages: &[Page],
    problems: &mut BTreeSet<Problem>,
) -> Result<usize> {
    let built = Built::load(folder)?;
    let mut links = 0;
    for page in pages {
        let name = page.name.replace(".md", ".html");
        match built.pages.get(&name) {
            Some(html) => {
                let found = built.check(&name, html, &mut links);
                problems.extend(found.into_iter().map(|HtmlProblem { text, message }| {
                    page.problem(line_of(&page.text, &text), message)
                }));
            }
            None => {
                let message =
                    "SUMMARY.md does not list this page, so readers cannot find it; add it";
                problems.insert(page.problem(1, message));
            }
        }
    }
    if let Some(html) = built.pages.get(slides::FILE) {
        let source = fs::read_to_string(repo.root().join(SLIDES));
        let source = source.with_context(|| format!("cannot read {SLIDES}"))?;
        for HtmlProblem { text, message } in built.check(slides::FILE, html, &mut links) {
            problems.insert(Problem {
                page: SLIDES.to_string(),
                line: line_of(&source, &text),
                message,
            });
        }
    }
    Ok(links)
}

/// A problem and the text at which it occurs.
struct HtmlProblem {
    text: String,
    message: String,
}

impl HtmlProblem {
    fn new(text: &str, message: String) -> Self {
        Self {
            text: text.to_string(),
            message,
        }
    }
}

/// The pages of a built book, by path.
struct Built {
    folder: PathBuf,
    pages: BTreeMap<String, Html>,
    ids: BTreeMap<String, Vec<String>>,
}

impl Built {
    fn load(folder: &Path) -> Result<Self> {
        let mut pages = BTreeMap::new();
        let mut ids = BTreeMap::new();
        let entries = fs::read_dir(folder).context("cannot list the built book")?;
        for entry in entries {
            let path = entry.context("cannot list the built book")?.path();
            let name = path.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            if name.ends_with(".html") && !COPIES.contains(&name.as_str()) {
                let text = fs::read_to_string(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                let html = Html::parse_document(&text);
                ids.insert(name.clone(), ids_of(&html));
                pages.insert(name, html);
            }
        }
        Ok(Self {
            folder: folder.to_path_buf(),
            pages,
            ids,
        })
    }

    fn check(&self, name: &str, html: &Html, links: &mut usize) -> Vec<HtmlProblem> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        for id in &self.ids[name] {
            if !seen.insert(id) {
                let message = format!("the id `{id}` occurs twice on this page; rename one");
                found.push(HtmlProblem::new(id, message));
            }
        }
        for element in elements(html, "[href], [src]") {
            for target in ["href", "src"].iter().filter_map(|a| element.attr(a)) {
                *links += 1;
                if let Some(message) = self.dead(name, target) {
                    found.push(HtmlProblem::new(target, message));
                }
            }
        }
        found.extend(self.without_alternative(name, html));
        found
    }

    /// Why the link `target` on the page `from` is dead; `None` if it is not.
    fn dead(&self, from: &str, target: &str) -> Option<String> {
        let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
        let path = path.split('?').next().unwrap_or_default();
        if has_scheme(target) {
            return None;
        }
        if from == slides::FILE && !path.is_empty() {
            return Some(format!(
                "`{target}` is another file, and the slides must need none; insert a picture with `{{{{#picture}}}}`"
            ));
        }
        if path.starts_with('/') {
            return Some(format!(
                "the link `{target}` begins with a slash, which fails if the book is in a subfolder of its server; make it relative"
            ));
        }
        let path = decoded(path);
        let parts: Vec<&str> = path.split('/').filter(|part| *part != ".").collect();
        let file = match path.is_empty() {
            true => from.to_string(),
            false => parts.join("/"),
        };
        if !is_inside(&file) || !self.folder.join(&file).is_file() {
            return Some(format!(
                "the link `{target}` leads to no page or file; correct it"
            ));
        }
        let fragment = decoded(fragment);
        let ids = self.ids.get(&file)?;
        (!fragment.is_empty() && !ids.contains(&fragment)).then(|| {
            format!("the link `{target}` leads to {file}, which has no `#{fragment}`; correct it")
        })
    }

    /// Pictures without a text alternative.
    fn without_alternative(&self, name: &str, html: &Html) -> Vec<HtmlProblem> {
        let mut found = Vec::new();
        for image in elements(html, "img:not([alt])") {
            let source = image.attr("src").unwrap_or_default();
            let message = format!("the image `{source}` has no `alt` text; add it");
            found.push(HtmlProblem::new(source, message));
        }
        for picture in elements(html, "svg[role=img], main figure svg") {
            let title = picture
                .child_elements()
                .find(|child| child.value().name() == "title");
            if title.is_none_or(|title| title.text().collect::<String>().trim().is_empty()) {
                let message = "a picture has no `<title>`; add one as its first child";
                found.push(HtmlProblem::new("{{#picture", message.to_string()));
            }
        }
        for element in elements(html, "main [aria-labelledby]") {
            let ids = element.attr("aria-labelledby").unwrap_or_default();
            for id in ids.split_whitespace() {
                if !self.ids[name].iter().any(|known| known == id) {
                    let message =
                        format!("`aria-labelledby` names the id `{id}`, which does not exist");
                    found.push(HtmlProblem::new(id, message));
                }
            }
        }
        found
    }
}

fn elements<'a>(html: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    let selector = Selector::parse(selector).expect("the selectors above are valid");
    html.select(&selector).collect()
}

fn ids_of(html: &Html) -> Vec<String> {
    elements(html, "[id]")
        .iter()
        .filter_map(|element| element.attr("id"))
        .map(str::to_string)
        .collect()
}

/// Whether a link leads out of the book, as `https:` and `mailto:` do.
fn has_scheme(target: &str) -> bool {
    let scheme = target.split(['/', '#', '?']).next().unwrap_or_default();
    scheme.contains(':') || target.starts_with("//")
}

fn is_inside(path: &str) -> bool {
    Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// The line of a page's source where a text occurs, or 1 if it is not found.
fn line_of(markdown: &str, text: &str) -> usize {
    let source = text.replace(".html", ".md");
    let at = markdown.find(&source).or_else(|| markdown.find(text));
    at.map_or(1, |at| markdown[..at].matches('\n').count() + 1)
}
