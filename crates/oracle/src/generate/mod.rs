//! Random models and queries.
//!
//! Small on purpose: two or three processes, up to three clocks, constants up to four, so that region graphs stay small; rich on purpose: every
//! construct of the language turns up periodically. Integer expressions are never negative and their largest value is known, so updates
//! stay in range by taking remainders, unless the [`Profile`] asks for violations. What a seed gives is fixed for ever by the tests'
//! fixed seeds being meaningful: change the generator freely, but expect other networks.

mod declare;
mod expression;
mod onlooker;
mod query;
mod template;

pub use query::{QueryKind, random_queries};

use crate::model::{Model, Process};
use crate::random::Random;
use expression::Scope;

/// What a model may use besides the ordinary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a set of independent switches")]
pub struct Profile {
    /// Constraints on differences of clocks.
    pub diagonals: bool,
    /// Priorities of channels and processes.
    pub priorities: bool,
    /// Clock guards on receivers of broadcasts.
    pub guarded_receivers: bool,
    /// Updates that may leave ranges.
    pub range_violations: bool,
    /// Rates of locations and prices of steps.
    pub prices: bool,
    /// Processes that mostly have nothing to do with the others.
    pub onlookers: bool,
}

impl Profile {
    /// The ordinary.
    pub const PLAIN: Profile = Profile {
        diagonals: false,
        priorities: false,
        guarded_receivers: false,
        range_violations: false,
        prices: false,
        onlookers: false,
    };

    /// A profile for each seed: half of the networks are plain, the others use some of the rest.
    pub fn of(seed: u64) -> Self {
        let mut random = Random::new(!seed);
        if random.chance(50) {
            return Self::PLAIN;
        }
        Self {
            diagonals: random.chance(30),
            priorities: random.chance(40),
            guarded_receivers: random.chance(50),
            range_violations: random.chance(10),
            prices: false,
            onlookers: false,
        }
    }

    /// As [`Profile::of`], without violations and with prices.
    pub fn priced(seed: u64) -> Self {
        Self { range_violations: false, prices: true, ..Self::of(seed) }
    }
}

/// The text of a random model, in XTA.
pub fn random_model(seed: u64, profile: Profile) -> String {
    random(seed, profile).to_string()
}

/// A random model.
pub fn random(seed: u64, profile: Profile) -> Model {
    let mut generator = Generator::new(seed, profile);
    let mut model = generator.model();
    if profile.onlookers {
        generator.add_onlookers(&mut model, seed);
    }
    model
}

/// How many processes a template stands for, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// Named on the system line as it is.
    Plain,
    /// Instantiated with arguments, so many times.
    Instances(usize),
    /// Named on the system line with a free parameter of this many values.
    Set(usize),
}

impl Use {
    fn count(self) -> usize {
        match self {
            Use::Plain => 1,
            Use::Instances(count) | Use::Set(count) => count,
        }
    }
}

struct Generator {
    random: Random,
    profile: Profile,
    /// Largest constant that clocks are compared with.
    constant: i32,
    /// Clocks that may still be declared.
    clocks: usize,
    /// What is visible everywhere.
    global: Scope,
    channels: Vec<Channel>,
    rates: Rates,
}

/// Which locations have rates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rates {
    /// None.
    None,
    /// All of the first template have the same.
    Common(i32),
    /// Some, different ones.
    Some,
}

/// A channel as expressions call it.
#[derive(Clone, Debug)]
struct Channel {
    name: String,
    /// Of an array of two.
    array: bool,
    broadcast: bool,
    urgent: bool,
}

impl Generator {
    fn new(seed: u64, profile: Profile) -> Self {
        let mut random = Random::new(seed);
        let clocks = if profile.diagonals { 2 + random.below(2) } else { *random.pick(&[1, 1, 2, 2, 2, 3]) };
        let most = [4, 4, 3, 2][clocks];
        let constant = if profile.diagonals { 2 } else { random.between(1, most) };
        let rates = match Random::new(seed ^ 0x70_72_69_63_65).below(10) {
            _ if !profile.prices => Rates::None,
            0 | 1 => Rates::None,
            2 | 3 => Rates::Common(1 + (seed % 2) as i32),
            _ => Rates::Some,
        };
        Self { random, profile, constant, clocks, global: Scope::default(), channels: Vec::new(), rates }
    }

    fn model(&mut self) -> Model {
        let mut model = Model::default();
        let uses = self.uses();
        self.declare(&mut model);
        for (index, &how) in uses.iter().enumerate() {
            let (template, arguments) = self.template(index, how);
            let name = template.name.clone();
            model.templates.push(template);
            let mut process = |name: String, arguments, members| {
                model.processes.push(Process { name, template: index, arguments, members, raised: false });
            };
            match how {
                Use::Plain => process(name, None, None),
                Use::Set(count) => process(name, None, Some(count)),
                Use::Instances(count) => {
                    for instance in 0..count {
                        let values: Vec<String> =
                            arguments.iter().map(|choices| self.random.pick(choices).clone()).collect();
                        process(format!("P{index}{instance}"), Some(values.join(", ")), None);
                    }
                }
            }
        }
        if self.profile.diagonals && self.random.chance(85) {
            self.keep_clocks_small(&mut model);
        }
        if self.profile.priorities && self.random.chance(60) {
            for process in &mut model.processes {
                process.raised = self.random.chance(50);
            }
        }
        model
    }

    /// Two or three processes in all.
    fn uses(&mut self) -> Vec<Use> {
        let mut left = 2 + self.random.below(2);
        let mut uses = Vec::new();
        while left > 0 {
            let how = match self.random.below(10) {
                0 | 1 if left >= 2 => Use::Set(2),
                2 | 3 if left >= 2 => Use::Instances(2),
                4 | 5 => Use::Instances(1),
                _ => Use::Plain,
            };
            left -= how.count();
            uses.push(how);
        }
        uses
    }
}
