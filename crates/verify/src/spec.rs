//! Engines by name, before they are made.

use crate::registry::{Entry, REGISTRY};
use crate::settings::Settings;
use guidepost_answer::{Call, Engine, NotationError};
use std::fmt;
use std::str::FromStr;

/// An engine with its options: `zones`, `name(option=value,…)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec(String);

/// An engine that cannot be meant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// No engine has this name.
    #[error("there is no engine `{0}`; there are {names}", names = Names)]
    Unknown(String),
    /// It is not written as engines are, or has an option that it does not take.
    #[error(transparent)]
    Notation(#[from] NotationError),
}

struct Names;

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
        f.write_str(&names.join(", "))
    }
}

impl Default for EngineSpec {
    fn default() -> Self {
        Self("auto".to_owned())
    }
}

impl EngineSpec {
    /// The entry of the registry.
    pub fn entry(&self) -> &'static Entry {
        let name = self.0.split_once('(').map_or(self.0.as_str(), |(name, _)| name).trim();
        REGISTRY.iter().find(|entry| entry.name == name).expect("a specification names a registered engine")
    }

    /// The engine, for some settings.
    pub fn engine(&self, settings: &Settings) -> Box<dyn Engine> {
        make(&self.0, settings).expect("a specification was tried when it was read")
    }
}

fn make(text: &str, settings: &Settings) -> Result<Box<dyn Engine>, SpecError> {
    let mut call = Call::parse(text)?;
    let entry = REGISTRY.iter().find(|entry| entry.name == call.name);
    let entry = entry.ok_or_else(|| SpecError::Unknown(call.name.to_owned()))?;
    let engine = (entry.make)(&mut call.arguments, settings)?;
    call.finish()?;
    Ok(engine)
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        make(text, &Settings::default())?;
        Ok(Self(text.trim().to_owned()))
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_registered_engine_can_be_named() {
        for entry in REGISTRY {
            let spec: EngineSpec = entry.name.parse().unwrap();
            assert_eq!(spec.entry().name, entry.name);
            let _ = spec.engine(&Settings::default());
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!("zone".parse::<EngineSpec>(), Err(SpecError::Unknown("zone".into())));
        assert!(matches!("zones(x=1)".parse::<EngineSpec>(), Err(SpecError::Notation(_))));
        assert!(matches!("zones(".parse::<EngineSpec>(), Err(SpecError::Notation(_))));
        let message = "zone".parse::<EngineSpec>().unwrap_err().to_string();
        assert_eq!(message, "there is no engine `zone`; there are auto, zones, walk");
    }
}
