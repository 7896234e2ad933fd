//! The numbers and names of queries, and the choice among them.

use guidepost_language::model::{Formula, Query};
use guidepost_language::suggest;

/// Queries with their numbers from 1, as `info` shows them. Editors store empty ones: they have a number, and nothing to answer.
pub fn numbered(queries: Vec<Query>) -> Vec<(usize, Query)> {
    (1..).zip(queries).filter(|(_, query)| !matches!(query.formula, Formula::Empty)).collect()
}

/// The queries that are wanted, by number or name, in that order; all of them if none is. What does not exist is named in a sentence.
pub fn select(queries: Vec<(usize, Query)>, wanted: &[String]) -> Result<Vec<(usize, Query)>, String> {
    if wanted.is_empty() {
        return Ok(queries);
    }
    wanted.iter().map(|wanted| find(&queries, wanted).cloned()).collect()
}

/// One query, or why there is none.
fn find<'q>(queries: &'q [(usize, Query)], wanted: &str) -> Result<&'q (usize, Query), String> {
    let found = match wanted.parse::<usize>() {
        Ok(number) => queries.iter().find(|(other, _)| *other == number),
        Err(_) => queries.iter().find(|(_, query)| name(query) == Some(wanted)),
    };
    found.ok_or_else(|| unknown(queries, wanted))
}

fn name(query: &Query) -> Option<&str> {
    query.property.as_ref().map(|property| &*property.name)
}

fn unknown(queries: &[(usize, Query)], wanted: &str) -> String {
    let names: Vec<&str> = queries.iter().filter_map(|(_, query)| name(query)).collect();
    let range = match queries {
        [] => "there is none at all".to_owned(),
        [(1, _)] => "there is only one".to_owned(),
        [(only, _)] => format!("there is only query {only}"),
        [(first, _), .., (last, _)] => format!("the queries are numbered from {first} to {last}"),
    };
    if wanted.parse::<usize>().is_ok() {
        return format!("there is no query {wanted}: {range}");
    }
    if wanted.split('-').all(|part| part.trim().parse::<usize>().is_ok()) {
        return format!("`{wanted}` is no query; name those that are meant, as in `--select 1,2,3`");
    }
    if names.is_empty() {
        return format!("there is no query `{wanted}`: the queries have no names; {range}");
    }
    let all = names.join(", ");
    match suggest::nearest(wanted, names.iter().copied()) {
        Some(near) => {
            format!("there is no property `{wanted}`; did you mean `{near}`? The properties: {all}")
        }
        None => format!("there is no property `{wanted}`. The properties: {all}"),
    }
}
