//! What could be typed here: names that are visible, members behind a dot, words of the language.

use crate::analysis::Analysis;
use crate::context::Context;
use crate::hover;
use crate::names::{Meaning, Sort, element};
use crate::texts::Language;
use guidepost_language::model::{Callee, Model, Names, SymbolId, SymbolKind, TemplateId, Type};
use guidepost_language::source::FileId;
use guidepost_plc::names::{ItemKind, Names as PlcNames};
use lsp_types::{CompletionItem, CompletionItemKind};
use std::collections::{BTreeMap, BTreeSet};

const DECLARING: &[&str] = &[
    "bool",
    "broadcast",
    "chan",
    "clock",
    "const",
    "double",
    "int",
    "meta",
    "scalar",
    "struct",
    "typedef",
    "urgent",
    "void",
];
const EXPRESSIONS: &[&str] = &["and", "exists", "false", "forall", "imply", "not", "or", "sum", "true"];
const STATEMENTS: &[&str] = &["do", "else", "for", "if", "return", "while"];
const SECTIONS: &[&str] = &[
    "assign",
    "branchpoint",
    "commit",
    "guard",
    "init",
    "process",
    "select",
    "state",
    "sync",
    "system",
    "trans",
];
const QUERIES: &[&str] = &["A<>", "A[]", "E<>", "E[]", "bounds", "deadlock", "inf", "sup"];

/// What could be typed at an offset.
pub(crate) fn completions(analysis: &Analysis, file: FileId, offset: u32) -> Vec<CompletionItem> {
    let context = Context::of(analysis, file, offset);
    if !context.is_code {
        return Vec::new();
    }
    match &analysis.meaning {
        Meaning::Plc(names) => of_controllers(names, &context),
        Meaning::Model(_) => match &context.path {
            Some(path) => members(analysis, &context, path),
            None => visible(analysis, &context),
        },
    }
}

/// Names that are visible, and words.
fn visible(analysis: &Analysis, context: &Context) -> Vec<CompletionItem> {
    let model = &analysis.loaded.model;
    let mut found: BTreeMap<&str, SymbolId> = BTreeMap::new();
    let mut add = |names: &'_ Names| {
        let mut sorted: Vec<_> = names.values().copied().collect();
        sorted.sort_unstable();
        for id in sorted {
            found.insert(&*analysis.loaded.model.symbol(id).name, id);
        }
    };
    add(&model.names);
    if let Some(template) = context.template.and_then(|id| model.templates.get(id.index())) {
        add(&template.names);
    }
    if let Some((start, end)) = context.local {
        for (index, symbol) in model.symbols.iter().enumerate() {
            let is_local = matches!(
                symbol.kind,
                SymbolKind::Param(_)
                    | SymbolKind::Binder
                    | SymbolKind::Variable { .. }
                    | SymbolKind::Constant(_)
            );
            if is_local
                && symbol.span.file == FileId(0)
                && start < symbol.span.start
                && symbol.span.start < end
            {
                found.insert(&symbol.name, SymbolId(index as u32));
            }
        }
    }
    if context.is_query || context.template.is_none() {
        for process in &model.processes {
            if let Some(&id) = model.names.get(&process.name) {
                found.insert(&process.name, id);
            }
        }
    }
    let in_code = !context.is_query;
    let is_wanted = |id: SymbolId| match model.symbol(id).kind {
        // Locations are named at the ends of edges in texts, and behind a dot in queries.
        SymbolKind::Location(..) => in_code && analysis.language == Language::Text,
        _ => !model.symbol(id).name.is_empty(),
    };
    let symbols = found.into_iter().filter(|(_, id)| is_wanted(*id));
    let mut items: Vec<_> = symbols.map(|(_, id)| symbol_item(analysis, id)).collect();
    let lists: &[&[&str]] = match (context.is_query, analysis.language) {
        (true, _) => &[QUERIES, EXPRESSIONS],
        (false, Language::Text) => &[DECLARING, EXPRESSIONS, STATEMENTS, SECTIONS],
        _ => &[DECLARING, EXPRESSIONS, STATEMENTS],
    };
    items.extend(lists.iter().copied().flatten().map(|word| keyword(word)));
    items
}

fn symbol_item(analysis: &Analysis, id: SymbolId) -> CompletionItem {
    let symbol = analysis.loaded.model.symbol(id);
    item(&symbol.name, Sort::of_symbol(symbol), hover::declaration(analysis, id))
}

