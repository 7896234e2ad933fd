//! The report: one HTML file that needs nothing else.
//!
//! What was found travels as JSON inside the file, runs as differences from step to step, so that even 50,000 steps of a hundred processes stay small;
//! each template is drawn once. A script of our own, without any framework, shows one step at a time in several panes. The verdicts are plain HTML: they can
//! be read, searched and printed without the script.

mod data;
mod gantt;
pub mod kit;
mod listing;
mod others;
mod told;

use crate::drawing::{self, Figure};
use crate::drawing::{DARK_STYLE, escaped};
use crate::summary::description;
use crate::verdict::property_of;
use guidepost_answer::Evidence;
use guidepost_language::Loaded;
use guidepost_network::Network;
use serde_json::Value;
use std::fmt::Write;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("report.css");
/// Joined into one script with the panes of the kit, in this order.
const SCRIPTS: [&str; 5] = [
    include_str!("schedule.js"),
    include_str!("search.js"),
    include_str!("instead.js"),
    include_str!("listing.js"),
    include_str!("page.js"),
];

/// What a report is made from.
pub struct HtmlReport<'a> {
    /// The model, for its drawings.
    pub loaded: &'a Loaded,
    /// Its network.
    pub network: &'a Network,
    /// The answers, as `check --format json` gives them.
    pub answers: &'a Value,
    /// For each answer the run to show, if there is one.
    pub runs: Vec<Option<&'a Evidence>>,
}

impl HtmlReport<'_> {
    /// The whole file.
    pub fn html(&self) -> String {
        let name = self.answers["model"].as_str().unwrap_or("model");
        let file_name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let script = [kit::PANES.join("\n"), SCRIPTS.join("\n")].join("\n");
        let parts = [
            ("{{title}}", escaped(&format!("{file_name} · guidepost"))),
            ("{{model}}", escaped(name)),
            ("{{name}}", escaped(file_name)),
            ("{{style}}", kit::style()),
            ("{{answers}}", answers(self.answers, self.loaded)),
            ("{{listings}}", listing::listings(self.loaded)),
            ("{{drawings}}", self.drawings()),
            ("{{data}}", data::embedded(&self.data())),
            ("{{script}}", script),
        ];
        fill(PAGE, &parts)
    }

    /// One drawing per template, or the author's own automata.
    fn drawings(&self) -> String {
        match told::Cast::of(self.network) {
            Some(cast) => cast.figures().iter().enumerate().map(|(at, figure)| drawn(at, figure)).collect(),
            None => templates(self.loaded, self.network),
        }
    }
}

fn drawn(index: usize, figure: &Figure) -> String {
    format!("<template id=\"drawing-{index}\">{}</template>\n", drawing::inline(figure))
}

/// One drawing per template that has a process, to be copied for each of them: the author's own where there is one, and none of what the author did not
/// write.
fn templates(loaded: &Loaded, network: &Network) -> String {
    let wording = &network.wording;
    let mut text = String::new();
    for (index, template) in loaded.document.templates.iter().enumerate() {
        let has_process = network.processes.iter().any(|process| process.template as usize == index);
        let figure = match wording.portraits.get(&index) {
            Some(portrait) => Figure::of_portrait(wording.name(&template.name.name), portrait),
            None if wording.has_cycles() => continue,
            None => Figure::of(template, loaded),
        };
        if has_process {
            text.push_str(&drawn(index, &figure));
        }
    }
    text
}

