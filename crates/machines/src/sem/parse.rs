//! The parser of `.sem` files: text to a tree.
//!
//! What cannot be read is reported and skipped up to its semicolon, so that one mistake gives one message and the rest of the file is read.

use super::lexer::TokenKind;
use super::syntax::{Arrow, Block, BlockKind, Condition, File, Ident, Path, StateDecl, Trigger};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::FileId;
use guidepost_language::suggest;
use guidepost_language::words::{Cursor, Parsed};
use std::ops::{Deref, DerefMut};

/// Words that begin something in a block.
const STARTS: &[&str] = &["default", "event", "history", "machine", "output", "parallel", "state"];

/// Nobody nests states or conditions deeper by hand, and the parser recurses.
const MOST_NESTED: usize = 200;

/// The longest time behind `after`: clocks are compared with 32 bits.
const LONGEST: u32 = 1_000_000_000;

/// Reads a file.
pub(crate) fn parse(file: FileId, text: &str, out: &mut Diagnostics) -> File {
    let mut parser = Parser { cursor: Cursor::new(file, text, out), file: File::default() };
    let mut top = Block::default();
    loop {
        parser.members(&mut top, true);
        if parser.is(TokenKind::End) {
            break;
        }
        let span = parser.advance().span;
        parser.report(Diagnostic::new(Code::UnexpectedToken, span, "this `}` closes nothing"));
    }
    File { top, ..parser.file }
}

/// A place in the tokens, and what was declared before it.
struct Parser<'a> {
    cursor: Cursor<'a, TokenKind>,
    file: File,
}

impl<'a> Deref for Parser<'a> {
    type Target = Cursor<'a, TokenKind>;

