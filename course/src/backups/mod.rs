//! Backups of overwritten files. Every command that changes a learner's files calls
//! [`overwrite`], so nothing that the learner typed is ever lost.
//!
//! A backup is a folder such as `.course/saves/0007` with the old contents. Its `save.json`,
//! which is written last, lists their paths. A folder without that file was interrupted before
//! anything was overwritten, and is ignored.
//!
//! While a command changes the runner's own sources, the file `.course/unfinished` holds the number
//! of its backup. If the command is killed, the launcher does not build the mixed sources, and the
//! next run [puts the old files back](finish). The undo that repairs a killed
//! command keeps that command's number in the file until it has finished.

mod backup;
mod interrupted;
mod overwrite;
mod undo;
mod unfinished;

pub use backup::{BackedUpFile, Backup, Changes, list};
pub use interrupted::{finish, to_finish};
pub use overwrite::overwrite;
pub use undo::{Undo, undo};