/// Fills the page in one pass, so that nothing inside a part is taken for a place.
fn fill(page: &str, parts: &[(&str, String)]) -> String {
    let mut text =
        String::with_capacity(page.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
    let mut rest = page;
    while let Some(at) = rest.find("{{") {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (place, part) = parts
            .iter()
            .find(|(place, _)| rest.starts_with(place))
            .expect("every place of the page has its part");
        text.push_str(part);
        rest = &rest[place.len()..];
    }
    text.push_str(rest);
    text
}

/// The style of drawings on a dark page, under the page's own switch.
fn dark(style: &str) -> String {
    style.replace(".drawing", ":root[data-theme=dark] .drawing")
}

/// The verdicts as a table.
fn answers(answers: &Value, loaded: &Loaded) -> String {
    let mut text = String::new();
    for (index, result) in answers["results"].as_array().into_iter().flatten().enumerate() {
        let verdict = result["verdict"].as_str().unwrap_or("undecided");
        let approximate = result["approximate"].as_bool().unwrap_or(false);
        let (class, sign, word) = match (verdict, approximate) {
            _ if result["model_error"].is_object() => ("no", "!", "not answered"),
            ("satisfied", false) => ("yes", "✓", "satisfied"),
            ("not satisfied", false) => ("no", "✗", "not satisfied"),
            ("satisfied", true) => ("open", "≈", "may be satisfied"),
            ("not satisfied", true) => ("open", "≈", "may not be satisfied"),
            ("simulated", _) => ("open", "~", "simulated"),
            _ => ("open", "?", "undecided"),
        };
        let expected = match result["expected"].as_bool() {
            Some(true) => "as expected",
            Some(false) => "<strong>not as expected</strong>",
            None => "",
        };
        let _ = write!(
            text,
            "<tr data-answer=\"{index}\"><td class=\"number\">{}</td><td class=\"verdict {class}\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span>\
             {word}</td><td><code>{}</code>{}</td><td>{expected}</td><td>{}</td><td class=\"show\"></td></tr>",
            result["number"].as_u64().map_or_else(String::new, |number| number.to_string()),
            escaped(&title(result)),
            comment(result, loaded) + &remarks(result),
            how(result),
        );
        text.push('\n');
    }
    text
}

/// The query in its author's words.
fn title(result: &Value) -> String {
    match property_of(&result["property"]) {
        Some(property) => property.to_string(),
        None => result["query"].as_str().unwrap_or("").to_owned(),
    }
}

/// What the author says about the query, if it is one of the model.
fn comment(result: &Value, loaded: &Loaded) -> String {
    let written =
        loaded.model.queries.iter().find(|query| Some(query.text.as_str()) == result["query"].as_str());
    let Some(query) = written.filter(|query| query.property.is_none()) else { return String::new() };
    let text = description(&query.comment);
    if text.is_empty() {
        return text;
    }
    format!("<div class=\"comment\">{}</div>", escaped(&text))
}

/// What else there is to say about an answer.
fn remarks(result: &Value) -> String {
    let mut text = String::new();
    let mut remark = |class: &str, words: &str| {
        let _ = write!(text, "<div class=\"{class}\">{}</div>", escaped(words));
    };
    let is_error = result["model_error"].is_object();
    if let Some(reason) = result["reason"].as_str().filter(|_| !is_error) {
        let words =
            if reason.ends_with(" limit") { format!("the {reason} was reached") } else { reason.to_owned() };
        remark("remark", &words);
    }
    if let Some(message) = result["model_error"]["message"].as_str() {
        remark("remark trouble", &format!("The model has an error: {message}"));
    }
    if let Some(message) = result["internal_error"].as_str() {
        remark("remark trouble", &format!("Internal error: {message}"));
    }
    if let Some(words) = cost_words(&result["cost"]) {
        remark("remark", &words);
    }
    let landmarks: Vec<&str> =
        result["landmarks"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !landmarks.is_empty() {
        remark("remark", &format!("On the way: {}", landmarks.join(", then ")));
    }
    for post in result["trace"]["guideposts"].as_array().into_iter().flatten() {
        let when = post["step"].as_u64().map_or("not passed".to_owned(), |step| format!("step {step}"));
        remark("remark", &format!("Guidepost {}: {when}", post["condition"].as_str().unwrap_or("")));
    }
    for value in result["values"].as_array().into_iter().flatten() {
        let bound = |key: &str| match (value[key]["value"].as_i64(), value[key]["strict"].as_bool()) {
            (Some(bound), Some(true)) => format!("{bound} (not reached)"),
            (Some(bound), _) => bound.to_string(),
            _ if key == "sup" && value["unbounded"].as_bool() == Some(true) => "∞".to_owned(),
            _ => "–".to_owned(),
        };
        let expression = value["expression"].as_str().unwrap_or("");
        remark("remark", &format!("{expression}: from {} to {}", bound("inf"), bound("sup")));
    }
    text
}

/// What is known of the best run.
fn cost_words(cost: &Value) -> Option<String> {
    let measure = cost["measure"].as_str()?;
    let bound = cost["lower_bound"].as_str().map(|bound| format!("at least {bound} needed"));
    Some(match (cost["value"].as_str(), bound) {
        (Some(value), _) if cost["proved"] == true => format!("least {measure} {value}"),
        (Some(value), Some(bound)) => format!("{measure} {value} found, {bound}"),
        (Some(value), None) => format!("{measure} {value} found"),
        (None, bound) => {
            format!("no run found{}", bound.map_or_else(String::new, |bound| format!(", {measure} {bound}")))
        }
    })
}

/// What was searched and how.
fn how(result: &Value) -> String {
    let Some(search) = result["search"].as_str() else { return String::new() };
    let heuristic = result["heuristic"].as_str().filter(|heuristic| *heuristic != "none");
    let heuristic = heuristic.map_or_else(String::new, |heuristic| format!(" with {}", escaped(heuristic)));
    let statistics = &result["statistics"];
    format!(
        "{}{heuristic}, {} states explored, {:.3} s",
        escaped(search),
        statistics["explored"].as_u64().unwrap_or(0),
        statistics["seconds"].as_f64().unwrap_or(0.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_not_filled_again() {
        let parts = [("{{a}}", "{{b}} and more".to_owned()), ("{{b}}", "B".to_owned())];
        assert_eq!(fill("<{{a}}|{{b}}>", &parts), "<{{b}} and more|B>");
    }

    #[test]
    fn every_place_of_the_page_is_known() {
        let known = [
            "{{title}}",
            "{{model}}",
            "{{name}}",
            "{{style}}",
            "{{answers}}",
            "{{listings}}",
            "{{drawings}}",
            "{{data}}",
            "{{script}}",
        ];
        assert_eq!(
            PAGE.matches("{{").count(),
            PAGE.split("{{")
                .skip(1)
                .filter(|rest| known.iter().any(|place| format!("{{{{{rest}").starts_with(place)))
                .count()
        );
        for place in known {
            assert!(PAGE.contains(place), "{place}");
        }
    }
}
