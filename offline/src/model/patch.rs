//! Patches in the format of `apply_patch`. They name whole lines, so a replacement needs the
//! text of the file.

/// A patch that creates a file.
pub(super) fn create(path: &str, text: &str) -> String {
    let lines = text.lines().map(|line| format!("+{line}\n"));
    let lines: String = lines.collect();
    format!("*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n")
}

/// A patch that replaces the first occurrence of a text in a file. `source` is the text of the
/// file. If the text does not occur in it, the patch names the text itself, and the tool
/// refuses it.
pub(super) fn replace(path: &str, source: &str, from: &str, to: &str) -> String {
    let (old, new) = match source.find(from) {
        Some(at) => {
            let end = at + from.len();
            let start = source[..at].rfind('\n').map_or(0, |it| it + 1);
            let stop = source[end..].find('\n').map_or(source.len(), |it| end + it);
            let new = format!("{}{to}{}", &source[start..at], &source[end..stop]);
            (&source[start..stop], new)
        }
        None => (from, to.to_string()),
    };
    let marked = |mark: char, text: &str| -> String {
        text.split('\n')
            .map(|line| format!("{mark}{line}\n"))
            .collect()
    };
    format!(
        "*** Begin Patch\n*** Update File: {path}\n@@\n{}{}*** End Patch\n",
        marked('-', old),
        marked('+', &new)
    )
}

/// The path of the first file in a patch.
pub(super) fn path(patch: &str) -> Option<&str> {
    let mut lines = patch.lines();
    lines.find_map(|line| {
        let update = line.strip_prefix("*** Update File: ");
        update.or_else(|| line.strip_prefix("*** Add File: "))
    })
}
