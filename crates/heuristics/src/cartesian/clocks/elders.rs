//! Which clocks are never smaller than others.
//!
//! The cells of clocks are independent of each other, but some of what ties clocks together holds in every state, and can be used with every step. If y is only ever set to 0, and
//! whoever writes x sets y as well, then x is an *elder* of y: x was written no later than y, so x >= y. In particular a clock that nobody resets, such as one that measures the time of a whole run, is an elder
//! of all clocks that are set to 0. A lower bound of y is one of its elders, too.
//!
//! That all clocks begin with the same value is part of this, and so is that none of them is ever stopped. States that are explored instead of others, because parts of the system were exchanged,
//! have the same elders: what is looked at is the same for parts that can be exchanged.

use guidepost_network::{ClockEffect, ClockId, ClockValue, Network};

/// By clock: those that are never smaller; there may be none at all.
#[derive(Default)]
pub(super) struct Elders(Vec<Vec<ClockId>>);

impl Elders {
    /// Those elders that are wanted, of clocks that are wanted as younger ones.
    pub(super) fn new(
        network: &Network,
        is_elder_wanted: impl Fn(ClockId) -> bool,
        is_younger_wanted: impl Fn(ClockId) -> bool,
    ) -> Self {
        let mut elders = vec![Vec::new(); network.clocks.len()];
        let begins = |index: usize| network.initial_value(ClockId(index as u32));
        let all_begin_together = (2..elders.len()).all(|index| begins(index) == begins(1));
        if network.features.stopwatches || !all_begin_together {
            return Self(elders);
        }
        let updates = || network.edges.iter().map(|edge| &edge.clock_effects).chain([&network.hook_effects]);
        let clocks = || (1..network.clocks.len() as u32).map(ClockId);
        let mut younger: Vec<ClockId> = clocks().filter(|&clock| is_younger_wanted(clock)).collect();
        for effects in updates() {
            for effect in effects.iter().filter(|effect| effect.value != ClockValue::Constant(0, 0)) {
                younger.retain(|&clock| clock != effect.clock);
            }
        }
        for elder in clocks().filter(|&clock| is_elder_wanted(clock)) {
            let mut of_elder = younger.clone();
            for effects in updates().filter(|effects| effects.iter().any(|effect| effect.clock == elder)) {
                of_elder.retain(|&clock| is_surely_set(effects, clock));
            }
            for clock in of_elder.into_iter().filter(|&clock| clock != elder) {
                elders[clock.index()].push(elder);
            }
        }
        Self(elders)
    }

    pub(super) fn of(&self, clock: ClockId) -> &[ClockId] {
        self.0.get(clock.index()).map_or(&[], Vec::as_slice)
    }
}

/// Whether an update writes a clock in any case.
fn is_surely_set(effects: &[ClockEffect], clock: ClockId) -> bool {
    effects.iter().any(|effect| effect.clock == clock && effect.always)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_networks::compiled;

    /// `y: x` if x is an elder of y, for all clocks.
    fn elders(declarations: &str, updates: &[&str]) -> Vec<String> {
        let edges: Vec<String> =
            updates.iter().map(|update| format!("A -> A {{ assign {update}; }}")).collect();
        let text = format!(
            "{declarations} process P() {{ state A; init A; trans {}; }} system P;",
            edges.join(", ")
        );
        let (network, _) = compiled(&text, "E<> P.A");
        let elders = Elders::new(&network, |_| true, |_| true);
        let name = |clock: ClockId| &network.clocks[clock.index()].name;
        (1..network.clocks.len() as u32)
            .map(ClockId)
            .flat_map(|clock| elders.of(clock).iter().map(move |elder| (clock, *elder)))
            .map(|(clock, elder)| format!("{}: {}", name(clock), name(elder)))
            .collect()
    }

    #[test]
    fn who_is_reset_less_often_is_older() {
        assert_eq!(elders("clock x, y;", &["y := 0"]), ["y: x"]);
        assert_eq!(elders("clock x, y;", &["y := 0", "x := 0, y := 0"]), ["y: x"]);
        assert_eq!(elders("clock x, y;", &["x := 0, y := 0"]), ["x: y", "y: x"]);
        assert_eq!(elders("clock x, y;", &["y := 0", "x := 7, y := 0"]), ["y: x"], "7 is more than 0");
    }

    #[test]
    fn who_is_stopped_or_begins_later_is_not() {
        let (mut network, _) = compiled("clock x, y; process P() { state A; init A; } system P;", "E<> P.A");
        let count = |network: &Network| {
            let elders = Elders::new(network, |_| true, |_| true);
            elders.of(ClockId(1)).len() + elders.of(ClockId(2)).len()
        };
        assert_eq!(count(&network), 2, "both are equal");
        network.clocks[2].initial = 1;
        assert_eq!(count(&network), 0);
        network.clocks[2].initial = 0;
        network.features.stopwatches = true;
        assert_eq!(count(&network), 0);
        assert_eq!(elders("clock x, y; after_update { x = 0 }", &["y := 0"]), ["x: y"; 0]);
    }

    #[test]
    fn who_may_be_reset_alone_is_not() {
        let none: [&str; 0] = [];
        assert_eq!(elders("clock x, y;", &["y := 0", "x := 0"]), none);
        assert_eq!(elders("clock x, y;", &["y := 1"]), none, "x may be 0 then");
        assert_eq!(elders("clock x, y;", &["y := x + 1"]), none);
        let may = "clock x, y; bool b; void may() { if (b) y = 0; }";
        assert_eq!(elders(may, &["x := 0, may()"]), ["x: y"], "x may be reset alone, and y is not");
    }
}
