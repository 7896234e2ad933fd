//! The families by name, and their parameters as they are typed.

use crate::fischer::Variant;
use crate::{
    Generated, arbiter, biphase_mark, bridge, circuit, csma_cd, fddi, fischer, steel_plant, train_gate,
};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// More processes than this are a mistake in typing: no engine builds their network.
const MOST_PROCESSES: u32 = 10_000;
/// A tree of this height has 131 072 automata.
const HIGHEST_TREE: u32 = 16;
/// Cells in which the receiver could count to thousands are nobody's.
const LONGEST_CELL: u32 = 1000;
/// More people than this take longer than numbers of the language go.
const MOST_PEOPLE: u32 = 1000;

/// A family with its parameters: one model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Fischer's mutual exclusion.
    Fischer {
        /// How a violation shows.
        variant: Variant,
        /// How many processes compete.
        processes: u32,
        /// Whether a process may look again a moment too early.
        faulty: bool,
    },
    /// A tree of arbiters that grants one token to its leaves.
    Arbiter {
        /// Levels of arbiters; there are `2^height` clients.
        height: u32,
        /// Whether a client releases what it does not hold.
        faulty: bool,
    },
    /// Stations on one wire.
    CsmaCd {
        /// How many.
        stations: u32,
    },
    /// A timed token ring.
    Fddi {
        /// How many stations.
        stations: u32,
    },
    /// Trains that share a bridge.
    TrainGate {
        /// How many.
        trains: u32,
    },
    /// Bits over one wire, with the clock in the signal.
    BiphaseMark {
        /// Cycles of a cell.
        cell: u32,
        /// Cycles before the second change.
        mark: u32,
        /// Cycles from the first change to the second look.
        sample: u32,
    },
    /// People who cross a bridge with one torch.
    Bridge {
        /// How many.
        people: u32,
    },
    /// Ladles that are treated, carried by cranes, and cast.
    SteelPlant {
        /// How many.
        ladles: u32,
    },
    /// A timed circuit.
    Circuit {
        /// How many gates listen to the ring.
        gates: u32,
    },
}

/// How a family is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
}

/// All families.
pub const FAMILIES: [Usage; 13] = [
    Usage {
        name: "fischer",
        parameters: "a|b|c N [--faulty]",
        summary: "Fischer's mutual exclusion with N processes; a: an observer catches two of them, b: the query names two, c: a variable counts",
    },
    Usage {
        name: "arbiter",
        parameters: "HEIGHT [--faulty]",
        summary: "a tree of arbiters with 2^HEIGHT clients, one of which may release what it does not hold",
    },
    Usage {
        name: "csma-cd",
        parameters: "N",
        summary: "carrier sense with collision detection, N stations on one wire",
    },
    Usage { name: "fddi", parameters: "N", summary: "a timed token ring of N stations" },
    Usage {
        name: "train-gate",
        parameters: "N",
        summary: "N trains share a bridge, a gate keeps them in a queue",
    },
    Usage {
        name: "biphase-mark",
        parameters: "CELL MARK SAMPLE",
        summary: "bits over one wire; right for 16 6 11, 18 5 10 and 32 16 23, wrong for 16 3 11, 16 9 11 and 16 6 12",
    },
    Usage {
        name: "bridge",
        parameters: "N",
        summary: "N people cross a bridge with one torch; the fastest run is a best plan",
    },
    Usage {
        name: "steel-plant",
        parameters: "N",
        summary: "N ladles go along two tracks, to a caster and away, with two cranes; the fastest run is a best schedule",
    },
    Usage {
        name: "circuit",
        parameters: "N",
        summary: "a ring of inverters with delays, and N gates with inputs that listen to it",
    },
    Usage {
        name: "job-shop",
        parameters: "--instance FILE",
        summary: "a job shop from the usual file; the fastest run is a best schedule",
    },
    Usage {
        name: "aircraft-landing",
        parameters: "--instance FILE [--runways N]",
        summary: "planes from a file of OR-Library; the cheapest run is a best plan",
    },
    Usage {
        name: "machines",
        parameters: "N [SEED]",
        summary: "N random state/event machines that ask about their neighbours (.sem)",
    },
    Usage {
        name: "cells",
        parameters: "N DEPTH [SEED]",
        summary: "about N random state/event machines within each other, up to DEPTH levels (.sem)",
    },
];

