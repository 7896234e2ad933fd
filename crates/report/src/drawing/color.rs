//! Colours of authors, made readable.
//!
//! Authors choose colours for white paper. A line has to stand out from a dark page as well, so it gets a lighter twin there; contrast is measured as the
//! Web Content Accessibility Guidelines do (W3C, 2018, section 1.4.11: 3 to 1 for graphics).

type Rgb = [f64; 3];

const ENOUGH: f64 = 3.0;
const PAPER: Rgb = [1.0, 1.0, 1.0];
const NIGHT: Rgb = [0.082, 0.098, 0.125];

/// A colour as `#rrggbb`, if it is one: nothing else of a user's file goes into an attribute.
pub(super) fn normalised(text: &str) -> Option<String> {
    parse(text).map(show)
}

/// The colour of a line on a light and on a dark page.
pub(super) fn line_colors(text: &str) -> Option<(String, String)> {
    let color = parse(text)?;
    Some((show(towards(color, PAPER, [0.0; 3])), show(towards(color, NIGHT, [1.0; 3]))))
}

/// Black or white, whichever can be read on this colour.
pub(super) fn ink_on(text: &str) -> &'static str {
    let color = parse(text).unwrap_or(PAPER);
    if contrast(color, [0.0; 3]) >= contrast(color, PAPER) { "#000000" } else { "#ffffff" }
}

fn parse(text: &str) -> Option<Rgb> {
    let digits = text.trim().strip_prefix('#')?;
    let digits: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        6 => digits.to_owned(),
        _ => return None,
    };
    let part = |at: usize| {
        digits
            .get(at..at + 2)
            .and_then(|part| u8::from_str_radix(part, 16).ok())
            .map(|part| f64::from(part) / 255.0)
    };
    Some([part(0)?, part(2)?, part(4)?])
}

fn show(color: Rgb) -> String {
    let part = |value: f64| (value * 255.0).round().clamp(0.0, 255.0) as u8;
    format!("#{:02x}{:02x}{:02x}", part(color[0]), part(color[1]), part(color[2]))
}

/// Mixes a colour with black or white until it stands out.
fn towards(mut color: Rgb, ground: Rgb, goal: Rgb) -> Rgb {
    for _ in 0..20 {
        if contrast(color, ground) >= ENOUGH {
            break;
        }
        for (part, goal) in color.iter_mut().zip(goal) {
            *part += (goal - *part) * 0.15;
        }
    }
    color
}

fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    if a > b { a / b } else { b / a }
}

fn luminance(color: Rgb) -> f64 {
    let linear =
        color.map(|part| if part <= 0.039_28 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_are_colours() {
        assert_eq!(normalised("#FF0000").as_deref(), Some("#ff0000"));
        assert_eq!(normalised("#abc").as_deref(), Some("#aabbcc"));
        for wrong in ["red", "#12", "#gggggg", "\"><script>", "#ééé", ""] {
            assert_eq!(normalised(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lines_stand_out_from_both_pages() {
        for color in ["#000000", "#ffffff", "#ffff00", "#0000ff", "#808080", "#c0c0c0"] {
            let (light, dark) = line_colors(color).unwrap();
            assert!(contrast(parse(&light).unwrap(), PAPER) >= 2.9, "{color} on white: {light}");
            assert!(contrast(parse(&dark).unwrap(), NIGHT) >= 2.9, "{color} on black: {dark}");
        }
        assert_eq!(line_colors("#d02020").unwrap().0, "#d02020", "what is readable stays");
        assert_eq!(ink_on("#ffff00"), "#000000");
        assert_eq!(ink_on("#000080"), "#ffffff");
    }
}
