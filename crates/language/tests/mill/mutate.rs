//! Mutants: of bytes, as a broken disk makes them, and of tokens, as a tired author does.

use super::Random;
use std::path::{Path, PathBuf};

/// Mutants do not grow beyond this.
pub(crate) const MAX_BYTES: usize = 100_000;

/// Pieces of text that are likely to matter somewhere.
#[rustfmt::skip]
const INTERESTING: &[&str] = &[
    "0", "1", "2147483647", "2147483648", "-2147483648", "4294967296", "99999999999999999999", "1e308",
    "0x10", ".5", "true", "false", "deadlock", "not", "and", "or", "imply", "forall (i : int[0,3])",
    "exists (i : id_t)", "sum (i : int[0,2])", "int", "int[0,3]", "bool", "clock", "chan", "broadcast chan",
    "urgent", "const", "meta", "struct { int a; bool b; }", "scalar[3]", "typedef", "void", "return",
    "if (", "else", "while (", "for (", "do", "state", "init", "trans", "commit", "branchpoint", "process",
    "system", "select", "guard", "sync", "assign", "probability", "progress {", "gantt {", "chan priority",
    "before_update {", "import \"a\"", "query {", "dynamic", "spawn", "exit()", "E<>", "A[]", "A<>", "E[]",
    "-->", "sup:", "inf{", "Pr[<=10](", "simulate", "control:", "->", "-u->", "++", "--", "+=", "<<=", "**",
    "<?", ">?", "'", "==", ":=", "=<", "=>", "!=", "?", ":", "!", "#", "/*", "*/", "//", "\\\n", "\"", "$",
    "≤", "∧", "ä", "\u{a0}", "\u{feff}", "\0", "\r\n", "\t", ";", ",", ".", "{", "}", "(", ")", "[", "]",
    "<", ">", "&", "&lt;", "&#60;", "&foo;", "&#x110000;", "<![CDATA[", "]]>", "<!--", "-->", "<label>",
    "</label>", "<label kind=\"guard\">", "</template>", "<nta>", "<location id=\"id0\"/>", "<?", "?>",
    "<!DOCTYPE", "system:", "event:", "process:", "location:", "edge:", "sync:", "{initial:}", "{provided:",
    ": do:", "labels:", "@",
];

/// Texts to make mutants of.
pub(crate) struct Corpus {
    /// Ending of the name, and text.
    texts: Vec<(String, String)>,
    /// Those of them that were right.
    right: Vec<usize>,
    /// All tokens that occur.
    tokens: Vec<String>,
}

