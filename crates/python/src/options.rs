//! Options from keyword arguments.

use crate::errors::bad_options;
use guidepost::options::{Options, TraceKind};
use guidepost::verify::EngineSpec;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fmt::Display;
use std::str::FromStr;

/// The options that keyword arguments ask for. `None` is as good as nothing.
pub(crate) fn options(given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = Options::default();
    for (name, value) in given.into_iter().flatten() {
        if !value.is_none() {
            set(&mut options, &name.extract::<String>()?, &value)?;
        }
    }
    Ok(options)
}

fn set(options: &mut Options, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let guide = &mut options.guide;
    match name {
        "engine" => options.engine = word::<EngineSpec>(value)?,
        "store" => options.store = word(value)?,
        "trace" => options.run = word::<TraceKind>(value)?.into(),
        "search" => options.search = word(value)?,
        "heuristic" => guide.heuristic = value.extract()?,
        "weight" => guide.weight = Some(value.extract()?),
        "beam_width" => guide.beam_width = Some(value.extract()?),
        "ties" => guide.ties = word(value)?,
        "deferred" => guide.deferred = value.extract()?,
        "preferred" => guide.preferred = value.extract()?,
        "abstract_states" => guide.abstract_states = Some(value.extract()?),
        "abstract_time" => guide.abstract_time = Some(value.extract()?),
        "extrapolation" => options.extrapolation = Some(word(value)?),
        "subsumption" => options.subsumption = Some(word(value)?),
        "without" => options.without = words(value)?,
        "approximate" => options.approximate = value.extract()?,
        "convex_hull" => options.convex_hull = value.extract()?,
        "time_limit" => options.time_limit = Some(value.extract()?),
        "memory_limit" => options.memory_limit = Some(value.extract()?),
        "state_limit" => options.state_limit = Some(value.extract()?),
        "seed" => options.seed = value.extract()?,
        "threads" => options.threads = value.extract()?,
        _ => return Err(PyTypeError::new_err(format!("there is no option `{name}`"))),
    }
    Ok(())
}

fn word<T: FromStr<Err: Display>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    value.extract::<String>()?.parse().map_err(|error: T::Err| bad_options(value.py(), &error))
}

/// One word, or several.
fn words<T: FromStr<Err: Display>>(value: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    if value.extract::<String>().is_ok() {
        return Ok(vec![word(value)?]);
    }
    value.try_iter()?.map(|item| word(&item?)).collect()
}
