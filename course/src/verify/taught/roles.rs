//! What the values in a test are for.

use std::collections::BTreeMap;

use syn::Pat;
use syn::visit::{self, Visit};

/// What a value is for. A value with several uses has the greatest role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// It has no use yet.
    Unused,
    /// It is printed when the test fails.
    Message,
    /// It is a result, which is compared with what is expected.
    Result,
    /// It is compared with a result.
    Expected,
    /// Anything else, such as an input.
    Own,
}

/// The roles of names, and of the parameters of functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Roles {
    /// By scope and name.
    names: BTreeMap<(Scope, String), Role>,
    /// By scope and name of the function; the scope of a closure is the function around it.
    parameters: BTreeMap<(Scope, String), Vec<Role>>,
}

/// The file and the function around a place. The function's name is empty at the top level.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scope {
    /// The number of the file.
    pub file: usize,
    /// The function.
    pub function: String,
}

impl Roles {
    /// Records a use of a name.
    pub(super) fn uses(&mut self, scope: &Scope, name: &str, role: Role) {
        let now = self.names.entry(key(scope, name)).or_insert(role);
        *now = (*now).max(role);
    }

    /// The greatest role of the names in a pattern. A value without a name, or with one that
    /// begins with `_`, is the test's own.
    pub(super) fn of_pattern(&self, scope: &Scope, pattern: &Pat) -> Role {
        let names = names_in(pattern);
        let names = names.iter().filter(|name| !name.starts_with('_'));
        let roles = names.map(|name| self.of_name(scope, name));
        roles.max().unwrap_or(Role::Own)
    }

    /// The role of a name.
    pub(super) fn of_name(&self, scope: &Scope, name: &str) -> Role {
        let role = self.names.get(&key(scope, name));
        role.copied().unwrap_or(Role::Unused)
    }

    /// Records the roles of the parameters of a function, or of a closure in `scope`.
    pub(super) fn define(&mut self, scope: &Scope, name: &str, parameters: Vec<Role>) {
        self.parameters
            .insert((scope.clone(), name.to_string()), parameters);
    }

    /// The roles of the parameters of the helper `name`, if it compares one of them with a
    /// result. A helper of the same function or file is meant before one of another file.
    pub(super) fn of_comparing_helper(&self, scope: &Scope, name: &str) -> Option<&[Role]> {
        let top = Scope {
            file: scope.file,
            function: String::new(),
        };
        let near = [scope, &top].into_iter();
        let mut near =
            near.filter_map(|scope| self.parameters.get(&(scope.clone(), name.to_string())));
        let anywhere = || {
            let mut all = self.parameters.iter();
            let found = all.find(|((scope, known), _)| scope.function.is_empty() && known == name);
            found.map(|(_, roles)| roles)
        };
        let roles = near.next().or_else(anywhere)?;
        roles.contains(&Role::Expected).then_some(roles)
    }
}

/// A constant belongs to the whole suite.
fn key(scope: &Scope, name: &str) -> (Scope, String) {
    let is_constant = !name.contains(|c: char| c.is_lowercase());
    let scope = match is_constant {
        true => Scope::default(),
        false => scope.clone(),
    };
    (scope, name.to_string())
}

/// The names that a pattern binds.
fn names_in(pattern: &Pat) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'e> Visit<'e> for Names {
        fn visit_pat_ident(&mut self, pattern: &'e syn::PatIdent) {
            self.0.push(pattern.ident.to_string());
            visit::visit_pat_ident(self, pattern);
        }
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pattern);
    names.0
}