impl Corpus {
    /// Reads all models and queries of some folders, those within included.
    pub(crate) fn read(mut folders: Vec<PathBuf>) -> Self {
        let mut paths = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() { &mut folders } else { &mut paths }.push(entry.path());
            }
        }
        paths.sort();
        let texts: Vec<_> = paths.iter().filter_map(|path| read(path)).collect();
        let mut tokens: Vec<String> = INTERESTING.iter().map(|text| (*text).to_owned()).collect();
        tokens.extend(texts.iter().flat_map(|(_, text)| pieces(text).into_iter().map(str::to_owned)));
        tokens.sort_unstable();
        tokens.dedup();
        assert!(texts.len() > 100, "the corpus is there");
        let is_right = |(ending, text): &(String, String)| {
            super::exercise(&format!("m.{ending}"), text) == Ok(super::Verdict::Clean)
        };
        let right = (0..texts.len()).filter(|&index| is_right(&texts[index])).collect();
        Self { texts, right, tokens }
    }

    /// Ending and text of a new mutant.
    pub(crate) fn mutant(&self, random: &mut Random) -> (&str, String) {
        let mut pick =
            || if random.once_in(6) { random.below(self.texts.len()) } else { *random.pick(&self.right) };
        // Short texts more often: they take less time, and a change in them matters more.
        let (one, other) = (pick(), pick());
        let index = if self.texts[one].1.len() <= self.texts[other].1.len() { one } else { other };
        let (ending, text) = &self.texts[index];
        let mut text = text.clone();
        for _ in 0..random.below(5).max(1) {
            text =
                if random.once_in(4) { self.of_bytes(&text, random) } else { self.of_tokens(&text, random) };
        }
        let end = (0..=MAX_BYTES.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(end);
        (ending, text)
    }

    fn of_bytes(&self, text: &str, random: &mut Random) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let from = random.below(bytes.len() + 1);
        let most = 1 << random.below(12);
        let to = from + random.below((bytes.len() - from).min(most) + 1);
        match random.below(6) {
            0 if !bytes.is_empty() => {
                let at = from.min(bytes.len() - 1);
                bytes[at] ^= 1 << random.below(8);
            }
            1 => drop(bytes.drain(from..to)),
            2 => {
                let piece = bytes[from..to].to_vec();
                bytes.splice(from..from, piece);
            }
            3 => bytes.truncate(from),
            4 => {
                let other = random.pick(&self.texts).1.as_bytes();
                bytes.truncate(from);
                bytes.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
            _ => {
                let piece = random.pick(INTERESTING).bytes();
                bytes.splice(from..from, piece);
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn of_tokens(&self, text: &str, random: &mut Random) -> String {
        let mut pieces: Vec<String> = pieces(text).into_iter().map(str::to_owned).collect();
        if pieces.is_empty() {
            return random.pick(&self.tokens).clone();
        }
        let at = random.below(pieces.len());
        let other = random.below(pieces.len());
        let (from, to) = (at.min(other), at.max(other).min(at.min(other) + 40));
        match random.below(12) {
            0 => pieces.swap(at, other),
            1 => drop(pieces.remove(at)),
            2 => pieces.insert(at, pieces[at].clone()),
            3 => pieces.insert(at, pieces[other].clone()),
            4 => pieces[at].clone_from(random.pick(&self.tokens)),
            5 => pieces.insert(at, format!(" {} ", random.pick(&self.tokens))),
            6 => drop(pieces.drain(from..to)),
            7 => {
                // A stretch of the text, again and again.
                let piece = pieces[from..to].concat();
                let most = 30_000 / (piece.len() + 1) + 1;
                pieces.insert(to, piece.repeat(random.below(most.min(2000))));
            }
            8 => {
                // Nested deeply.
                let (open, close) = *random.pick(&[
                    ("(", ")"),
                    ("[", "]"),
                    ("{", "}"),
                    ("-", ""),
                    ("<a>", "</a>"),
                    ("!(", ")"),
                ]);
                let depth = 1 << random.below(14);
                pieces[at] = format!("{}{}{}", open.repeat(depth), pieces[at], close.repeat(depth));
            }
            9 => {
                // A long chain.
                let operator = *random.pick(&[
                    " + ",
                    " && ",
                    " ? 1 : ",
                    "[0]",
                    ", ",
                    ".a",
                    " = ",
                    "; ",
                    "(",
                    " < ",
                    " else if (i) ",
                ]);
                let operand = random.pick(&["1", "x", "i", ""]);
                pieces[at].push_str(&format!("{operator}{operand}").repeat(1 << random.below(13)));
            }
            10 => {
                let digits = random.below(60);
                pieces[at] = "9".repeat(digits + 1);
            }
            _ => {
                // A stretch from elsewhere.
                let foreign: Vec<_> = super::mutate::pieces(&random.pick(&self.texts).1)
                    .into_iter()
                    .map(str::to_owned)
                    .collect();
                let start = random.below(foreign.len().max(1));
                let end = (start + random.below(30)).min(foreign.len());
                pieces.splice(from..to, foreign[start.min(end)..end].iter().cloned());
            }
        }
        pieces.concat()
    }
}

fn read(path: &Path) -> Option<(String, String)> {
    let ending = path.extension()?.to_str()?;
    if !matches!(ending, "xml" | "xta" | "ta" | "tck" | "q") {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let small = bytes.len() <= MAX_BYTES / 2;
    small.then(|| (ending.to_owned(), String::from_utf8_lossy(&bytes).into_owned()))
}

/// Words, numbers, signs and the white space between them; together they are the text.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        '=' | '<' | '>' | '+' | '-' | '&' | '|' | '!' => 2,
        _ => 3,
    };
    let mut list = Vec::new();
    let mut start = 0;
    let mut last = 4;
    for (at, character) in text.char_indices() {
        let this = kind(character);
        if at > start && (this != last || this == 3) {
            list.push(&text[start..at]);
            start = at;
        }
        last = this;
    }
    if start < text.len() {
        list.push(&text[start..]);
    }
    list
}
