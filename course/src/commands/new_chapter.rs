//! `cargo course new-chapter`: creates the skeleton of a chapter.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail, ensure};
use toml_edit::{DocumentMut, InlineTable, Item, Value};

use super::skeleton::{FILL_IN, MANIFEST, MODULE, PAGE, QUIZ, SUPPORT, TESTS};
use super::{Outcome, backed_up};
use crate::backups;
use crate::course_toml::Chapter;
use crate::messages::Style;
use crate::progress::Progress;
use crate::repo::Repo;

/// Creates the manifest, page, tests and module of chapter `number`, with one section that
/// passes every check. What remains to be written is marked with [`FILL_IN`]. Adds the chapter
/// to `course.toml` and `SUMMARY.md` if they lack it.
pub fn new_chapter(progress: &Progress, style: &Style, number: u32, slug: &str) -> Result<Outcome> {
    let repo = &progress.repo;
    ensure!(
        is_slug(slug),
        "`{slug}` is not a slug; write lowercase words joined by `-`, such as the-tool-registry"
    );
    let mut files = BTreeMap::new();
    let planned = progress.course.chapters().find(|it| it.number == number);
    let title = match planned {
        Some(chapter) if chapter.manifest.is_some() => {
            bail!("chapter {number}, {}, is written already", chapter.title)
        }
        Some(chapter) => {
            ensure!(
                chapter.slug == slug,
                "chapter {number} is `{}` in book/src/course.toml; use that slug or change it there",
                chapter.slug
            );
            chapter.title.clone()
        }
        None => {
            let last = progress.course.chapters().next_back();
            let next = last.map_or(1, |last| last.number + 1);
            ensure!(
                number == next,
                "the next chapter is {next}: chapters are numbered without gaps"
            );
            let title = title_of(slug);
            files.insert(
                repo.course_toml(),
                with_chapter(repo, number, slug, &title)?,
            );
            title
        }
    };
    let chapter = Chapter {
        number,
        slug: slug.to_string(),
        title,
        about: String::new(),
        manifest: None,
    };
    let module = slug.replace('-', "_");
    let module_file = repo.solutions().join(format!("{module}.rs"));
    ensure!(
        !module_file.exists() && !repo.solutions().join(&module).exists(),
        "the reference already has a module `{module}`; choose another slug"
    );
    let fill = |template: &str| {
        template
            .replace("{number}", &number.to_string())
            .replace("{title}", &chapter.title)
            .replace("{module}", &module)
            .replace("{slug}", slug)
    };
    let tests = chapter.suite_dir(repo);
    files.insert(chapter.manifest_path(repo), fill(MANIFEST));
    files.insert(repo.root().join(chapter.page()), fill(PAGE));
    files.insert(chapter.quiz_path(repo), fill(QUIZ));
    files.insert(tests.join("support.rs"), fill(SUPPORT));
    files.insert(tests.join("s01_first_step.rs"), fill(TESTS));
    files.insert(module_file, fill(MODULE));
    files.insert(repo.book().join("SUMMARY.md"), with_entry(repo, &chapter)?);
    let changes = files
        .into_iter()
        .map(|(path, text)| (path, Some(text.into_bytes())))
        .collect();
    let backup = backups::overwrite(repo, &format!("new-chapter {number} {slug}"), &changes)?;
    let mut lines = vec![format!(
        "Chapter {number}, {}, has a skeleton.",
        chapter.title
    )];
    lines.extend(backup.iter().flat_map(|backup| backed_up(style, backup)));
    lines.push(format!(
        "Next: `cargo course generate`, then `cargo course verify --chapter {number}` lists what to fill in."
    ));
    Ok(lines.into())
}

/// `course.toml` with the chapter at the end of the last part.
fn with_chapter(repo: &Repo, number: u32, slug: &str, title: &str) -> Result<String> {
    let text = fs::read_to_string(repo.course_toml())?;
    let mut document: DocumentMut = text.parse()?;
    let chapters = document
        .get_mut("part")
        .and_then(Item::as_array_of_tables_mut)
        .and_then(|parts| parts.iter_mut().last())
        .and_then(|part| part.get_mut("chapters")?.as_array_mut())
        .context("book/src/course.toml has no part with chapters")?;
    let mut entry = InlineTable::new();
    entry.insert("number", i64::from(number).into());
    entry.insert("slug", slug.into());
    entry.insert("title", title.into());
    entry.insert("about", format!("{FILL_IN}: one sentence.").into());
    chapters.push_formatted(Value::from(entry).decorated("\n  ", ""));
    chapters.set_trailing_comma(true);
    Ok(document.to_string())
}

/// `SUMMARY.md` with a link to the chapter, in place of its planned entry or after the last
/// chapter.
fn with_entry(repo: &Repo, chapter: &Chapter) -> Result<String> {
    let text = fs::read_to_string(repo.book().join("SUMMARY.md"))
        .context("cannot read book/src/SUMMARY.md")?;
    let planned = format!("- [{}]()", chapter.title);
    let entry = format!("- [{}]({}.md)", chapter.title, chapter.stem());
    let mut lines: Vec<&str> = text.lines().collect();
    match lines.iter().position(|line| *line == planned) {
        Some(at) => lines[at] = &entry,
        None => {
            let last = lines.iter().rposition(|line| line.starts_with("- ["));
            lines.insert(last.map_or(lines.len(), |at| at + 1), &entry);
        }
    }
    Ok(lines.join("\n") + "\n")
}

fn is_slug(slug: &str) -> bool {
    slug.split('-').all(|word| {
        let mut characters = word.chars();
        characters.next().is_some_and(|c| c.is_ascii_lowercase())
            && characters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    })
}

/// The title for a slug: `the-tool-registry` is "The Tool Registry".
fn title_of(slug: &str) -> String {
    let words = slug.split('-').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect::<Vec<_>>().join(" ")
}
