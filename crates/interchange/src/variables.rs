//! Declarations: constants, integers, clocks and channels, cell by cell.
//!
//! A variable of any type is a number of *groups*, one for each way through its structs to a leaf; a group has as many cells as the arrays on that way make. Cells
//! that begin alike stay an array where the format has arrays; others get names of their own.

use crate::plain::Translator;
use crate::system::{Expr, Operator, Result, refuse};
use guidepost_language::syntax::{
    Decl, Declarator, Dimension, FunctionDecl, Ident, Init, Name, Prefix, TypeBase, TypeExpr,
};

/// What a name of the document stands for.
#[derive(Clone)]
pub(crate) enum Object {
    /// Constants, integers, clocks or channels.
    Groups(Vec<Group>),
    Type(Type),
    Function(FunctionDecl),
}

#[derive(Clone)]
pub(crate) enum Type {
    Leaf(Leaf),
    Array(i64, usize, Box<Type>),
    Struct(Vec<(Name, Type)>),
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Leaf {
    Constant,
    Integer(i64, i64),
    Clock,
    Channel { broadcast: bool },
}

/// The cells behind one way through the structs of a variable.
#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) fields: Vec<Name>,
    /// The least index and the size of each array on the way.
    pub(crate) dimensions: Vec<(i64, usize)>,
    pub(crate) leaf: Leaf,
    /// By cell: what it begins with.
    pub(crate) initial: Vec<i64>,
    /// By cell; or one name for all.
    pub(crate) names: Vec<String>,
}

/// Cells of one variable; models beyond that are not exchanged.
const MOST_CELLS: usize = 10_000;

impl Group {
    pub(crate) fn cells(&self) -> usize {
        self.dimensions.iter().map(|(_, size)| size).product()
    }

    /// The number of a cell as an expression of its indices.
    pub(crate) fn cell(&self, indices: &[Expr]) -> Expr {
        let mut number = Expr::Number(0);
        for (index, (low, size)) in indices.iter().zip(&self.dimensions) {
            let scaled = number.with(Operator::Mul, Expr::Number(*size as i64)).folded();
            let own = index.clone().with(Operator::Sub, Expr::Number(*low)).folded();
            let own = match own {
                Expr::Binary(Operator::Sub, own, zero) if *zero == Expr::Number(0) => *own,
                own => own,
            };
            number = match scaled {
                Expr::Number(0) => own,
                scaled => scaled.with(Operator::Add, own).folded(),
            };
        }
        number
    }

    /// One of the cells.
    pub(crate) fn place(&self, cell: Expr) -> Result<Expr> {
        let make = |name: &String, index: Option<Expr>| {
            let index = index.map(Box::new);
            if self.leaf == Leaf::Clock {
                Expr::Clock(name.clone(), index)
            } else {
                Expr::Integer(name.clone(), index)
            }
        };
        if let Expr::Number(number) = cell {
            let Some(number) = usize::try_from(number).ok().filter(|number| *number < self.cells()) else {
                return refuse("an index outside its array");
            };
            return Ok(match (&self.names[..], self.leaf) {
                (_, Leaf::Constant) => Expr::Number(self.initial[number]),
                ([only], _) if self.cells() == 1 => make(only, None),
                ([all], _) => make(all, Some(Expr::Number(number as i64))),
                (each, _) => make(&each[number], None),
            });
        }
        match (&self.names[..], self.leaf) {
            (each, Leaf::Clock) if each.len() > 1 => refuse("a clock that is chosen by a variable"),
            // It is declared without a size, and whether the index is right could not be said.
            ([_], Leaf::Integer(..) | Leaf::Clock) if self.cells() == 1 => {
                refuse("an array of one element whose index is computed")
            }
            ([all], Leaf::Integer(..) | Leaf::Clock) => Ok(make(all, Some(cell))),
            _ => {
                // One after the other; the last needs no test.
                let mut cells = (0..self.cells())
                    .rev()
                    .map(|number| self.place(Expr::Number(number as i64)).map(|place| (number, place)));
                let (_, mut chosen) = cells.next().expect("an array has a cell")?;
                for next in cells {
                    let (number, place) = next?;
                    let is_it = cell.clone().with(Operator::Eq, Expr::Number(number as i64));
                    chosen = Expr::If(Box::new(is_it), Box::new(place), Box::new(chosen));
                }
                Ok(chosen)
            }
        }
    }
}