    fn deref(&self) -> &Self::Target {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl Parser<'_> {
    /// Whether a line begins here, and with a word that begins something.
    fn begins_item(&self) -> bool {
        self.begins_line() && STARTS.contains(&self.word())
    }

    fn name(&mut self, what: &str) -> Parsed<Ident> {
        let (name, span) = self.expect_name(what)?;
        Ok(Ident { name: name.to_owned(), span })
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Ident>> {
        let mut names = vec![self.name(what)?];
        while self.eat(TokenKind::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// What stands in a block, up to the `}` that closes it.
    fn members(&mut self, block: &mut Block, is_top: bool) {
        while !self.is(TokenKind::End) && !self.is(TokenKind::BraceClose) {
            let before = self.position();
            if self.member(block, is_top).is_err() {
                // A transition that cannot be read takes no names with it.
                let follows = self.token_at(before + 1).kind;
                block.is_damaged |= !matches!(follows, TokenKind::Arrow | TokenKind::Dot);
                self.skip(before);
            }
        }
    }

    fn member(&mut self, block: &mut Block, is_top: bool) -> Parsed<()> {
        match self.word() {
            "event" | "output" => return self.declaration(is_top),
            "default" => return self.default(block, is_top),
            "state" | "machine" => {
                let state = self.state(BlockKind::Serial)?;
                block.states.push(state);
            }
            "history" => {
                let state = self.state(BlockKind::History)?;
                block.states.push(state);
            }
            "parallel" => {
                let state = self.state(BlockKind::Parallel)?;
                block.states.push(state);
            }
            word => {
                let follows = self.ahead(1);
                let near = suggest::nearest(word, STARTS.iter().copied());
                if let Some(near) = near.filter(|_| follows == TokenKind::Word && !word.is_empty()) {
                    let message = format!("`{word}` begins nothing");
                    let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.token().span, message);
                    return Err(self.report(diagnostic.hint(format!("did you mean `{near}`?"))));
                }
                let arrow = self.arrow()?;
                block.arrows.push(arrow);
            }
        }
        Ok(())
    }

    fn declaration(&mut self, is_top: bool) -> Parsed<()> {
        let word = self.advance();
        let is_event = &self.text[word.span.range()] == "event";
        if !is_top {
            let message = "events and outputs belong to the whole system";
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, word.span, message);
            self.report(diagnostic.hint("declare them outside of all machines"));
        }
        let names = self.names(if is_event { "the name of an event" } else { "the name of an output" })?;
        let list = if is_event { &mut self.file.events } else { &mut self.file.outputs };
        list.extend(names);
        self.semicolon()
    }

    fn default(&mut self, block: &mut Block, is_top: bool) -> Parsed<()> {
        let word = self.advance().span;
        let name = self.name("the name of a state")?;
        if is_top {
            let message = "machines run side by side: none of them is the default";
            self.report(Diagnostic::new(Code::UnexpectedToken, word, message));
        } else if let Some(first) = &block.default {
            let diagnostic = Diagnostic::new(Code::DuplicateName, name.span, "this is the second default");
            let first = first.span;
            self.report(diagnostic.related(first, "the first one is here"));
        } else {
            block.default = Some(name);
        }
        self.semicolon()
    }

    fn state(&mut self, kind: BlockKind) -> Parsed<StateDecl> {
        let word = self.advance();
        let name = self.name("the name of a state")?;
        if !self.is(TokenKind::BraceOpen) {
            if &self.text[word.span.range()] != "state" {
                return Err(self.expected("`{`"));
            }
            self.semicolon()?;
            return Ok(StateDecl { name, kind, block: None });
        }
        if self.depth >= MOST_NESTED {
            let diagnostic = Diagnostic::new(Code::NestingTooDeep, name.span, "states are nested too deeply");
            return Err(self.report(diagnostic));
        }
        self.advance();
        self.depth += 1;
        let mut block = Block::default();
        self.members(&mut block, false);
        self.depth -= 1;
        if !self.eat(TokenKind::BraceClose) {
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.token().span, "the file ends here");
            let open = format!("`{}` is still open", name.name);
            self.report(diagnostic.label("expected `}`").related(name.span, open));
        }
        Ok(StateDecl { name, kind, block: Some(block) })
    }

    fn path(&mut self, what: &str) -> Parsed<Path> {
        let start = self.token().span;
        let from_top = self.eat(TokenKind::Dot);
        let mut parts = vec![self.name(what)?];
        while self.eat(TokenKind::Dot) {
            parts.push(self.name("the name of a state")?);
        }
        Ok(Path { from_top, parts, span: start.to(self.previous()) })
    }

    fn arrow(&mut self) -> Parsed<Arrow> {
        let source = self.path("a state, a transition or `}`")?;
        self.expect(TokenKind::Arrow, "`->`")?;
        let target = self.path("the state that the transition leads to")?;
        let trigger = self.trigger()?;
        let condition = if self.eat_word("if") { self.condition()? } else { Condition::True };
        let mut outputs = Vec::new();
        if self.eat(TokenKind::Slash) {
            outputs.push(self.output()?);
            while self.eat(TokenKind::Comma) {
                outputs.push(self.output()?);
            }
        }
        let span = source.span.to(self.previous());
        self.semicolon()?;
        Ok(Arrow { source, target, trigger, condition, outputs, span })
    }

    fn trigger(&mut self) -> Parsed<Trigger> {
        if self.eat_word("on") {
            return Ok(Trigger::On(self.names("the name of an event")?));
        }
        if !self.eat_word("after") {
            return Err(self.expected("`on` and an event, or `after` and a time"));
        }
        if !self.is(TokenKind::Number) {
            return Err(self.expected("a time"));
        }
        let span = self.advance().span;
        let written = &self.text[span.range()];
        let Ok(time @ 0..=LONGEST) = written.parse() else {
            let message = format!("`{written}` is no time from 0 to {LONGEST}");
            return Err(self.report(Diagnostic::new(Code::NumberTooLarge, span, message)));
        };
        Ok(Trigger::After(time))
    }

    fn output(&mut self) -> Parsed<(u32, Ident)> {
        let mut times = 1;
        if self.is(TokenKind::Number) {
            let span = self.advance().span;
            let written = &self.text[span.range()];
            let Ok(number @ 1..=1000) = written.parse() else {
                let message = format!("`{written}` is no number from 1 to 1000");
                return Err(self.report(Diagnostic::new(Code::NumberTooLarge, span, message)));
            };
            times = number;
        }
        Ok((times, self.name("the name of an output")?))
    }

    fn condition(&mut self) -> Parsed<Condition> {
        let mut parts = vec![self.conjunction()?];
        while self.eat_word("or") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Or(parts) })
    }

    fn conjunction(&mut self) -> Parsed<Condition> {
        let mut parts = vec![self.negation()?];
        while self.eat_word("and") {
            parts.push(self.negation()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::And(parts) })
    }

    fn negation(&mut self) -> Parsed<Condition> {
        if self.depth >= MOST_NESTED {
            let span = self.token().span;
            let message = "this condition is nested too deeply";
            return Err(self.report(Diagnostic::new(Code::NestingTooDeep, span, message)));
        }
        self.depth += 1;
        let result = self.operand();
        self.depth -= 1;
        result
    }

    fn operand(&mut self) -> Parsed<Condition> {
        if self.eat_word("not") {
            return Ok(Condition::Not(Box::new(self.negation()?)));
        }
        if self.eat_word("true") {
            return Ok(Condition::True);
        }
        if self.eat_word("false") {
            return Ok(Condition::Not(Box::new(Condition::True)));
        }
        if self.eat(TokenKind::ParenOpen) {
            let inner = self.condition()?;
            self.expect(TokenKind::ParenClose, "`)`")?;
            return Ok(inner);
        }
        Ok(Condition::Active(self.path("a state")?))
    }

    /// Goes behind the `;` or the block of what began at `begin`, or stops before the `}` that closes the block around it.
    fn skip(&mut self, begin: usize) {
        let mut depth = 0usize;
        loop {
            match self.token().kind {
                TokenKind::End => return,
                TokenKind::BraceClose if depth == 0 => return,
                TokenKind::BraceOpen => depth += 1,
                TokenKind::BraceClose => {
                    depth -= 1;
                    if depth == 0 {
                        self.advance();
                        return;
                    }
                }
                TokenKind::Semicolon if depth == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::Word if depth == 0 && self.position() > begin && self.begins_item() => return,
                _ => {}
            }
            self.advance();
        }
    }
}
