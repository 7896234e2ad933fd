//! Templates become processes.
//!
//! A name on the system line is a template or an instantiation of one; following the chain of instantiations binds parameters until only the open ones
//! of the outermost are left, and those make it a set: one process per tuple of values, in lexicographic order, named `P(0,1)`.

use super::Builder;
use super::constants::Initial;
use super::limits::{MAX_LOCATIONS, MAX_PROCESSES};
use super::names::{Binding, Object, Origin, ProcessNames, ProcessSet};
use super::walk::template_modifies;
use crate::network::ProcessId;
use guidepost_language::diagnostic::Code;
use guidepost_language::model::{Callee, ParamMode, ProcessDecl, SymbolId, SymbolKind, TemplateId};
use guidepost_language::source::Span;

/// A process before its edges are compiled.
pub(crate) struct Instance {
    pub(crate) name: String,
    pub(crate) template: TemplateId,
    pub(crate) priority: u32,
}

impl<'m> Builder<'m> {
    /// Declares everything global, then every process.
    pub(crate) fn instantiate_all(&mut self) {
        let model = self.model;
        self.names_mut().globals = vec![None; model.symbols.len()];
        for &symbol in &model.globals {
            match self.declare(symbol, "") {
                Some(binding) => self.names_mut().globals[symbol.index()] = Some(binding),
                None => self.report.failed = true,
            }
        }
        for decl in &model.processes {
            let set = self.instantiate_set(decl);
            self.names_mut().sets.push(set.unwrap_or_default());
        }
    }

    fn params(&self, callee: Callee) -> &'m [SymbolId] {
        match callee {
            Callee::Template(id) => &self.model.template(id).params,
            Callee::Instance(id) => &self.model.instance(id).params,
        }
    }

    fn instantiate_set(&mut self, decl: &ProcessDecl) -> Option<ProcessSet> {
        let first = self.instances.len() as u32;
        let mut dimensions = Vec::new();
        let mut count: u64 = 1;
        for &param in self.params(decl.callee) {
            let (low, high) = self.domain(&self.model.symbol(param).ty, decl.span)?;
            let values = (i64::from(high) - i64::from(low) + 1) as u64;
            count = count.saturating_mul(values);
            if count > MAX_PROCESSES {
                break;
            }
            dimensions.push((low, values as u32));
        }
        if u64::from(first) + count > MAX_PROCESSES {
            let message = format!("the process set `{}` is too large", decl.name);
            return self.report.error(Code::TooLarge, decl.span, message);
        }
        for index in 0..count as u32 {
            let values = tuple(&dimensions, index);
            // A process that fails is left out; the model fails as a whole then.
            if self.instantiate(decl, &values).is_none() {
                self.report.failed = true;
            }
            self.locals.clear();
            self.instance = None;
        }
        Some(ProcessSet { first, dimensions })
    }

    fn instantiate(&mut self, decl: &ProcessDecl, values: &[i32]) -> Option<()> {
        self.instance = Some(self.instances.len() as u32);
        let start = self.next_places();
        for (&param, &value) in self.params(decl.callee).iter().zip(values) {
            self.locals.push((param, Binding::Value(value)));
        }
        let template = self.bind_chain(decl.callee)?;
        let name = if values.is_empty() {
            decl.name.to_string()
        } else {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!("{}({})", decl.name, values.join(","))
        };
        self.declare_process(template, name, decl.priority, decl.span)?;
        self.note_process(self.params(decl.callee), values, start);
        Some(())
    }

    /// Binds the parameters along a chain of instantiations and returns the template at its end.
    fn bind_chain(&mut self, callee: Callee) -> Option<TemplateId> {
        match callee {
            Callee::Template(id) => Some(id),
            Callee::Instance(id) => {
                let instance = self.model.instance(id);
                for (&param, arg) in self.params(instance.callee).iter().zip(&instance.args) {
                    let binding = self.argument(param, arg)?;
                    self.locals.push((param, binding));
                }
                self.bind_chain(instance.callee)
            }
        }
    }

    fn declare_process(&mut self, id: TemplateId, name: String, priority: u32, span: Span) -> Option<()> {
        let template = self.model.template(id);
        let prefix = format!("{name}.");
        for &param in &template.params {
            self.loosen_parameter(id, param, &prefix)?;
        }
        for &local in &template.locals {
            let binding = self.declare(local, &prefix)?;
            self.locals.push((local, binding));
        }
        let first_location = self.location_count;
        let location_count = template.locations.len() as u32;
        if u64::from(first_location) + u64::from(location_count) > MAX_LOCATIONS {
            return self.report.error(Code::TooLarge, span, "the model has too many locations");
        }
        self.location_count += location_count;
        let process = ProcessId(self.instances.len() as u32);
        for (index, location) in template.locations.iter().enumerate() {
            for label in &location.labels {
                self.labels.push((label.clone(), process, first_location + index as u32));
            }
        }
        let mut bindings = std::mem::take(&mut self.locals);
        bindings.sort_by_key(|(symbol, _)| *symbol);
        self.names_mut().processes.push(ProcessNames { bindings, first_location, location_count });
        self.instances.push(Instance { name, template: id, priority });
        Some(())
    }
}

impl Builder<'_> {
    /// A parameter passed by value is a constant, unless the template changes it: then it is a variable of the process.
    fn loosen_parameter(&mut self, id: TemplateId, param: SymbolId, prefix: &str) -> Option<()> {
        let symbol = self.model.symbol(param);
        let key = (id, param);
        let model = self.model;
        let changed = *self.changed_parameters.entry(key).or_insert_with(|| {
            let by_value = matches!(symbol.kind, SymbolKind::Param(ParamMode::Value));
            by_value && template_modifies(model, id, param)
        });
        let Some(at) = self.locals.iter().position(|(local, _)| *local == param).filter(|_| changed) else {
            return Some(());
        };
        let layout = self.layout(&symbol.ty, false, symbol.span)?;
        let data = match &self.locals[at].1 {
            Binding::Value(value) => vec![*value],
            Binding::Object(Object { data: Origin::Constant(start), .. }) => {
                let start = *start as usize;
                self.program.memory.scratch[start..start + layout.size.data as usize].to_vec()
            }
            Binding::Object(_) => return Some(()),
        };
        let initial = Initial { data, clocks: Vec::new() };
        self.note_scalars(&symbol.ty, &layout);
        let name = format!("{prefix}{}", symbol.name);
        self.locals[at].1 = self.declare_object(&layout, &initial, &name, false, symbol.span)?;
        Some(())
    }
}

/// The tuple with the given lexicographic index.
fn tuple(dimensions: &[(i32, u32)], mut index: u32) -> Vec<i32> {
    let mut values: Vec<i32> = dimensions
        .iter()
        .rev()
        .map(|&(low, count)| {
            let value = low + (index % count) as i32;
            index /= count;
            value
        })
        .collect();
    values.reverse();
    values
}
