//! Queries: files of them, and single formulas.
//!
//! Officially a query is one line. Authors break long formulas without the backslash, though, so a line break only ends a query
//! where the next line clearly starts a new one: with a path quantifier, or with something that cannot go on the expression.

use super::Dialect;
use super::cursor::{Parsed, Parser, Reported};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{Fragment, Span};
use crate::syntax::{BoundKind, Expectation, Formula, Ident, Quantity, QueryEntry};

/// Words that start a query of another analysis.
const FOREIGN: &[&str] = &[
    "Pr",
    "Pmax",
    "simulate",
    "control",
    "control_t",
    "strategy",
    "minE",
    "maxE",
    "minPr",
    "maxPr",
    "saveStrategy",
    "loadStrategy",
    "sat",
    "refinement",
    "consistency",
    "specification",
    "implementation",
];

/// Parses a query file: any number of queries with comments.
pub fn queries(fragment: &Fragment, out: &mut Diagnostics) -> Vec<QueryEntry> {
    let mut parser = Parser::new(fragment, Dialect::New, out);
    let mut entries = Vec::new();
    while !parser.at_end() {
        let before = parser.position();
        entries.extend(parser.query_entry());
        parser.eat(TokenKind::Semicolon);
        if parser.position() == before {
            parser.expected("a query");
            parser.advance();
        }
    }
    entries
}

/// Parses one stored formula; several in one text are an error.
pub fn formula(fragment: &Fragment, out: &mut Diagnostics) -> (String, Formula) {
    let mut parser = Parser::new(fragment, Dialect::New, out);
    let Some(entry) = parser.query_entry() else { return (String::new(), Formula::Empty) };
    parser.eat(TokenKind::Semicolon);
    if parser.at_end() || entry.formula == Formula::Error {
        return (entry.text, entry.formula);
    }
    if starts_query(&parser) {
        let message = "a second query in one formula";
        let diagnostic = Diagnostic::new(Code::BadQuery, parser.span(), message);
        parser.report(diagnostic.hint("store each query as one of its own"));
    } else {
        parser.expected("the end of the query");
    }
    (entry.text, Formula::Error)
}

/// Whether a path quantifier or the keyword of a query stands here.
pub(super) fn starts_query(parser: &Parser<'_>) -> bool {
    if path_quantifier(parser).is_some() {
        return true;
    }
    if !parser.is(TokenKind::Word) {
        return false;
    }
    let next = parser.ahead(1).kind;
    match parser.text() {
        "sup" | "inf" | "bounds" => matches!(next, TokenKind::Colon | TokenKind::BraceOpen),
        "E" => {
            next == TokenKind::BracketOpen && matches!(parser.ahead(2).kind, TokenKind::Le | TokenKind::Hash)
        }
        "strategy" => next == TokenKind::Word,
        "simulate" => matches!(next, TokenKind::BracketOpen | TokenKind::Nat),
        word => {
            FOREIGN.contains(&word)
                && matches!(
                    next,
                    TokenKind::BracketOpen | TokenKind::Colon | TokenKind::ParenOpen | TokenKind::Star
                )
        }
    }
}

/// `E<>`, `A[]`, … : three tokens without white space between them.
pub(super) fn path_quantifier(parser: &Parser<'_>) -> Option<(bool, bool)> {
    let (first, second, third) = (parser.token(), parser.ahead(1), parser.ahead(2));
    let adjacent = first.end == second.start && second.end == third.start;
    if first.kind != TokenKind::Word || !adjacent {
        return None;
    }
    let exists = match parser.text() {
        "E" => true,
        "A" => false,
        _ => return None,
    };
    match (second.kind, third.kind) {
        (TokenKind::Lt, TokenKind::Gt) => Some((exists, true)),
        (TokenKind::BracketOpen, TokenKind::BracketClose) => Some((exists, false)),
        _ => None,
    }
}

