//! Printing declarations and statements.

use super::Printer;
use crate::syntax::{
    Block, ChanPriorityItem, Decl, Declarator, Expr, FunctionDecl, Init, Instantiation, Param, Stmt,
    StmtKind, System, TypeExpr,
};

impl Printer<'_> {
    /// One declaration per line, a blank line around functions.
    pub(super) fn decls(&mut self, decls: &[Decl]) {
        for (index, decl) in decls.iter().enumerate() {
            let function = |decl: &Decl| matches!(decl, Decl::Function(_));
            if index > 0 && (function(decl) || function(&decls[index - 1])) {
                self.push("\n");
            }
            self.line();
            self.decl(decl);
        }
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Variables(ty, names) => self.declared("", ty, names),
            Decl::Typedef(ty, names) => self.declared("typedef ", ty, names),
            Decl::Function(function) => self.function(function),
            Decl::Instantiation(instantiation) => self.instantiation(instantiation),
            Decl::ChanPriority(items, _) => self.priorities(items),
            Decl::BeforeUpdate(list, _) => self.hook("before_update", list),
            Decl::AfterUpdate(list, _) => self.hook("after_update", list),
            Decl::Foreign { construct, span, .. } => self.verbatim(*span, construct),
        }
    }

    fn declared(&mut self, keyword: &str, ty: &TypeExpr, names: &[Declarator]) {
        self.push(keyword);
        self.ty(ty);
        self.push(" ");
        self.separated(", ", names, |printer, declarator| {
            printer.push(&declarator.name.name);
            printer.dimensions(&declarator.dimensions);
            if let Some(init) = &declarator.init {
                printer.push(" = ");
                printer.init(init);
            }
        });
        self.push(";");
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(value) => self.expr(value),
            Init::List(items, _) => {
                self.push("{ ");
                self.separated(", ", items, |printer, (field, value)| {
                    if let Some(field) = field {
                        printer.push(&format!("{}: ", field.name));
                    }
                    printer.init(value);
                });
                self.push(" }");
            }
        }
    }

    pub(super) fn params(&mut self, params: &[Param]) {
        self.separated(", ", params, |printer, param| {
            printer.ty(&param.ty);
            printer.push(if param.reference { " &" } else { " " });
            printer.push(&param.name.name);
            printer.dimensions(&param.dimensions);
        });
    }

    fn function(&mut self, function: &FunctionDecl) {
        self.ty(&function.result);
        self.push(&format!(" {}(", function.name.name));
        self.params(&function.params);
        self.push(") ");
        self.block(&function.body);
    }

    fn instantiation(&mut self, instantiation: &Instantiation) {
        self.push(&instantiation.name.name);
        if let Some(params) = &instantiation.params {
            self.push("(");
            self.params(params);
            self.push(")");
        }
        self.push(&format!(" = {}(", instantiation.template.name));
        self.exprs(&instantiation.args);
        self.push(");");
    }

    fn priorities(&mut self, items: &[ChanPriorityItem]) {
        self.push("chan priority ");
        for (index, item) in items.iter().enumerate() {
            match (index, item.raises) {
                (0, _) => {}
                (_, true) => self.push(" < "),
                (_, false) => self.push(", "),
            }
            match &item.channel {
                Some(channel) => self.expr(channel),
                None => self.push("default"),
            }
        }
        self.push(";");
    }

    fn hook(&mut self, keyword: &str, list: &[Expr]) {
        self.push(&format!("{keyword} {{ "));
        self.exprs(list);
        self.push(" }");
    }

    pub(super) fn binders(&mut self, binders: &[(crate::syntax::Ident, TypeExpr)]) {
        self.separated(", ", binders, |printer, (name, ty)| {
            printer.push(&format!("{} : ", name.name));
            printer.ty(ty);
        });
    }

    fn block(&mut self, block: &Block) {
        self.push("{");
        self.indent += 1;
        self.decls(&block.decls);
        for statement in &block.statements {
            self.line();
            self.statement(statement);
        }
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::Empty => self.push(";"),
            StmtKind::Expr(list) => {
                self.exprs(list);
                self.push(";");
            }
            StmtKind::If(condition, yes, no) => self.conditional(condition, yes, no.as_deref()),
            StmtKind::While(condition, body) => {
                self.header("while", condition);
                self.nested(body);
            }
            StmtKind::DoWhile(body, condition) => {
                self.push("do");
                self.nested(body);
                self.line();
                self.header("while", condition);
                self.push(";");
            }
            StmtKind::For(first, condition, step, body) => {
                self.push("for (");
                self.exprs(first);
                self.push("; ");
                self.exprs(condition);
                self.push("; ");
                self.exprs(step);
                self.push(")");
                self.nested(body);
            }
            StmtKind::Iterate(binder, ty, body) => {
                self.push(&format!("for ({} : ", binder.name));
                self.ty(ty);
                self.push(")");
                self.nested(body);
            }
            StmtKind::Return(None) => self.push("return;"),
            StmtKind::Return(Some(value)) => {
                self.push("return ");
                self.expr(value);
                self.push(";");
            }
            StmtKind::Assert(condition) => {
                self.push("assert(");
                self.expr(condition);
                self.push(");");
            }
        }
    }

    fn header(&mut self, keyword: &str, condition: &[Expr]) {
        self.push(&format!("{keyword} ("));
        self.exprs(condition);
        self.push(")");
    }

    fn conditional(&mut self, condition: &[Expr], yes: &Stmt, no: Option<&Stmt>) {
        self.header("if", condition);
        self.nested(yes);
        let Some(no) = no else { return };
        if matches!(yes.kind, StmtKind::Block(_)) {
            self.push(" else");
        } else {
            self.line();
            self.push("else");
        }
        if matches!(no.kind, StmtKind::If(..)) {
            self.push(" ");
            self.statement(no);
        } else {
            self.nested(no);
        }
    }

    /// A statement under another: blocks stay on the line, others go to the next one.
    fn nested(&mut self, statement: &Stmt) {
        if matches!(statement.kind, StmtKind::Block(_)) {
            self.push(" ");
            self.statement(statement);
        } else {
            self.indent += 1;
            self.line();
            self.statement(statement);
            self.indent -= 1;
        }
    }

    /// Everything behind the templates.
    pub(super) fn system(&mut self, system: &System) {
        self.decls(&system.decls);
        if !system.processes.is_empty() {
            self.line();
            self.push("system ");
            for (index, entry) in system.processes.iter().enumerate() {
                match (index, entry.raises) {
                    (0, _) => {}
                    (_, true) => self.push(" < "),
                    (_, false) => self.push(", "),
                }
                self.push(&entry.name.name);
            }
            self.push(";");
        }
        self.progress(&system.progress);
        self.gantt(&system.gantt);
    }

    fn progress(&mut self, measures: &[(Option<Expr>, Expr)]) {
        if measures.is_empty() {
            return;
        }
        self.line();
        self.push("progress {");
        self.indent += 1;
        for (guard, measure) in measures {
            self.line();
            if let Some(guard) = guard {
                self.expr(guard);
                self.push(" : ");
            }
            self.expr(measure);
            self.push(";");
        }
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    fn gantt(&mut self, lines: &[crate::syntax::GanttLine]) {
        if lines.is_empty() {
            return;
        }
        self.line();
        self.push("gantt {");
        self.indent += 1;
        for line in lines {
            self.line();
            self.push(&line.name.name);
            if !line.params.is_empty() {
                self.push("(");
                self.binders(&line.params);
                self.push(")");
            }
            self.push(": ");
            self.separated(", ", &line.bars, |printer, bar| {
                if !bar.binders.is_empty() {
                    printer.push("for (");
                    printer.binders(&bar.binders);
                    printer.push(") ");
                }
                printer.expr(&bar.condition);
                printer.push(" -> ");
                printer.expr(&bar.color);
            });
            self.push(";");
        }
        self.indent -= 1;
        self.line();
        self.push("}");
    }
}
