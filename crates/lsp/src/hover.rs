//! What is shown about a name: how it is declared, its range or value, and the comment of its author.

use crate::analysis::Analysis;
use crate::names::{Definition, Meaning, element};
use guidepost_language::check::{Index, Target};
use guidepost_language::model::{
    Callee, Expr, IndexType, Init, Model, ParamMode, StructType, Symbol, SymbolId, SymbolKind, TemplateId,
    Type,
};
use guidepost_language::source::Span;
use guidepost_plc::names::{ItemKind, Names};
use std::fmt::Write;

/// Markdown about a name.
pub(crate) fn hover(analysis: &Analysis, definition: Definition) -> String {
    let (code, mut remarks) = match (&analysis.meaning, definition) {
        (Meaning::Model(index), Definition::Target(target)) => Describer { analysis, index }.target(target),
        (Meaning::Plc(names), Definition::Item(item)) => item_text(analysis, names, item),
        _ => (String::new(), Vec::new()),
    };
    if let Some(comment) =
        analysis.declared(definition).and_then(|span| comment(analysis.text(span.file), span))
    {
        remarks.push(comment);
    }
    let mut text = format!("```guidepost\n{code}\n```");
    for remark in remarks {
        let _ = write!(text, "\n\n{remark}");
    }
    text
}

/// How a symbol is declared, on one line.
pub(crate) fn declaration(analysis: &Analysis, id: SymbolId) -> String {
    match &analysis.meaning {
        Meaning::Model(index) => Describer { analysis, index }.symbol(id).0,
        Meaning::Plc(_) => String::new(),
    }
}

/// How a type is written.
pub(crate) fn type_text(analysis: &Analysis, ty: &Type) -> String {
    match &analysis.meaning {
        Meaning::Model(index) => Describer { analysis, index }.ty(ty),
        Meaning::Plc(_) => String::new(),
    }
}

struct Describer<'a> {
    analysis: &'a Analysis,
    index: &'a Index,
}

type Described = (String, Vec<String>);

