//! The page.

use crate::Explorer;
use crate::server::secret;
use guidepost::language::model::Formula;
use guidepost::numbered;
use guidepost::report::html::kit;
use serde_json::{Value, json};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page, and the number that its script has to have.
pub(crate) fn page(explorer: &Explorer) -> (String, String) {
    let simulator = explorer.simulator();
    let (loaded, network) = (simulator.session().loaded(), simulator.network());
    let name = explorer.model();
    let file_name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let mut data = kit::model(loaded, network);
    data["channels"] = json!(explorer.channels().names());
    data["model"] = json!(file_name);
    data["begin"] = json!(explorer.beginning().0);
    data["queries"] = queries(&simulator);
    // A page without a random number has a script that the browser does not run, which is safe.
    let nonce = secret().unwrap_or_default();
    let parts = [
        ("{{title}}", kit::escaped(&format!("{file_name} · guidepost explorer"))),
        ("{{model}}", kit::escaped(name)),
        ("{{name}}", kit::escaped(file_name)),
        ("{{style}}", format!("{}{STYLE}", kit::style())),
        ("{{drawings}}", kit::drawings(loaded, network)),
        ("{{data}}", kit::embedded(&data)),
        ("{{nonce}}", nonce.clone()),
        ("{{script}}", format!("{}\n{SCRIPT}", kit::PANES.join("\n"))),
    ];
    (kit::fill(PAGE, &parts), nonce)
}

/// The queries that came with the model.
fn queries(simulator: &guidepost::Simulator) -> Value {
    let queries = numbered(simulator.session().queries().to_vec()).into_iter();
    let queries = queries.filter(|(_, query)| !matches!(query.formula, Formula::Error | Formula::Foreign(_)));
    queries
        .map(|(number, query)| {
            let words = query.property.as_ref().map(ToString::to_string);
            json!({ "number": number, "text": query.text, "words": words })
        })
        .collect()
}
