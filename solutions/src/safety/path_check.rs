//! The check of the paths that calls name.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Access, protection, real_path};
use crate::permission::{Assessment, Places, SafetyCheck};
use crate::types::{PermissionBehavior, Tool, ToolCall};

/// Judges the paths of calls: do they stay in the workspace, and are they protected?
#[derive(Debug, Clone)]
pub struct PathCheck {
    places: Places,
}

impl PathCheck {
    /// A check for calls in the workspace of `places`.
    pub fn new(places: Places) -> Self {
        Self { places }
    }

    /// The places from which paths start.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Where a path leads, if it leads into the workspace. It may be relative to the
    /// workspace. The error says why not: it leads out of the workspace, or it can't be read.
    pub fn inside(&self, path: &Path) -> Result<PathBuf, String> {
        let shown = path.display();
        let unclear = |error| format!("`{shown}` may lead anywhere: {error}");
        let workspace = real_path(&self.places.workspace).map_err(unclear)?;
        let real = real_path(&self.places.workspace.join(path)).map_err(unclear)?;
        match real.starts_with(&workspace) {
            true => Ok(real),
            false => Err(format!("`{shown}` leads out of the workspace")),
        }
    }

    /// Judges one path, which may be relative to the workspace. The rows of protected
    /// files decide first: that of the path as it is written, in its [`Places::absolute`] form, and
    /// that of where it leads, in the workspace or not.
    ///
    /// - [`Assessment::Forbidden`] if a row denies this access, with ``` `PATH` is WHAT ```;
    /// - [`Assessment::Risky`] if a row asks, with the same reason, or if the path is not
    ///   [`inside`](Self::inside), with its error;
    /// - [`Assessment::Unknown`] otherwise.
    pub fn judge(&self, path: &Path, access: Access) -> Assessment {
        let mut judged = match self.inside(path) {
            Ok(_) => Assessment::Unknown,
            Err(reason) => Assessment::Risky(reason),
        };
        let written = self.places.absolute(&path.to_string_lossy());
        let real = real_path(&self.places.workspace.join(path));
        let real = real.unwrap_or_else(|_| written.clone());
        for row in [&written, &real]
            .into_iter()
            .filter_map(|it| protection(it))
        {
            let reason = format!("`{}` is {}", path.display(), row.what);
            match row.behavior(access) {
                PermissionBehavior::Deny => return Assessment::Forbidden(reason),
                PermissionBehavior::Ask => judged = Assessment::Risky(reason),
                PermissionBehavior::Allow => {}
            }
        }
        judged
    }
}

impl SafetyCheck for PathCheck {
    fn name(&self) -> &str {
        "paths"
    }

    /// Judges a call by its text `path`; a call without one is [`Assessment::Unknown`].
    ///
    /// A path that is not [`inside`](Self::inside) is forbidden: the tools refuse it anyway,
    /// so a question would be pointless. Any other path is [judged](Self::judge): read if the
    /// tool is read-only, and written if not.
    fn assess(&self, call: &ToolCall, tool: &dyn Tool) -> Assessment {
        let Some(path) = call.arguments.get("path").and_then(Value::as_str) else {
            return Assessment::Unknown;
        };
        let access = match tool.is_read_only() {
            true => Access::Read,
            false => Access::Write,
        };
        match self.inside(Path::new(path)) {
            Ok(_) => self.judge(Path::new(path), access),
            Err(reason) => Assessment::Forbidden(reason),
        }
    }
}
