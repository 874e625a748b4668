//! What a command does, and to which files.

/// What happens to the file of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Access {
    /// It is read.
    Read,
    /// It is created, changed or replaced.
    Write,
}

/// A path that a command names, and what happens to its file.
#[derive(Debug, Clone, PartialEq)]
pub struct PathUse {
    /// The path as the command names it.
    pub path: String,
    /// What happens to the file.
    pub access: Access,
}

/// What a command does, from the mildest to the worst.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CommandClass {
    /// It changes nothing.
    #[default]
    ReadOnly,
    /// It creates or changes the files that it names.
    Writes,
    /// Nobody knows.
    Unknown,
    /// It may send or receive data.
    Network,
    /// It may delete data or stop programs.
    Destructive,
}

/// What a command does, and to which files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// The class of the worst part of the command.
    pub class: CommandClass,
    /// The paths that the command names. They are complete only if the class is
    /// [`CommandClass::ReadOnly`] or [`CommandClass::Writes`].
    pub paths: Vec<PathUse>,
    /// The folders to which the command changes. Each path starts in the folder of the call, or
    /// in any of these.
    pub folders: Vec<String>,
}

impl Effects {
    /// Adds the effects of another part of the command.
    pub fn add(&mut self, other: Self) {
        self.class = self.class.max(other.class);
        self.paths.extend(other.paths);
        self.folders.extend(other.folders);
    }
}
