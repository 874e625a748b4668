//! A process with everything that it has started.

use std::process::Command;

/// Makes a process the leader of a group that [`kill_group`] can kill.
#[cfg(unix)]
pub(super) fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// Does nothing: on this system, a process and its descendants are found by its number.
#[cfg(not(unix))]
pub(super) fn own_group(_command: &mut Command) {}

/// Kills a process and its group.
#[cfg(unix)]
pub(super) fn kill_group(id: u32) {
    let pid = i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // An error means that the group has already ended.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

/// Kills a process and its descendants.
#[cfg(not(unix))]
pub(super) fn kill_group(id: u32) {
    let id = id.to_string();
    let _ = Command::new("taskkill")
        .args(["/T", "/F", "/PID", &id])
        .output();
}