impl Translator<'_> {
    pub(crate) fn declare(&mut self, decls: &[Decl]) -> Result<()> {
        for decl in decls {
            match decl {
                Decl::Variables(ty, names) => {
                    for declarator in names {
                        self.variable(ty, declarator)?;
                    }
                }
                Decl::Typedef(ty, names) => {
                    for declarator in names {
                        let ty = self.type_of(ty, &declarator.dimensions)?;
                        self.insert(&declarator.name, Object::Type(ty));
                    }
                }
                Decl::Function(function) => self.insert(&function.name, Object::Function(function.clone())),
                Decl::Instantiation(_) => return refuse("an instantiation"),
                Decl::ChanPriority(..) => return refuse("a priority of channels"),
                Decl::BeforeUpdate(..) | Decl::AfterUpdate(..) => {
                    return refuse("an update around every transition");
                }
                Decl::Foreign { construct, .. } => return refuse(format!("`{construct}`")),
            }
        }
        Ok(())
    }

    fn insert(&mut self, name: &Ident, object: Object) {
        self.objects.insert((self.scope, name.name.clone()), object);
    }

    fn variable(&mut self, written: &TypeExpr, declarator: &Declarator) -> Result<()> {
        if written.has(Prefix::Meta) {
            return refuse(format!("the `meta` variable `{}`", declarator.name.name));
        }
        let mut ty = self.type_of(written, &declarator.dimensions)?;
        if written.has(Prefix::Const) {
            make_constant(&mut ty);
        }
        let mut groups = Vec::new();
        spread(&ty, &mut Vec::new(), &mut Vec::new(), &mut groups)?;
        if let Some(init) = &declarator.init {
            for group in &mut groups {
                let mut values = Vec::new();
                self.initial(&ty, init, &group.fields.clone(), &mut values)?;
                if values.len() == group.initial.len() {
                    group.initial = values;
                }
            }
        }
        let base = match self.scope {
            Some(process) => format!("{}_{}", self.process_names[process], declarator.name.name),
            None => declarator.name.name.to_string(),
        };
        for group in &mut groups {
            self.place_group(&base, group)?;
        }
        self.insert(&declarator.name, Object::Groups(groups));
        Ok(())
    }

    /// Gives the cells of a group their names and declares them.
    fn place_group(&mut self, base: &str, group: &mut Group) -> Result<()> {
        let mut name = base.to_owned();
        for field in &group.fields {
            name = format!("{name}_{field}");
        }
        let cells = group.cells();
        let is_uniform = group.initial.windows(2).all(|pair| pair[0] == pair[1]);
        let as_array = cells > 1 && self.arrays && is_uniform && !matches!(group.leaf, Leaf::Channel { .. });
        group.names = match group.leaf {
            Leaf::Constant => Vec::new(),
            _ if cells == 1 || as_array => vec![self.taken.fresh(&name)],
            _ => (0..cells).map(|cell| self.taken.fresh(&format!("{name}_{cell}"))).collect(),
        };
        let size = if as_array { cells } else { 1 };
        for (cell, name) in group.names.iter().enumerate() {
            match group.leaf {
                Leaf::Integer(min, max) => self.integer(name, size, (min, max), group.initial[cell]),
                Leaf::Clock if group.initial[cell] == 0 => self.system.clocks.push((name.clone(), size)),
                Leaf::Clock => return refuse(format!("the clock `{name}`, which does not begin at 0,")),
                Leaf::Channel { .. } | Leaf::Constant => {}
            }
        }
        Ok(())
    }

    fn integer(&mut self, name: &str, size: usize, (min, max): (i64, i64), initial: i64) {
        let name = name.to_owned();
        self.system.integers.push(crate::system::Integers { name, size, min, max, initial });
    }

    pub(crate) fn type_of(&mut self, written: &TypeExpr, dimensions: &[Dimension]) -> Result<Type> {
        let mut ty = match &written.base {
            TypeBase::Int(None) => Type::Leaf(Leaf::Integer(-32768, 32767)),
            TypeBase::Int(Some(bounds)) => {
                Type::Leaf(Leaf::Integer(self.number(&bounds.0)?, self.number(&bounds.1)?))
            }
            TypeBase::Bool => Type::Leaf(Leaf::Integer(0, 1)),
            TypeBase::Clock => Type::Leaf(Leaf::Clock),
            TypeBase::Chan if written.has(Prefix::Urgent) => return refuse("an urgent channel"),
            TypeBase::Chan => Type::Leaf(Leaf::Channel { broadcast: written.has(Prefix::Broadcast) }),
            TypeBase::Scalar(size) => Type::Leaf(Leaf::Integer(0, self.number(size)? - 1)),
            TypeBase::Name(name) => match self.object(&name.name) {
                Some(Object::Type(ty)) => ty.clone(),
                _ => return refuse(format!("the type `{}`", name.name)),
            },
            TypeBase::Struct(fields) => {
                let mut all = Vec::new();
                for field in fields {
                    for declarator in &field.names {
                        all.push((
                            declarator.name.name.clone(),
                            self.type_of(&field.ty, &declarator.dimensions)?,
                        ));
                    }
                }
                Type::Struct(all)
            }
            TypeBase::Double => return refuse("a `double`"),
            TypeBase::String => return refuse("a `string`"),
            TypeBase::Void => return refuse("`void`"),
        };
        for dimension in dimensions.iter().rev() {
            let (low, size) = self.dimension(dimension)?;
            ty = Type::Array(low, size, Box::new(ty));
        }
        Ok(ty)
    }

    fn dimension(&mut self, dimension: &Dimension) -> Result<(i64, usize)> {
        let (low, high) = match dimension {
            Dimension::Type(ty) => self.range(ty)?,
            Dimension::Expr(expr) => {
                if let guidepost_language::syntax::ExprKind::Name(name) = &expr.kind
                    && let Some(Object::Type(Type::Leaf(Leaf::Integer(low, high)))) = self.object(name)
                {
                    (*low, *high)
                } else {
                    (0, self.number(expr)? - 1)
                }
            }
        };
        match usize::try_from(high - low + 1) {
            Ok(size) if (1..=MOST_CELLS).contains(&size) => Ok((low, size)),
            _ => refuse(format!("an array with more than {MOST_CELLS} elements")),
        }
    }

    /// The least and the largest value of a type.
    pub(crate) fn range(&mut self, ty: &TypeExpr) -> Result<(i64, i64)> {
        match self.type_of(ty, &[])? {
            Type::Leaf(Leaf::Integer(low, high)) => Ok((low, high)),
            _ => refuse("a type without bounds"),
        }
    }

    /// What the cells behind some fields begin with, in order.
    fn initial(&mut self, ty: &Type, init: &Init, fields: &[Name], to: &mut Vec<i64>) -> Result<()> {
        match (ty, init) {
            (Type::Leaf(_), Init::Expr(expr)) => {
                to.push(self.number(expr)?);
                Ok(())
            }
            (Type::Array(_, _, element), Init::List(items, _)) => {
                items.iter().try_for_each(|(_, item)| self.initial(element, item, fields, to))
            }
            (Type::Struct(all), Init::List(items, _)) => {
                let Some((first, rest)) = fields.split_first() else { return refuse("an initial value") };
                let position = all.iter().position(|(name, _)| name == first);
                let named =
                    items.iter().position(|(name, _)| name.as_ref().is_some_and(|name| name.name == *first));
                match (position, named.or(position).and_then(|at| items.get(at))) {
                    (Some(at), Some((_, item))) => self.initial(&all[at].1, item, rest, to),
                    _ => refuse("an initial value"),
                }
            }
            _ => refuse("an initial value of this kind"),
        }
    }
}

