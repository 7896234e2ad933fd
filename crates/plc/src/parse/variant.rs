//! Variants: what to hide, to show, to set and to expect.

use super::cursor::Cursor;
use super::lexer::TokenKind;
use crate::syntax::{Symbol, Variant};
use guidepost_language::words::Parsed;

impl Cursor<'_> {
    pub(super) fn variant(&mut self) -> Parsed<Variant> {
        self.advance();
        let name = self.name("the name of the variant")?;
        let like = if self.eat_word("like") { Some(self.name("the name of a variant")?) } else { None };
        let mut variant =
            Variant { name, like, hide: Vec::new(), show: Vec::new(), set: Vec::new(), expect: Vec::new() };
        self.expect(TokenKind::BraceOpen, "`{`")?;
        while !matches!(self.token().kind, TokenKind::BraceClose | TokenKind::End) {
            if self.change(&mut variant).is_err() {
                self.skip_statement();
            }
        }
        self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(variant)
    }

    fn change(&mut self, variant: &mut Variant) -> Parsed<()> {
        match self.word() {
            "hide" => variant.hide.extend(self.symbols()?),
            "show" => variant.show.extend(self.symbols()?),
            "set" => {
                self.advance();
                let name = self.name("the name of a constant")?;
                self.expect_becomes()?;
                variant.set.push((name, self.value("a value")?));
            }
            "expect" => {
                self.advance();
                let name = self.name("the name of a property")?;
                variant.expect.push((name, self.verdict()?));
            }
            _ => return Err(self.expected("`hide`, `show`, `set`, `expect` or `}`")),
        }
        self.semicolon()
    }

    fn symbols(&mut self) -> Parsed<Vec<Symbol>> {
        self.advance();
        let mut symbols = vec![self.symbol("a node or a signal")?];
        while self.eat(TokenKind::Comma) {
            symbols.push(self.symbol("a node or a signal")?);
        }
        Ok(symbols)
    }
}
