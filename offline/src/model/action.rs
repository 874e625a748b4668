//! Actions: what the model can do with tools.

/// Something that one tool call does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    List {
        path: String,
    },
    Read {
        path: String,
    },
    Search {
        pattern: String,
        path: String,
    },
    Create {
        path: String,
        text: String,
    },
    Replace {
        path: String,
        from: String,
        to: String,
        /// The text of the file, if it was read. A patch needs it.
        source: Option<String>,
    },
    Run {
        command: String,
    },
    /// Propose a plan with these steps.
    Propose {
        steps: Vec<String>,
    },
    /// Write a todo list: each item and its status.
    WriteTodos {
        items: Vec<(String, &'static str)>,
    },
}

impl Action {
    /// The sentence that the model says before the call.
    pub(super) fn announcement(&self) -> String {
        match self {
            Self::List { path } => format!("I will list `{path}`."),
            Self::Read { path } => format!("I will read `{path}`."),
            Self::Search { pattern, path } => {
                format!("I will search for `{pattern}` in `{path}`.")
            }
            Self::Create { path, .. } => format!("I will write `{path}`."),
            Self::Replace { path, .. } => format!("I will edit `{path}`."),
            Self::Run { command } => format!("I will run `{command}`."),
            Self::Propose { .. } => "I propose a plan.".to_string(),
            Self::WriteTodos { .. } => "I update my list.".to_string(),
        }
    }
}
