//! Gives each expression of a test its role.

use syn::Expr;
use syn::visit::{self, Visit};

use super::expectations::Reader;
use super::roles::{Role, Scope};

/// Methods that compare their receiver, or a part of it, with their argument.
const COMPARISONS: [&str; 9] = [
    "contains",
    "ends_with",
    "find",
    "matches",
    "rfind",
    "split_once",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
];

/// Methods that return their receiver in another form. What another method returns is a result.
const CONVERSIONS: [&str; 22] = [
    "as_bytes",
    "as_deref",
    "as_ref",
    "as_slice",
    "as_str",
    "chain",
    "clone",
    "cloned",
    "collect",
    "concat",
    "copied",
    "into",
    "into_iter",
    "iter",
    "join",
    "map",
    "repeat",
    "replace",
    "to_owned",
    "to_string",
    "to_vec",
    "unwrap",
];

/// Methods that select a part of a JSON value by its name.
const LOOKUPS: [&str; 2] = ["get", "pointer"];

/// Methods whose argument is used in case of an error.
const FAILURES: [&str; 3] = ["expect", "expect_err", "unwrap_or_else"];

impl<'e> Visit<'e> for Reader<'_> {
    fn visit_item_fn(&mut self, function: &'e syn::ItemFn) {
        self.function(&function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'e syn::ImplItemFn) {
        match function.sig.receiver() {
            Some(_) => self.function(&function.sig, &function.block),
            None => self.with(Role::Own, |reader| reader.visit_block(&function.block)),
        }
    }

    fn visit_item_const(&mut self, constant: &'e syn::ItemConst) {
        let role = self
            .before
            .of_name(&self.scope, &constant.ident.to_string());
        self.read(role, &constant.expr);
    }

    fn visit_item_static(&mut self, constant: &'e syn::ItemStatic) {
        let role = self
            .before
            .of_name(&self.scope, &constant.ident.to_string());
        self.read(role, &constant.expr);
    }

    fn visit_attribute(&mut self, _: &'e syn::Attribute) {}

    fn visit_block(&mut self, block: &'e syn::Block) {
        for (at, statement) in block.stmts.iter().enumerate() {
            let role = match statement {
                syn::Stmt::Expr(_, None) if at + 1 == block.stmts.len() => self.role,
                _ => Role::Own,
            };
            self.with(role, |reader| reader.visit_stmt(statement));
        }
    }

    fn visit_local(&mut self, local: &'e syn::Local) {
        if let Some(init) = &local.init {
            self.bind(&local.pat, &init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
    }

    fn visit_expr_for_loop(&mut self, each: &'e syn::ExprForLoop) {
        self.bind_each(&each.pat, &each.expr);
        self.visit_block(&each.body);
    }

    fn visit_arm(&mut self, arm: &'e syn::Arm) {
        let role = match self.role {
            Role::Result => Role::Expected,
            role => role,
        };
        self.with(role, |reader| reader.visit_pat(&arm.pat));
        self.visit_expr(&arm.body);
    }

    fn visit_expr_path(&mut self, path: &'e syn::ExprPath) {
        if let Some(name) = path.path.get_ident() {
            self.uses(&name.to_string());
        }
    }

    fn visit_expr_lit(&mut self, literal: &'e syn::ExprLit) {
        match &literal.lit {
            syn::Lit::Str(text) => self.text(text.value(), text.span().start().line),
            syn::Lit::ByteStr(bytes) => {
                let text = String::from_utf8_lossy(&bytes.value()).into_owned();
                self.text(text, bytes.span().start().line);
            }
            _ => {}
        }
    }

    fn visit_expr_binary(&mut self, binary: &'e syn::ExprBinary) {
        match binary.op {
            syn::BinOp::Eq(_) | syn::BinOp::Ne(_) => self.compared(&binary.left, &binary.right),
            _ => visit::visit_expr_binary(self, binary),
        }
    }

    fn visit_expr_index(&mut self, index: &'e syn::ExprIndex) {
        self.visit_expr(&index.expr);
        self.field(&index.index);
    }

    fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
        let Expr::Path(path) = &*call.func else {
            return visit::visit_expr_call(self, call);
        };
        let name = path.path.segments.last().map(|last| last.ident.to_string());
        let name = name.unwrap_or_default();
        match name.starts_with(char::is_uppercase) {
            true => call
                .args
                .iter()
                .for_each(|argument| self.visit_expr(argument)),
            false if path.path.segments.len() > 1 => self.arguments(None, call.args.iter()),
            false => {
                let helper = self.before.of_comparing_helper(&self.scope, &name);
                self.arguments(helper, call.args.iter());
            }
        }
    }

    fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
        let name = call.method.to_string();
        let helper = self
            .before
            .of_comparing_helper(&self.scope, &format!(".{name}"));
        let role = match self.role {
            Role::Expected if !CONVERSIONS.contains(&name.as_str()) => Role::Result,
            role => role,
        };
        self.read(role, &call.receiver);
        match (name.as_str(), call.args.first()) {
            (_, None) => {}
            (_, Some(Expr::Closure(_))) if name != "unwrap_or_else" => {
                self.arguments(helper, call.args.iter());
            }
            (name, Some(argument)) if COMPARISONS.contains(&name) => {
                self.read(Role::Expected, argument);
            }
            (name, Some(argument)) if LOOKUPS.contains(&name) => self.field(argument),
            (name, Some(argument)) if FAILURES.contains(&name) => {
                self.read(Role::Message, argument);
            }
            _ => self.arguments(helper, call.args.iter()),
        }
    }

    fn visit_macro(&mut self, call: &'e syn::Macro) {
        self.read_macro(call);
    }
}

impl Reader<'_> {
    fn function(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let name = match signature.receiver() {
            Some(_) => format!(".{}", signature.ident),
            None => signature.ident.to_string(),
        };
        let scope = Scope {
            function: name.clone(),
            ..self.scope.clone()
        };
        let outer = std::mem::replace(&mut self.scope, scope);
        self.with(Role::Own, |reader| reader.visit_block(body));
        let inputs = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(self.role_of(&typed.pat)),
            syn::FnArg::Receiver(_) => None,
        });
        let roles = inputs.collect();
        self.scope = outer;
        self.roles.define(&self.scope, &name, roles);
    }
}
