//! What other pages in the report's look are made from.

use serde_json::Value;

/// Colours, tables, buttons and figures, light and dark.
pub const STYLE: &str = super::STYLE;

/// Fills the places `{{name}}` of a page in one pass, so that nothing inside a part is taken for a place. Every place has to have its part.
pub fn fill(page: &str, parts: &[(&str, String)]) -> String {
    super::fill(page, parts)
}

/// A text for HTML, in elements and attributes.
pub fn escaped(text: &str) -> String {
    super::escaped(text)
}

/// JSON inside of a script element.
pub fn embedded(value: &Value) -> String {
    super::data::embedded(value)
}
