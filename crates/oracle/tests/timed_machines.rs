//! Machines as networks of timed automata: what the zone engine finds of the network is what the interpreters of machines do.

#[path = "../../machines/tests/common/mod.rs"]
mod charts;

use guidepost::{Session, Settings, Verdict};
use guidepost_machines::scxml::{self, Environment, Event, Plain};
use guidepost_machines::sem::{self, Configuration, Interpreter, StateId, System};
use guidepost_machines::timed::Timed;
use guidepost_oracle::machines::{Shape, random_system};
use std::collections::{BTreeMap, BTreeSet};

fn holds(model: &Timed, query: &str) -> bool {
    let mut session =
        Session::new(model.load("test")).unwrap_or_else(|error| panic!("{error}\n{}", model.model));
    let answer = session.ask(query, &Settings::default());
    let verdict = answer.unwrap_or_else(|error| panic!("{error}\n{query}\n{}", model.model)).verdict();
    assert_ne!(verdict, Verdict::Undecided, "{query}\n{}", model.model);
    verdict == Verdict::Satisfied
}

/// The network reaches exactly these sets of active states.
fn reaches_exactly(model: &Timed, expected: &BTreeSet<BTreeSet<String>>, context: &str) {
    let formula = |active: &BTreeSet<String>| {
        let states = model.states.iter().map(|(state, condition)| {
            if active.contains(state) { condition.clone() } else { format!("!{condition}") }
        });
        states.collect::<Vec<_>>().join(" && ")
    };
    for active in expected {
        assert!(
            holds(model, &format!("E<> {}", formula(active))),
            "{active:?} is missing\n{}\n{context}",
            model.model
        );
    }
    let all: Vec<String> = expected.iter().map(|active| format!("!({})", formula(active))).collect();
    assert!(
        !holds(model, &format!("E<> {}", all.join(" && "))),
        "more is reached\n{}\n{context}",
        model.model
    );
}

/// The configurations in which a chart waits, or nothing if there are too many.
fn configurations(chart: &scxml::Chart, events: &[Event]) -> Option<BTreeSet<BTreeSet<String>>> {
    let mut found = BTreeSet::new();
    let mut known = BTreeSet::new();
    let mut chooser = Plain::default();
    let mut waiting = vec![scxml::Interpreter::start(chart, &mut chooser).session];
    while let Some(session) = waiting.pop() {
        if session.external.len() > 3 || known.len() > 300 || session.internal.len() > 60 {
            return None;
        }
        if !known.insert(session.clone()) {
            continue;
        }
        if session.endless {
            found.insert(BTreeSet::new());
            continue;
        }
        let active = session.configuration.iter();
        found.insert(active.map(|state| chart.state(*state).name.clone()).collect());
        let mut interpreter = scxml::Interpreter::resume(chart, session.clone(), &mut chooser);
        if interpreter.deliver_own() {
            waiting.push(interpreter.session);
        }
        for event in events {
            let mut interpreter = scxml::Interpreter::resume(chart, session.clone(), &mut chooser);
            interpreter.deliver(event);
            waiting.push(interpreter.session);
        }
    }
    Some(found)
}

#[test]
fn charts_reach_the_same_configurations() {
    let mut compared = 0;
    for seed in 0..150 {
        let text = charts::chart(&mut charts::Random::new(seed));
        let chart = scxml::load_text("random.scxml", &text).chart;
        let is_own = |name: &str| chart.outputs.iter().any(|output| output.name == name);
        let waits =
            |name: &str| chart.transitions.iter().flat_map(|one| &one.events).any(|one| &*one.0 == name);
        let named = ["a", "b", "c", "a.x", "in", "in.x", "own"]
            .into_iter()
            .filter(|name| waits(name) && !is_own(name));
        let events: Vec<Event> = named.chain(waits("*").then_some("other")).map(Event::named).collect();
        let Some(expected) = configurations(&chart, &events).filter(|found| found.len() < 20) else {
            continue;
        };
        let model = scxml::timed(&chart, Environment::Closed).expect("small charts can be translated");
        reaches_exactly(&model, &expected, &text);
        compared += 1;
    }
    assert!(compared > 80, "{compared} charts were small enough");
}

fn paths(system: &System, interpreter: &Interpreter<'_>, configuration: &Configuration) -> BTreeSet<String> {
    let active = system.state_ids().skip(1).filter(|&state| interpreter.is_active(configuration, state));
    active.map(|state| system.path(state)).collect()
}

