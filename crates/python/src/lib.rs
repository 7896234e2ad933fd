//! guidepost as a Python package: the native half.
//!
//! What crosses the border is small: models, options and questions go in, JSON with the documented keys comes out, and the Python half
//! (`python/guidepost`) makes typed objects of it. Nothing is decided here. Options and their contradictions are those of [`guidepost::options`], answers are those of
//! [`guidepost::Session`].
//!
//! While something is searched for, Python's lock is released; see `watch`.
#![allow(clippy::needless_pass_by_value, reason = "what Python hands over is handed over as a value")]

mod errors;
mod model;
mod options;
mod simulator;
mod watch;

use pyo3::pymodule;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The native half of `guidepost`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::model::{Checked, Model, generate};
    #[pymodule_export]
    use crate::simulator::Simulator;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