fn make_constant(ty: &mut Type) {
    match ty {
        Type::Leaf(leaf) => *leaf = Leaf::Constant,
        Type::Array(_, _, element) => make_constant(element),
        Type::Struct(fields) => fields.iter_mut().for_each(|(_, ty)| make_constant(ty)),
    }
}

/// The groups of a type.
fn spread(
    ty: &Type,
    fields: &mut Vec<Name>,
    dimensions: &mut Vec<(i64, usize)>,
    groups: &mut Vec<Group>,
) -> Result<()> {
    match ty {
        Type::Leaf(leaf) => {
            let cells = dimensions.iter().try_fold(1_usize, |cells, (_, size)| cells.checked_mul(*size));
            let Some(cells) = cells.filter(|cells| *cells <= MOST_CELLS) else {
                return refuse(format!("a variable of more than {MOST_CELLS} cells"));
            };
            // Without a value, the one nearest to 0.
            let initial =
                if let Leaf::Integer(low, high) = leaf { 0.clamp(*low, (*high).max(*low)) } else { 0 };
            groups.push(Group {
                fields: fields.clone(),
                dimensions: dimensions.clone(),
                leaf: *leaf,
                initial: vec![initial; cells],
                names: Vec::new(),
            });
        }
        Type::Array(low, size, element) => {
            dimensions.push((*low, *size));
            spread(element, fields, dimensions, groups)?;
            dimensions.pop();
        }
        Type::Struct(all) => {
            for (name, ty) in all {
                fields.push(name.clone());
                spread(ty, fields, dimensions, groups)?;
                fields.pop();
            }
        }
    }
    Ok(())
}
