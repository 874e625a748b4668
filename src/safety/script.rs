//! The simple commands of a shell script, found with a parser.

use tree_sitter::{Node, Parser};

use super::{Access, PathUse, Word, literal};

/// What a script does, as far as its syntax tells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// The words of each simple command, the program first, in the order of the script.
    pub commands: Vec<Vec<Word>>,
    /// The files of redirections.
    pub redirections: Vec<PathUse>,
    /// How deeply the node that is being read is nested.
    depth: usize,
}

/// How deeply nodes may be nested. It limits the stack.
const MAX_NESTING: usize = 50;

impl Script {
    /// Reads a script. `None` if the parser finds an error, if bash may read the text
    /// differently, or if any part of it is anything other than these, whose meaning is certain:
    ///
    /// - simple commands without assignments, alone or in lists, pipelines, subshells and
    ///   groups, also after `!`;
    /// - [redirections](Self::add_redirection) to and from files, here-documents and here-strings;
    /// - [substitutions](Self::add_substitutions) of commands and processes;
    /// - comments.
    pub fn parse(source: &str) -> Option<Self> {
        let mut parser = Parser::new();
        let language = tree_sitter_bash::LANGUAGE.into();
        parser.set_language(&language).ok()?;
        let tree = parser.parse(source, None)?;
        let mut script = Self::default();
        let root = tree.root_node();
        (!root.has_error() && !is_ambiguous(source)).then_some(())?;
        script.add(root, source)?;
        Some(script)
    }

    /// Adds the commands of a node and of the nodes in it. `None` if the node's kind is not one
    /// of those listed below, or has a part that is not certain.
    ///
    /// - `program`, `list`, `pipeline`, `subshell`, `compound_statement`, `negated_command` and
    ///   `redirected_statement` have other nodes in them.
    /// - `command` is a simple command, and goes to [`add_command`](Self::add_command).
    /// - `file_redirect`, `herestring_redirect` and `heredoc_redirect` go to
    ///   [`add_redirection`](Self::add_redirection).
    /// - `comment` does nothing.
    fn add(&mut self, node: Node, source: &str) -> Option<()> {
        todo!("commands-of-a-script: write Script::add")
    }

    /// Adds the named nodes in a node. `None` if nodes are nested more than `MAX_NESTING` deep.
    fn add_parts(&mut self, node: Node, source: &str) -> Option<()> {
        self.depth += 1;
        (self.depth <= MAX_NESTING).then_some(())?;
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor);
        parts.try_for_each(|part| self.add(part, source))?;
        self.depth -= 1;
        Some(())
    }

    /// Adds a simple command. Each child is a redirection or a word; `None` for a
    /// `variable_assignment`, which could set `PATH` or `LD_PRELOAD`.
    ///
    /// A word that is not [`literal`] may have [substitutions](Self::add_substitutions), whose
    /// commands run before this one.
    fn add_command(&mut self, node: Node, source: &str) -> Option<()> {
        let mut words = Vec::new();
        let mut cursor = node.walk();
        for part in node.named_children(&mut cursor) {
            match part.kind() {
                "variable_assignment" => return None,
                "file_redirect" | "herestring_redirect" => self.add_redirection(part, source)?,
                _ => {
                    let word = literal(part, source);
                    if word.is_none() {
                        self.add_substitutions(part, source)?;
                    }
                    words.push(word);
                }
            }
        }
        self.commands.push(words);
        Some(())
    }

    /// Adds the commands that run while the shell computes a word.
    ///
    /// `command_substitution` and `process_substitution` have commands in them, which `add_parts`
    /// adds: it limits how deeply they are nested. A string, a concatenation, a number such as
    /// `1#$(pwd)` and the name of a program run what their parts run. Text and plain variables,
    /// such as `$HOME`, run nothing. `None` for any other kind: `${x:=y}` and `$((x = 1))` set a
    /// variable, and `$'\'` ends in another place in `sh` than in bash.
    pub fn add_substitutions(&mut self, node: Node, source: &str) -> Option<()> {
        todo!("substitutions: write Script::add_substitutions")
    }

    /// Adds the file of a redirection, or the substitutions of a here-string. The text of a
    /// here-document must be plain, by `is_plain_heredoc`. Its node also has the rest of the line:
    /// of `cat <<E | sh` it has the pipeline, which `add` reads, and of `sort <<E -o a` two words,
    /// which are not certain.
    ///
    /// `<` reads its file; `>`, `>>`, `>|` and `&>` write it. `>&2`, `2>&1` and `<&3` name no
    /// file, and `/dev/null` keeps nothing, so they are not added. A process substitution is not a
    /// file either: its commands are added. `None` if the file is not [`literal`], is any other file
    /// in `/dev/`, or if the node does not have exactly one: bash reads the second word of `> a b`
    /// as an argument of the command.
    pub fn add_redirection(&mut self, node: Node, source: &str) -> Option<()> {
        todo!("redirections: write Script::add_redirection")
    }
}

/// Whether bash may read a text differently than the parser, because it has
///
/// - a control character other than a tab and a line end, a space outside of ASCII, one after a
///   backslash, or a backslash at the end of a line, unless a space is before it (bash joins the
///   lines);
/// - a backquote and a backslash: inside backquotes, `` \` `` begins another command;
/// - `}<` or `}>`: bash reads `{PATH}< a` as an assignment.
fn is_ambiguous(source: &str) -> bool {
    let is_odd = |c: char| match c {
        '\n' | '\t' => false,
        c => c.is_control() || (c.is_whitespace() && !c.is_ascii()),
    };
    let joined = source.replace(" \\\n", " ");
    let odd = ["\\ ", "\\\t", "\\\n", "}<", "}>"];
    joined.contains(is_odd)
        || odd.iter().any(|it| joined.contains(it))
        || (source.contains('`') && source.contains('\\'))
}

/// Whether the text of a here-document certainly ends where the parser says, and runs nothing. Its
/// delimiter is a name, which may be in single quotes, and exactly one line has no other text than
/// it. Without the quotes, the text has no `$`, `\` or backquote: the shell may run commands there,
/// and the parser finds only some of them.
fn is_plain_heredoc(start: Node, source: &str) -> bool {
    let text = &source[start.byte_range()];
    let quoted = text.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
    if quoted.is_none() && source[start.end_byte()..].contains(['$', '\\', '`']) {
        return false;
    }
    let name = quoted.unwrap_or(text);
    let mut lines = source.lines().filter(|line| line.trim() == name);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name && lines.next() == Some(name) && lines.next().is_none()
}