/// Why words do not name a model.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FamilyError {
    /// Nothing was asked for.
    #[error("which family? There are {names}", names = names())]
    Nothing,
    /// The family does not exist.
    #[error("there is no family `{0}`; there are {names}", names = names())]
    Unknown(String),
    /// A parameter is missing.
    #[error("{what} is missing; it is `{usage}`")]
    Missing {
        /// What it is.
        what: &'static str,
        /// How the family is asked for.
        usage: String,
    },
    /// A parameter is not one.
    #[error("`{word}` is not {what}; it is `{usage}`")]
    Wrong {
        /// What was typed.
        word: String,
        /// What it should be.
        what: &'static str,
        /// How the family is asked for.
        usage: String,
    },
    /// A number is too small or too large.
    #[error("{what} must be between {least} and {most}, not {number}")]
    OutOfRange {
        /// What it is.
        what: &'static str,
        /// What was typed.
        number: u64,
        /// The smallest that makes sense.
        least: u32,
        /// The largest.
        most: u32,
    },
    /// The family is not one of timed automata.
    #[error("`{0}` are state/event machines, without clocks and queries")]
    Machines(&'static str),
    /// There is more than the family takes.
    #[error("`{word}` is too much; it is `{usage}`")]
    TooMuch {
        /// The first word too many.
        word: String,
        /// How the family is asked for.
        usage: String,
    },
}

impl FamilyError {
    /// A word that a family does not take.
    pub fn too_much(family: &str, word: &str) -> Self {
        let usage = FAMILIES.iter().find(|usage| usage.name == family).map(Usage::words).unwrap_or_default();
        FamilyError::TooMuch { word: word.to_owned(), usage }
    }
}

fn names() -> String {
    FAMILIES.map(|usage| usage.name).join(", ")
}

impl Usage {
    /// The whole of what is typed.
    pub fn words(&self) -> String {
        format!("{} {}", self.name, self.parameters)
    }
}

/// The words that are still to be read.
pub(crate) struct Words<'w> {
    rest: std::vec::IntoIter<&'w str>,
    faulty: bool,
    usage: String,
}

impl<'w> Words<'w> {
    pub(crate) fn new(words: &[&'w str], usage: &Usage) -> Self {
        let is_flag = |word: &&str| *word == "--faulty";
        let faulty = words.iter().any(is_flag);
        let rest: Vec<&str> = words.iter().copied().filter(|word| !is_flag(word)).collect();
        Self { rest: rest.into_iter(), faulty, usage: usage.words() }
    }

    /// Whether all words have been read.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.as_slice().is_empty()
    }

    /// Nothing may be left.
    pub(crate) fn finish(mut self) -> Result<(), FamilyError> {
        let too_much = if self.faulty { Some("--faulty") } else { self.rest.next() };
        match too_much {
            None => Ok(()),
            Some(word) => Err(FamilyError::TooMuch { word: word.to_owned(), usage: self.usage }),
        }
    }

    fn next(&mut self, what: &'static str) -> Result<&'w str, FamilyError> {
        self.rest.next().ok_or_else(|| FamilyError::Missing { what, usage: self.usage.clone() })
    }

    pub(crate) fn number(&mut self, what: &'static str, least: u32, most: u32) -> Result<u32, FamilyError> {
        let word = self.next(what)?;
        let wrong = |_| FamilyError::Wrong { word: word.to_owned(), what, usage: self.usage.clone() };
        let number: u64 = word.parse().map_err(wrong)?;
        u32::try_from(number)
            .ok()
            .filter(|number| (least..=most).contains(number))
            .ok_or(FamilyError::OutOfRange { what, number, least, most })
    }

    fn variant(&mut self) -> Result<Variant, FamilyError> {
        let what = "the variant a, b or c";
        let word = self.next(what)?;
        match word.to_ascii_lowercase().as_str() {
            "a" => Ok(Variant::A),
            "b" => Ok(Variant::B),
            "c" => Ok(Variant::C),
            _ => Err(FamilyError::Wrong { word: word.to_owned(), what, usage: self.usage.clone() }),
        }
    }

    /// Whether `--faulty` stands among the words; asking takes it away.
    fn faulty(&mut self) -> bool {
        std::mem::take(&mut self.faulty)
    }
}

impl Family {
    /// The model that words name: a family, its parameters, `--faulty` anywhere after it.
    pub fn from_words(words: &[&str]) -> Result<Self, FamilyError> {
        let (name, rest) = words.split_first().ok_or(FamilyError::Nothing)?;
        let usage = FAMILIES
            .iter()
            .find(|usage| usage.name == *name)
            .ok_or_else(|| FamilyError::Unknown((*name).to_owned()))?;
        let mut words = Words::new(rest, usage);
        let family = match usage.name {
            "fischer" => Self::Fischer {
                variant: words.variant()?,
                processes: words.number("the number of processes", 2, MOST_PROCESSES)?,
                faulty: words.faulty(),
            },
            "arbiter" => Self::Arbiter {
                height: words.number("the height of the tree", 2, HIGHEST_TREE)?,
                faulty: words.faulty(),
            },
            "csma-cd" => {
                Self::CsmaCd { stations: words.number("the number of stations", 2, MOST_PROCESSES)? }
            }
            "job-shop" | "aircraft-landing" => {
                return Err(FamilyError::Missing { what: "`--instance FILE`", usage: usage.words() });
            }
            "machines" | "cells" => return Err(FamilyError::Machines(usage.name)),
            "biphase-mark" => {
                let cell = words.number("the length of a cell", 3, LONGEST_CELL)?;
                let mark = words.number("the length of the mark", 1, cell - 2)?;
                let sample = words.number("the time of the second look", mark + 1, cell - 1)?;
                Self::BiphaseMark { cell, mark, sample }
            }
            "bridge" => Self::Bridge { people: words.number("the number of people", 1, MOST_PEOPLE)? },
            "steel-plant" => {
                Self::SteelPlant { ladles: words.number("the number of ladles", 1, MOST_PROCESSES)? }
            }
            "fddi" => Self::Fddi { stations: words.number("the number of stations", 2, MOST_PROCESSES)? },
            "circuit" => Self::Circuit { gates: words.number("the number of gates", 1, MOST_PROCESSES)? },
            _ => Self::TrainGate { trains: words.number("the number of trains", 2, MOST_PROCESSES)? },
        };
        words.finish()?;
        Ok(family)
    }

