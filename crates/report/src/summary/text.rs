//! Summaries for people.

use super::{QueryKind, QuerySummary, Summary};
use crate::appearance::{CHANGE, HEADING, Look, NAME, TROUBLE, count};
use guidepost_language::diagnostic::{Diagnostic, Diagnostics};
use guidepost_language::model::{Expectation, Format};
use guidepost_network::Symmetries;

/// Width of the left column, which names what the lines to its right are about.
const LABEL: usize = 10;
/// More messages than this are counted, not shown.
const MOST_MESSAGES: usize = 20;

impl Summary {
    /// The summary as lines of text. `name` is how the user calls the model.
    pub fn text(&self, name: &str, look: Look) -> String {
        let mut page = Page { text: String::new(), look };
        page.line("model", &format!("{} ({})", look.paint(NAME, name), self.format_words()));
        self.sizes_lines(&mut page);
        let features: Vec<String> = self.features.iter().map(|feature| feature.words().to_owned()).collect();
        page.list("uses", &features);
        let foreign: Vec<String> =
            self.foreign.iter().map(|(construct, place)| format!("{construct} ({place})")).collect();
        page.list("foreign", &foreign);
        let symmetries = self.network.as_ref().map(|network| symmetry_words(&network.symmetries));
        page.list("symmetry", &symmetries.unwrap_or_default());
        if self.can_be_checked() {
            page.line("checkable", &look.paint(CHANGE, "yes"));
        } else {
            page.line("checkable", &look.paint(TROUBLE, "no"));
            page.messages(&self.obstacles, self);
        }
        if !self.queries.is_empty() {
            page.line("queries", &self.queries.len().to_string());
            for (index, query) in self.queries.iter().enumerate() {
                self.query_lines(&mut page, index + 1, query);
            }
        }
        page.line("warnings", &self.warnings.len().to_string());
        page.messages(&self.warnings, self);
        page.text
    }

    fn format_words(&self) -> &'static str {
        match self.format {
            Format::Xml => "UPPAAL, XML",
            Format::Xta => "UPPAAL, text",
            Format::Old => "UPPAAL 3.x",
            Format::Tck => "TChecker",
            Format::Plc => "PLC automata",
        }
    }

    fn sizes_lines(&self, page: &mut Page) {
        let mut items = vec![count(self.templates, "template", "templates")];
        if let Some(sizes) = &self.sizes {
            items.push(count(sizes.processes, "process", "processes"));
            items.push(count(sizes.locations, "location", "locations"));
            items.push(count(sizes.edges, "edge", "edges"));
            items.push(count(sizes.clocks, "clock", "clocks"));
            items.push(count(sizes.variables, "variable", "variables"));
            items.push(count(sizes.channels, "channel", "channels"));
        }
        items.push(count(self.functions, "function", "functions"));
        if let Some(sizes) = &self.sizes {
            items.push(count(sizes.state_bits as usize, "bit of discrete state", "bits of discrete state"));
        }
        page.list("sizes", &items);
    }

    fn query_lines(&self, page: &mut Page, number: usize, query: &QuerySummary) {
        let text = match &query.property {
            Some(property) => property.to_string(),
            None if query.kind == QueryKind::Empty => "(empty)".to_owned(),
            None => query.text.clone(),
        };
        let number = page.look.right(HEADING, &number.to_string(), 3);
        page.raw(&format!("{number}  {text}"));
        if let Some(expect) = query.expect {
            let words = match expect {
                Expectation::Satisfied => "expected to be satisfied".to_owned(),
                Expectation::NotSatisfied => "expected not to be satisfied".to_owned(),
                Expectation::Value(value) => format!("expected to be {value}"),
            };
            page.raw(&format!("     {}", page.look.paint(HEADING, &words)));
        }
        for problem in &query.problems {
            page.raw(&format!("     {}", self.message(problem, page.look)));
            for hint in &problem.hints {
                page.raw(&format!("     {}{hint}", page.look.paint(HEADING, "help: ")));
            }
        }
    }

    fn message(&self, diagnostic: &Diagnostic, look: Look) -> String {
        let code = look.paint(TROUBLE, diagnostic.code.id());
        let place = look.paint(HEADING, &self.sources.locate(diagnostic.span));
        format!("{code} {place} {}", diagnostic.message)
    }
}

struct Page {
    text: String,
    look: Look,
}

impl Page {
    fn raw(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn line(&mut self, label: &str, rest: &str) {
        let label = self.look.left(HEADING, label, LABEL);
        self.raw(&format!("{label}  {rest}"));
    }

    fn list(&mut self, label: &str, items: &[String]) {
        for (index, line) in self.look.list(items, LABEL + 2).iter().enumerate() {
            self.line(if index == 0 { label } else { "" }, line);
        }
    }

    fn messages(&mut self, messages: &Diagnostics, summary: &Summary) {
        for message in messages.iter().take(MOST_MESSAGES) {
            self.raw(&format!("  {}", summary.message(message, self.look)));
        }
        if messages.len() > MOST_MESSAGES {
            self.raw(&format!("  … and {} more", messages.len() - MOST_MESSAGES));
        }
    }
}

/// Which scalar sets are symmetric, and why others are not; which processes can be exchanged for each other.
fn symmetry_words(symmetries: &Symmetries) -> Vec<String> {
    let used = symmetries.sets.iter().map(|set| format!("{} ({} members)", set.name, set.size));
    let found = symmetries.found.iter().map(|set| format!("{} ({} processes)", set.name, set.size));
    let refused = symmetries.refused.iter().map(|(name, reason)| format!("not {name} ({})", reason.words()));
    used.chain(found).chain(refused).collect()
}
