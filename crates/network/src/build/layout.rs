//! Types of one process, computed: sizes, strides, ranges.
//!
//! A [`Type`] of the model may contain expressions (`int[0,N-1]` with a parameter `N`); a [`Layout`] contains numbers. A struct may hold
//! integers and clocks side by side, so sizes and offsets are counted per kind: data cells, clocks and channels live in three separate
//! numberings.

use super::Builder;
use super::limits::{MAX_CELLS, MAX_CHANNELS, MAX_CLOCKS};
use guidepost_language::diagnostic::Code;
use guidepost_language::model::{Expr, IndexType, Name, Type};
use guidepost_language::source::Span;
use std::sync::Arc;

/// Range of `int` variables.
pub(crate) const INT_RANGE: (i32, i32) = (-32768, 32767);
/// Array indices stay small enough that the distance of any two does not wrap.
const INDEX_LIMIT: i32 = 1 << 30;

/// A computed type.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) kind: Kind,
    pub(crate) size: Sizes,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Int {
        min: i32,
        max: i32,
        boolean: bool,
    },
    Clock,
    Channel {
        urgent: bool,
        broadcast: bool,
    },
    Array {
        low: i32,
        count: u32,
        element: Arc<Layout>,
    },
    Struct(Vec<Field>),
    /// Can be declared; using it is an error that names it.
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) offset: Sizes,
    pub(crate) layout: Arc<Layout>,
}

/// How many data cells, clocks and channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) data: u32,
    pub(crate) clocks: u32,
    pub(crate) channels: u32,
}

impl Sizes {
    pub(crate) fn plus(self, other: Sizes) -> Sizes {
        Sizes {
            data: self.data + other.data,
            clocks: self.clocks + other.clocks,
            channels: self.channels + other.channels,
        }
    }

    pub(crate) fn times(self, factor: u32) -> Sizes {
        Sizes { data: self.data * factor, clocks: self.clocks * factor, channels: self.channels * factor }
    }

    fn fits(self, other: Sizes, factor: u64) -> bool {
        let sum = |own: u32, other: u32| u64::from(own) + u64::from(other) * factor;
        sum(self.data, other.data) <= MAX_CELLS
            && sum(self.clocks, other.clocks) <= MAX_CLOCKS
            && sum(self.channels, other.channels) <= MAX_CHANNELS
    }
}

impl Layout {
    /// The layout of something without parts.
    pub(crate) fn leaf(kind: Kind) -> Self {
        let size = match kind {
            Kind::Int { .. } => Sizes { data: 1, ..Sizes::default() },
            Kind::Clock => Sizes { clocks: 1, ..Sizes::default() },
            Kind::Channel { .. } => Sizes { channels: 1, ..Sizes::default() },
            _ => Sizes::default(),
        };
        Self { kind, size }
    }

    pub(crate) fn is_aggregate(&self) -> bool {
        matches!(self.kind, Kind::Array { .. } | Kind::Struct(_))
    }

    /// The ranges of all data cells in order.
    pub(crate) fn ranges(&self, ranges: &mut Vec<(i32, i32)>) {
        match &self.kind {
            Kind::Int { min, max, .. } => ranges.push((*min, *max)),
            Kind::Array { count, element, .. } => (0..*count).for_each(|_| element.ranges(ranges)),
            Kind::Struct(fields) => fields.iter().for_each(|field| field.layout.ranges(ranges)),
            _ => {}
        }
    }

    /// The construct inside that cannot be analysed, if there is one.
    pub(crate) fn unsupported(&self) -> Option<&'static str> {
        match &self.kind {
            Kind::Unsupported(what) => Some(what),
            Kind::Array { element, .. } => element.unsupported(),
            Kind::Struct(fields) => fields.iter().find_map(|field| field.layout.unsupported()),
            _ => None,
        }
    }
}

/// What an uninitialised integer starts with.
pub(crate) fn default_value(min: i32, max: i32) -> i32 {
    if min <= 0 && 0 <= max { 0 } else { min }
}

