//! Declarations, types and statements, as written.

use super::{Expr, Ident};
use crate::source::Span;

/// A type as written, without array dimensions (those stand behind the declared name).
#[derive(Clone, PartialEq, Debug)]
pub struct TypeExpr {
    /// `const`, `meta`, `urgent`, …; at most one except `urgent broadcast`.
    pub prefixes: Vec<Prefix>,
    /// The type proper.
    pub base: TypeBase,
    /// Where it stands.
    pub span: Span,
}

impl TypeExpr {
    /// Whether a prefix was given.
    pub fn has(&self, prefix: Prefix) -> bool {
        self.prefixes.contains(&prefix)
    }
}

/// A word in front of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are the keywords")]
pub enum Prefix {
    Const,
    Meta,
    Urgent,
    Broadcast,
    Hybrid,
}

impl Prefix {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Prefix::Const => "const",
            Prefix::Meta => "meta",
            Prefix::Urgent => "urgent",
            Prefix::Broadcast => "broadcast",
            Prefix::Hybrid => "hybrid",
        }
    }
}

/// The type proper.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeBase {
    /// A name given by `typedef`.
    Name(Ident),
    /// `int` or `int[low,high]`.
    Int(Option<Box<(Expr, Expr)>>),
    /// `bool`
    Bool,
    /// `clock`
    Clock,
    /// `chan`
    Chan,
    /// `double`
    Double,
    /// `string`
    String,
    /// `void`
    Void,
    /// `scalar[size]`
    Scalar(Box<Expr>),
    /// `struct { … }`
    Struct(Vec<FieldDecl>),
}

/// The declarations `type a, b[3];` inside a struct.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldDecl {
    /// The type in front.
    pub ty: TypeExpr,
    /// The names, each with its dimensions; fields have no initialisers.
    pub names: Vec<Declarator>,
}

/// A declared name with its dimensions and initialiser.
#[derive(Clone, PartialEq, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Ident,
    /// `[…]`, outermost first.
    pub dimensions: Vec<Dimension>,
    /// What follows `=`.
    pub init: Option<Init>,
}

/// What stands between the brackets of an array declaration.
#[derive(Clone, PartialEq, Debug)]
pub enum Dimension {
    /// A size, or the name of an index type: only name resolution can tell.
    Expr(Expr),
    /// A type written out: `int[1,3]`, `scalar[4]`, `bool`.
    Type(TypeExpr),
}

/// An initialiser.
#[derive(Clone, PartialEq, Debug)]
pub enum Init {
    /// A single value.
    Expr(Expr),
    /// `{ a, b: c, … }`
    List(Vec<(Option<Ident>, Init)>, Span),
}

impl Init {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Init::Expr(expr) => expr.span,
            Init::List(_, span) => *span,
        }
    }
}

/// A declaration.
#[derive(Clone, PartialEq, Debug)]
pub enum Decl {
    /// `type a, b[2] = …;`
    Variables(TypeExpr, Vec<Declarator>),
    /// `typedef type a, b[2];`
    Typedef(TypeExpr, Vec<Declarator>),
    /// A function.
    Function(FunctionDecl),
    /// `P(params) = Template(args);`
    Instantiation(Instantiation),
    /// `chan priority a < b, c < default;`
    ChanPriority(Vec<ChanPriorityItem>, Span),
    /// `before_update { … }`
    BeforeUpdate(Vec<Expr>, Span),
    /// `after_update { … }`
    AfterUpdate(Vec<Expr>, Span),
    /// `import "lib" …;`, `dynamic T();`: recognised, named, kept as text.
    Foreign {
        /// What it is called in messages: `import`, `dynamic`, `IO`.
        construct: &'static str,
        /// The names it declares.
        declares: Vec<Ident>,
        /// Where it stands.
        span: Span,
    },
}

/// A function declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionDecl {
    /// The return type.
    pub result: TypeExpr,
    /// The name.
    pub name: Ident,
    /// The parameters.
    pub params: Vec<Param>,
    /// The body.
    pub body: Block,
}

/// A parameter of a function or a template.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// The type in front.
    pub ty: TypeExpr,
    /// Passed by reference (`&`).
    pub reference: bool,
    /// The name.
    pub name: Ident,
    /// `[…]`, outermost first.
    pub dimensions: Vec<Dimension>,
}

/// `{ declarations statements }`
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Local variables and types.
    pub decls: Vec<Decl>,
    /// The statements.
    pub statements: Vec<Stmt>,
    /// Where it stands.
    pub span: Span,
}

/// A statement and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The shapes of a statement. Conditions are comma lists of which the last value counts.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `{ … }`
    Block(Block),
    /// `;`
    Empty,
    /// `a, b;`
    Expr(Vec<Expr>),
    /// `if (…) … else …`
    If(Vec<Expr>, Box<Stmt>, Option<Box<Stmt>>),
    /// `while (…) …`
    While(Vec<Expr>, Box<Stmt>),
    /// `do … while (…);`
    DoWhile(Box<Stmt>, Vec<Expr>),
    /// `for (…; …; …) …`
    For(Vec<Expr>, Vec<Expr>, Vec<Expr>, Box<Stmt>),
    /// `for (i : T) …`
    Iterate(Ident, TypeExpr, Box<Stmt>),
    /// `return …;`
    Return(Option<Expr>),
    /// `assert …;`
    Assert(Expr),
}

/// `name(params) = template(args);`
#[derive(Clone, PartialEq, Debug)]
pub struct Instantiation {
    /// The new name.
    pub name: Ident,
    /// The parameters that stay open; `None` when no parentheses were written.
    pub params: Option<Vec<Param>>,
    /// The template or instantiation it is made from.
    pub template: Ident,
    /// The arguments.
    pub args: Vec<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// One entry of a channel priority list.
#[derive(Clone, PartialEq, Debug)]
pub struct ChanPriorityItem {
    /// The channel expression; `None` for `default`.
    pub channel: Option<Expr>,
    /// Separated by `<` from the entry before: one level higher.
    pub raises: bool,
    /// Where it stands.
    pub span: Span,
}
