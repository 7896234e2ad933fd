//! The tree of a `.sem` file, names unresolved.

use guidepost_language::source::Span;

/// A name and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Ident {
    pub name: String,
    pub span: Span,
}

/// `Train.Move`, or `.Train.Move` from the top.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    pub from_top: bool,
    pub parts: Vec<Ident>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum Condition {
    True,
    Active(Path),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// What a transition waits for.
#[derive(Debug, Clone)]
pub(crate) enum Trigger {
    On(Vec<Ident>),
    After(u32),
}

#[derive(Debug, Clone)]
pub(crate) struct Arrow {
    pub source: Path,
    pub target: Path,
    pub trigger: Trigger,
    pub condition: Condition,
    pub outputs: Vec<(u32, Ident)>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Serial,
    History,
    Parallel,
}

/// A state; one without a block is primitive.
#[derive(Debug, Clone)]
pub(crate) struct StateDecl {
    pub name: Ident,
    pub kind: BlockKind,
    pub block: Option<Block>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    pub states: Vec<StateDecl>,
    pub default: Option<Ident>,
    pub arrows: Vec<Arrow>,
    /// Something could not be read, so that more may belong here.
    pub is_damaged: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    pub events: Vec<Ident>,
    pub outputs: Vec<Ident>,
    pub top: Block,
}