/// Everything that a system can do in whole units of time, which is all that bounds without `<` can tell apart: for each timer how long its state has been active.
fn in_time(system: &System) -> Option<BTreeSet<BTreeSet<String>>> {
    let interpreter = Interpreter::new(system);
    let hierarchy = interpreter.hierarchy();
    let initial = interpreter.initial();
    let ages =
        system.timers.iter().enumerate().filter(|(_, timer)| interpreter.is_active(&initial, timer.state));
    let ages: BTreeMap<usize, u32> = ages.map(|(at, _)| (at, 0)).collect();
    let mut known = BTreeSet::new();
    let mut waiting = vec![(initial, ages)];
    while let Some((now, ages)) = waiting.pop() {
        if known.len() > 2000 {
            return None;
        }
        if !known.insert((now.clone(), ages.clone())) {
            continue;
        }
        let due = |at: &usize| ages.get(at) == Some(&system.timers[*at].time);
        let is_due = (0..system.timers.len()).any(|at| due(&at));
        if !is_due {
            let older = ages.iter().map(|(&at, age)| (at, age + 1)).collect();
            waiting.push((now.clone(), older));
        }
        for event in system.event_ids() {
            let timer = system.timers.iter().position(|timer| timer.event == event);
            if timer.is_some_and(|timer| !due(&timer)) {
                continue;
            }
            for step in interpreter.steps(&now, event) {
                let is_new = |state: StateId| {
                    step.fired.iter().any(|&id| match hierarchy.scope(id) {
                        None => true,
                        Some(scope) => system.ancestors(state).skip(1).any(|above| above == scope),
                    })
                };
                let mut after = BTreeMap::new();
                for (at, one) in system.timers.iter().enumerate() {
                    let is_active = interpreter.is_active(&step.target, one.state);
                    if is_active && is_new(one.state) {
                        after.insert(at, 0);
                    } else if let Some(&age) = ages.get(&at).filter(|_| is_active && timer != Some(at)) {
                        after.insert(at, age);
                    }
                }
                waiting.push((step.target, after));
            }
        }
    }
    Some(known.iter().map(|(configuration, _)| paths(system, &interpreter, configuration)).collect())
}

#[test]
fn systems_reach_the_same_configurations() {
    let mut compared = 0;
    for seed in 0_u64..300 {
        let shape = if seed.is_multiple_of(2) {
            Shape { depth: 1, size: 2.0 }
        } else {
            Shape { depth: 3, size: 2.0 }
        };
        let mut system = random_system(seed, shape);
        // Two thirds of them with timers.
        for at in 0..system.transitions.len() {
            if (at as u64 + seed).is_multiple_of(3) && !seed.is_multiple_of(3) {
                let source = system.transitions[at].source;
                system.transitions[at].event = system.add_timer(source, (at as u32 * 7 + seed as u32) % 4);
            }
        }
        let text = sem::write(&system);
        let Some(expected) = in_time(&system).filter(|found| found.len() < 30) else { continue };
        let model = sem::timed(&system, &sem::Places::default()).expect("small systems can be translated");
        reaches_exactly(&model, &expected, &format!("seed {seed}\n{text}"));
        compared += 1;
    }
    assert!(compared > 200, "{compared} systems were small enough");
}

fn chart(states: &str) -> Timed {
    let text = format!("<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>{states}</scxml>");
    let loaded = scxml::load_text("timers.scxml", &text);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    scxml::timed(&loaded.chart, Environment::Closed).expect("it can be translated")
}

fn system(text: &str) -> Timed {
    let loaded = sem::load_text("timers.sem", text);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    sem::timed(&loaded.system.expect("nothing is wrong"), &loaded.places).expect("it can be translated")
}

/// The condition of the network that says that a state is active.
fn active(model: &Timed, state: &str) -> String {
    let found = model.states.iter().find(|(name, _)| name == state);
    found.map(|(_, condition)| condition.clone()).expect("the state is there")
}

#[test]
fn a_timer_rings_when_its_delay_is_over() {
    let model = chart(
        "<state id='a'><onentry><send event='t' delay='5s'/></onentry><transition event='t' target='b'/></state>
         <state id='b'/>",
    );
    assert!(holds(&model, "E<> Machine.b"));
    assert!(holds(&model, "A[] Machine.b imply since_t >= 5"));
    assert!(holds(&model, "A[] Machine.a imply since_t <= 5"));
    assert!(!holds(&model, "E<> deadlock && Machine.a"), "time never stops");
}

#[test]
fn an_event_may_come_before_the_timer_and_the_timer_stays() {
    let states = |cancel: &str| {
        format!(
            "<state id='a'><onentry><send event='t' id='i' delay='5ms'/></onentry>{cancel}
                 <transition event='t' target='b'/><transition event='go' target='c'/></state>
             <state id='b'/><state id='c'><transition event='t' target='late'/></state><state id='late'/>"
        )
    };
    let model = chart(&states(""));
    assert!(holds(&model, "E<> Machine.late"));
    assert!(holds(&model, "A[] Machine.late imply since_t >= 5"));
    let model = chart(&states("<onexit><cancel sendid='i'/></onexit>"));
    assert!(model.states.contains(&("late".into(), "false".into())), "a timer that is cancelled never rings");
}

