//! What a name in the text means, whatever the language.

use guidepost_language::check::{Index, Target};
use guidepost_language::model::{Symbol, SymbolKind, Type};
use guidepost_plc::names::{ItemKind, Names};

/// What the names of a model mean.
pub(crate) enum Meaning {
    /// UPPAAL's or `TChecker`'s language.
    Model(Index),
    /// Controllers.
    Plc(Names),
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Definition {
    Target(Target),
    /// An item of a `.plc` file.
    Item(usize),
}

/// What something is, for colours and icons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Constant,
    Variable,
    Clock,
    Channel,
    Parameter,
    Binder,
    Function,
    Type,
    Template,
    Process,
    Location,
    Field,
    Branchpoint,
    Property,
}

impl Sort {
    pub(crate) fn of_symbol(symbol: &Symbol) -> Self {
        match symbol.kind {
            SymbolKind::Constant(_) => Sort::Constant,
            SymbolKind::Variable { .. } => match element(&symbol.ty) {
                Type::Clock { .. } => Sort::Clock,
                Type::Chan { .. } => Sort::Channel,
                _ => Sort::Variable,
            },
            SymbolKind::Param(_) => Sort::Parameter,
            SymbolKind::Binder => Sort::Binder,
            SymbolKind::Function(_) => Sort::Function,
            SymbolKind::Type => Sort::Type,
            SymbolKind::Template(_) => Sort::Template,
            SymbolKind::Instance(_) => Sort::Process,
            SymbolKind::Location(..) => Sort::Location,
            SymbolKind::Cost => Sort::Variable,
        }
    }

    pub(crate) fn of_item(kind: ItemKind) -> Self {
        match kind {
            ItemKind::Constant | ItemKind::Value => Sort::Constant,
            ItemKind::Type => Sort::Type,
            ItemKind::Input => Sort::Parameter,
            ItemKind::Output => Sort::Variable,
            ItemKind::Program => Sort::Template,
            ItemKind::Location => Sort::Location,
            ItemKind::Device | ItemKind::Node => Sort::Process,
            ItemKind::Property | ItemKind::Variant => Sort::Property,
        }
    }
}

/// The element type of an array of arrays of …
pub(crate) fn element(ty: &Type) -> &Type {
    match ty {
        Type::Array(array) => element(&array.element),
        other => other,
    }
}
