//! The check of shell commands.

use std::path::PathBuf;

use serde_json::Value;

use super::{CommandClass, Effects, PathCheck, classify};
use crate::permission::{Assessment, SafetyCheck};
use crate::types::{Tool, ToolCall};

/// The most folders from which the paths of one command may start.
const MAX_FOLDERS: usize = 16;

/// Judges the commands of calls: what they do, and to which files.
#[derive(Debug, Clone)]
pub struct CommandCheck {
    paths: PathCheck,
    harmless: CommandClass,
}

impl CommandCheck {
    /// A check for which only commands of [`CommandClass::ReadOnly`] are harmless. `paths`
    /// judges the files that they name.
    pub fn new(paths: PathCheck) -> Self {
        Self {
            paths,
            harmless: CommandClass::ReadOnly,
        }
    }

    /// Sets the worst class that is harmless.
    pub fn harmless(mut self, class: CommandClass) -> Self {
        self.harmless = class;
        self
    }

    /// The folders from which the paths of a command may start: `folder`, in which the call
    /// runs, and every folder that the command may reach from there by one or more changes, in
    /// their order. `None` if these are more than `MAX_FOLDERS`.
    fn starts(folder: &str, changes: &[String]) -> Option<Vec<PathBuf>> {
        let mut starts = vec![PathBuf::from(folder)];
        for change in changes {
            let reached: Vec<_> = starts.iter().map(|start| start.join(change)).collect();
            starts.extend(reached);
            (starts.len() <= MAX_FOLDERS).then_some(())?;
        }
        Some(starts)
    }

    /// Judges the paths of a command that runs in `folder`, from each of its
    /// [`starts`](Self::starts): the folders themselves, which are read, and every file. The
    /// first path that is forbidden decides, then the first that is risky. Otherwise
    /// [`Assessment::Unknown`]; with too many folders, [`Assessment::Risky`].
    fn judge_paths(&self, folder: &str, effects: &Effects) -> Assessment {
        let Some(starts) = Self::starts(folder, &effects.folders) else {
            return Assessment::Risky("it changes the folder too often".to_string());
        };
        let mut risky = None;
        for start in &starts {
            let files = effects
                .paths
                .iter()
                .map(|it| (start.join(&it.path), it.access));
            for (path, access) in files.chain([(start.clone(), super::Access::Read)]) {
                match self.paths.judge(&path, access) {
                    Assessment::Forbidden(reason) => return Assessment::Forbidden(reason),
                    Assessment::Risky(reason) => risky = risky.or(Some(reason)),
                    _ => {}
                }
            }
        }
        risky.map_or(Assessment::Unknown, Assessment::Risky)
    }
}

impl SafetyCheck for CommandCheck {
    fn name(&self) -> &str {
        "commands"
    }

    /// Judges a call by its text `command`, which runs in the folder `directory`; a call without
    /// a command is [`Assessment::Unknown`].
    ///
    /// If one of its paths is risky or forbidden, so is the command. Otherwise its class
    /// decides:
    ///
    /// - a class up to the one that is [`harmless`](Self::harmless) is
    ///   [`Assessment::Harmless`];
    /// - [`CommandClass::Network`] is risky: `it may use the network`;
    /// - [`CommandClass::Destructive`] is risky: `it may delete data or stop programs`;
    /// - any other class is [`Assessment::Unknown`].
    fn assess(&self, call: &ToolCall, _tool: &dyn Tool) -> Assessment {
        todo!("command-check: write CommandCheck::assess")
    }
}