/// What can stand behind a dot.
fn members(analysis: &Analysis, context: &Context, path: &[String]) -> Vec<CompletionItem> {
    let model = &analysis.loaded.model;
    let (first, rest) = path.split_first().expect("a path has a name");
    if let Some(process) = model.processes.iter().find(|process| *process.name == **first)
        && (context.is_query || context.template.is_none())
    {
        let template = template_of(model, process.callee);
        return match rest {
            [] => of_process(analysis, template),
            [own, rest @ ..] => {
                let ty =
                    model.template(template).names.get(own.as_str()).map(|&id| model.symbol(id).ty.clone());
                ty.map(|ty| fields(analysis, &ty, rest)).unwrap_or_default()
            }
        };
    }
    let own = context.template.and_then(|id| model.templates.get(id.index())?.names.get(first.as_str()));
    let local = context.local.and_then(|(start, end)| {
        let is_it = |symbol: &guidepost_language::model::Symbol| {
            *symbol.name == **first
                && symbol.span.file == FileId(0)
                && start < symbol.span.start
                && symbol.span.start < end
        };
        model.symbols.iter().rposition(is_it).map(|index| SymbolId(index as u32))
    });
    let id = local.or(own.copied()).or_else(|| model.names.get(first.as_str()).copied());
    id.map(|id| fields(analysis, &model.symbol(id).ty, rest)).unwrap_or_default()
}

fn template_of(model: &Model, mut callee: Callee) -> TemplateId {
    loop {
        match callee {
            Callee::Template(id) => return id,
            Callee::Instance(id) => callee = model.instance(id).callee,
        }
    }
}

/// Locations and variables of a process.
fn of_process(analysis: &Analysis, template: TemplateId) -> Vec<CompletionItem> {
    let model = &analysis.loaded.model;
    let mut ids: Vec<_> = model.template(template).names.values().copied().collect();
    ids.sort_unstable();
    let is_member = |id: &SymbolId| {
        let kind = &model.symbol(*id).kind;
        matches!(
            kind,
            SymbolKind::Location(..)
                | SymbolKind::Variable { .. }
                | SymbolKind::Constant(_)
                | SymbolKind::Param(_)
        )
    };
    ids.into_iter().filter(is_member).map(|id| symbol_item(analysis, id)).collect()
}

/// The fields of a struct, at the end of a path of fields.
fn fields(analysis: &Analysis, ty: &Type, path: &[String]) -> Vec<CompletionItem> {
    let Type::Struct(structure) = element(ty) else { return Vec::new() };
    match path {
        [] => {
            let fields = structure.fields.iter();
            fields.map(|(name, ty)| item(name, Sort::Field, hover::type_text(analysis, ty))).collect()
        }
        [next, rest @ ..] => {
            let field = structure.fields.iter().find(|(name, _)| **name == **next);
            field.map(|(_, ty)| fields(analysis, ty, rest)).unwrap_or_default()
        }
    }
}

fn of_controllers(names: &PlcNames, context: &Context) -> Vec<CompletionItem> {
    if let Some([node, ..]) = context.path.as_deref() {
        let is_node = names.items.iter().any(|item| item.kind == ItemKind::Node && *item.name == **node);
        // Whatever the program of the node is: its signals are among these.
        let ports = names.items.iter().filter(|item| {
            is_node && matches!(item.kind, ItemKind::Input | ItemKind::Output) && item.owner.is_some()
        });
        return unique(ports.map(|item| (&*item.name, item.kind)));
    }
    let mut items = unique(names.items.iter().map(|item| (&*item.name, item.kind)));
    items.extend(guidepost_plc::names::keywords().iter().map(|word| keyword(word)));
    items
}

fn unique<'a>(names: impl Iterator<Item = (&'a str, ItemKind)>) -> Vec<CompletionItem> {
    let mut seen = BTreeSet::new();
    let fresh = names.filter(|(name, _)| seen.insert(*name)).collect::<Vec<_>>();
    fresh.into_iter().map(|(name, kind)| item(name, Sort::of_item(kind), String::new())).collect()
}

fn item(name: &str, sort: Sort, detail: String) -> CompletionItem {
    let kind = match sort {
        Sort::Constant => CompletionItemKind::CONSTANT,
        Sort::Variable | Sort::Clock | Sort::Binder | Sort::Parameter => CompletionItemKind::VARIABLE,
        Sort::Channel => CompletionItemKind::EVENT,
        Sort::Function => CompletionItemKind::FUNCTION,
        Sort::Type => CompletionItemKind::STRUCT,
        Sort::Template => CompletionItemKind::CLASS,
        Sort::Process => CompletionItemKind::MODULE,
        Sort::Location | Sort::Branchpoint => CompletionItemKind::ENUM_MEMBER,
        Sort::Field => CompletionItemKind::FIELD,
        Sort::Property => CompletionItemKind::PROPERTY,
    };
    let detail = (!detail.is_empty()).then_some(detail);
    CompletionItem { label: name.to_owned(), kind: Some(kind), detail, ..CompletionItem::default() }
}

fn keyword(word: &str) -> CompletionItem {
    CompletionItem {
        label: word.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        ..CompletionItem::default()
    }
}