impl Builder<'_> {
    /// The layout of a type in the current process. Constants and intermediate values of type `int` are unbounded.
    pub(crate) fn layout(&mut self, ty: &Type, unbounded: bool, span: Span) -> Option<Arc<Layout>> {
        let kind = match ty {
            Type::Bool => Kind::Int { min: 0, max: 1, boolean: true },
            Type::Int(None) if unbounded => Kind::Int { min: i32::MIN, max: i32::MAX, boolean: false },
            Type::Int(None) => Kind::Int { min: INT_RANGE.0, max: INT_RANGE.1, boolean: false },
            Type::Int(Some(_)) | Type::Scalar(..) => {
                let (min, max) = self.domain(ty, span)?;
                Kind::Int { min, max, boolean: false }
            }
            Type::Clock { hybrid: false } => Kind::Clock,
            Type::Clock { hybrid: true } => Kind::Unsupported("a hybrid clock"),
            Type::Chan { urgent, broadcast } => Kind::Channel { urgent: *urgent, broadcast: *broadcast },
            Type::Double => Kind::Unsupported("a value of type double"),
            Type::String => Kind::Unsupported("a string"),
            Type::Cost => Kind::Unsupported("the cost variable outside of `cost += e` and `cost' == e`"),
            Type::Array(array) => {
                let element = self.layout(&array.element, unbounded, span)?;
                return self.array_layout(&array.index, element, span);
            }
            Type::Struct(fields) => return self.struct_layout(&fields.fields, unbounded, span),
            Type::Error => return self.report.reported(),
            _ => return self.report.error(Code::InvalidType, span, "not a type of values"),
        };
        Some(Arc::new(Layout::leaf(kind)))
    }

    fn array_layout(&mut self, index: &IndexType, element: Arc<Layout>, span: Span) -> Option<Arc<Layout>> {
        let (low, count) = match index {
            IndexType::Size(size) => (0, i64::from(self.array_size(size)?)),
            IndexType::Type(ty) => {
                let (low, high) = self.domain(ty, span)?;
                (low, i64::from(high) - i64::from(low) + 1)
            }
        };
        if low.abs() >= INDEX_LIMIT {
            return self.report.error(
                Code::BadArraySize,
                span,
                format!("array indices from {low} are too large"),
            );
        }
        let factor = count as u64;
        if factor > MAX_CELLS || !Sizes::default().fits(element.size, factor) {
            let message = format!("an array of {count} elements is too large");
            return self.report.error(Code::TooLarge, span, message);
        }
        let count = count as u32;
        let size = element.size.times(count);
        Some(Arc::new(Layout { kind: Kind::Array { low, count, element }, size }))
    }

    fn array_size(&mut self, size: &Expr) -> Option<i32> {
        let count = self.constant(size)?;
        if count <= 0 {
            let message = format!("an array of {count} elements");
            return self.report.error(Code::BadArraySize, size.span, message);
        }
        Some(count)
    }

    fn struct_layout(&mut self, fields: &[(Name, Type)], unbounded: bool, span: Span) -> Option<Arc<Layout>> {
        let mut laid_out = Vec::new();
        let mut size = Sizes::default();
        for (name, ty) in fields {
            let layout = self.layout(ty, unbounded, span)?;
            if !size.fits(layout.size, 1) {
                return self.report.error(Code::TooLarge, span, "the struct is too large");
            }
            laid_out.push(Field { name: name.clone(), offset: size, layout: layout.clone() });
            size = size.plus(layout.size);
        }
        Some(Arc::new(Layout { kind: Kind::Struct(laid_out), size }))
    }

    /// First and last value of a type that can be iterated over.
    pub(crate) fn domain(&mut self, ty: &Type, span: Span) -> Option<(i32, i32)> {
        match ty {
            Type::Bool => Some((0, 1)),
            Type::Int(Some(range)) => {
                let low = self.constant(&range.0);
                let high = self.constant(&range.1);
                let (low, high) = (low?, high?);
                if low > high {
                    let at = range.0.span.to(range.1.span);
                    return self.report.error(
                        Code::EmptyRange,
                        at,
                        format!("the range int[{low},{high}] is empty"),
                    );
                }
                Some((low, high))
            }
            Type::Scalar(set, size) => {
                let count = self.constant(size)?;
                if count <= 0 {
                    let message = format!("a scalar set of {count} values");
                    return self.report.error(Code::EmptyRange, size.span, message);
                }
                self.note_scalar_size(*set, count);
                Some((0, count - 1))
            }
            Type::Error => self.report.reported(),
            _ => {
                self.report.error(Code::QuantifierDomain, span, "this type has no finite range to go through")
            }
        }
    }
}
