//! Finds the texts that tests expect, and the texts that they make up.
//!
//! A text is expected where it is compared with a result: in `assert_eq!`, on either side of
//! `==`, in `contains` and its relatives, and in a helper's parameter that the helper compares
//! in that way. Names carry a role from their uses to their values: in
//! `for (input, expected) in [("a", "b")] { assert_eq!(run(input), expected) }`, `"b"` is
//! expected and `"a"` is the test's own.

use std::collections::BTreeSet;

use syn::visit::Visit;
use syn::{Expr, Pat};

use super::roles::{Role, Roles, Scope};
use crate::source::Source;

/// A text that a test expects.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Expected {
    /// The line, from 1.
    pub line: usize,
    /// The text. Where the test inserts values, it has line breaks.
    pub text: String,
    /// Whether it is the name of a JSON field.
    pub is_key: bool,
}

/// The texts of one file.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// The texts that tests expect, in the order of the file.
    pub expected: Vec<Expected>,
    /// The test's own texts, such as inputs.
    pub own: BTreeSet<String>,
}

/// The passes over a suite, at most. A role moves by one call or binding in each.
const PASSES: usize = 10;

/// The texts of the files of one suite, in their order. The files can call each other's
/// functions.
pub(super) fn texts(files: &[Source]) -> Vec<Texts> {
    let mut roles = Roles::default();
    let mut texts = Vec::new();
    for _ in 0..PASSES {
        let mut next = Roles::default();
        texts.clear();
        for (number, file) in files.iter().enumerate() {
            let mut reader = Reader {
                before: &roles,
                roles: std::mem::take(&mut next),
                scope: Scope {
                    file: number,
                    function: String::new(),
                },
                role: Role::Own,
                texts: Texts::default(),
            };
            reader.visit_file(&file.ast);
            next = reader.roles;
            texts.push(reader.texts);
        }
        if next == roles {
            break;
        }
        roles = next;
    }
    texts
}

/// Reads one file. The roles of names are those that the pass before found.
pub(super) struct Reader<'a> {
    pub(super) before: &'a Roles,
    pub(super) roles: Roles,
    /// The current place.
    pub(super) scope: Scope,
    /// The role of the current expression.
    pub(super) role: Role,
    texts: Texts,
}

impl Reader<'_> {
    /// Runs `read` for expressions with this role.
    pub(super) fn with(&mut self, role: Role, read: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.role, role);
        read(self);
        self.role = outer;
    }

    pub(super) fn read(&mut self, role: Role, expression: &Expr) {
        self.with(role, |reader| reader.visit_expr(expression));
    }

    /// Records a use of a name.
    pub(super) fn uses(&mut self, name: &str) {
        self.roles.uses(&self.scope, name, self.role);
    }

    pub(super) fn role_of(&self, pattern: &Pat) -> Role {
        self.before.of_pattern(&self.scope, pattern)
    }

    pub(super) fn text(&mut self, text: String, line: usize) {
        match self.role {
            Role::Expected => self.texts.expected.push(Expected {
                line,
                text,
                is_key: false,
            }),
            Role::Result | Role::Own => {
                self.texts.own.insert(text);
            }
            Role::Unused | Role::Message => {}
        }
    }

    /// The name of a JSON field that a result has.
    pub(super) fn field_name(&mut self, text: String, line: usize) {
        if matches!(self.role, Role::Result | Role::Expected) {
            self.texts.expected.push(Expected {
                line,
                text,
                is_key: true,
            });
        }
    }

    /// Reads a value that is bound to a pattern.
    pub(super) fn bind(&mut self, pattern: &Pat, value: &Expr) {
        match (pattern, value) {
            (Pat::Type(typed), _) => self.bind(&typed.pat, value),
            (Pat::Tuple(names), Expr::Tuple(values)) if names.elems.len() == values.elems.len() => {
                for (name, value) in names.elems.iter().zip(&values.elems) {
                    self.bind(name, value);
                }
            }
            (Pat::Ident(name), Expr::Closure(closure)) => {
                self.read(Role::Own, &closure.body);
                let roles = closure.inputs.iter().map(|input| self.role_of(input));
                let roles = roles.collect();
                self.roles
                    .define(&self.scope, &name.ident.to_string(), roles);
            }
            _ => self.read(self.role_of(pattern), value),
        }
    }

    /// Reads the values of a loop.
    pub(super) fn bind_each(&mut self, pattern: &Pat, values: &Expr) {
        match values {
            Expr::Array(array) => array
                .elems
                .iter()
                .for_each(|value| self.bind(pattern, value)),
            Expr::Reference(inner) => self.bind_each(pattern, &inner.expr),
            Expr::MethodCall(call)
                if ["iter", "into_iter"].contains(&call.method.to_string().as_str()) =>
            {
                self.bind_each(pattern, &call.receiver);
            }
            _ => self.bind(pattern, values),
        }
    }

    /// Reads two values that are compared. A test writes the result first, if it does not write
    /// the expected value out.
    pub(super) fn compared(&mut self, left: &Expr, right: &Expr) {
        let left_role = match left {
            Expr::Lit(_) | Expr::Array(_) => Role::Expected,
            Expr::Macro(call) if call.mac.path.is_ident("json") => Role::Expected,
            _ => Role::Result,
        };
        self.read(left_role, left);
        self.read(Role::Expected, right);
    }

    /// Reads the name of a JSON field, or any other index.
    pub(super) fn field(&mut self, index: &Expr) {
        match index {
            Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(name),
                ..
            }) => {
                self.field_name(name.value(), name.span().start().line);
            }
            other => self.read(Role::Own, other),
        }
    }

    /// Reads the arguments of a call, of a helper if it compares one of them.
    pub(super) fn arguments<'e>(
        &mut self,
        helper: Option<&[Role]>,
        arguments: impl Iterator<Item = &'e Expr>,
    ) {
        for (place, argument) in arguments.enumerate() {
            let role = match (helper, self.role) {
                (Some(roles), _) => roles.get(place).copied().unwrap_or(Role::Own),
                (None, Role::Result) => Role::Own,
                (None, role) => role,
            };
            self.read(role, argument);
        }
    }
}
