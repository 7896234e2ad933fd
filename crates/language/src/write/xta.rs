//! UPPAAL's textual form, 4.x syntax.

use super::expression::POSTFIX;
use super::{Printer, portable};
use crate::diagnostic::Diagnostics;
use crate::source::SourceMap;
use crate::syntax::{Decl, Direction, Document, Drawing, Edge, Expr, Location, Node, Sync, Template};

/// Writes a model as `.xta`. Drawings and stored queries have no place there (queries: [`to_q`](super::to_q)).
///
/// # Errors
/// What the format cannot say, each with the code `E010`.
pub fn to_xta(document: &Document, sources: &SourceMap) -> Result<String, Diagnostics> {
    let mut printer = Printer::new(sources);
    let document = portable::document(document, &mut printer.errors);
    portable::check_names(&document, &mut printer.errors);
    printer.decls(&document.decls);
    for template in &document.templates {
        if !printer.text.is_empty() {
            printer.push("\n");
        }
        printer.line();
        printer.process(template);
    }
    if !printer.text.is_empty() {
        printer.push("\n");
    }
    printer.system(&document.system);
    printer.push("\n");
    printer.finish()
}

impl Printer<'_> {
    fn process(&mut self, template: &Template) {
        self.push(&format!("process {}(", template.name.name));
        self.params(&template.params);
        self.push(") {");
        self.indent += 1;
        self.decls(&template.decls);
        // An unused template may be empty.
        if !template.locations.is_empty() {
            self.automaton(template);
        }
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    fn automaton(&mut self, template: &Template) {
        if let Some(Decl::Function(_)) = template.decls.last() {
            self.push("\n");
        }
        self.states(template);
        self.flagged("commit", template, |location| location.committed);
        self.flagged("urgent", template, |location| location.urgent);
        if let Some(init) = template.init {
            self.line();
            self.push(&format!("init {};", template.locations[init].name.name));
        } else {
            let message = format!("template `{}` has no initial location", template.name.name);
            self.not_expressible(template.span, message);
        }
        self.transitions(template);
    }

    fn states(&mut self, template: &Template) {
        self.line();
        self.push("state");
        self.indent += 1;
        self.separated(",", &template.locations, |printer, location| {
            printer.comment(&location.drawing);
            printer.line();
            printer.state(location);
        });
        self.indent -= 1;
        self.push(";");
        if !template.branchpoints.is_empty() {
            self.line();
            self.push("branchpoint ");
            self.separated(", ", &template.branchpoints, |printer, point| printer.push(&point.name.name));
            self.push(";");
        }
    }

    /// The author's comment, on lines of its own.
    fn comment(&mut self, drawing: &Drawing) {
        for line in drawing.comment.iter().flat_map(|comment| comment.trim().lines()) {
            self.line();
            // A backslash at the end would join the next line to the comment.
            self.push(format!("// {}", line.trim().trim_end_matches('\\')).trim_end());
        }
    }

    fn state(&mut self, location: &Location) {
        self.push(&location.name.name);
        if location.invariant.is_none() && location.exponential_rate.is_none() {
            return;
        }
        self.push(" { ");
        if let Some(invariant) = &location.invariant {
            self.expr(invariant);
        }
        if let Some((rate, divisor)) = &location.exponential_rate {
            self.push("; ");
            self.rate(rate, divisor.as_ref());
        }
        self.push(" }");
    }

    pub(super) fn rate(&mut self, rate: &Expr, divisor: Option<&Expr>) {
        self.expr(rate);
        if let Some(divisor) = divisor {
            self.push(" : ");
            self.expr(divisor);
        }
    }

    fn flagged(&mut self, keyword: &str, template: &Template, flag: impl Fn(&Location) -> bool) {
        let names: Vec<_> = template.locations.iter().filter(|&l| flag(l)).map(|l| &*l.name.name).collect();
        if !names.is_empty() {
            self.line();
            self.push(&format!("{keyword} {};", names.join(", ")));
        }
    }

    fn transitions(&mut self, template: &Template) {
        if template.edges.is_empty() {
            return;
        }
        self.line();
        self.push("trans");
        self.indent += 1;
        self.separated(",", &template.edges, |printer, edge| {
            printer.comment(&edge.drawing);
            printer.line();
            printer.edge(template, edge);
        });
        self.indent -= 1;
        self.push(";");
    }

    fn edge(&mut self, template: &Template, edge: &Edge) {
        let arrow = if edge.controllable { "->" } else { "-u->" };
        let (from, to) = (node_name(template, edge.source), node_name(template, edge.target));
        self.push(&format!("{from} {arrow} {to} {{ "));
        if !edge.select.is_empty() {
            self.push("select ");
            self.binders(&edge.select);
            self.push("; ");
        }
        if let Some(guard) = &edge.guard {
            self.push("guard ");
            self.expr(guard);
            self.push("; ");
        }
        if let Some(sync) = &edge.sync {
            self.push("sync ");
            self.sync(sync);
            self.push("; ");
        }
        if !edge.update.is_empty() {
            self.push("assign ");
            self.exprs(&edge.update);
            self.push("; ");
        }
        if let Some(weight) = &edge.probability {
            self.push("probability ");
            self.expr(weight);
            self.push("; ");
        }
        self.push("}");
    }

    pub(super) fn sync(&mut self, sync: &Sync) {
        self.expr_at(POSTFIX, &sync.channel);
        self.push(match sync.direction {
            Direction::Send => "!",
            Direction::Receive => "?",
            Direction::Join => "",
        });
    }
}

/// The name of one end of an edge.
pub(super) fn node_name(template: &Template, node: Node) -> &str {
    match node {
        Node::Location(index) => &template.locations[index].name.name,
        Node::Branchpoint(index) => &template.branchpoints[index].name.name,
    }
}
