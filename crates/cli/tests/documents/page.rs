//! The commands that a page shows, and what the page says that they print.
//!
//! - Lines in an indented block that begin with `$ guidepost` are run as written. What follows, up to the next `$` or the end of the block, is what
//!   the command prints, standard output and standard error together.
//! - `$ cat FILE` shows a file: the lines below it are written to `FILE`, for the commands that come after.
//! - Lines that begin with `guidepost` (or `cargo run --release --`), without `$`, are commands whose output is not shown. They are run, too; but one
//!   with placeholders (`MODEL`, `[--option]`, `…`) is a synopsis, and only the options that it names are looked up. So is `guidepost …` in a sentence.
//! - Commands end with exit code 0. A comment in front of the block says so where they do not: `<!-- exit 3 -->`, with one number per command
//!   if there are several.
//! - `<!-- long -->` marks a block that takes minutes; it is run only if `GUIDEPOST_LONG_TRANSCRIPTS` is set. Both can be combined: `<!-- long, exit 3 -->`.
//!
//! Seconds and MiB may differ from run to run and are not compared; everything else is.

use crate::table::Table;
use std::ops::Range;

/// Something that a page shows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// `$ cat FILE`, and what is in it.
    File { name: String, content: String },
    /// A command to run.
    Command(Command),
    /// A command with placeholders, or one in the middle of a sentence.
    Synopsis { line: usize, words: Vec<String> },
    /// A table that is measured again.
    Table(Table),
}

/// A command that can be run as it stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// Its line in the page, from 1.
    pub(crate) line: usize,
    /// What stands behind `guidepost`.
    pub(crate) args: Vec<String>,
    /// What it prints; `None` where the page does not show it.
    pub(crate) output: Option<String>,
    /// Where in the page that stands: lines from 0, without empty ones at the end.
    pub(crate) place: Range<usize>,
    pub(crate) exit: i32,
    pub(crate) long: bool,
}

/// What the comment in front of a block says.
#[derive(Default)]
struct Remark {
    exits: Vec<i32>,
    long: bool,
}

impl Remark {
    /// `<!-- long, exit 1 3 -->`; other comments say nothing about commands.
    fn of(line: &str) -> Option<Self> {
        let text = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
        let mut remark = Self::default();
        for part in text.split(',').map(str::trim) {
            match part.split_whitespace().collect::<Vec<_>>()[..] {
                ["long"] => remark.long = true,
                ["exit", ref codes @ ..] => {
                    remark.exits = codes.iter().map(|code| code.parse()).collect::<Result<_, _>>().ok()?;
                }
                _ => return None,
            }
        }
        Some(remark)
    }

    /// The exit code of the n-th command of the block.
    fn exit(&self, n: usize) -> i32 {
        self.exits.get(n).or(self.exits.last()).copied().unwrap_or(0)
    }
}

/// All that a page shows, in its order.
pub(crate) fn shown(text: &str) -> Vec<Shown> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let (mut at, mut fenced, mut remark) = (0, false, Remark::default());
    while at < lines.len() {
        let line = lines[at];
        let opens = at == 0 || lines[at - 1].is_empty() || Remark::of(lines[at - 1]).is_some();
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
        } else if line.starts_with("    ") && opens {
            let end = block_end(&lines, at);
            block(&lines[at..end], at + 1, &std::mem::take(&mut remark), &mut found);
            at = end;
            continue;
        } else if let Some(next) = Remark::of(line) {
            remark = next;
        } else if let Some(table) = Table::of(&lines[at..], at) {
            found.push(Shown::Table(table));
        } else {
            if !line.is_empty() {
                remark = Remark::default();
            }
            in_sentence(line, at + 1, &mut found);
        }
        at += 1;
    }
    found
}

/// An indented block goes on behind empty lines if the next line is indented again.
fn block_end(lines: &[&str], start: usize) -> usize {
    let mut end = start;
    for (at, line) in lines.iter().enumerate().skip(start) {
        if line.starts_with("    ") {
            end = at + 1;
        } else if !line.is_empty() {
            break;
        }
    }
    end
}

fn block(lines: &[&str], first: usize, remark: &Remark, found: &mut Vec<Shown>) {
    let lines: Vec<&str> = lines.iter().map(|line| line.get(4..).unwrap_or("")).collect();
    let is_transcript = lines.iter().any(|line| line.starts_with("$ "));
    let mut commands = 0;
    let mut at = 0;
    while at < lines.len() {
        let below = lines[at + 1..].iter().position(|line| line.starts_with("$ "));
        let next = below.map_or(lines.len(), |below| at + 1 + below);
        let text = lines[at].strip_prefix("$ ").unwrap_or(lines[at]);
        if is_transcript && !lines[at].starts_with("$ ") {
            at += 1;
            continue;
        }
        let body = if is_transcript { &lines[at + 1..next] } else { &[] };
        if let Some(name) = text.strip_prefix("cat ") {
            found.push(Shown::File { name: name.to_owned(), content: trimmed(&body.join("\n")) + "\n" });
        } else if let Some(words) = command(text) {
            let line = first + at;
            if is_synopsis(&words) {
                assert!(!is_transcript, "line {line}: a transcript cannot have placeholders: {text}");
                found.push(Shown::Synopsis { line, words: plain(words) });
            } else {
                let output = is_transcript.then(|| trimmed(&body.join("\n")));
                let filled = body.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
                let (exit, long) = (remark.exit(commands), remark.long);
                let (args, place) = (plain(words), line..line + filled);
                found.push(Shown::Command(Command { line, args, output, place, exit, long }));
                commands += 1;
            }
        }
        at = if is_transcript { next } else { at + 1 };
    }
}

