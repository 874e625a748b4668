//! Files that need a question, or that no call may change.

use std::path::Path;

use super::Access;
use crate::types::PermissionBehavior;
use crate::types::PermissionBehavior::{Allow, Ask, Deny};

/// A row of the table of protected files.
#[derive(Debug, Clone, PartialEq)]
pub struct ProtectedFile {
    /// Names of a file or folder, one after another. In each, `*` at the beginning or the end
    /// is any text.
    pub names: &'static [&'static str],
    /// What the file is, for messages.
    pub what: &'static str,
    /// What happens to a call that reads the file.
    pub read: PermissionBehavior,
    /// What happens to a call that changes the file.
    pub write: PermissionBehavior,
}

impl ProtectedFile {
    /// What happens to a call with this access.
    pub fn behavior(&self, access: Access) -> &PermissionBehavior {
        match access {
            Access::Read => &self.read,
            Access::Write => &self.write,
        }
    }
}

/// A row, in the order in which the table below is read.
const fn row(
    names: &'static [&'static str],
    what: &'static str,
    read: PermissionBehavior,
    write: PermissionBehavior,
) -> ProtectedFile {
    ProtectedFile {
        names,
        what,
        read,
        write,
    }
}

/// The protected files. The first row that matches decides.
pub const PROTECTED_FILES: [ProtectedFile; 37] = [
    row(&[".git"], "git's own data", Allow, Deny),
    row(&[".claw"], "claw's settings", Allow, Deny),
    row(&[".env.example"], "an example", Allow, Allow),
    row(&[".env.sample"], "an example", Allow, Allow),
    row(&[".env.template"], "an example", Allow, Allow),
    row(&[".env*"], "a file with secrets", Ask, Ask),
    row(&[".ssh"], "a folder with keys", Ask, Deny),
    row(&[".gnupg"], "a folder with keys", Ask, Deny),
    row(&[".aws"], "a folder with keys", Ask, Deny),
    row(&[".kube"], "a folder with keys", Ask, Deny),
    row(&[".docker", "config.json"], "a file with keys", Ask, Deny),
    row(&[".config", "gcloud"], "a folder with keys", Ask, Deny),
    row(&[".config", "gh"], "a folder with keys", Ask, Deny),
    row(&["id_rsa*"], "a key", Ask, Deny),
    row(&["id_dsa*"], "a key", Ask, Deny),
    row(&["id_ecdsa*"], "a key", Ask, Deny),
    row(&["id_ed25519*"], "a key", Ask, Deny),
    row(&["*.pem"], "a key", Ask, Ask),
    row(&["*.key"], "a key", Ask, Ask),
    row(&["*.p12"], "a key", Ask, Ask),
    row(&["*.pfx"], "a key", Ask, Ask),
    row(&["*.keystore"], "a key", Ask, Ask),
    row(&[".netrc"], "a file with passwords", Ask, Deny),
    row(&[".git-credentials"], "a file with passwords", Ask, Deny),
    row(&[".pgpass"], "a file with passwords", Ask, Deny),
    row(&[".npmrc"], "a file that may hold a token", Ask, Ask),
    row(&[".pypirc"], "a file that may hold a token", Ask, Ask),
    row(&[".bash*"], "a shell start-up file", Allow, Ask),
    row(&[".zsh*"], "a shell start-up file", Allow, Ask),
    row(&[".zprofile"], "a shell start-up file", Allow, Ask),
    row(&[".zlogin"], "a shell start-up file", Allow, Ask),
    row(&[".profile"], "a shell start-up file", Allow, Ask),
    row(
        &["fish", "config.fish"],
        "a shell start-up file",
        Allow,
        Ask,
    ),
    row(
        &[".gitconfig"],
        "a file that names programs to run",
        Allow,
        Ask,
    ),
    row(
        &[".cargo", "config*"],
        "a file that names programs to run",
        Allow,
        Ask,
    ),
    row(
        &[".vscode"],
        "a folder that names programs to run",
        Allow,
        Ask,
    ),
    row(
        &[".idea"],
        "a folder that names programs to run",
        Allow,
        Ask,
    ),
];

/// The name under which a file system that ignores case may find `name`: in lower case, and
/// without the invisible characters that some systems ignore in names: U+200B to U+200F,
/// U+202A to U+202E, U+2060 to U+206F, and U+FEFF. Spaces and dots at the end are removed, as
/// on Windows, unless nothing would be left.
pub fn folded(name: &str) -> String {
    let is_ignored = |c| {
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let visible: String = name.chars().filter(|c| !is_ignored(*c)).collect();
    let lower = visible.to_lowercase();
    match lower.trim_end_matches(['.', ' ']) {
        "" => lower,
        trimmed => trimmed.to_string(),
    }
}

/// The first row of [`PROTECTED_FILES`] whose names are those of the path's file or of folders
/// above it, one directly below the other. Names are compared after [`folded`].
pub fn protection(path: &Path) -> Option<&'static ProtectedFile> {
    todo!("protected-files: write protection")
}

/// Whether a pattern of the table matches a name.
fn name_matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (_, Some(start)) => name.starts_with(start),
        _ => name == pattern,
    }
}
