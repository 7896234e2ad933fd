//! The model as text: what its author wrote, with comments.
//!
//! A text file is shown as it is. Of an XML file, declarations and the system line are; everything else stands on the drawings.

use super::escaped;
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::read::markup::{self, Element};
use guidepost_language::source::FileId;
use std::fmt::Write;

/// Longer texts are not repeated in a report.
const LONGEST: usize = 500_000;

/// One text with its title.
struct Listing {
    title: String,
    /// The template that it belongs to.
    template: Option<String>,
    text: String,
}

/// All texts of a model, as HTML.
pub(super) fn listings(loaded: &Loaded) -> String {
    let mut html = String::new();
    for listing in texts(loaded) {
        let owner = listing
            .template
            .map_or_else(String::new, |template| format!(" data-template=\"{}\"", escaped(&template)));
        let _ = write!(html, "<article class=\"listing\"{owner}><h2>{}</h2>", escaped(&listing.title));
        if listing.text.len() > LONGEST {
            html.push_str("<p class=\"remark\">The text is too long to be repeated here.</p>");
        } else {
            html.push_str("<ol>");
            for line in listing.text.lines() {
                let _ = writeln!(html, "<li>{}</li>", escaped(line));
            }
            html.push_str("</ol>");
        }
        html.push_str("</article>\n");
    }
    html
}

fn texts(loaded: &Loaded) -> Vec<Listing> {
    let Some((id, file)) = loaded.sources.files().next() else { return Vec::new() };
    if file.text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        return xml_texts(&file.text, id);
    }
    let title = file.name.rsplit(['/', '\\']).next().unwrap_or(&file.name).to_owned();
    vec![Listing { title, template: None, text: file.text.clone() }]
}

/// Declarations, instantiations and the system line of an XML file. Messages about it have been given before.
fn xml_texts(xml: &str, file: FileId) -> Vec<Listing> {
    let Some(root) = markup::parse(xml, file, &mut Diagnostics::default()) else { return Vec::new() };
    let mut listings = Vec::new();
    for element in &root.children {
        match element.name.as_str() {
            "declaration" => listings.extend(listing(element, "Declarations".to_owned(), None)),
            "instantiation" => listings.extend(listing(element, "Instantiation".to_owned(), None)),
            "system" => listings.extend(listing(element, "System".to_owned(), None)),
            "template" => {
                let name = element.child("name").map(Element::content).unwrap_or_default();
                let name = name.trim();
                let own = element.child("declaration");
                let title = || format!("Declarations of {name}");
                listings.extend(own.and_then(|own| listing(own, title(), Some(name.to_owned()))));
            }
            _ => {}
        }
    }
    listings
}

/// What an element says, if it says anything.
fn listing(element: &Element, title: String, template: Option<String>) -> Option<Listing> {
    let text = element.content();
    let text = text.trim_start_matches('\n').trim_end();
    (!text.trim().is_empty()).then(|| Listing { title, template, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_language::load_text;

    #[test]
    fn declarations_keep_comments_and_are_decoded() {
        let loaded = load_text(
            "m.xml",
            "<nta><declaration>// first &amp; foremost\nint a;</declaration><template><name>P</name><declaration><![CDATA[bool less(int i) { return i < 3; }]]></declaration>\
             <location id=\"a\"/><init ref=\"a\"/></template><system>system P;</system></nta>",
        );
        let html = listings(&loaded);
        assert!(html.contains("<li>// first &amp; foremost</li>"), "{html}");
        assert!(html.contains("data-template=\"P\"><h2>Declarations of P</h2><ol><li>bool less(int i) { return i &lt; 3; }</li>"), "{html}");
        assert!(html.contains("<h2>System</h2><ol><li>system P;</li>"), "{html}");
    }

    #[test]
    fn text_files_are_shown_whole() {
        let loaded = load_text("m.xta", "process P() { state A; init A; }\n// end\nsystem P;\n");
        let html = listings(&loaded);
        assert!(html.contains("<h2>m.xta</h2>") && html.contains("<li>// end</li>"), "{html}");
    }
}
