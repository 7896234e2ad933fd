//! Instantiations, the system line, priorities, progress measures and charts.

use super::Checker;
use super::index::Target;
use super::scope::Wanted;
use super::types::{is_integral, is_number};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{
    Callee, Expr, GanttLine, Instance, InstanceId, ParamMode, ProcessDecl, SymbolId, SymbolKind, SyncVector,
    Type,
};
use crate::source::Span;
use crate::syntax::{self, ChanPriorityItem, Document, Ident, Instantiation};

impl Checker<'_> {
    pub(super) fn system(&mut self, document: &Document) {
        let late = self.declarations(&document.system.decls);
        self.model.globals.extend(late);
        self.system_line(document);
        self.vectors(document);
        self.processes_visible = true;
        self.progress(document);
        self.gantt(document);
        self.processes_visible = false;
    }

    pub(super) fn instantiation(&mut self, instantiation: &Instantiation) {
        let callee = self.callee(&instantiation.template);
        self.scopes.open();
        let params: Vec<SymbolId> =
            instantiation.params.iter().flatten().map(|param| self.param(param, false)).collect();
        let args = callee.map(|callee| {
            let formal = self.open_params(callee);
            let template = &instantiation.template;
            let last = instantiation.args.last().map_or(template.span, |arg| arg.span);
            let args = self.arguments(&template.name, &formal, &instantiation.args, template.span.to(last));
            self.check_instance_arguments(&template.name, &formal, &args);
            args
        });
        self.scopes.close();
        let id = InstanceId(self.model.instances.len() as u32);
        let (Some(callee), Some(args)) = (callee, args) else {
            // Reported; the name is declared so that it is not reported again.
            if self.scopes.find(&instantiation.name.name).is_none() {
                self.failed_instances.push(instantiation.name.name.clone());
            }
            return;
        };
        self.declare(&instantiation.name, SymbolKind::Instance(id), Type::Process);
        let name = instantiation.name.name.clone();
        self.model.instances.push(Instance { name, params, callee, args, span: instantiation.span });
    }

    fn callee(&mut self, name: &Ident) -> Option<Callee> {
        if name.name.is_empty() {
            // The parser has complained of it.
            return None;
        }
        let id = self.lookup(name, Wanted::Template)?;
        self.note(name.span, Target::Symbol(id));
        match self.model.symbol(id).kind {
            SymbolKind::Template(id) => Some(Callee::Template(id)),
            SymbolKind::Instance(id) => Some(Callee::Instance(id)),
            _ => {
                let declared = self.model.symbol(id).span;
                let message = format!("`{}` is neither a template nor a process", name.name);
                let mut diagnostic = Diagnostic::new(Code::NotATemplate, name.span, message);
                if declared != Span::default() {
                    diagnostic = diagnostic.related(declared, "declared here");
                }
                self.report(diagnostic);
                None
            }
        }
    }

    /// Values must be known, and a reference must name one variable.
    fn check_instance_arguments(&mut self, callee: &str, formal: &[SymbolId], args: &[Expr]) {
        for (&param, arg) in formal.iter().zip(args) {
            if matches!(self.model.symbol(param).kind, SymbolKind::Param(ParamMode::Reference)) {
                self.check_unique_reference(arg);
                if self.model.symbol(param).written {
                    self.refuse_writing_constant(arg, callee);
                }
            } else {
                self.require_computable(arg, "an argument that is passed by value");
            }
        }
    }

    fn check_unique_reference(&mut self, arg: &Expr) {
        match &arg.kind {
            crate::model::ExprKind::Index(base, index) => {
                self.require_computable(index, "the index in a reference argument");
                self.check_unique_reference(base);
            }
            crate::model::ExprKind::Field(base, _) => self.check_unique_reference(base),
            crate::model::ExprKind::Symbol(_) | crate::model::ExprKind::Error => {}
            _ => {
                let diagnostic = Diagnostic::new(
                    Code::BadReference,
                    arg.span,
                    "a reference argument must name one variable",
                );
                self.report(diagnostic);
            }
        }
    }

    fn system_line(&mut self, document: &Document) {
        let system = &document.system;
        if system.processes.is_empty() && system.span != Span::default() && !self.out.has_errors() {
            self.error(Code::MissingSystem, system.span, "no process is declared to run");
        }
        let mut priority = 0;
        for entry in &document.system.processes {
            priority += u32::from(entry.raises);
            let name = &entry.name;
            if self.failed_instances.contains(&name.name) {
                continue;
            }
            let Some(callee) = self.callee(name) else { continue };
            if let Some(first) = self.find_process(&name.name) {
                let message = format!("`{}` is named twice on the system line", name.name);
                let first = self.model.processes[first].span;
                let diagnostic = Diagnostic::new(Code::DuplicateProcess, name.span, message)
                    .related(first, "first named here");
                self.report(diagnostic);
                continue;
            }
            self.check_open_parameters(name, callee);
            self.process_names.insert(name.name.clone(), self.model.processes.len());
            self.model.processes.push(ProcessDecl {
                name: name.name.clone(),
                callee,
                priority,
                span: name.span,
            });
        }
    }

    fn check_open_parameters(&mut self, name: &Ident, callee: Callee) {
        for param in self.open_params(callee) {
            let symbol = self.model.symbol(param).clone();
            let by_value = !matches!(symbol.kind, SymbolKind::Param(ParamMode::Reference));
            if by_value && Self::is_iterable(&symbol.ty) {
                continue;
            }
            let message = format!("the parameter `{}` of `{}` is left open", symbol.name, name.name);
            let ty = self.describe(&symbol.ty);
            let why = if by_value {
                format!("{ty} has no finite range")
            } else {
                "a reference must be bound".to_owned()
            };
            let diagnostic = Diagnostic::new(Code::BadFreeParameter, name.span, message)
                .related(symbol.span, why)
                .hint(format!(
                    "instantiate it first: `{name}1 = {name}(…);`, then `system {name}1;`",
                    name = name.name
                ));
            self.report(diagnostic);
            return;
        }
    }

    pub(super) fn channel_priorities(&mut self, items: &[ChanPriorityItem], span: Span) {
        if !self.model.channel_priorities.is_empty() {
            let diagnostic =
                Diagnostic::new(Code::BadPriority, span, "channel priorities are declared twice");
            let first =
                self.model.channel_priorities.iter().find_map(|(channel, _)| Some(channel.as_ref()?.span));
            self.report(match first {
                Some(first) => diagnostic.related(first, "the first declaration"),
                None => diagnostic,
            });
            return;
        }
        let mut level = 0;
        for item in items {
            level += u32::from(item.raises);
            let channel = item.channel.as_ref().map(|channel| {
                let channel = self.expr(channel);
                if !matches!(super::declaration::innermost(&channel.ty), Type::Chan { .. } | Type::Error) {
                    let message =
                        format!("a channel is expected, and this is {}", self.describe(&channel.ty));
                    self.error(Code::NotAChannel, channel.span, message);
                }
                channel
            });
            self.model.channel_priorities.push((channel, level));
        }
    }

    fn vectors(&mut self, document: &Document) {
        self.model.chooses_start = document.chooses_start;
        for vector in &document.vectors {
            let participants: Vec<(usize, bool)> = vector
                .participants
                .iter()
                .filter_map(|(process, weak)| Some((self.find_process(&process.name)?, *weak)))
                .collect();
            self.model.vectors.push(SyncVector {
                name: vector.name.clone(),
                participants,
                span: vector.span,
            });
        }
    }

    fn progress(&mut self, document: &Document) {
        for (guard, measure) in &document.system.progress {
            let guard = guard.as_ref().map(|guard| self.condition(guard, "the guard of a progress measure"));
            let measure = self.expr(measure);
            if !is_integral(&measure.ty) {
                let message =
                    format!("a progress measure must be an integer, not {}", self.describe(&measure.ty));
                self.error(Code::TypeMismatch, measure.span, message);
            }
            self.model.progress.push((guard, measure));
        }
    }

    fn gantt(&mut self, document: &Document) {
        for line in &document.system.gantt {
            self.scopes.open();
            let params = self.binders(&line.params);
            let mut bars = Vec::new();
            for bar in &line.bars {
                self.scopes.open();
                let binders = self.binders(&bar.binders);
                let condition = self.condition(&bar.condition, "the condition of a chart bar");
                let color = self.expr(&bar.color);
                if !is_number(&color.ty) {
                    let message = format!("a colour must be a number, not {}", self.describe(&color.ty));
                    self.error(Code::TypeMismatch, color.span, message);
                }
                self.scopes.close();
                bars.push((binders, condition, color));
            }
            self.scopes.close();
            self.model.gantt.push(GanttLine { name: line.name.name.clone(), params, bars });
        }
    }

    fn binders(&mut self, list: &[(Ident, syntax::TypeExpr)]) -> Vec<SymbolId> {
        list.iter()
            .map(|(name, ty)| {
                let domain = self.domain(ty, "a chart");
                let id = self.declare(name, SymbolKind::Binder, domain);
                self.facts[id.index()].computable = true;
                id
            })
            .collect()
    }
}
