//! The lanes that a model asks for with `gantt { … }`.
//!
//! A line has bars; a bar is shown in its colour while its condition holds. Conditions are compiled like queries and evaluated in every state of the run;
//! parameters and binders are bound by asking for `exists (i : T) i == k and …`.

use guidepost_answer::Evidence;
use guidepost_language::Loaded;
use guidepost_language::model::{
    BinaryOp, Expr, ExprKind, Formula, GanttLine, Model, Quantifier, Query, SymbolId, Type,
};
use guidepost_network::interpreter::{Interpreter, State};
use guidepost_network::{Expression, Goal, Machine, Network, Question, compile_expression, compile_query};
use serde_json::{Value, json};

/// A chart with more lanes than this helps nobody.
const MOST_LANES: usize = 200;

/// `[{ "name", "bars": [[first step, step after the last, colour], …] }, …]`; null when the model has no chart, or one that cannot be computed.
pub(super) fn lanes(loaded: &Loaded, network: &Network, evidence: &Evidence) -> Value {
    if loaded.model.gantt.is_empty() {
        return Value::Null;
    }
    let chart = Chart { model: &loaded.model, network };
    let Some(lanes) = chart.compile() else { return Value::Null };
    let states: Vec<&State> =
        std::iter::once(&evidence.initial).chain(evidence.steps.iter().map(|step| &step.after)).collect();
    let mut interpreter = Interpreter::new(network);
    let mut machine = Machine::new(&network.program);
    let shown = lanes.iter().map(|lane| {
        let colors: Vec<Option<i32>> =
            states.iter().map(|state| lane.color(state, &mut interpreter, &mut machine)).collect();
        json!({ "name": lane.name, "bars": intervals(&colors) })
    });
    shown.collect()
}

/// Stretches of the same colour.
fn intervals(colors: &[Option<i32>]) -> Vec<(usize, usize, i32)> {
    let mut bars: Vec<(usize, usize, i32)> = Vec::new();
    for (at, color) in colors.iter().enumerate() {
        let Some(color) = *color else { continue };
        match bars.last_mut() {
            Some((_, end, known)) if *end == at && *known == color => *end = at + 1,
            _ => bars.push((at, at + 1, color)),
        }
    }
    bars
}

struct Lane {
    name: String,
    /// Conditions and colours.
    bars: Vec<(Vec<Goal>, Expression)>,
}

impl Lane {
    /// The colour of the first bar whose condition holds.
    fn color(
        &self,
        state: &State,
        interpreter: &mut Interpreter<'_>,
        machine: &mut Machine<'_>,
    ) -> Option<i32> {
        let shown = |goal: &Goal, interpreter: &mut Interpreter<'_>| {
            goal.deadlock.is_none() && interpreter.satisfies(state, goal).unwrap_or(false)
        };
        let (_, color) =
            self.bars.iter().find(|(goals, _)| goals.iter().any(|goal| shown(goal, interpreter)))?;
        let cells = machine.state_mut();
        let (locations, variables) = cells.split_at_mut(state.locations.len());
        for (cell, location) in locations.iter_mut().zip(&state.locations) {
            *cell = location.0 as i32;
        }
        variables.copy_from_slice(&state.variables);
        machine.evaluate(color).ok()
    }
}

/// Symbols with their values.
type Binding = Vec<(SymbolId, i32)>;

struct Chart<'m> {
    model: &'m Model,
    network: &'m Network,
}

impl Chart<'_> {
    fn compile(&self) -> Option<Vec<Lane>> {
        let mut lanes = Vec::new();
        for line in &self.model.gantt {
            for params in self.bindings(&line.params)? {
                if lanes.len() == MOST_LANES {
                    return Some(lanes);
                }
                let bars = self.bars(line, &params)?;
                lanes.push(Lane { name: lane_name(line, &params), bars });
            }
        }
        Some(lanes)
    }

    fn bars(&self, line: &GanttLine, params: &Binding) -> Option<Vec<(Vec<Goal>, Expression)>> {
        let mut bars = Vec::new();
        for (binders, condition, color) in &line.bars {
            for inner in self.bindings(binders)? {
                let bound: Binding = params.iter().chain(&inner).copied().collect();
                let condition = self.bind(condition, &bound, Quantifier::Exists);
                let color = self.bind(color, &bound, Quantifier::Sum);
                let Question::Possibly(predicate) = self.ask(Formula::Possibly(condition))? else {
                    return None;
                };
                bars.push((predicate.goals, self.value(&color)?.0));
            }
        }
        Some(bars)
    }

    fn ask(&self, formula: Formula) -> Option<Question> {
        let (text, comment) = (String::new(), String::new());
        let query = Query {
            text,
            formula,
            comment,
            expect: None,
            property: None,
            span: guidepost_language::source::Span::default(),
        };
        compile_query(self.network, self.model, &query).ok().map(|query| query.question)
    }

    /// An expression, with bounds of its value.
    fn value(&self, expr: &Expr) -> Option<(Expression, i32, i32)> {
        compile_expression(self.network, self.model, expr)
    }

    /// All values of some symbols, the last one varying fastest.
    fn bindings(&self, symbols: &[SymbolId]) -> Option<Vec<Binding>> {
        let mut all: Vec<Binding> = vec![Vec::new()];
        for &symbol in symbols {
            let (low, high) = self.domain(symbol)?;
            let extended = all.iter().flat_map(|binding| {
                (low..=high).map(move |value| binding.iter().copied().chain([(symbol, value)]).collect())
            });
            all = extended.take(MOST_LANES).collect();
        }
        Some(all)
    }

    /// The values of a symbol's type: integers with a range that is known before the run.
    fn domain(&self, symbol: SymbolId) -> Option<(i32, i32)> {
        let Type::Int(Some(range)) = &self.model.symbol(symbol).ty else { return None };
        let ((_, low, _), (_, _, high)) = (self.value(&range.0)?, self.value(&range.1)?);
        Some((low, high))
    }

    /// `exists (i : T) i == k and e`, or `sum (i : T) (i == k ? e : 0)`.
    fn bind(&self, expr: &Expr, binding: &Binding, quantifier: Quantifier) -> Expr {
        binding.iter().rev().fold(expr.clone(), |inner, &(symbol, value)| {
            let span = inner.span;
            let make = |kind: ExprKind, ty: Type| Expr { kind, ty, span };
            let ty = self.model.symbol(symbol).ty.clone();
            let this = make(ExprKind::Symbol(symbol), ty.clone());
            let number = make(ExprKind::Int(value), ty);
            let equal = make(ExprKind::Binary(BinaryOp::Eq, Box::new(this), Box::new(number)), Type::Bool);
            let ty = inner.ty.clone();
            let body = match quantifier {
                Quantifier::Sum => {
                    let zero = make(ExprKind::Int(0), ty.clone());
                    ExprKind::Conditional(Box::new(equal), Box::new(inner), Box::new(zero))
                }
                _ => ExprKind::Binary(BinaryOp::And, Box::new(equal), Box::new(inner)),
            };
            let body = make(body, ty.clone());
            make(ExprKind::Quantified(quantifier, symbol, Box::new(body)), ty)
        })
    }
}

fn lane_name(line: &GanttLine, params: &Binding) -> String {
    if params.is_empty() {
        return line.name.to_string();
    }
    let values: Vec<String> = params.iter().map(|(_, value)| value.to_string()).collect();
    format!("{}({})", line.name, values.join(", "))
}
