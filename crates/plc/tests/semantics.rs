//! The translation against the meaning of controllers, interpreted directly.
//!
//! A controller is interpreted here without any automaton: it polls, looks at what it polled and at the time it has spent in its location, and
//! writes, all at random moments within the bound of its cycle, while its input changes at random. Every such run must be a run of the translated
//! network; and what no controller does must not be.

use guidepost_network::interpreter::{Fired, Interpreter, Random, Rational, State};
use guidepost_network::{Network, build};
use guidepost_plc::load_text;

/// Times are counted in quarters.
const QUARTERS: i64 = 4;
const CYCLE: i64 = 2 * QUARTERS;
const DELAY: i64 = 9 * QUARTERS;
const RUNS: u64 = 100;
const CYCLES: usize = 60;

const PROGRAMS: &str = "
    type Report := { fine, suspicious, alarm };
    input signal : bool;
    program Watch {
        input alive : bool;
        output report : Report;
        initial location Fine { report := fine; when alive stay; otherwise goto Doubt; }
        location Doubt { report := suspicious; delay 9 while not alive; when alive goto Fine; otherwise goto Alarm; }
        location Alarm { report := alarm; otherwise stay; }
    }
    program Siren {
        input report : Report;
        output loud : bool;
        initial location Quiet { loud := false; when report = alarm goto Loud; otherwise stay; }
        location Loud { loud := true; otherwise stay; }
    }
";
const ALONE: &str = "node Guard : Watch(alive := signal) cycle 2;";
const TOGETHER: &str = "device Box cycle 2 {
    node Guard : Watch(alive := signal);
    node Horn : Siren(report := Guard.report);
}";

/// The watching controller, interpreted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Watch {
    Fine,
    Doubt,
    Alarm,
}

impl Watch {
    fn name(self) -> &'static str {
        match self {
            Watch::Fine => "Fine",
            Watch::Doubt => "Doubt",
            Watch::Alarm => "Alarm",
        }
    }

    /// Whether what was polled is ignored after that time in the location.
    fn is_delayed(self, alive: bool, held: i64) -> bool {
        self == Watch::Doubt && !alive && held < DELAY
    }

    fn next(self, alive: bool) -> Watch {
        match (self, alive) {
            (Watch::Fine | Watch::Doubt, true) => Watch::Fine,
            (Watch::Fine, false) => Watch::Doubt,
            (Watch::Doubt, false) | (Watch::Alarm, _) => Watch::Alarm,
        }
    }
}

/// Follows what is told in the network: all states that it may be in.
struct Follower<'n> {
    network: &'n Network,
    interpreter: Interpreter<'n>,
    states: Vec<State>,
    now: i64,
}

impl<'n> Follower<'n> {
    fn new(network: &'n Network) -> Self {
        let interpreter = Interpreter::new(network);
        let states = vec![interpreter.initial()];
        Self { network, interpreter, states, now: 0 }
    }

    fn wait_until(&mut self, time: i64) {
        let delay = Rational::new(time - self.now, QUARTERS).expect("a time");
        self.now = time;
        let states = std::mem::take(&mut self.states);
        for state in states {
            if self.interpreter.can_delay(&state, delay).expect("computable") {
                self.states.push(self.interpreter.delay(&state, delay).expect("computable"));
            }
        }
    }

    /// Takes one transition that leads a process to a location, or changes a variable to a value.
    fn step(&mut self, wanted: &[(&str, &str)], values: &[(&str, i32)]) {
        let states = std::mem::take(&mut self.states);
        for state in states {
            for transition in self.interpreter.candidates(&state).expect("computable") {
                let fired = self.interpreter.fire(&state, &transition).expect("computable");
                if let Fired::Reached(next) = fired
                    && self.fits(&next, wanted, values)
                    && !self.states.contains(&next)
                {
                    self.states.push(next);
                }
            }
        }
    }

    fn fits(&self, state: &State, wanted: &[(&str, &str)], values: &[(&str, i32)]) -> bool {
        let process = |name: &str| self.network.processes.iter().position(|process| process.name == name);
        let variable = |name: &str| self.network.variables.iter().position(|variable| variable.name == name);
        wanted.iter().all(|(name, location)| {
            let at = state.locations[process(name).expect("a process of that name")];
            self.network.locations[at.index()].name == *location
        }) && values
            .iter()
            .all(|(name, value)| state.variables[variable(name).expect("a variable of that name")] == *value)
    }

    fn assert_possible(&self, what: &str) {
        assert!(!self.states.is_empty(), "not a run of the network: {what} at {}/{QUARTERS}", self.now);
    }
}

/// What happens outside: the signal, and when it changes next.
struct Outside {
    random: Random,
    signal: bool,
    next_change: i64,
}

