//! Reads the JSON messages of cargo and rustc.

use std::path::PathBuf;

use cargo_metadata::diagnostic::{self, DiagnosticLevel};
use cargo_metadata::{Message, PackageId};

use super::run::Diagnostic;

/// The messages of one build.
#[derive(Default)]
pub struct BuildMessages {
    /// Whether the build succeeded.
    pub built: bool,
    /// The packages whose tests were compiled, or checked.
    pub compiled: Vec<String>,
    /// The test programs that were built.
    pub programs: Vec<BuiltProgram>,
    /// The files of the other programs that were built.
    pub executables: Vec<PathBuf>,
    /// The compiler's messages: the package, the level and the message.
    pub diagnostics: Vec<(String, DiagnosticLevel, Diagnostic)>,
}

/// A test program that was built.
pub struct BuiltProgram {
    /// Its package.
    pub package: String,
    /// Its file.
    pub path: PathBuf,
    /// The folder of its package.
    pub dir: PathBuf,
}

impl BuildMessages {
    /// Reads cargo's standard output.
    pub fn read(stdout: &str) -> Self {
        let mut messages = Self::default();
        for message in Message::parse_stream(stdout.as_bytes()).flatten() {
            match message {
                Message::BuildFinished(finished) => messages.built = finished.success,
                Message::CompilerArtifact(artifact) if artifact.profile.test => {
                    let package = package_name(&artifact.package_id);
                    messages.compiled.push(package.clone());
                    let dir = artifact.manifest_path.parent().map(PathBuf::from);
                    if let (Some(path), Some(dir)) = (artifact.executable, dir) {
                        messages.programs.push(BuiltProgram {
                            package,
                            path: path.into(),
                            dir,
                        });
                    }
                }
                Message::CompilerArtifact(artifact) if artifact.target.is_bin() => {
                    let program = artifact.executable.map(PathBuf::from);
                    messages.executables.extend(program);
                }
                Message::CompilerMessage(message) if is_about_code(&message.message) => {
                    let package = package_name(&message.package_id);
                    let level = message.message.level;
                    let diagnostic = convert(message.message);
                    messages.diagnostics.push((package, level, diagnostic));
                }
                _ => {}
            }
        }
        messages
    }

    /// The diagnostics of one level.
    pub fn of(self, wanted: DiagnosticLevel) -> Vec<Diagnostic> {
        let all = self.diagnostics.into_iter();
        all.filter(|(_, level, _)| *level == wanted)
            .map(|(_, _, diagnostic)| diagnostic)
            .collect()
    }
}

/// Whether a message is more than a summary such as "2 warnings emitted".
fn is_about_code(message: &diagnostic::Diagnostic) -> bool {
    !message.spans.is_empty() || message.code.is_some()
}

fn convert(message: diagnostic::Diagnostic) -> Diagnostic {
    let primary = message.spans.iter().find(|span| span.is_primary);
    Diagnostic {
        file: primary.map(|span| span.file_name.replace('\\', "/")),
        line: primary.map_or(0, |span| span.line_start),
        code: message.code.map(|code| code.code),
        rendered: message.rendered.unwrap_or_default().trim_end().to_string(),
    }
}

/// The package of an id such as `path+file:///…/start-1#0.1.0` or
/// `path+file:///…/x#start-1@0.1.0`, here `start-1`.
fn package_name(id: &PackageId) -> String {
    let (path, version) = id.repr.rsplit_once('#').unwrap_or((&id.repr, ""));
    let name = match version.split_once('@') {
        Some((name, _)) => name,
        None => path.rsplit('/').next().unwrap_or(path),
    };
    name.to_string()
}