impl Describer<'_> {
    fn model(&self) -> &Model {
        &self.analysis.loaded.model
    }

    fn target(&self, target: Target) -> Described {
        match target {
            Target::Symbol(id) => self.symbol(id),
            Target::Field(span) => self.field(span),
            Target::Branchpoint(span) => (format!("branchpoint {}", self.source(span)), Vec::new()),
        }
    }

    fn symbol(&self, id: SymbolId) -> Described {
        let symbol = self.model().symbol(id);
        let mut remarks = self.size(&symbol.ty);
        let name = &symbol.name;
        let code = match &symbol.kind {
            SymbolKind::Constant(init) => {
                let value = self.index.value(id).map(|value| value.to_string());
                let written = init.as_ref().map(|init| self.source(init_span(init)));
                let built_in = || init.as_ref().and_then(literal);
                let declared = format!("const {}", self.declarator(&symbol.ty, "", name));
                let shown =
                    written.clone().filter(|text| !text.is_empty()).or_else(built_in).unwrap_or_default();
                remarks.clear();
                if let Some(value) = value.filter(|value| *value != shown) {
                    remarks.push(format!("value: {value}"));
                }
                format!("{declared} = {shown}")
            }
            SymbolKind::Variable { meta, init } => {
                let meta = if *meta { "meta " } else { "" };
                let written =
                    init.as_ref().map(|init| self.source(init_span(init))).filter(|text| text.len() < 200);
                let init = written.map(|text| format!(" = {text}")).unwrap_or_default();
                format!("{meta}{}{init}", self.declarator(&symbol.ty, "", name))
            }
            SymbolKind::Param(mode) => self.parameter(symbol, *mode),
            SymbolKind::Binder => format!("{name} : {}", self.ty(&symbol.ty)),
            SymbolKind::Function(id) => {
                let Some(function) = self.model().functions.get(id.index()) else {
                    return (format!("{name}(…)"), remarks);
                };
                remarks.clear();
                if function.has_side_effects {
                    remarks.push("changes variables".to_owned());
                }
                format!("{} {name}({})", self.ty(&function.result), self.parameters(&function.params))
            }
            SymbolKind::Type => format!("typedef {}", self.declarator(&symbol.ty, "", name)),
            SymbolKind::Template(id) => return self.template(*id),
            SymbolKind::Instance(id) => {
                let instance = self.model().instance(*id);
                let callee = match instance.callee {
                    Callee::Template(id) => self.model().template(id).name.clone(),
                    Callee::Instance(id) => self.model().instance(id).name.clone(),
                };
                let args: Vec<_> = instance.args.iter().map(|arg| self.expression(arg)).collect();
                format!("{name}({}) = {callee}({})", self.parameters(&instance.params), args.join(", "))
            }
            SymbolKind::Location(template, location) => return self.location(*template, *location),
            SymbolKind::Cost => {
                remarks.push("the cost of a run so far".to_owned());
                "cost".to_owned()
            }
        };
        (code, remarks)
    }

    fn template(&self, id: TemplateId) -> Described {
        let template = self.model().template(id);
        let code = format!("process {}({})", template.name, self.parameters(&template.params));
        let remark = format!("{} locations, {} edges", template.locations.len(), template.edges.len());
        (code, vec![remark])
    }

    fn location(&self, template: TemplateId, index: usize) -> Described {
        let template = self.model().template(template);
        let Some(location) = template.locations.get(index) else { return Described::default() };
        let kind = match (location.committed, location.urgent) {
            (true, _) => "committed ",
            (_, true) => "urgent ",
            _ => "",
        };
        let invariant =
            location.invariant.as_ref().map(|invariant| format!(" {{ {} }}", self.expression(invariant)));
        let code =
            format!("{kind}state {}.{}{}", template.name, location.name, invariant.unwrap_or_default());
        let remark = (index == template.initial).then(|| "the initial location".to_owned());
        (code, remark.into_iter().collect())
    }

    fn field(&self, span: Span) -> Described {
        let symbols = self.model().symbols.iter();
        let found = symbols.filter_map(|symbol| structure(&symbol.ty)).find_map(|structure| {
            let position = structure.declared.iter().position(|declared| *declared == span)?;
            structure.fields.get(position).cloned()
        });
        let name = self.source(span);
        match found {
            Some((name, ty)) => (self.declarator(&ty, "", &name), self.size(&ty)),
            None => (name, Vec::new()),
        }
    }

    fn parameters(&self, params: &[SymbolId]) -> String {
        let params = params.iter().map(|&id| {
            let symbol = self.model().symbol(id);
            match symbol.kind {
                SymbolKind::Param(mode) => self.parameter(symbol, mode),
                _ => symbol.name.to_string(),
            }
        });
        params.collect::<Vec<_>>().join(", ")
    }

    fn parameter(&self, symbol: &Symbol, mode: ParamMode) -> String {
        let (prefix, reference) = match mode {
            ParamMode::Value => ("", ""),
            ParamMode::Const => ("const ", ""),
            ParamMode::Reference => ("", "&"),
        };
        format!("{prefix}{}", self.declarator(&symbol.ty, reference, &symbol.name))
    }

    /// `type name[dimensions]`
    fn declarator(&self, ty: &Type, reference: &str, name: &str) -> String {
        let mut dimensions = String::new();
        let mut inner = ty;
        while let Type::Array(array) = inner {
            let index = match &array.index {
                IndexType::Size(size) => self.expression(size),
                IndexType::Type(ty) => self.ty(ty),
            };
            let _ = write!(dimensions, "[{index}]");
            inner = &array.element;
        }
        format!("{} {reference}{name}{dimensions}", self.ty(inner))
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".into(),
            Type::Bool => "bool".into(),
            Type::Int(None) => "int".into(),
            Type::Int(Some(bounds)) => {
                format!("int[{},{}]", self.expression(&bounds.0), self.expression(&bounds.1))
            }
            Type::Double => "double".into(),
            Type::String => "string".into(),
            Type::Clock { hybrid } => if *hybrid { "hybrid clock" } else { "clock" }.into(),
            Type::Chan { urgent, broadcast } => {
                let urgent = if *urgent { "urgent " } else { "" };
                let broadcast = if *broadcast { "broadcast " } else { "" };
                format!("{urgent}{broadcast}chan")
            }
            Type::Scalar(_, size) => format!("scalar[{}]", self.expression(size)),
            Type::Struct(structure) => {
                let fields = structure
                    .fields
                    .iter()
                    .take(20)
                    .map(|(name, ty)| format!("{}; ", self.declarator(ty, "", name)));
                format!("struct {{ {}}}", fields.collect::<String>())
            }
            Type::Array(array) => format!("array of {}", self.ty(&array.element)),
            Type::Cost => "cost".into(),
            Type::Constraint(_) | Type::Difference | Type::Rate => "clock constraint".into(),
            Type::Process => "process".into(),
            Type::NoValue | Type::Error => String::new(),
        }
    }

    /// A constant expression by its value, anything else as it is written.
    fn expression(&self, expr: &Expr) -> String {
        match self.index.constant(expr) {
            Some(value) => value.to_string(),
            None => self.source(expr.span),
        }
    }

    fn source(&self, span: Span) -> String {
        let text = self.analysis.loaded.sources.text(span);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// How many values, and which, where the type alone does not say.
    fn size(&self, ty: &Type) -> Vec<String> {
        match element(ty) {
            Type::Int(None) => vec!["from -32768 to 32767".to_owned()],
            Type::Int(Some(bounds)) => match (self.index.constant(&bounds.0), self.index.constant(&bounds.1))
            {
                (Some(low), Some(high)) => vec![format!("from {low} to {high}")],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

fn structure(ty: &Type) -> Option<&StructType> {
    match element(ty) {
        Type::Struct(structure) => Some(structure),
        _ => None,
    }
}

fn init_span(init: &Init) -> Span {
    match init {
        Init::Expr(expr) => expr.span,
        Init::List(_, span) => *span,
    }
}

/// The value of a constant that nobody declares.
fn literal(init: &Init) -> Option<String> {
    use guidepost_language::model::ExprKind;
    match init {
        Init::Expr(Expr { kind: ExprKind::Int(value), .. }) => Some(value.to_string()),
        Init::Expr(Expr { kind: ExprKind::Double(value), .. }) => Some(value.to_string()),
        _ => None,
    }
}

fn item_text(analysis: &Analysis, names: &Names, item: usize) -> Described {
    let item = &names.items[item];
    let word = match item.kind {
        ItemKind::Constant => "constant",
        ItemKind::Type => "type",
        ItemKind::Value => "value",
        ItemKind::Input => "input",
        ItemKind::Output => "output",
        ItemKind::Program => "program",
        ItemKind::Location => "location",
        ItemKind::Device => "device",
        ItemKind::Node => "node",
        ItemKind::Property => "property",
        ItemKind::Variant => "variant",
    };
    // As it is written, up to the end of the line or statement.
    let text = &analysis.text(item.span.file)[item.span.start as usize..];
    let end = text.find([';', '{', '\n']).unwrap_or(text.len());
    let owner = item.owner.map(|owner| format!("of `{}`", names.items[owner].name));
    (format!("{word} {}", text[..end].trim_end()), owner.into_iter().collect())
}

/// The comment of an author about what is declared at a place: the one that ends on the line before it, or stands behind it.
fn comment(text: &str, span: Span) -> Option<String> {
    let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end as usize..].find('\n').map_or(text.len(), |at| span.end as usize + at);
    let behind = &text[span.end as usize..end];
    if let Some(at) = behind.find("//") {
        return Some(behind[at + 2..].trim().to_owned()).filter(|text| !text.is_empty());
    }
    let above = text[..start].trim_end_matches([' ', '\t', '\r']);
    let above = above.strip_suffix('\n').unwrap_or(above).trim_end_matches([' ', '\t', '\r']);
    if above.ends_with("*/") {
        let open = above.rfind("/*")?;
        let lines = above[open + 2..above.len() - 2].lines();
        let lines = lines.map(|line| line.trim().trim_start_matches('*').trim());
        return Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned()).filter(|text| !text.is_empty());
    }
    let lines = above.lines().rev().map(str::trim).take_while(|line| line.starts_with("//"));
    let mut lines: Vec<_> = lines.map(|line| line.trim_start_matches('/').trim()).collect();
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_language::source::FileId;

    #[test]
    fn comments_stand_above_or_behind() {
        let text = "// how long\n// it takes\nconst int N = 5;\n/* the\n * door */\nbool open;\nint k; // behind\nint j;\n";
        let of = |name: &str| {
            let at = text.find(name).unwrap() as u32;
            comment(text, Span::new(FileId(0), at, at + 1))
        };
        assert_eq!(of("N =").as_deref(), Some("how long\nit takes"));
        assert_eq!(of("open").as_deref(), Some("the\ndoor"));
        assert_eq!(of("k;").as_deref(), Some("behind"));
        assert_eq!(of("j;"), None);
    }
}
