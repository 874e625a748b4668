//! Runs tests without a network, without other processes and with read-only files, where the
//! system has `unshare` and lets its user make namespaces.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Serialize;

/// What the tests of submissions cannot reach.
#[derive(Debug, Clone, Serialize)]
pub struct Sandbox {
    /// Whether they have no network but the loopback of their own.
    pub network: bool,
    /// Whether they see no other processes, and all that they start end with them.
    pub processes: bool,
    /// Whether they can write in their temporary folder only.
    pub files: bool,
    /// The command that starts a program in it.
    #[serde(skip)]
    pub command: Vec<OsString>,
}

impl Sandbox {
    /// Tries what the system allows. The tests may write in `scratch`, but not in `protected`.
    pub fn new(scratch: &Path, protected: &Path) -> Self {
        let complete = Self {
            network: true,
            processes: true,
            files: true,
            command: command(
                &["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"],
                FILES,
                scratch,
            ),
        };
        let network = Self {
            network: true,
            processes: false,
            files: false,
            command: command(&[], "", scratch),
        };
        let none = Self {
            network: false,
            processes: false,
            files: false,
            command: Vec::new(),
        };
        let works = |sandbox: &Self| works(sandbox, scratch, protected);
        match [complete, network].into_iter().find(works) {
            Some(sandbox) => sandbox,
            None => none,
        }
    }

    /// What is missing, as a warning.
    pub fn warning(&self) -> Option<String> {
        let mut missing = Vec::new();
        for (is_safe, what) in [
            (self.network, "use the network"),
            (self.processes, "end your other programs"),
            (self.files, "change your files"),
        ] {
            if !is_safe {
                missing.push(what);
            }
        }
        (!missing.is_empty()).then(|| {
            format!(
                "warning: this system gives no complete sandbox, so the code of a submission can {}. Grade what you do not trust on Linux with `unshare` and `ip`, or in a virtual machine.",
                missing.join(", ")
            )
        })
    }
}

/// The command for `unshare` with `options`. After `setup`, a second namespace has no network but
/// a loopback, and a third one without rights over the others has the user's own number again.
fn command(options: &[&str], setup: &str, scratch: &Path) -> Vec<OsString> {
    let (user, group) = ids();
    let script = format!(
        r#"set -e
scratch=$1; shift
{setup}
exec unshare --net -- sh -c 'ip link set lo up &&
  exec unshare --user --map-user={user} --map-group={group} -- "$@"' sandbox "$@""#
    );
    let mut command: Vec<OsString> = ["unshare", "--map-root-user"]
        .iter()
        .chain(options)
        .map(OsString::from)
        .collect();
    command.extend(["--", "sh", "-c"].map(OsString::from));
    command.push(script.into());
    command.push("sandbox".into());
    command.push(scratch.into());
    command
}

/// Hides the sockets of other programs, which would act outside, and makes every file system
/// read-only except for `$scratch`, and for `/proc`, which the last `unshare` writes to. The trial
/// finds out whether it worked.
const FILES: &str = r#"while read -r _ _ _ _ _ _ _ socket; do
  if [ -S "$socket" ]; then
    mount --bind /dev/null "$socket" 2>/dev/null || true
  fi
done < /proc/net/unix
mount --bind "$scratch" "$scratch"
while read -r _ place _; do
  # The kernel writes a space in a path as \040, and printf decodes it.
  place=$(printf "$(printf %s "$place" | sed 's/%/%%/g')")
  case $place in
    "$scratch"|/proc|/proc/*) ;;
    *) mount -o remount,bind,ro "$place" 2>/dev/null || true ;;
  esac
done < /proc/self/mounts"#;

/// Whether the sandbox can be made and does what it should.
fn works(sandbox: &Sandbox, scratch: &Path, protected: &Path) -> bool {
    let Some((program, arguments)) = sandbox.command.split_first() else {
        return false;
    };
    let mut trial = r#"echo > "$1/trial" && rm "$1/trial""#.to_string();
    if sandbox.files {
        trial += r#" && ! (echo > "$2/trial") 2>/dev/null"#;
    }
    let status = Command::new(program)
        .args(arguments)
        .args(["sh", "-c", &trial, "trial"])
        .arg(scratch)
        .arg(protected)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

#[cfg(unix)]
fn ids() -> (u32, u32) {
    (
        rustix::process::getuid().as_raw(),
        rustix::process::getgid().as_raw(),
    )
}

#[cfg(not(unix))]
fn ids() -> (u32, u32) {
    (0, 0)
}
