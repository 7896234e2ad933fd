//! Tables of numbers that are measured again, row by row.
//!
//! A comment in front of a table has the command that makes a row: `<!-- rows: check m.xta --search {1} --heuristic {2} -> explored length -->`. `{n}` is
//! the row's n-th cell; an option whose cell is empty is left out. Several commands are separated by `;`, the last one is a `check`. The names behind the
//! arrow are the columns that follow, as the JSON of the first answer has them; `-` is one that is not compared, such as a time.

use serde_json::Value;

/// A table of a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    commands: Vec<Vec<String>>,
    columns: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Its line in the page, from 0.
    pub(crate) line: usize,
    pub(crate) cells: Vec<String>,
}

impl Table {
    /// The table whose comment stands in the first of the lines.
    pub(crate) fn of(lines: &[&str], first: usize) -> Option<Self> {
        let text = lines.first()?.trim().strip_prefix("<!-- rows:")?.strip_suffix("-->")?;
        let (commands, columns) = text.split_once("->").expect("the columns of a table are named");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let rows = lines.iter().enumerate().skip(1).map_while(|(at, line)| {
            let inner = line.strip_prefix('|')?.strip_suffix('|')?;
            let cells = inner.split('|').map(|cell| cell.trim().to_owned()).collect();
            Some(Row { line: first + at, cells })
        });
        let rows = rows.skip(2).collect();
        Some(Self { commands: commands.split(';').map(words).collect(), columns: words(columns), rows })
    }

    /// The commands that make a row.
    pub(crate) fn commands(&self, row: &Row) -> Vec<Vec<String>> {
        self.commands.iter().map(|words| filled(words, row)).collect()
    }

    /// The row with the numbers of an answer.
    pub(crate) fn measured(&self, row: &Row, answer: &Value) -> Vec<String> {
        let result = &answer["results"][0];
        let inputs = row.cells.len() - self.columns.len();
        let numbers = self.columns.iter().zip(&row.cells[inputs..]).map(|(column, old)| {
            let value = match column.as_str() {
                "-" => return old.clone(),
                "length" if result["trace"]["found_length"].is_u64() => &result["trace"]["found_length"],
                "length" => &result["trace"]["length"],
                name => &result["statistics"][name],
            };
            if old.is_empty() { String::new() } else { value.to_string() }
        });
        row.cells[..inputs].iter().cloned().chain(numbers).collect()
    }
}

fn filled(words: &[String], row: &Row) -> Vec<String> {
    let mut args: Vec<String> = Vec::new();
    for word in words {
        let number = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let Some(number) = number.and_then(|number| number.parse::<usize>().ok()) else {
            args.push(word.clone());
            continue;
        };
        let cell = row.cells[number - 1].replace('`', "");
        if cell.is_empty() && args.last().is_some_and(|last| last.starts_with("--")) {
            args.pop();
        }
        args.extend(cell.split_whitespace().map(str::to_owned));
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_is_a_command() {
        let page = [
            "<!-- rows: check m.xta --search {1} --heuristic {2} -> explored length - -->",
            "| search | heuristic | explored | length | seconds |",
            "|---|---|--:|--:|--:|",
            "| `bfs` | | 10 | 3 | 0.1 |",
            "| `ut` | `hu` | 4 | 3 | 0.1 |",
            "text",
        ];
        let table = Table::of(&page, 7).expect("a table");
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.rows[1].line, 11);
        assert_eq!(table.commands(&table.rows[0]), [["check", "m.xta", "--search", "bfs"]]);
        let answer = json!({ "results": [{ "statistics": { "explored": 5 }, "trace": { "length": 3 } }] });
        assert_eq!(table.measured(&table.rows[1], &answer), ["`ut`", "`hu`", "5", "3", "0.1"]);
    }
}
