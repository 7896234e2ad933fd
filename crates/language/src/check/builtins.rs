//! Names that exist without being declared. They live in the outermost scope, so models may use the names for themselves.

use super::Checker;
use crate::model::{Builtin, Expr, ExprKind, Init, SymbolKind, Type};
use crate::source::Span;
use crate::syntax::Ident;
use std::sync::Arc;

const INTEGERS: &[(&str, i32)] = &[
    ("INT8_MIN", -128),
    ("INT8_MAX", 127),
    ("UINT8_MAX", 255),
    ("INT16_MIN", -32768),
    ("INT16_MAX", 32767),
    ("UINT16_MAX", 65535),
    ("INT32_MIN", i32::MIN),
    ("INT32_MAX", i32::MAX),
];

const INTEGER_TYPES: &[(&str, i32, i32)] = &[
    ("int8_t", -128, 127),
    ("uint8_t", 0, 255),
    ("int16_t", -32768, 32767),
    ("uint16_t", 0, 65535),
    ("int32_t", i32::MIN, i32::MAX),
];

const DOUBLES: &[(&str, f64)] = &[
    ("FLT_MIN", f32::MIN_POSITIVE as f64),
    ("FLT_MAX", f32::MAX as f64),
    ("DBL_MIN", f64::MIN_POSITIVE),
    ("DBL_MAX", f64::MAX),
    ("M_PI", std::f64::consts::PI),
    ("M_PI_2", std::f64::consts::FRAC_PI_2),
    ("M_PI_4", std::f64::consts::FRAC_PI_4),
    ("M_E", std::f64::consts::E),
    ("M_LOG2E", std::f64::consts::LOG2_E),
    ("M_LOG10E", std::f64::consts::LOG10_E),
    ("M_LN2", std::f64::consts::LN_2),
    ("M_LN10", std::f64::consts::LN_10),
    ("M_1_PI", std::f64::consts::FRAC_1_PI),
    ("M_2_PI", std::f64::consts::FRAC_2_PI),
    ("M_2_SQRTPI", std::f64::consts::FRAC_2_SQRT_PI),
    ("M_SQRT2", std::f64::consts::SQRT_2),
    ("M_SQRT1_2", std::f64::consts::FRAC_1_SQRT_2),
];

/// Floating-point functions with their number of arguments; they are typed, not computed.
const FUNCTIONS: &[(&str, usize)] = &[
    ("fabs", 1),
    ("fmod", 2),
    ("fma", 3),
    ("fmax", 2),
    ("fmin", 2),
    ("fdim", 2),
    ("exp", 1),
    ("exp2", 1),
    ("expm1", 1),
    ("ln", 1),
    ("log", 1),
    ("log10", 1),
    ("log2", 1),
    ("log1p", 1),
    ("pow", 2),
    ("sqrt", 1),
    ("cbrt", 1),
    ("hypot", 2),
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("atan2", 2),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("asinh", 1),
    ("acosh", 1),
    ("atanh", 1),
    ("erf", 1),
    ("erfc", 1),
    ("tgamma", 1),
    ("lgamma", 1),
    ("ceil", 1),
    ("floor", 1),
    ("trunc", 1),
    ("round", 1),
    ("fint", 1),
    ("ldexp", 2),
    ("ilogb", 1),
    ("logb", 1),
    ("nextafter", 2),
    ("copysign", 2),
    ("fpclassify", 1),
    ("isfinite", 1),
    ("isinf", 1),
    ("isnan", 1),
    ("isnormal", 1),
    ("signbit", 1),
    ("isunordered", 2),
    ("random", 1),
    ("random_arcsine", 2),
    ("random_beta", 2),
    ("random_gamma", 2),
    ("random_normal", 2),
    ("random_poisson", 1),
    ("random_tri", 3),
    ("random_weibull", 2),
];

/// The built-in function of a name, with its number of arguments and result type.
pub(super) fn function(name: &str) -> Option<(Builtin, usize, Type)> {
    if name == "abs" {
        return Some((Builtin::Abs, 1, Type::Int(None)));
    }
    let (name, arguments) = FUNCTIONS.iter().find(|(known, _)| *known == name)?;
    let result = match *name {
        "fint" | "ilogb" | "fpclassify" => Type::Int(None),
        "isfinite" | "isinf" | "isnan" | "isnormal" | "signbit" | "isunordered" => Type::Bool,
        _ => Type::Double,
    };
    Some((Builtin::Float(name), *arguments, result))
}

impl Checker<'_> {
    pub(super) fn declare_builtins(&mut self) {
        let span = Span::default();
        for &(name, value) in INTEGERS {
            let init = Init::Expr(integer(value, span));
            self.builtin(name, SymbolKind::Constant(Some(init)), Type::Int(None));
        }
        for &(name, value) in DOUBLES {
            let value = Expr { kind: ExprKind::Double(value), ty: Type::Double, span };
            self.builtin(name, SymbolKind::Constant(Some(Init::Expr(value))), Type::Double);
        }
        for &(name, low, high) in INTEGER_TYPES {
            let range = Arc::new((integer(low, span), integer(high, span)));
            self.builtin(name, SymbolKind::Type, Type::Int(Some(range)));
        }
        self.builtin("cost", SymbolKind::Cost, Type::Cost);
    }

    fn builtin(&mut self, name: &str, kind: SymbolKind, ty: Type) {
        let id = self.declare(&Ident::new(name, Span::default()), kind, ty);
        self.facts[id.index()].computable = true;
        self.facts[id.index()].builtin = true;
    }
}

/// An integer literal.
pub(super) fn integer(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(value), ty: Type::Int(None), span }
}
