//! The outline of a text: what it declares, as a tree.

use crate::analysis::Analysis;
use crate::names::{Meaning, Sort};
use crate::position::Encoding;
use crate::texts::Language;
use guidepost_language::source::{FileId, Span};
use guidepost_language::syntax::{Decl, Ident, Param, Prefix, Template, TypeBase, TypeExpr};
use guidepost_plc::names::Names;
use lsp_types::{DocumentSymbol, SymbolKind};

/// The outline of one of the files.
pub(crate) fn outline(analysis: &Analysis, file: FileId, encoding: Encoding) -> Vec<DocumentSymbol> {
    let outline = Outline { analysis, file, encoding };
    match &analysis.meaning {
        Meaning::Plc(names) => outline.controllers(names),
        Meaning::Model(_) if analysis.beside.as_ref().is_some_and(|beside| beside.file == file) => {
            outline.queries()
        }
        Meaning::Model(_) => outline.model(),
    }
}

struct Outline<'a> {
    analysis: &'a Analysis,
    file: FileId,
    encoding: Encoding,
}

impl Outline<'_> {
    fn model(&self) -> Vec<DocumentSymbol> {
        let document = &self.analysis.loaded.document;
        let mut symbols = self.declarations(&document.decls);
        symbols.extend(document.templates.iter().filter_map(|template| self.template(template)));
        symbols.extend(self.declarations(&document.system.decls));
        symbols.extend(self.queries());
        symbols
    }

    fn queries(&self) -> Vec<DocumentSymbol> {
        let queries = self.analysis.queries(self.file).into_iter();
        let named = queries.filter(|(_, entry)| !entry.text.trim().is_empty());
        named
            .filter_map(|(_, entry)| {
                self.symbol(&entry.text, entry.span, entry.span, SymbolKind::BOOLEAN, vec![])
            })
            .collect()
    }

    fn declarations(&self, decls: &[Decl]) -> Vec<DocumentSymbol> {
        let mut symbols = Vec::new();
        for decl in decls {
            match decl {
                Decl::Variables(ty, names) => {
                    let kind = variable_kind(ty);
                    symbols.extend(names.iter().filter_map(|declared| self.named(&declared.name, kind)));
                }
                Decl::Typedef(_, names) => {
                    symbols.extend(
                        names.iter().filter_map(|declared| self.named(&declared.name, SymbolKind::STRUCT)),
                    );
                }
                Decl::Function(function) => {
                    let whole = function.name.span.to(function.body.span);
                    let params = self.parameters(&function.params);
                    symbols.extend(self.symbol(
                        &function.name.name,
                        whole,
                        function.name.span,
                        SymbolKind::FUNCTION,
                        params,
                    ));
                }
                Decl::Instantiation(instance) => {
                    let name = &instance.name;
                    symbols.extend(self.symbol(
                        &name.name,
                        instance.span.to(name.span),
                        name.span,
                        SymbolKind::OBJECT,
                        vec![],
                    ));
                }
                _ => {}
            }
        }
        symbols
    }

    fn parameters(&self, params: &[Param]) -> Vec<DocumentSymbol> {
        params.iter().filter_map(|param| self.named(&param.name, SymbolKind::VARIABLE)).collect()
    }

    fn template(&self, template: &Template) -> Option<DocumentSymbol> {
        let mut children = self.parameters(&template.params);
        children.extend(self.declarations(&template.decls));
        let locations = template.locations.iter().filter(|location| !location.anonymous);
        children.extend(locations.filter_map(|location| self.named(&location.name, SymbolKind::ENUM_MEMBER)));
        let mut whole = template.span.to(template.name.span);
        if self.analysis.language == Language::Xml && whole.file == self.file {
            let rest = &self.analysis.text(self.file)[whole.start as usize..];
            whole.end = rest.find("</template>").map_or(whole.end, |at| whole.start + at as u32 + 11);
        }
        self.symbol(&template.name.name, whole, template.name.span, SymbolKind::CLASS, children)
    }

    fn named(&self, name: &Ident, kind: SymbolKind) -> Option<DocumentSymbol> {
        self.symbol(&name.name, name.span, name.span, kind, vec![])
    }

    fn controllers(&self, names: &Names) -> Vec<DocumentSymbol> {
        let children = |owner: Option<usize>| -> Vec<DocumentSymbol> {
            let items = (0..names.items.len()).filter(|&index| names.items[index].owner == owner);
            items.filter_map(|index| self.item(names, index, &[])).collect()
        };
        let top = (0..names.items.len()).filter(|&index| names.items[index].owner.is_none());
        top.filter_map(|index| self.item(names, index, &children(Some(index)))).collect()
    }

    fn item(&self, names: &Names, index: usize, children: &[DocumentSymbol]) -> Option<DocumentSymbol> {
        let item = &names.items[index];
        let kind = match Sort::of_item(item.kind) {
            Sort::Constant => SymbolKind::CONSTANT,
            Sort::Type => SymbolKind::ENUM,
            Sort::Template => SymbolKind::CLASS,
            Sort::Location => SymbolKind::ENUM_MEMBER,
            Sort::Process => SymbolKind::OBJECT,
            Sort::Property => SymbolKind::BOOLEAN,
            _ => SymbolKind::VARIABLE,
        };
        // Whatever it owns lies within.
        let last = names.items.iter().filter(|other| other.owner == Some(index)).map(|other| other.span);
        let whole = last.fold(item.extent.to(item.span), Span::to);
        self.symbol(&item.name, whole, item.span, kind, children.to_vec())
    }

    #[expect(deprecated, reason = "the type has no other constructor")]
    fn symbol(
        &self,
        name: &str,
        whole: Span,
        own: Span,
        kind: SymbolKind,
        children: Vec<DocumentSymbol>,
    ) -> Option<DocumentSymbol> {
        // What the reader made up has no place.
        if name.is_empty() || own.file != self.file || own.start >= own.end {
            return None;
        }
        let whole = if whole.file == own.file { whole.to(own) } else { own };
        Some(DocumentSymbol {
            name: name.to_owned(),
            detail: None,
            kind,
            tags: None,
            deprecated: None,
            range: self.analysis.range(whole, self.encoding),
            selection_range: self.analysis.range(own, self.encoding),
            children: (!children.is_empty()).then_some(children),
        })
    }
}

fn variable_kind(ty: &TypeExpr) -> SymbolKind {
    match ty.base {
        _ if ty.has(Prefix::Const) => SymbolKind::CONSTANT,
        TypeBase::Chan => SymbolKind::EVENT,
        _ => SymbolKind::VARIABLE,
    }
}