    /// The model with its queries.
    pub fn generate(self) -> Generated {
        let (model, queries) = match self {
            Self::Fischer { variant, processes, faulty } => fischer::model(variant, processes, faulty),
            Self::Arbiter { height, faulty } => arbiter::model(height, faulty),
            Self::CsmaCd { stations } => csma_cd::model(stations),
            Self::Fddi { stations } => fddi::model(stations),
            Self::TrainGate { trains } => train_gate::model(trains),
            Self::BiphaseMark { cell, mark, sample } => biphase_mark::model(cell, mark, sample),
            Self::Bridge { people } => bridge::model(people),
            Self::SteelPlant { ladles } => steel_plant::model(ladles),
            Self::Circuit { gates } => circuit::model(gates),
        };
        Generated { name: self.to_string().replace(" --", "-").replace(' ', "-"), model, queries }
    }
}

impl FromStr for Family {
    type Err = FamilyError;

    fn from_str(text: &str) -> Result<Self, FamilyError> {
        Self::from_words(&text.split_whitespace().collect::<Vec<_>>())
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |faulty: bool| if faulty { " --faulty" } else { "" };
        match *self {
            Self::Fischer { variant, processes, faulty } => {
                write!(f, "fischer {} {processes}{}", variant.letter(), mark(faulty))
            }
            Self::Arbiter { height, faulty } => write!(f, "arbiter {height}{}", mark(faulty)),
            Self::CsmaCd { stations } => write!(f, "csma-cd {stations}"),
            Self::Fddi { stations } => write!(f, "fddi {stations}"),
            Self::TrainGate { trains } => write!(f, "train-gate {trains}"),
            Self::BiphaseMark { cell, mark, sample } => write!(f, "biphase-mark {cell} {mark} {sample}"),
            Self::Bridge { people } => write!(f, "bridge {people}"),
            Self::SteelPlant { ladles } => write!(f, "steel-plant {ladles}"),
            Self::Circuit { gates } => write!(f, "circuit {gates}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_families_correspond() {
        for words in [
            "fischer a 5 --faulty",
            "fischer c 2",
            "arbiter 3 --faulty",
            "csma-cd 4",
            "fddi 3",
            "train-gate 2",
            "biphase-mark 16 6 11",
            "bridge 4",
            "steel-plant 2",
            "circuit 1",
        ] {
            assert_eq!(words.parse::<Family>().unwrap().to_string(), words);
        }
        let early = "fischer --faulty B 4".parse::<Family>().unwrap();
        assert_eq!(early.to_string(), "fischer b 4 --faulty");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let message = |words: &str| words.parse::<Family>().unwrap_err().to_string();
        assert_eq!(
            message(""),
            "which family? There are fischer, arbiter, csma-cd, fddi, train-gate, biphase-mark, bridge, steel-plant, circuit, job-shop, aircraft-landing, machines, cells"
        );
        assert_eq!(
            message("fisher 3"),
            "there is no family `fisher`; there are fischer, arbiter, csma-cd, fddi, train-gate, biphase-mark, bridge, steel-plant, circuit, job-shop, aircraft-landing, machines, cells"
        );
        assert_eq!(
            message("fischer 5"),
            "`5` is not the variant a, b or c; it is `fischer a|b|c N [--faulty]`"
        );
        assert_eq!(
            message("fischer a"),
            "the number of processes is missing; it is `fischer a|b|c N [--faulty]`"
        );
        assert_eq!(message("arbiter 1"), "the height of the tree must be between 2 and 16, not 1");
        assert_eq!(
            message("fddi 99999999999"),
            "the number of stations must be between 2 and 10000, not 99999999999"
        );
        assert_eq!(message("fddi -3"), "`-3` is not the number of stations; it is `fddi N`");
        assert_eq!(message("csma-cd 3 4"), "`4` is too much; it is `csma-cd N`");
        assert_eq!(message("train-gate 3 --faulty"), "`--faulty` is too much; it is `train-gate N`");
    }
}
