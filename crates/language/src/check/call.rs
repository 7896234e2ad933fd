//! Calls: of functions, of built-ins, and of members of process sets.

use super::Checker;
use super::index::Target;
use super::scope::Wanted;
use super::types::{error_expr, is_clock, is_number};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{
    Builtin, Callee, Expr, ExprKind, FunctionId, ParamMode, ProcessDecl, ProcessRef, SymbolId, SymbolKind,
    TemplateId, Type,
};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::{self, Format, Ident};

impl Checker<'_> {
    pub(super) fn call(&mut self, callee: &syntax::Expr, args: &[syntax::Expr], span: Span) -> Expr {
        let syntax::ExprKind::Name(name) = &callee.kind else {
            self.error(Code::NotCallable, callee.span, "only functions can be called");
            return error_expr(span);
        };
        let name = Ident::new(name.clone(), callee.span);
        let found = self.scopes.find(&name.name);
        if let Some(id) = found {
            self.note(name.span, Target::Symbol(id));
        }
        match found {
            Some(id) => match self.model.symbol(id).kind {
                SymbolKind::Function(function) => {
                    self.facts[id.index()].read = true;
                    self.function_call(function, &name, args, span)
                }
                _ => self.not_callable(id, &name, span),
            },
            None if self.is_label_call(&name) => self.label_call(args, span),
            None => match super::builtins::function(&name.name) {
                Some((builtin, arity, result)) => {
                    self.builtin_call(builtin, arity, result, &name, args, span)
                }
                None if self.foreign_functions.contains(&name.name) => {
                    for arg in args {
                        self.expr(arg);
                    }
                    error_expr(span)
                }
                None if self.is_process_call(&name) => error_expr(span),
                None => {
                    self.lookup(&name, Wanted::Function);
                    error_expr(span)
                }
            },
        }
    }

    fn not_callable(&mut self, id: SymbolId, name: &Ident, span: Span) -> Expr {
        let symbol = self.model.symbol(id);
        let what = match symbol.kind {
            SymbolKind::Instance(_) | SymbolKind::Template(_) => {
                if self.processes_visible {
                    "a process; ask for one of its locations or variables"
                } else {
                    "a process, which can only be asked about in queries"
                }
            }
            SymbolKind::Type => "a type",
            _ => "not a function",
        };
        let message = format!("`{}` cannot be called: it is {what}", name.name);
        let declared = symbol.span;
        self.report(
            Diagnostic::new(Code::NotCallable, name.span, message).related(declared, "declared here"),
        );
        error_expr(span)
    }

    fn is_label_call(&self, name: &Ident) -> bool {
        self.in_query && self.model.format == Format::Tck && &*name.name == "label"
    }

    /// `label(l)` of TChecker models.
    fn label_call(&mut self, args: &[syntax::Expr], span: Span) -> Expr {
        let [syntax::Expr { kind: syntax::ExprKind::Name(label), .. }] = args else {
            self.error(Code::WrongArguments, span, "`label` takes the name of a label");
            return error_expr(span);
        };
        let labels: Vec<syntax::Name> = self
            .model
            .templates
            .iter()
            .flat_map(|template| {
                template.locations.iter().flat_map(|location| location.labels.iter().cloned())
            })
            .collect();
        if !labels.contains(label) {
            let message = format!("no location has the label `{label}`");
            let mut diagnostic = Diagnostic::new(Code::UnknownLabel, args[0].span, message);
            if let Some(near) = nearest(label, labels.iter().map(|label| &**label)) {
                diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
            }
            self.report(diagnostic);
            return error_expr(span);
        }
        Expr { kind: ExprKind::Label(label.clone()), ty: Type::Bool, span }
    }

    fn builtin_call(
        &mut self,
        builtin: Builtin,
        arity: usize,
        result: Type,
        name: &Ident,
        args: &[syntax::Expr],
        span: Span,
    ) -> Expr {
        if args.len() != arity {
            self.error(Code::WrongArguments, span, wrong_count(&name.name, arity, args.len()));
            return error_expr(span);
        }
        let args: Vec<Expr> = args.iter().map(|arg| self.expr(arg)).collect();
        if let Builtin::Float(function) = builtin {
            self.foreign(function, span);
        }
        for arg in &args {
            let fits = is_number(&arg.ty) || (is_clock(&arg.ty) && builtin != Builtin::Abs);
            if !fits {
                let message =
                    format!("`{}` needs a number, and this is {}", name.name, self.describe(&arg.ty));

                self.error(Code::WrongArguments, arg.span, message);
            }
        }
        let result = match builtin {
            Builtin::Abs if matches!(args[0].ty, Type::Double) => Type::Double,
            _ => result,
        };
        Expr { kind: ExprKind::Builtin(builtin, args), ty: result, span }
    }

    fn function_call(&mut self, id: FunctionId, name: &Ident, args: &[syntax::Expr], span: Span) -> Expr {
        if id.index() >= self.model.functions.len() {
            let message = format!("`{}` calls itself", name.name);
            let diagnostic = Diagnostic::new(Code::Recursion, span, message)
                .hint("the language has no recursion; use a loop");
            self.report(diagnostic);
            return error_expr(span);
        }
        let params = self.model.function(id).params.clone();
        let args = self.arguments(&name.name, &params, args, span);
        self.note_call(id, &args);
        let ty = self.model.function(id).result.clone();
        Expr { kind: ExprKind::Call(id, args), ty, span }
    }

    /// What a call does to the state is done by the function that makes it.
    fn note_call(&mut self, id: FunctionId, args: &[Expr]) {
        let facts = self.function_facts.get(id.index()).cloned().unwrap_or_default();
        for (arg, written) in args.iter().zip(&facts.writes_params) {
            if *written {
                self.refuse_writing_constant(arg, &self.model.function(id).name.clone());
                self.mark_written(arg);
            }
        }
        let reads_state = self.model.function(id).reads_state;
        if let Some(function) = self.function.as_mut() {
            function.writes_outside |= facts.writes_globals;
            function.reads_outside |= reads_state;
        }
    }

    /// Types arguments and matches them with parameters.
    pub(super) fn arguments(
        &mut self,
        callee: &str,
        params: &[SymbolId],
        args: &[syntax::Expr],
        span: Span,
    ) -> Vec<Expr> {
        let unreadable = params.iter().any(|&param| self.model.symbol(param).name.is_empty())
            || args.iter().any(|arg| arg.kind == syntax::ExprKind::Error);
        if params.len() != args.len() && !unreadable {
            let message = wrong_count(callee, params.len(), args.len());
            let mut diagnostic = Diagnostic::new(Code::WrongArguments, span, message);
            if let (Some(&first), Some(&last)) = (params.first(), params.last()) {
                let declared = self.model.symbol(first).span.to(self.model.symbol(last).span);
                diagnostic = diagnostic.related(declared, "the parameters");
            }
            self.report(diagnostic);
        }
        let mut typed: Vec<Expr> = args.iter().map(|arg| self.expr(arg)).collect();
        for (&param, arg) in params.iter().zip(&mut typed) {
            if !self.argument(param, arg) {
                *arg = error_expr(arg.span);
            }
        }
        typed.resize_with(params.len(), || error_expr(span));
        typed
    }

    /// Whether an argument fits its parameter; says why if not.
    fn argument(&mut self, param: SymbolId, arg: &Expr) -> bool {
        if matches!(arg.ty, Type::Error) {
            return true;
        }
        let symbol = self.model.symbol(param).clone();
        let by_reference = matches!(symbol.kind, SymbolKind::Param(ParamMode::Reference));
        if by_reference && !is_place(arg) {
            let message = format!("`{}` is passed by reference and needs a variable", symbol.name);
            let diagnostic = Diagnostic::new(Code::BadReference, arg.span, message).label("this is a value");
            self.report(diagnostic.related(symbol.span, "the parameter"));
            return false;
        }
        let fits = if by_reference {
            self.reference_fits(&symbol.ty, &arg.ty)
        } else {
            self.assignable(&symbol.ty, &arg.ty, arg.span)
        };
        if !fits {
            let (expected, found) = (self.describe(&symbol.ty), self.describe(&arg.ty));
            let message =
                format!("the parameter `{}` is {expected}, and the argument is {found}", symbol.name);
            let mut diagnostic = Diagnostic::new(Code::WrongArguments, arg.span, message)
                .related(symbol.span, "the parameter");
            if by_reference && !matches!(super::declaration::innermost(&arg.ty), Type::Chan { .. }) {
                diagnostic = diagnostic.hint("a reference needs a variable of exactly the same type");
            }
            self.report(diagnostic);
        }
        fits
    }

    /// A constant may be passed by reference to what only reads it.
    pub(super) fn refuse_writing_constant(&mut self, arg: &Expr, callee: &str) {
        let Some(id) = super::effects::root(arg) else { return };
        let symbol = self.model.symbol(id);
        let is_constant = matches!(
            symbol.kind,
            SymbolKind::Constant(_) | SymbolKind::Binder | SymbolKind::Param(ParamMode::Const)
        );
        if is_constant {
            let message = format!("`{callee}` changes this argument, and `{}` is constant", symbol.name);
            let diagnostic =
                Diagnostic::new(Code::NotAssignable, arg.span, message).label("cannot be changed");
            let diagnostic = diagnostic.related(symbol.span, "declared here");
            self.report(diagnostic);
        }
    }

    /// A channel that can do more may stand in for one that can do less; everything else must be the same.
    fn reference_fits(&self, param: &Type, arg: &Type) -> bool {
        fn capability(urgent: bool, broadcast: bool) -> u8 {
            match (urgent, broadcast) {
                (false, false) => 2,
                (_, true) => 1,
                (true, false) => 0,
            }
        }
        match (param, arg) {
            (Type::Chan { urgent, broadcast }, Type::Chan { urgent: u, broadcast: b }) => {
                (urgent, broadcast) == (u, b) || capability(*u, *b) >= capability(*urgent, *broadcast)
            }
            (Type::Array(param), Type::Array(arg)) => {
                self.same_index(&param.index, &arg.index) && self.reference_fits(&param.element, &arg.element)
            }
            _ => self.equivalent(param, arg),
        }
    }

    pub(super) fn find_process(&self, name: &str) -> Option<usize> {
        self.process_names.get(name).copied()
    }

    /// Reads `P`, `P(1,2)` or `P[1]` as a process. The outer option says whether it is one at all.
    #[expect(clippy::option_option, reason = "no process, or a process with an error")]
    pub(super) fn process_reference(&mut self, base: &syntax::Expr) -> Option<Option<ProcessRef>> {
        let (name, args) = process_name(base)?;
        if !self.processes_visible || self.is_shadowed(&name) {
            return None;
        }
        if let Some(id) = self.scopes.find(&name) {
            self.note(head(base).span, Target::Symbol(id));
        }
        let Some(process) = self.find_process(&name) else {
            self.report_unknown_process(&name, base.span);
            return Some(None);
        };
        let params = self.open_params(self.model.processes[process].callee);
        if args.is_empty() && !params.is_empty() {
            let example = self.example_process(&self.model.processes[process]);
            let diagnostic =
                Diagnostic::new(Code::NotAProcess, base.span, format!("`{name}` is a set of processes"))
                    .hint(format!(
                        "say which one, as in `{example}`, or ask about all of them with `forall` or `exists`"
                    ));
            self.report(diagnostic);
            return Some(None);
        }
        let args: Vec<syntax::Expr> = args.into_iter().cloned().collect();
        let before = self.out.len();
        let args = self.arguments(&name, &params, &args, base.span);
        self.check_process_exists(&name, &params, &args);
        if self.out.len() > before {
            return Some(None);
        }
        Some(Some(ProcessRef { process, args, span: base.span }))
    }

    /// A constant argument must be one of the values that the set was made for.
    fn check_process_exists(&mut self, name: &str, params: &[SymbolId], args: &[Expr]) {
        for (&param, arg) in params.iter().zip(args) {
            let symbol = self.model.symbol(param);
            let Type::Int(Some(bounds)) = &symbol.ty else { continue };
            let range = (self.constant(&bounds.0), self.constant(&bounds.1));
            let ((Some(low), Some(high)), Some(value)) = (range, self.constant(arg)) else { continue };
            if value < low || value > high {
                let message = format!(
                    "there is no such process: `{}` of `{name}` goes from {low} to {high}",
                    symbol.name
                );
                let declared = symbol.span;
                let diagnostic = Diagnostic::new(Code::NotAProcess, arg.span, message);
                self.report(diagnostic.related(declared, "the parameter"));
            }
        }
    }

    /// How a process is written, with made-up arguments if it is one of a set: `Train(0)`.
    pub(super) fn example_process(&self, process: &ProcessDecl) -> String {
        let params = self.open_params(process.callee);
        if params.is_empty() {
            return process.name.to_string();
        }
        let first = |id: &SymbolId| match &self.model.symbol(*id).ty {
            Type::Int(Some(bounds)) => {
                self.constant(&bounds.0).map_or("…".to_owned(), |low| low.to_string())
            }
            Type::Bool => "0".to_owned(),
            _ => "…".to_owned(),
        };
        let args: Vec<_> = params.iter().map(first).collect();
        format!("{}({})", process.name, args.join(", "))
    }

    /// `Q(1)` where a value is wanted; said here if Q is a process.
    fn is_process_call(&mut self, name: &Ident) -> bool {
        let is_process = self.processes_visible && self.find_process(&name.name).is_some();
        if is_process {
            let message = format!("`{}` is a process, not a function", name.name);
            let hint = "ask for one of its locations or variables";
            self.report(Diagnostic::new(Code::NotCallable, name.span, message).hint(hint));
        }
        is_process
    }

    /// A variable or binder of the same name comes first.
    pub(super) fn is_shadowed(&self, name: &str) -> bool {
        self.scopes.find(name).is_some_and(|id| {
            matches!(
                self.model.symbol(id).kind,
                SymbolKind::Variable { .. }
                    | SymbolKind::Constant(_)
                    | SymbolKind::Binder
                    | SymbolKind::Param(_)
            )
        })
    }

    fn report_unknown_process(&mut self, name: &str, span: Span) {
        let is_template = self.scopes.find(name).is_some_and(|id| {
            matches!(self.model.symbol(id).kind, SymbolKind::Template(_) | SymbolKind::Instance(_))
        });
        let message = if is_template {
            format!("`{name}` is not among the processes of the system line")
        } else {
            format!("there is no process `{name}`")
        };
        let mut diagnostic = Diagnostic::new(Code::NotAProcess, span, message);
        let names: Vec<_> = self.model.processes.iter().map(|process| process.name.clone()).collect();
        if let Some(near) = nearest(name, names.iter().map(|name| &**name)) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        } else if let [only] = &names[..] {
            diagnostic = diagnostic.hint(format!("the only process is {only}"));
        } else if names.len() <= 12 && !names.is_empty() {
            diagnostic = diagnostic.hint(format!("the processes are {}", names.join(", ")));
        }
        self.report(diagnostic);
    }

    /// The parameters that a process on the system line leaves open.
    pub(super) fn open_params(&self, callee: Callee) -> Vec<SymbolId> {
        match callee {
            Callee::Template(id) => self.model.template(id).params.clone(),
            Callee::Instance(id) => self.model.instance(id).params.clone(),
        }
    }

    pub(super) fn template_of(&self, mut callee: Callee) -> TemplateId {
        loop {
            match callee {
                Callee::Template(id) => return id,
                Callee::Instance(id) => callee = self.model.instance(id).callee,
            }
        }
    }

    pub(super) fn member(&mut self, process: ProcessRef, field: &Ident, span: Span) -> Expr {
        let decl = &self.model.processes[process.process];
        let callee = decl.callee;
        let template = self.model.template(self.template_of(callee));
        let own = self.open_params(callee);
        let own = own.iter().copied().find(|&id| self.model.symbol(id).name == field.name);
        let Some(id) = own.or_else(|| template.names.get(&field.name).copied()) else {
            if &*field.name == "location" {
                let kind = ExprKind::LocationIndex(Box::new(process));
                return Expr { kind, ty: Type::Int(None), span };
            }
            return self.unknown_member(process.process, field, span);
        };
        self.note(field.span, Target::Symbol(id));
        let symbol = self.model.symbol(id);
        let (kind, ty) = match symbol.kind {
            SymbolKind::Location(_, index) => (ExprKind::AtLocation(Box::new(process), index), Type::Bool),
            SymbolKind::Constant(_) | SymbolKind::Variable { .. } | SymbolKind::Param(_) => {
                (ExprKind::Member(Box::new(process), id), symbol.ty.clone())
            }
            _ => {
                let message = format!("`{}` is neither a location nor a variable", field.name);
                self.error(Code::UnknownMember, field.span, message);
                return error_expr(span);
            }
        };
        self.facts[id.index()].read = true;
        Expr { kind, ty, span }
    }

    fn unknown_member(&mut self, process: usize, field: &Ident, span: Span) -> Expr {
        let decl = &self.model.processes[process];
        let template = self.model.template(self.template_of(decl.callee));
        let message = format!("process `{}` has no location or variable `{}`", decl.name, field.name);
        let mut diagnostic = Diagnostic::new(Code::UnknownMember, field.span, message);
        let mut names: Vec<_> = template.names.keys().map(|name| &**name).collect();
        names.sort_unstable();
        if let Some(near) = nearest(&field.name, names) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        } else {
            let locations: Vec<_> = template.locations.iter().map(|location| &*location.name).collect();
            diagnostic = match &locations[..] {
                [only] => diagnostic.hint(format!("its only location is {only}")),
                several if several.len() <= 12 && !several.is_empty() => {
                    diagnostic.hint(format!("its locations are {}", several.join(", ")))
                }
                _ => diagnostic,
            };
        }
        self.report(diagnostic);
        error_expr(span)
    }
}

