//! The directives as an mdBook preprocessor, in this process and as a program of its
//! own, so that a plain `mdbook build` makes the same book.

use std::io;

use anyhow::{Context, Result, bail};
use course::book::Pages;
use course::repo::Repo;
use mdbook_preprocessor::book::{Book, BookItem};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext, parse_input};

/// The name of the preprocessor in `book.toml`.
pub const NAME: &str = "course";

/// The preprocessor.
pub struct Directives {
    pages: Pages,
    lenient: bool,
}

impl Directives {
    /// Fails on a page with problems and names them all.
    pub fn new(pages: Pages) -> Self {
        Self {
            pages,
            lenient: false,
        }
    }

    /// Leaves out what can't be expanded. For whoever has reported it already and
    /// wants to look at the rest of the book.
    pub fn lenient(pages: Pages) -> Self {
        Self {
            pages,
            lenient: true,
        }
    }
}

impl Preprocessor for Directives {
    fn name(&self) -> &str {
        NAME
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let mut problems = Vec::new();
        book.for_each_mut(|item| {
            if let BookItem::Chapter(chapter) = item
                && let Some(path) = &chapter.source_path
            {
                let name = path.to_string_lossy().replace('\\', "/");
                let (text, found) = self.pages.expand_leniently(&name, &chapter.content);
                chapter.content = text;
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

/// Whether the expansions, which hold HTML, suit `renderer`.
pub fn supports(renderer: &str) -> bool {
    renderer == "html"
}

/// Takes a book from mdbook on standard input and gives it back expanded.
pub fn run() -> Result<()> {
    let (context, book) = parse_input(io::stdin().lock())
        .context("this is for mdbook 0.5 to call; run `course-book build` instead")?;
    let repo = Repo::find(&context.root)?;
    let book = Directives::new(Pages::load(&repo)?).run(&context, book)?;
    serde_json::to_writer(io::stdout().lock(), &book).context("mdbook does not take the book back")
}