#[test]
fn entering_again_begins_anew() {
    let states = |cancel: &str| {
        format!(
            "<state id='a'><onentry><send event='t' id='i' delay='5s'/></onentry>{cancel}
                 <transition event='again' target='a'/><transition event='t' target='b'/></state>
             <state id='b'/>"
        )
    };
    let model = chart(&states("<onexit><cancel sendid='i'/></onexit>"));
    assert!(holds(&model, "E<> Machine.b"), "{}", model.model);
    assert!(holds(&model, "A[] Machine.b imply since_t >= 5"));
    assert_eq!(model.notes.len(), 2, "{:?}", model.notes);
    // Without it, what was started before rings for the state that was entered last.
    let model = chart(&states(""));
    let late = active(&model, "b");
    assert!(holds(&model, &format!("E<> {late} && since_t == 0")), "{}", model.model);
    assert!(!holds(&model, "E<> Machine.a && since_t > 5"));
    assert!(model.notes.iter().any(|note| note.message.contains("several times at once")));
}

#[test]
fn the_shorter_delay_comes_first_and_equal_ones_in_any_order() {
    let states = |first: &str, second: &str| {
        format!(
            "<state id='a'><onentry><send event='s' delay='{first}'/><send event='t' delay='{second}'/></onentry>
                 <transition event='s' target='b'/><transition event='t' target='c'/></state>
             <state id='b'/><state id='c'/>"
        )
    };
    let reached = |first: &str, second: &str| {
        let model = chart(&states(first, second));
        let reaches = |state: &str| holds(&model, &format!("E<> {}", active(&model, state)));
        (reaches("b"), reaches("c"))
    };
    assert_eq!(reached("3s", "5s"), (true, false));
    assert_eq!(reached("5s", "3s"), (false, true));
    assert_eq!(reached("4999ms", "5s"), (true, false));
    assert_eq!(reached("5s", "5s"), (true, true));
    assert_eq!(reached("0s", "1ms"), (true, false), "what is sent at once comes before time passes");
}

#[test]
fn events_that_a_chart_sends_to_itself_take_no_time() {
    let model = chart(
        "<state id='a'><onentry><send event='own'/><send event='t' delay='1ms'/></onentry>
             <transition event='own' target='b'/></state>
         <state id='b'><transition event='t' target='c'/></state><state id='c'/>",
    );
    assert!(holds(&model, "A[] Machine.a imply since_t == 0"), "{}", model.model);
    assert!(holds(&model, "E<> Machine.c"));
}

#[test]
fn transitions_after_a_time() {
    let model = system(
        "event go; machine M { state P; state Q; state S; P -> Q after 5; P -> S on go; S -> P after 0; P -> P on again; }
         event again;",
    );
    assert!(holds(&model, "E<> M.Q") && holds(&model, "A[] M.Q imply since_M_P >= 5"), "{}", model.model);
    assert!(holds(&model, "A[] M.P imply since_M_P <= 5"));
    assert!(holds(&model, "A[] M.S imply since_M_S <= 0"), "a delay of nothing takes no time");
    assert!(holds(&model, "E<> M.S && since_M_P == 5"), "events may come up to the last moment");
}

#[test]
fn a_timer_whose_condition_does_not_hold_is_over() {
    let text = |on: u32| {
        format!(
            "machine M {{ state P; state Q; P -> Q after 5 if Switch.On; }}
             machine Switch {{ state Off; state On; Off -> On after {on}; }}"
        )
    };
    let reaches = |on: u32| {
        let model = system(&text(on));
        holds(&model, "E<> M.Q")
    };
    assert!(reaches(4), "on before");
    assert!(reaches(5), "at the same time: the switch may come first");
    let model = system(&text(6));
    assert!(!holds(&model, "E<> M.Q"), "too late");
    assert!(holds(&model, "A<> in_Switch_On"), "time goes on");
}

#[test]
fn inner_moves_leave_the_time_of_outer_states_alone() {
    let model = system(
        "event e; machine M { state Out { state X; state Y; X -> Y on e; Y -> X on e; } state End; Out -> End after 3; X -> End after 4; }",
    );
    assert!(holds(&model, "A[] M.End imply since_M_Out == 3 || since_M_Out >= 3"));
    assert!(holds(&model, "A[] !M.End imply since_M_Out <= 3"));
    assert!(!holds(&model, "E<> M.End && since_M_Out < 3"));
}