/// The name in front of arguments and indices.
pub(super) fn head(base: &syntax::Expr) -> &syntax::Expr {
    match &base.kind {
        syntax::ExprKind::Call(inner, _) | syntax::ExprKind::Index(inner, _) => head(inner),
        _ => base,
    }
}

/// The name and the arguments of something that looks like a process.
pub(super) fn process_name(base: &syntax::Expr) -> Option<(syntax::Name, Vec<&syntax::Expr>)> {
    match &base.kind {
        syntax::ExprKind::Name(name) => Some((name.clone(), Vec::new())),
        syntax::ExprKind::Call(callee, args) => match &callee.kind {
            syntax::ExprKind::Name(name) => Some((name.clone(), args.iter().collect())),
            _ => None,
        },
        syntax::ExprKind::Index(base, index) => {
            let (name, mut args) = process_name(base)?;
            args.push(index);
            Some((name, args))
        }
        _ => None,
    }
}

/// "`f` takes 2 arguments, and 1 is given".
fn wrong_count(callee: &str, expected: usize, found: usize) -> String {
    let given = match found {
        0 => "none is given".to_owned(),
        1 => "1 is given".to_owned(),
        n => format!("{n} are given"),
    };
    format!("`{callee}` takes {}, and {given}", count(expected, "argument"))
}

/// Whether an expression names a variable or a part of one.
fn is_place(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Symbol(_) | ExprKind::Error | ExprKind::Member(..) => true,
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => is_place(base),
        ExprKind::Assign(_, target, _) | ExprKind::Step { prefix: true, target, .. } => is_place(target),
        ExprKind::Conditional(_, then, otherwise) => is_place(then) && is_place(otherwise),
        _ => false,
    }
}

/// "1 argument", "3 arguments", "no arguments".
pub(super) fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
