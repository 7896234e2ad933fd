//! Every command in the documents is run as written, and prints what they show.
//!
//! `GUIDEPOST_UPDATE_TRANSCRIPTS=1` writes what the commands print into the pages; read the difference before you keep it.

use crate::common::{Ran, Scratch, guidepost, root};
use crate::page::{Command, Shown, comparable, indented, rewritten, shown};
use crate::table::{Row, Table};
use crate::{document, pages};
use std::fmt::Write;
use std::fs::File;
use std::ops::Range;
use std::process::{Command as Process, Stdio};

/// A history tells what commands printed at the time.
fn is_history(page: &str) -> bool {
    page == "CHANGELOG.md" || page.starts_with("docs/journal/")
}

#[test]
fn transcripts_are_real() {
    let is_set = |name| std::env::var_os(name).is_some();
    let (with_long, update) = (is_set("GUIDEPOST_LONG_TRANSCRIPTS"), is_set("GUIDEPOST_UPDATE_TRANSCRIPTS"));
    let mut reader = Reader { with_long, update, trouble: String::new(), compared: 0 };
    for name in pages().iter().filter(|name| !is_history(name)) {
        let changes = reader.read(name);
        if update && !changes.is_empty() {
            let text = rewritten(&document(name), &changes);
            std::fs::write(root().join(name), text).expect("a page can be written");
        }
    }
    assert!(reader.trouble.is_empty(), "{}", reader.trouble);
    assert!(reader.compared > 30, "only {} transcripts were found", reader.compared);
}

struct Reader {
    with_long: bool,
    /// Differences are no trouble: the pages are changed.
    update: bool,
    trouble: String,
    compared: usize,
}

impl Reader {
    /// Runs everything that a page shows. Gives the lines that would have to be changed.
    fn read(&mut self, name: &str) -> Vec<(Range<usize>, Vec<String>)> {
        let place = Place::new();
        let mut changes = Vec::new();
        for shown in shown(&document(name)) {
            match shown {
                Shown::File { name, content } => {
                    place.scratch.file(&name, content);
                }
                Shown::Command(command) if self.with_long || !command.long => {
                    changes.extend(self.command(name, &place, command));
                }
                Shown::Table(table) => {
                    changes.extend(table.rows.iter().filter_map(|row| self.row(name, &place, &table, row)));
                }
                Shown::Command(_) | Shown::Synopsis { .. } => {}
            }
        }
        changes
    }

    fn command(
        &mut self,
        name: &str,
        place: &Place,
        command: Command,
    ) -> Option<(Range<usize>, Vec<String>)> {
        let ran = place.run(&command.args);
        let words = format!("{name}:{}: guidepost {}", command.line, command.args.join(" "));
        if ran.code != command.exit {
            let _ = writeln!(self.trouble, "\n{words}\nexit code {}\n{}", ran.code, ran.stdout);
        }
        let expected = comparable(&command.output?);
        let printed = comparable(&ran.stdout);
        self.compared += 1;
        if expected == printed {
            return None;
        }
        if !self.update {
            let _ = writeln!(self.trouble, "\n{words}\n--- the page\n{expected}\n--- the command\n{printed}");
        }
        Some((command.place, indented(&ran.stdout)))
    }

    fn row(
        &mut self,
        name: &str,
        place: &Place,
        table: &Table,
        row: &Row,
    ) -> Option<(Range<usize>, Vec<String>)> {
        let mut commands = table.commands(row);
        let last = commands.pop().expect("a row has a command");
        for command in commands {
            assert_eq!(place.run(&command).code, 0, "{name}:{}: {command:?}", row.line + 1);
        }
        let json = ["--format", "json", "--quiet"].map(str::to_owned);
        let ran = place.run(&[&last[..], &json].concat());
        let measured = table.measured(row, &ran.json());
        self.compared += 1;
        if measured == row.cells {
            return None;
        }
        if !self.update {
            let _ = writeln!(self.trouble, "\n{name}:{}: {:?} is {measured:?}", row.line + 1, row.cells);
        }
        Some((row.line..row.line + 1, vec![format!("| {} |", measured.join(" | ")).replace("|  |", "| |")]))
    }
}

#[test]
fn synopses_name_what_there_is() {
    for name in pages().iter().filter(|name| !is_history(name)) {
        for shown in shown(&document(name)) {
            let Shown::Synopsis { line, words } = shown else { continue };
            // Without a command in front, the words are options of all commands.
            let command = words.first().filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
            let help = match command {
                Some(command) => guidepost(&["help", command]),
                None => guidepost(&["--help"]),
            };
            assert_eq!(help.code, 0, "{name}:{line}: {}", help.stderr);
            for word in &words {
                let option = word.trim_start_matches(['[', '(']);
                let end = option.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                let option = &option[..end.unwrap_or(option.len())];
                if option.starts_with("--") && option.len() > 2 {
                    assert!(help.stdout.contains(option), "{name}:{line}: there is no {option}: {words:?}");
                }
            }
        }
    }
}

/// A folder in which the commands of a page run: the models of the repository are there, and what earlier commands wrote.
struct Place {
    scratch: Scratch,
}

impl Place {
    fn new() -> Self {
        let scratch = Scratch::new();
        for folder in ["models", "benches"] {
            let target = root().join(folder).canonicalize().expect("the folder is there");
            std::os::unix::fs::symlink(target, scratch.path(folder)).expect("links can be made");
        }
        Self { scratch }
    }

    /// Runs a command. Both streams are in `stdout`, in the order in which they were written.
    fn run(&self, args: &[String]) -> Ran {
        let path = self.scratch.path(".output");
        let output = File::create(&path).expect("a scratch file can be written");
        let status = Process::new(env!("CARGO_BIN_EXE_guidepost"))
            .args(args)
            .current_dir(self.scratch.path(""))
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("a file has two handles"))
            .stderr(output)
            .status()
            .expect("the command can be started");
        let code = status.code().expect("the command is not killed");
        Ran { code, stdout: std::fs::read_to_string(&path).expect("UTF-8"), stderr: String::new() }
    }
}
