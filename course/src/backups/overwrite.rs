//! Changes files after a backup.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, ensure};

use super::backup::{Backup, Changes, back_up, folder};
use super::unfinished::{self, finished};
use crate::repo::{Repo, change, write_atomically};

/// Writes each file's new content (`None` deletes the file) after a backup of the old contents
/// is on disk. Returns `None` if nothing would change but records of the runner's, which are then
/// written without a backup.
///
/// After an error either nothing has changed, or the error names the folder of the backup.
pub fn overwrite(repo: &Repo, command: &str, changes: &Changes) -> Result<Option<Backup>> {
    overwrite_as(repo, command, changes, None)
}

/// Like [`overwrite`], for an undo that restores the backup `undo_of`, too.
pub(super) fn overwrite_as(
    repo: &Repo,
    command: &str,
    changes: &Changes,
    undo_of: Option<u32>,
) -> Result<Option<Backup>> {
    let mut old = BTreeMap::new();
    for (path, new) in changes {
        let now = read_if_there(path)?;
        if now != *new {
            old.insert(path.clone(), now);
        }
    }
    if old.is_empty() {
        return Ok(None);
    }
    if undo_of.is_none() && old.keys().all(|path| path.starts_with(repo.state())) {
        for (path, content) in &old {
            change(path, content.as_deref(), changes[path].as_deref(), None)?;
        }
        return Ok(None);
    }
    for path in old.keys() {
        let is_read_only = fs::metadata(path).is_ok_and(|file| file.permissions().readonly());
        ensure!(
            !is_read_only,
            "{} is read-only, so nothing was changed; make it writable and run the command again",
            repo.relative(path)
        );
    }
    let backup = back_up(repo, command, &old, changes, undo_of)
        .context("your files could not be backed up, so nothing was changed")?;
    let runner = repo.root().join("course");
    let changes_runner = old.keys().any(|path| path.starts_with(&runner));
    // An undo that repairs a killed command leaves that command's mark: if the undo is killed, too,
    // the next run starts again from the same backup.
    let wrote_mark = changes_runner && !unfinished::path(repo).exists();
    if wrote_mark {
        write_atomically(
            &unfinished::path(repo),
            backup.number.to_string().as_bytes(),
        )?;
    }
    let dir = folder(repo, backup.number);
    for (done, (path, content)) in old.iter().enumerate() {
        // The backup lists the files in the same order.
        let copy = backup.files[done].copy.as_ref();
        let copy = copy.map(|name| dir.join(name));
        let new = changes[path].as_deref();
        let error = match change(path, content.as_deref(), new, copy.as_deref()) {
            Ok(true) => continue,
            Ok(false) => anyhow!(
                "another program saved {} meanwhile; run the command again",
                repo.relative(path)
            ),
            Err(error) => error,
        };
        let written = old.iter().take(done);
        return Err(put_back(repo, &backup, written, changes, wrote_mark, error));
    }
    if wrote_mark {
        finished(repo)?;
    }
    Ok(Some(backup))
}

/// Restores the files that were written before `error`, which is returned with an explanation.
/// `wrote_mark` is true if this command created `.course/unfinished`.
fn put_back<'a>(
    repo: &Repo,
    backup: &Backup,
    mut written: impl Iterator<Item = (&'a PathBuf, &'a Option<Vec<u8>>)>,
    changes: &Changes,
    wrote_mark: bool,
    error: Error,
) -> Error {
    let restored = written.try_for_each(|(path, old)| {
        change(path, changes[path].as_deref(), old.as_deref(), None).map(drop)
    });
    let folder = folder(repo, backup.number);
    match restored {
        Ok(()) => {
            // The files are as they were, so there is nothing to undo.
            let _ = fs::remove_file(folder.join("save.json"));
            if wrote_mark {
                let _ = finished(repo);
            }
            error.context("nothing was changed")
        }
        Err(_) => error.context(format!(
            "your files are safe in {}; free some disk space, then `cargo course undo` restores them",
            folder.display()
        )),
    }
}

/// The content of a file, or `None` if it does not exist.
pub(super) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}
