//! An mdBook preprocessor that links the glossary's terms and expands the directives. It runs in this process, or as a program
//! for `mdbook build`, which makes the same book.

use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use course::book::Pages;
use course::repo::Repo;
use mdbook_preprocessor::book::{Book, BookItem};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext, parse_input};

use crate::glossary::{self, Glossary};

/// The name of the preprocessor in `book.toml`.
pub const NAME: &str = "course";

/// The preprocessor.
pub struct Directives {
    pages: Pages,
    lenient: bool,
}

impl Directives {
    /// A preprocessor that fails if there are problems, and lists all of them.
    pub fn new(pages: Pages) -> Self {
        Self {
            pages,
            lenient: false,
        }
    }

    /// A preprocessor that omits wrong directives, for a caller that has reported them already.
    pub fn lenient(pages: Pages) -> Self {
        Self {
            pages,
            lenient: true,
        }
    }
}

impl Directives {
    /// What the directives insert from.
    pub(crate) fn pages(&self) -> &Pages {
        &self.pages
    }
}

impl Preprocessor for Directives {
    fn name(&self) -> &str {
        NAME
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let mut problems = Vec::new();
        let mut glossary = Glossary::default();
        book.for_each_mut(|item| {
            if let BookItem::Chapter(page) = item
                && page.source_path.as_deref() == Some(Path::new(glossary::PAGE))
            {
                glossary = Glossary::parse(&page.content);
            }
        });
        book.for_each_mut(|item| {
            if let BookItem::Chapter(chapter) = item
                && let Some(path) = &chapter.source_path
            {
                let name = path.to_string_lossy().replace('\\', "/");
                if self.pages.is_chapter(&name) {
                    chapter.content = glossary.link(&chapter.content);
                }
                let (text, found) = self.pages.expand_leniently(&name, &chapter.content);
                chapter.content = text;
                chapter.name = self.pages.name_with_time(&name, &chapter.name);
                problems.extend(found);
            }
        });
        if !self.lenient && !problems.is_empty() {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            bail!("the book has problems:\n{}", lines.join("\n"));
        }
        Ok(book)
    }

    fn supports_renderer(&self, renderer: &str) -> Result<bool> {
        Ok(supports(renderer))
    }
}

/// Whether `renderer` is supported. The expansions contain HTML.
pub fn supports(renderer: &str) -> bool {
    renderer == "html"
}

/// Reads a book from mdbook on standard input and writes it, expanded, to standard output.
pub fn run() -> Result<()> {
    let (context, book) = parse_input(io::stdin().lock())
        .context("only mdbook 0.5 can call this command; run `course-book build` instead")?;
    let repo = Repo::find(&context.root)?;
    let book = Directives::new(Pages::load(&repo)?).run(&context, book)?;
    serde_json::to_writer(io::stdout().lock(), &book).context("cannot write the book to mdbook")
}
