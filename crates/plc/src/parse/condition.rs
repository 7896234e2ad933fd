//! Conditions: `or` binds weakest, then `and`, then `not`, then comparisons.

use super::cursor::Cursor;
use super::lexer::TokenKind;
use crate::syntax::{Comparison, Condition, Operand, Symbol, Value, ValueKind};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::words::Parsed;

/// Nobody nests conditions deeper by hand, and the parser recurses.
const MOST_NESTED: usize = 200;

impl Cursor<'_> {
    pub(crate) fn condition(&mut self) -> Parsed<Condition> {
        let mut left = self.conjunction()?;
        while self.eat_connective("or") {
            let right = self.conjunction()?;
            left = Condition::Or(Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Condition> {
        let mut left = self.negation()?;
        while self.eat_connective("and") {
            let right = self.negation()?;
            left = Condition::And(Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// `and`, `or` or `not`. Capitals are refused, and understood; a name that is followed by something else than a condition stays a name.
    fn eat_connective(&mut self, word: &str) -> bool {
        let written = self.word();
        if written == word {
            self.advance();
            return true;
        }
        let starts_operand =
            matches!(self.ahead(1), TokenKind::Word | TokenKind::ParenOpen | TokenKind::Number);
        if !written.eq_ignore_ascii_case(word) || !starts_operand {
            return false;
        }
        let message = format!("`{written}` is written in small letters");
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.token().span, message);
        self.report(diagnostic.hint(format!("write `{word}`")));
        self.advance();
        true
    }

    fn negation(&mut self) -> Parsed<Condition> {
        self.depth += 1;
        let result = self.nested_negation();
        self.depth -= 1;
        result
    }

    fn nested_negation(&mut self) -> Parsed<Condition> {
        if self.depth > MOST_NESTED {
            let message = "this condition is nested too deeply";
            let diagnostic = Diagnostic::new(Code::NestingTooDeep, self.token().span, message);
            return Err(self.report(diagnostic));
        }
        if self.eat_connective("not") {
            return Ok(Condition::Not(Box::new(self.negation()?)));
        }
        if self.is(TokenKind::ParenOpen) {
            self.advance();
            let inner = self.condition()?;
            self.expect(TokenKind::ParenClose, "`)`")?;
            return Ok(inner);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Parsed<Condition> {
        let left = self.operand()?;
        if self.word() == "in" {
            if let Operand::Symbol(Symbol { name, member: None }) = left {
                self.advance();
                return Ok(Condition::In(name, self.name("the name of a location")?));
            }
            return Err(self.expected("a comparison"));
        }
        let comparison = match self.token().kind {
            TokenKind::Equal => Comparison::Equal,
            TokenKind::Unequal => Comparison::Unequal,
            TokenKind::Less => Comparison::Less,
            TokenKind::AtMost => Comparison::AtMost,
            TokenKind::Greater => Comparison::Greater,
            TokenKind::AtLeast => Comparison::AtLeast,
            _ => return Ok(Condition::Bare(left)),
        };
        self.advance();
        Ok(Condition::Compare(left, comparison, self.operand()?))
    }

    fn operand(&mut self) -> Parsed<Operand> {
        let value = self.value("a condition")?;
        match value {
            Value { kind: ValueKind::Name(name), .. } => Ok(Operand::Symbol(self.members(name)?)),
            literal => Ok(Operand::Literal(literal)),
        }
    }
}
