//! Reading, editing and writing a file of 9 MiB.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;

use claw_code_solutions::tools::{
    Edit, ReadOutput, Workspace, apply_edit, edit_file, read_file, write_file,
};
use tempfile::TempDir;

use crate::harness::{Measure, seconds};

/// A workspace with one file, `a.txt`, whose content it knows.
struct Files {
    workspace: Workspace,
    folder: TempDir,
    lines: usize,
}

/// The measures of this file. `scale` shrinks the file.
pub fn measures(scale: usize) -> Vec<Measure<'static>> {
    let make = || {
        let folder = tempfile::tempdir().expect("a folder");
        let line =
            |number| format!("line {number:07}: some text of a common length, as code has\n");
        let lines = 9 * 1024 * 1024 / scale / line(0).len();
        let text: String = (1..=lines).map(line).collect();
        fs::write(folder.path().join("a.txt"), text).expect("can be written");
        let workspace = Workspace::new(folder.path());
        read_file(&workspace, "a.txt", 1, 1).expect("can be read");
        Rc::new(Files {
            workspace,
            folder,
            lines,
        })
    };
    vec![
        read(&make()),
        edit([make(), make(), make(), make()]),
        no_match(&make()),
        write([make(), make(), make()]),
    ]
}

fn read(files: &Rc<Files>) -> Measure<'static> {
    let [ours, sed, bare, page, std] = [(); 5].map(|()| files.clone());
    let first = files.lines - 100;
    let lines = format!("{first},{}p", first + 19);
    let same = lines.clone();
    Measure::new("read 20 lines near the end of 9 MiB", move || {
        seconds(|| match read_file(&ours.workspace, "a.txt", first, 20) {
            Ok(ReadOutput::Lines(page)) => assert!(page.content.contains(&format!("{first}\t"))),
            other => panic!("{other:?}"),
        })
    })
    .at_most(1.0)
    .peer(
        "sed -n",
        "no check of the text, no line total; a process",
        move || run_sed(&lines, &sed.path()),
    )
    .peer(
        "sed -n",
        "the same, less the time of `sed -n q`: without the start of a process",
        move || (run_sed(&same, &bare.path()) - run_sed("q", &bare.path())).max(1e-9),
    )
    .peer(
        "std",
        "reads the file, checks UTF-8, counts the lines and numbers 20 of them; no fingerprint",
        move || {
            seconds(|| {
                let text = fs::read_to_string(page.path()).expect("can be read");
                let total = text.lines().count();
                let numbered = text.lines().enumerate().skip(first - 1).take(20);
                let shown: String = numbered
                    .map(|(index, line)| format!("{}\t{line}\n", index + 1))
                    .collect();
                (total, shown)
            })
        },
    )
    .lower_bound("std::fs::read", move || {
        seconds(|| fs::read(std.path()).expect("can be read"))
    })
}

/// The seconds of `sed -n` with this script and file.
fn run_sed(script: &str, path: &Path) -> f64 {
    let mut command = Command::new("sed");
    command.args(["-n", script]).arg(path).stdout(Stdio::null());
    seconds(|| assert!(command.status().expect("sed runs").success()))
}

fn edit([files, std, careful, third]: [Rc<Files>; 4]) -> Measure<'static> {
    let ours = files.clone();
    // Only the other agent uses it.
    let _ = &third;
    let mut swap = swaps(files.lines / 2);
    let mut std_swap = swaps(files.lines / 2);
    let mut careful_swap = swaps(files.lines / 2);
    let measure = Measure::new("edit 9 MiB", move || {
        let (old_string, new_string) = swap();
        let edit = Edit {
            old_string,
            new_string,
            replace_all: false,
        };
        seconds(|| {
            edit_file(&ours.workspace, "a.txt", |text| apply_edit(text, &edit)).expect("edits")
        })
    });
    let measure = measure
        .at_most(1.5)
        .peer(
            "std",
            "read, replace, and the same temporary file, syncs and rename; no checks",
            move || {
                let (old, new) = std_swap();
                seconds(|| {
                    let text = fs::read_to_string(std.path()).expect("can be read");
                    replace(&std.path(), text.replacen(&old, &new, 1).as_bytes(), None);
                })
            },
        )
        .peer("std", UNCHANGED, move || {
            let (old, new) = careful_swap();
            let path = careful.path();
            seconds(|| {
                let text = fs::read_to_string(&path).expect("can be read");
                let new = text.replacen(&old, &new, 1);
                replace(&path, new.as_bytes(), Some(text.as_bytes()));
            })
        });
    #[cfg(feature = "agents")]
    let measure = {
        let mut swap = swaps(files.lines / 2);
        measure.peer("yoagent", "no temporary file and no sync", move || {
            let (old, new) = swap();
            seconds(|| yoagent_edit(&third.path(), &old, &new).expect("edits"))
        })
    };
    measure
}