impl Outside {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let next_change = random.below(40) as i64;
        Self { random, signal: false, next_change }
    }

    /// A moment between two others, both included.
    fn moment(&mut self, from: i64, to: i64) -> i64 {
        from + self.random.below((to - from + 1) as usize) as i64
    }

    /// Lets time pass, with the changes of the signal on the way.
    fn pass(&mut self, follower: &mut Follower<'_>, until: i64) {
        while self.next_change <= until {
            follower.wait_until(self.next_change);
            self.signal = !self.signal;
            follower.step(&[], &[("signal", i32::from(self.signal))]);
            follower.assert_possible("a change of the signal");
            // Long pauses let the delay pass.
            let pause = if self.random.below(3) == 0 { 60 } else { 12 };
            self.next_change += 1 + self.random.below(pause) as i64;
        }
        follower.wait_until(until);
        follower.assert_possible("to wait");
    }
}

fn network(nodes: &str) -> Network {
    let loaded = load_text("watch.plc", &format!("{PROGRAMS}{nodes}"), None);
    // Nobody listens to the one that is alone: the siren's program is not used.
    let expected = usize::from(nodes == ALONE);
    assert_eq!(loaded.diagnostics.len(), expected, "{:?}", loaded.diagnostics);
    build(&loaded.model).0.expect("a network")
}

#[test]
fn a_controller_with_a_cycle_of_its_own() {
    let network = network(ALONE);
    let mut alarms = 0;
    for seed in 0..RUNS {
        let mut follower = Follower::new(&network);
        let mut outside = Outside::new(seed);
        let (mut place, mut entered, mut begin) = (Watch::Fine, 0, 0);
        for _ in 0..CYCLES {
            let poll = outside.moment(begin + 1, begin + CYCLE);
            let check = outside.moment(poll, begin + CYCLE);
            let end = outside.moment(check, begin + CYCLE);
            outside.pass(&mut follower, poll);
            let polled = outside.signal;
            let phase = if place == Watch::Doubt { "check" } else { "react" };
            follower.step(&[("Guard", &format!("{}_{phase}", place.name()))], &[]);
            follower.assert_possible("to poll");
            outside.pass(&mut follower, check);
            let delayed = place.is_delayed(polled, check - entered);
            if place == Watch::Doubt {
                let phase = if delayed { "delayed" } else { "react" };
                follower.step(&[("Guard", &format!("{}_{phase}", place.name()))], &[]);
                follower.assert_possible(phase);
            }
            outside.pass(&mut follower, end);
            let next = if delayed { place } else { place.next(polled) };
            follower.step(&[("Guard", &format!("{}_poll", next.name()))], &[("Guard_report", next as i32)]);
            follower.assert_possible("to write");
            if next != place {
                entered = end;
            }
            (place, begin) = (next, end);
        }
        alarms += usize::from(place == Watch::Alarm);
    }
    assert!(alarms > 10 && alarms < RUNS as usize, "all locations were visited: {alarms} alarms");
}

#[test]
fn controllers_on_one_device() {
    let network = network(TOGETHER);
    for seed in 0..RUNS {
        let mut follower = Follower::new(&network);
        let mut outside = Outside::new(seed);
        let (mut place, mut loud, mut entered, mut begin) = (Watch::Fine, false, 0, 0);
        for _ in 0..CYCLES {
            let poll = outside.moment(begin + 1, begin + CYCLE);
            let compute = outside.moment(poll, begin + CYCLE);
            let end = outside.moment(compute, begin + CYCLE);
            outside.pass(&mut follower, poll);
            let polled = outside.signal;
            follower.step(&[("Box", "Compute")], &[]);
            outside.pass(&mut follower, compute);
            let delayed = place.is_delayed(polled, compute - entered);
            let next = if delayed { place } else { place.next(polled) };
            // The siren runs after the watch and hears its report in the same cycle.
            let now_loud = loud || next == Watch::Alarm;
            follower.step(&[("Box", "Run_Guard")], &[]);
            follower.step(&[("Box", "Run_Horn")], &[("new_Guard_report", next as i32)]);
            follower.step(&[("Box", "Write")], &[("new_Horn_loud", i32::from(now_loud))]);
            follower.assert_possible("to compute");
            outside.pass(&mut follower, end);
            let written = [("Guard_report", next as i32), ("Horn_loud", i32::from(now_loud))];
            follower.step(&[("Box", "Move_Guard")], &written);
            follower.step(&[("Box", "Move_Horn"), ("Guard", &format!("{}_poll", next.name()))], &[]);
            follower.step(&[("Box", "Poll")], &written);
            follower.assert_possible("to write");
            if next != place {
                entered = end;
            }
            (place, loud, begin) = (next, now_loud, end);
        }
    }
}

#[test]
fn a_delay_cannot_be_skipped_nor_a_cycle_stretched() {
    let network = network(ALONE);
    let mut follower = Follower::new(&network);
    follower.wait_until(1);
    follower.step(&[("Guard", "Fine_react")], &[]);
    follower.step(&[("Guard", "Doubt_poll")], &[]);
    follower.wait_until(2);
    follower.step(&[("Guard", "Doubt_check")], &[]);
    follower.assert_possible("doubt");
    let states = follower.states.clone();
    follower.step(&[("Guard", "Doubt_react")], &[]);
    assert!(follower.states.is_empty(), "the delay is in force");
    follower.states = states;
    follower.wait_until(1 + CYCLE + 1);
    assert!(follower.states.is_empty(), "the cycle has a bound");
}
