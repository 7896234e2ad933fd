//! Updates as assignments that happen at once.

use guidepost_network::{Code, Network, Shape, VarId};
use std::collections::BTreeMap;

/// A value in terms of the state before the update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A constant.
    Const(i32),
    /// What a variable was before, plus a constant.
    Of(VarId, i32),
}

/// The assignments of an update as if they happened at once; `None` when some step is not simple.
pub fn simultaneous(network: &Network, code: Code) -> Option<BTreeMap<VarId, Value>> {
    let mut now: BTreeMap<VarId, Value> = BTreeMap::new();
    for shape in network.program.shapes(code)? {
        let value_of = |variable: VarId| now.get(&variable).copied().unwrap_or(Value::Of(variable, 0));
        match shape {
            Shape::AssignConst { var, value } => now.insert(var, Value::Const(value)),
            Shape::AssignVar { var, source } => {
                let value = value_of(source);
                now.insert(var, value)
            }
            Shape::Increment { var, by } => {
                let value = match value_of(var) {
                    Value::Const(value) => Value::Const(value.wrapping_add(by)),
                    Value::Of(source, offset) => Value::Of(source, offset.wrapping_add(by)),
                };
                now.insert(var, value)
            }
            Shape::ResetClock { .. } => None,
            _ => return None,
        };
    }
    Some(now)
}
