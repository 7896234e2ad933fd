//! The syntax tree of a `.plc` file: what stands in it, not yet what it means.

use guidepost_language::source::Span;
pub(crate) use guidepost_language::syntax::Ident;

/// A whole file. Each kind of item keeps its order; between kinds it does not matter.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub constants: Vec<Constant>,
    pub types: Vec<TypeDecl>,
    pub inputs: Vec<Port>,
    pub programs: Vec<Program>,
    pub devices: Vec<Device>,
    pub properties: Vec<Property>,
    pub variants: Vec<Variant>,
    /// The kinds of items, by their first words, of which one could not be read. Nothing must be said about names that such an item may have declared.
    pub lost: Vec<&'static str>,
}

impl File {
    pub(crate) fn has_lost(&self, item: &str) -> bool {
        self.lost.contains(&item)
    }
}

/// `constant NAME := value;`
#[derive(Debug)]
pub(crate) struct Constant {
    pub name: Ident,
    pub value: Value,
}

/// `type NAME := { a, b };` or `type NAME := 0..2;`
#[derive(Debug)]
pub(crate) struct TypeDecl {
    pub name: Ident,
    pub definition: TypeDefinition,
}

#[derive(Debug)]
pub(crate) enum TypeDefinition {
    Values(Vec<Ident>),
    Domain(Domain),
}

/// The values that a signal can have.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    Bool,
    Range(Value, Value),
    Named(Ident),
}

/// A number, `true`, `false`, or the name of a constant or of an enumeration's value.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub kind: ValueKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ValueKind {
    Number(i32),
    Bool(bool),
    Name(Ident),
}

/// One name of an `input` or `output` declaration.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    pub name: Ident,
    pub domain: Domain,
    /// What follows `:=`: the first value of the environment's inputs, what outputs have where a location does not say.
    pub value: Option<Value>,
}

/// `program NAME { … }`
#[derive(Debug)]
pub(crate) struct Program {
    pub name: Ident,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub locations: Vec<Location>,
    /// Ports or locations could not be read.
    pub is_damaged: bool,
}

/// `location NAME { … }`
#[derive(Debug)]
pub(crate) struct Location {
    pub name: Ident,
    pub initial: Option<Span>,
    pub outputs: Vec<(Ident, Value)>,
    pub delays: Vec<Delay>,
    pub transitions: Vec<Transition>,
    /// Some of its statements could not be read.
    pub is_damaged: bool,
}

/// `delay [over] TIME while CONDITION;`
#[derive(Debug)]
pub(crate) struct Delay {
    /// `over`: the time must be exceeded, not only reached.
    pub over: bool,
    pub time: Value,
    pub condition: Option<Condition>,
    pub span: Span,
}

/// `when CONDITION goto NAME;`, or `otherwise …` without a condition.
#[derive(Debug)]
pub(crate) struct Transition {
    pub condition: Option<Condition>,
    /// `None` for `stay`.
    pub target: Option<Ident>,
    pub span: Span,
}

/// `cycle TIME [settled]` or `cycle TIME..TIME [settled]`
#[derive(Clone, Debug)]
pub(crate) struct Cycle {
    pub least: Option<Value>,
    pub most: Value,
    pub settled: bool,
}

/// `device NAME cycle … { nodes }`; a node with a cycle of its own is a device without a name.
#[derive(Debug)]
pub(crate) struct Device {
    pub name: Option<Ident>,
    pub cycle: Option<Cycle>,
    pub nodes: Vec<Node>,
}

/// `node NAME : PROGRAM(input := signal, …)`
#[derive(Debug)]
pub(crate) struct Node {
    pub name: Ident,
    pub program: Ident,
    pub wires: Vec<(Ident, Symbol)>,
}

/// `NAME` or `NAME.NAME`
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub name: Ident,
    pub member: Option<Ident>,
}

impl Symbol {
    pub(crate) fn span(&self) -> Span {
        self.member.as_ref().map_or(self.name.span, |member| self.name.span.to(member.span))
    }

    pub(crate) fn text(&self) -> String {
        match &self.member {
            Some(member) => format!("{}.{}", self.name.name, member.name),
            None => self.name.name.to_string(),
        }
    }
}

/// `property NAME: … [expect …];`
#[derive(Debug)]
pub(crate) struct Property {
    pub name: Ident,
    pub kind: PropertyKind,
    pub expect: Option<bool>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum PropertyKind {
    Never(Condition),
    Whenever(Box<Reaction>),
}

/// `whenever TRIGGER for at least LASTING then RESPONSE within WITHIN`
#[derive(Debug)]
pub(crate) struct Reaction {
    pub trigger: Condition,
    pub lasting: Value,
    pub response: Condition,
    pub within: Value,
}

/// `variant NAME [like NAME] { … }`
#[derive(Debug)]
pub(crate) struct Variant {
    pub name: Ident,
    pub like: Option<Ident>,
    pub hide: Vec<Symbol>,
    pub show: Vec<Symbol>,
    pub set: Vec<(Ident, Value)>,
    pub expect: Vec<(Ident, bool)>,
}

/// A condition over signals.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
    /// A comparison, the operands as written.
    Compare(Operand, Comparison, Operand),
    /// A Boolean signal or constant.
    Bare(Operand),
    /// `NODE in LOCATION`, in properties.
    In(Ident, Ident),
}

/// What stands on one side of a comparison.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Literal(Value),
    Symbol(Symbol),
}

impl Operand {
    pub(crate) fn span(&self) -> Span {
        match self {
            Operand::Literal(value) => value.span,
            Operand::Symbol(symbol) => symbol.span(),
        }
    }
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    pub(crate) fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}