fn no_match(files: &Rc<Files>) -> Measure<'static> {
    let (ours, std) = (files.clone(), files.clone());
    let wanted = "line 0000077: some text of a rare length, as code has\n";
    let edit = Edit {
        old_string: wanted.to_string(),
        new_string: "x".to_string(),
        replace_all: false,
    };
    let measure = Measure::new("edit that does not match, 9 MiB", move || {
        seconds(|| {
            edit_file(&ours.workspace, "a.txt", |text| apply_edit(text, &edit))
                .expect_err("no match")
        })
    });
    let measure = measure.at_most(1.0);
    #[cfg(feature = "agents")]
    let measure = {
        let files = files.clone();
        measure.peer(
            "yoagent",
            "its hint compares only the first line",
            move || seconds(|| yoagent_edit(&files.path(), wanted, "x").expect_err("no match")),
        )
    };
    measure.lower_bound("read and find", move || {
        seconds(|| {
            fs::read_to_string(std.path())
                .expect("can be read")
                .find(wanted)
        })
    })
}

fn write([ours, std, careful]: [Rc<Files>; 3]) -> Measure<'static> {
    let content = Rc::new(fs::read_to_string(ours.path()).expect("can be read"));
    let (same, third) = (content.clone(), content.clone());
    Measure::new("write 9 MiB over a file", move || {
        seconds(|| write_file(&ours.workspace, "a.txt", &content).expect("writes"))
    })
    .at_most(1.5)
    .peer(
        "std",
        "the same temporary file, syncs and rename; no checks",
        move || seconds(|| replace(&std.path(), same.as_bytes(), None)),
    )
    .peer("std", UNCHANGED, move || {
        let path = careful.path();
        seconds(|| {
            let old = fs::read_to_string(&path).expect("can be read");
            replace(&path, third.as_bytes(), Some(old.as_bytes()));
        })
    })
}

/// How the second peer of `edit` and `write` differs from the first.
const UNCHANGED: &str =
    "the same; it reads the file first, and again before the rename, to compare it";

impl Files {
    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("a.txt")
    }
}

/// A text of line `number` and its replacement, the other way round at each call.
fn swaps(number: usize) -> impl FnMut() -> (String, String) {
    let mut pair = [
        format!("line {number:07}: some"),
        format!("line {number:07}: more"),
    ];
    move || {
        let [old, new] = pair.clone();
        pair.reverse();
        (old, new)
    }
}

/// Replaces the file at `path` as the tools do: a temporary file, synced and renamed, and the
/// folder synced. With `expected`, the file must have this content until the rename.
fn replace(path: &Path, bytes: &[u8], expected: Option<&[u8]>) {
    let folder = path.parent().expect("a folder");
    let mut temporary = tempfile::NamedTempFile::new_in(folder).expect("a file");
    temporary.write_all(bytes).expect("can be written");
    temporary.as_file().sync_all().expect("can be synced");
    if let Some(expected) = expected {
        assert!(fs::read(path).expect("can be read") == expected);
    }
    temporary.persist(path).expect("can be renamed");
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .expect("can be synced");
}

/// Edits a file with the tool of another agent.
#[cfg(feature = "agents")]
fn yoagent_edit(
    path: &Path,
    old: &str,
    new: &str,
) -> Result<yoagent::ToolResult, yoagent::ToolError> {
    use yoagent::{AgentTool, ToolContext, tools::EditFileTool};
    let args = serde_json::json!({ "path": path, "old_text": old, "new_text": new });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(EditFileTool::new().execute(args, ToolContext::new("1", "edit_file")))
}