impl Parser<'_> {
    /// One query with the comment in front of it.
    pub(crate) fn query_entry(&mut self) -> Option<QueryEntry> {
        let comment = self.comment_before();
        if self.at_end() {
            return None;
        }
        let (start, first) = (self.span(), self.token().start);
        (self.line_breaks_end, self.in_query) = (true, true);
        let mut formula = self.query_formula().unwrap_or_else(|_| {
            self.skip_query();
            Formula::Error
        });
        (self.line_breaks_end, self.in_query) = (false, false);
        let last = self.previous_end().max(first);
        let text = one_line(&self.fragment.text[first as usize..last as usize]);
        let span = start.to(self.previous_span());
        let is_wrong =
            |span: &Span| start.start <= span.start && span.start < self.previous_span().end.max(start.end);
        if self
            .out
            .iter()
            .any(|known| known.is_error() && known.span.file == span.file && is_wrong(&known.span))
        {
            // The lexer mended it, but has complained.
            formula = Formula::Error;
        }
        let expect = comment.lines().filter_map(expectation).next_back();
        Some(QueryEntry { text, formula, comment, expect, property: None, options: Vec::new(), span })
    }

    fn query_formula(&mut self) -> Parsed<Formula> {
        if let Some((exists, finally)) = path_quantifier(self) {
            return self.path_formula(exists, finally);
        }
        let word = if self.is(TokenKind::Word) { self.text() } else { "" };
        let next = self.ahead(1).kind;
        match word {
            "sup" if next != TokenKind::LeadsTo && starts_query(self) => return self.bound(BoundKind::Sup),
            "inf" if starts_query(self) => return self.bound(BoundKind::Inf),
            "bounds" if starts_query(self) => return self.bound(BoundKind::Bounds),
            "E" if starts_query(self) => return Ok(self.foreign_query("E[…]")),
            "A" if next == TokenKind::BracketOpen && self.ahead(2).kind != TokenKind::BracketClose => {
                return Ok(self.foreign_query("A[… U …]"));
            }
            word if FOREIGN.contains(&word) && starts_query(self) => {
                let word = FOREIGN.iter().find(|known| **known == word).copied().unwrap_or("query");
                return Ok(self.foreign_query(word));
            }
            _ => {}
        }
        if self.is(TokenKind::BraceOpen) {
            return Ok(self.foreign_query("control"));
        }
        if let Some(quantifier) = self.misspelt_quantifier() {
            let (meant, last) = quantifier;
            let span = self.span().to(self.ahead(last).span);
            for _ in 0..=last {
                self.advance();
            }
            let diagnostic = Diagnostic::new(Code::BadQuery, span, "this is no path quantifier");
            let blank = if last > 0 { ", without a blank in it" } else { "" };
            return Err(self.report(diagnostic.hint(format!("write `{meant}`{blank}"))));
        }
        let start = self.span();
        let left = self.expression()?;
        if self.eat(TokenKind::LeadsTo) {
            let right = self.expression()?;
            self.expect_query_end()?;
            return Ok(Formula::LeadsTo(left, right));
        }
        if self.is(TokenKind::Arrow) {
            let diagnostic = Diagnostic::new(Code::BadQuery, self.span(), "`->` is no operator of queries");
            return Err(self.report(diagnostic.hint("did you mean `-->`?")));
        }
        let diagnostic =
            Diagnostic::new(Code::BadQuery, start.to(left.span), "a query needs a path quantifier")
                .hint("ask `E<> p` (can p happen?) or `A[] p` (does p always hold?)");
        let reported = self.report(diagnostic);
        // The next line is the next query, wrong or not.
        if self.token().starts_line { Ok(Formula::Error) } else { Err(reported) }
    }

    /// `A []`, `EF` and similar slips: what was meant, and how many tokens ahead the slip ends.
    fn misspelt_quantifier(&self) -> Option<(&'static str, usize)> {
        if !self.is(TokenKind::Word) {
            return None;
        }
        let next_is_operand =
            matches!(self.ahead(1).kind, TokenKind::Word | TokenKind::ParenOpen | TokenKind::Bang);
        let split = match (self.ahead(1).kind, self.ahead(2).kind) {
            (TokenKind::BracketOpen, TokenKind::BracketClose) => "[]",
            (TokenKind::Lt, TokenKind::Gt) => "<>",
            _ => "",
        };
        Some(match (self.text(), split) {
            ("A" | "a", "[]") => ("A[]", 2),
            ("A" | "a", "<>") => ("A<>", 2),
            ("E" | "e", "[]") => ("E[]", 2),
            ("E" | "e", "<>") => ("E<>", 2),
            ("EF", _) if next_is_operand => ("E<>", 0),
            ("AG", _) if next_is_operand => ("A[]", 0),
            ("AF", _) if next_is_operand => ("A<>", 0),
            ("EG", _) if next_is_operand => ("E[]", 0),
            _ => return None,
        })
    }

    /// Complains of what stands behind a query on its line.
    fn expect_query_end(&mut self) -> Parsed<()> {
        let ends = self.at_end()
            || self.token().starts_line
            || matches!(self.kind(), TokenKind::Semicolon | TokenKind::BraceClose);
        if ends { Ok(()) } else { Err(self.expected("an operator or the end of the query")) }
    }

    /// A path quantifier inside an expression.
    pub(crate) fn nested_quantifier(&mut self) -> Reported {
        if self.token().starts_line {
            return self.missing("an expression");
        }
        let span = self.span().to(self.ahead(2).span);
        let message = "a path quantifier can only stand in front of the whole query";
        let diagnostic = Diagnostic::new(Code::BadQuery, span, message);
        self.report(diagnostic.hint("`not E<> p` is `A[] not p`; `A[] (p imply A<> q)` is `p --> q`"))
    }

    fn path_formula(&mut self, exists: bool, finally: bool) -> Parsed<Formula> {
        for _ in 0..3 {
            self.advance();
        }
        if self.is_word("control") && self.ahead(1).kind == TokenKind::Colon {
            return Ok(self.foreign_query("control"));
        }
        let predicate = self.expression()?;
        if self.is(TokenKind::LeadsTo) {
            let message = "`-->` cannot be combined with a path quantifier";
            let diagnostic = Diagnostic::new(Code::BadQuery, self.span(), message)
                .hint("write `p --> q`: it speaks of all runs anyway");
            return Err(self.report(diagnostic));
        }
        if self.is_word("under") {
            return Ok(self.foreign_query("under"));
        }
        self.expect_query_end()?;
        Ok(match (exists, finally) {
            (true, true) => Formula::Possibly(predicate),
            (false, false) => Formula::Always(predicate),
            (true, false) => Formula::PotentiallyAlways(predicate),
            (false, true) => Formula::Eventually(predicate),
        })
    }

    fn bound(&mut self, kind: BoundKind) -> Parsed<Formula> {
        self.advance();
        let mut condition = None;
        if self.eat(TokenKind::BraceOpen) {
            if !self.is(TokenKind::BraceClose) {
                condition = Some(self.expression()?);
            }
            self.expect(TokenKind::BraceClose, "`}` after the condition")?;
        }
        self.expect(TokenKind::Colon, "`:` and an expression")?;
        let mut quantities = vec![self.quantity()?];
        while self.eat(TokenKind::Comma) {
            quantities.push(self.quantity()?);
        }
        self.expect_query_end()?;
        Ok(Formula::Bound(kind, condition, quantities))
    }

    fn quantity(&mut self) -> Parsed<Quantity> {
        let first = self.token().start;
        let expr = self.expression()?;
        let text = one_line(&self.fragment.text[first as usize..self.previous_end() as usize]);
        Ok(Quantity { expr, text })
    }

    fn foreign_query(&mut self, word: &str) -> Formula {
        let ident = Ident::new(word, self.span());
        self.advance();
        self.skip_query();
        Formula::Foreign(ident)
    }

    /// Skips to where the next query starts: a line that does not start one belongs to the query that is skipped.
    fn skip_query(&mut self) {
        let mut depth = 0u32;
        let mut first_line = true;
        while !self.at_end() {
            first_line &= !self.token().starts_line;
            match self.kind() {
                TokenKind::BraceOpen => depth += 1,
                TokenKind::BraceClose if depth == 0 => return,
                TokenKind::BraceClose => depth -= 1,
                _ if !first_line && self.starts_query_line() => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// Whether a query starts here, perhaps with a slip in its quantifier.
    fn starts_query_line(&self) -> bool {
        starts_query(self)
            || self.token().starts_line && self.misspelt_quantifier().is_some()
            || self.line_is_leads_to()
    }

    /// Whether `-->` occurs before the next line break.
    fn line_is_leads_to(&self) -> bool {
        if !self.token().starts_line {
            return false;
        }
        let mut n = 0;
        loop {
            let token = self.ahead(n);
            if token.kind == TokenKind::LeadsTo {
                return true;
            }
            if token.kind == TokenKind::End || (n > 0 && token.starts_line) {
                return false;
            }
            n += 1;
        }
    }

    /// The comments between the token before and this one, without their marks.
    fn comment_before(&self) -> String {
        let gap = &self.fragment.text[self.previous_end() as usize..self.token().start as usize];
        let lines = gap.lines().map(|line| {
            line.trim().trim_start_matches("//").trim_start_matches("/*").trim_end_matches("*/").trim()
        });
        lines.filter(|line| !line.is_empty() && *line != "\\").collect::<Vec<_>>().join("\n")
    }
}

/// `expect: satisfied`, `expect: not satisfied`, `expect: 12` (of a `sup` or `inf`).
fn expectation(line: &str) -> Option<Expectation> {
    let line = line.trim().to_ascii_lowercase();
    match line.strip_prefix("expect:")?.trim() {
        "satisfied" | "true" | "success" => Some(Expectation::Satisfied),
        "not satisfied" | "false" | "failure" => Some(Expectation::NotSatisfied),
        number => number.parse().ok().map(Expectation::Value),
    }
}

/// The text of a query without comments, line breaks and repeated blanks.
fn one_line(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        plain.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("/*") { "*/" } else { "\n" };
        let length = rest[at..].find(end).map_or(rest.len() - at, |length| length + end.len());
        rest = &rest[at + length..];
        plain.push(' ');
    }
    plain.push_str(rest);
    plain.replace("\\\n", " ").replace("\\\r\n", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn parse(text: &str) -> (Vec<QueryEntry>, usize) {
        let mut out = Diagnostics::default();
        let entries = queries(&Fragment::whole(FileId(0), text), &mut out);
        (entries, out.len())
    }

    #[test]
    fn a_query_ends_where_the_next_one_starts() {
        let (entries, errors) =
            parse("E<> P.a and\n  P.b\nA[] not deadlock\n\nP.a --> P.b\nQ.c --> (Q.d\n or Q.e)\n");
        let texts: Vec<_> = entries.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(texts, ["E<> P.a and P.b", "A[] not deadlock", "P.a --> P.b", "Q.c --> (Q.d or Q.e)"]);
        assert_eq!(errors, 0);
    }

    #[test]
    fn comments_carry_expectations() {
        let (entries, _) = parse("/*\nmutual exclusion\n*/\n// expect: not satisfied\nA[] x == 1 // why\n");
        assert_eq!(entries[0].comment, "mutual exclusion\nexpect: not satisfied");
        assert_eq!(entries[0].expect, Some(Expectation::NotSatisfied));
        assert_eq!(entries[0].text, "A[] x == 1");
    }

    #[test]
    fn queries_of_other_analyses_are_recognised() {
        let (entries, errors) =
            parse("Pr[<=10](<> P.a)\nsimulate [<=10] {x}\nE<> P.a\ncontrol: A<> P.b\nE[<=5;10](max: x)");
        let foreign = entries.iter().filter(|entry| matches!(entry.formula, Formula::Foreign(_))).count();
        assert_eq!((entries.len(), foreign, errors), (5, 4, 0), "{entries:?}");
    }

    #[test]
    fn a_bare_predicate_and_a_spaced_quantifier_are_errors_with_hints() {
        assert_eq!(parse("P.a\n").1, 1);
        assert_eq!(parse("A [] P.a\n").1, 1);
        let (entries, errors) = parse("P.a\nE<> P.b");
        assert_eq!((entries.len(), errors), (2, 1));
    }

    #[test]
    fn bounds_have_conditions_and_lists() {
        let (entries, errors) = parse("sup{P.a}: x, y\ninf: x\nbounds: i");
        assert_eq!((entries.len(), errors), (3, 0));
        assert!(
            matches!(&entries[0].formula, Formula::Bound(BoundKind::Sup, Some(_), list) if list.len() == 2)
        );
    }
}