/// `` `guidepost …` `` in running text.
fn in_sentence(line: &str, number: usize, found: &mut Vec<Shown>) {
    for span in line.split('`').skip(1).step_by(2) {
        if let Some(words) = command(span).filter(|words| !words.is_empty()) {
            found.push(Shown::Synopsis { line: number, words: plain(words) });
        }
    }
}

/// A word of a command, and whether any of it was quoted.
type Word = (String, bool);

/// The words behind `guidepost`, as a shell would split them, up to a comment or a redirection.
fn command(text: &str) -> Option<Vec<Word>> {
    let rest = text.strip_prefix("guidepost ").or_else(|| text.strip_prefix("cargo run --release -- "))?;
    let mut words: Vec<Word> = Vec::new();
    let (mut word, mut quoted) = (String::new(), false);
    let mut quote = None;
    for letter in rest.chars() {
        match quote {
            Some(end) if letter == end => quote = None,
            None if letter == '\'' || letter == '"' => (quote, quoted) = (Some(letter), true),
            None if letter == ' ' => {
                if quoted || !word.is_empty() {
                    words.push((std::mem::take(&mut word), std::mem::take(&mut quoted)));
                }
            }
            Some(_) | None => word.push(letter),
        }
    }
    assert!(quote.is_none(), "a quote is not closed: {text}");
    if quoted || !word.is_empty() {
        words.push((word, quoted));
    }
    let end = words.iter().position(|(word, quoted)| !quoted && matches!(word.as_str(), "#" | ">"));
    words.truncate(end.unwrap_or(words.len()));
    Some(words)
}

fn plain(words: Vec<Word>) -> Vec<String> {
    words.into_iter().map(|(word, _)| word).collect()
}

/// Capitals stand for something to be filled in, brackets and bars for a choice.
fn is_synopsis(words: &[Word]) -> bool {
    let is_open = |word: &str| {
        let stem = word.split('.').next().unwrap_or(word);
        word.contains(['[', '|', '…']) || !stem.is_empty() && stem.chars().all(|c| c.is_ascii_uppercase())
    };
    words.iter().any(|(word, quoted)| !quoted && is_open(word))
}

/// Without empty lines and spaces at the ends.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// An output as it stands in a page.
pub(crate) fn indented(output: &str) -> Vec<String> {
    trimmed(output).lines().map(|line| format!("    {line}").trim_end().to_owned()).collect()
}

/// A page with other lines in some places, which are given in order.
pub(crate) fn rewritten(text: &str, changes: &[(Range<usize>, Vec<String>)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (place, new) in changes.iter().rev() {
        lines.splice(place.clone(), new.iter().cloned());
    }
    lines.join("\n") + "\n"
}

/// An output as it is compared: times and sizes of memory are replaced by `#`.
pub(crate) fn comparable(output: &str) -> String {
    let lines = trimmed(output).lines().map(|line| masked(&masked(line, " s"), " MiB")).collect::<Vec<_>>();
    lines.join("\n")
}

/// Replaces a decimal in front of a unit.
fn masked(line: &str, unit: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(unit) {
        let (before, behind) = (&rest[..at], &rest[at + unit.len()..]);
        let number = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let is_unit =
            !behind.starts_with(|c: char| c.is_alphanumeric()) && before[number.len()..].contains('.');
        text.push_str(if is_unit { number } else { before });
        text.push_str(if is_unit { "#" } else { "" });
        text.push_str(unit);
        rest = behind;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        plain(command(text).expect("a command"))
    }

    #[test]
    fn commands_are_split_like_a_shell_does() {
        assert_eq!(words("guidepost check a.xta --query 'E<> P.A and x > 2'")[3], "E<> P.A and x > 2");
        assert_eq!(words("cargo run --release -- check a.xta   # a comment"), ["check", "a.xta"]);
        assert!(command("cargo test").is_none());
    }

    #[test]
    fn a_page_is_taken_apart() {
        let page = "# Title\n\nSay `guidepost info`.\n\n<!-- exit 0 3 -->\n    $ cat a.xta\n    system;\n\n    $ guidepost info a.xta\n    one\n\n    two\n    \
                    $ guidepost check a.xta\n\ntext\n\n    guidepost draw MODEL OUT.svg [--only NAME]\n    guidepost check a.xta --query 'A[] P.A'\n\n```\n    $ guidepost x\n```\n";
        let found = shown(page);
        let command = |line, args: &[&str], output: Option<&str>, exit| {
            let args = args.iter().map(|&arg| arg.to_owned()).collect();
            let place = line..line + output.map_or(0, |output| output.lines().count());
            Shown::Command(Command {
                line,
                args,
                output: output.map(str::to_owned),
                place,
                exit,
                long: false,
            })
        };
        assert_eq!(found[0], Shown::Synopsis { line: 3, words: vec!["info".to_owned()] });
        assert_eq!(found[1], Shown::File { name: "a.xta".to_owned(), content: "system;\n".to_owned() });
        assert_eq!(found[2], command(9, &["info", "a.xta"], Some("one\n\ntwo"), 0));
        assert_eq!(found[3], command(13, &["check", "a.xta"], Some(""), 3));
        assert!(matches!(&found[4], Shown::Synopsis { line: 17, .. }));
        assert_eq!(found[5], command(18, &["check", "a.xta", "--query", "A[] P.A"], None, 0));
        assert_eq!(found.len(), 6);
    }

    #[test]
    fn only_times_and_memory_are_masked() {
        assert_eq!(
            comparable("bfs: 3 states explored, 0.012 s, 10.5 MiB  \n\n"),
            "bfs: 3 states explored, # s, # MiB"
        );
        assert_eq!(comparable("3 stored, 1.5 steps"), "3 stored, 1.5 steps");
    }
}
