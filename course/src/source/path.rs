//! Paths of items as the manifests write them: the module, then the path inside it.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

/// Splits an item's path into the file of its module and the path inside that file.
///
/// `types::message::Message::user` is `Message::user` in `src/types/message.rs`.
pub fn locate(src: &Path, item: &str) -> Result<(PathBuf, Vec<String>)> {
    let segments = split_path(item);
    let mut dir = src.to_path_buf();
    let mut file = None;
    let mut used = 0;
    for segment in &segments {
        let flat = dir.join(format!("{segment}.rs"));
        let nested = dir.join(segment).join("mod.rs");
        file = match (flat.is_file(), nested.is_file()) {
            (true, _) => Some(flat),
            (_, true) => Some(nested),
            _ => break,
        };
        dir.push(segment);
        used += 1;
    }
    let file = file.ok_or_else(|| {
        anyhow!(
            "`{item}` does not begin with a module of {}: a path starts at the crate's root, as in `types::message::Message`",
            src.display()
        )
    })?;
    Ok((file, segments[used..].to_vec()))
}

/// The module in a file below `src`, such as `types::message` for `types/message.rs`.
pub fn module_of(file: &str) -> String {
    file.trim_end_matches(".rs")
        .trim_end_matches("/mod")
        .replace('/', "::")
}

/// The module of `lib.rs` that a file below `src` belongs to: `types` for `types/message.rs`.
pub fn top_module(file: &str) -> &str {
    let name = file.split('/').next().unwrap_or(file);
    name.trim_end_matches(".rs")
}

/// Splits at `::`, except inside `<Type as Trait>`.
fn split_path(item: &str) -> Vec<String> {
    let mut segments = vec![String::new()];
    let mut depth = 0;
    let mut rest = item;
    while let Some(next) = rest.chars().next() {
        if depth == 0 && rest.starts_with("::") {
            segments.push(String::new());
            rest = &rest[2..];
            continue;
        }
        depth += match next {
            '<' => 1,
            '>' => -1,
            _ => 0,
        };
        if let Some(last) = segments.last_mut() {
            last.push(next);
        }
        rest = &rest[next.len_utf8()..];
    }
    segments
}

/// Splits `<Type as Trait>` into its two names. A plain `Type` has no trait.
pub(super) fn split_owner(owner: &str) -> (String, Option<String>) {
    let inside = owner.strip_prefix('<').and_then(|o| o.strip_suffix('>'));
    let inner = inside.unwrap_or(owner);
    match inner.split_once(" as ") {
        Some((name, of)) => (name.to_string(), Some(of.to_string())),
        None => (inner.to_string(), None),
    }
}
