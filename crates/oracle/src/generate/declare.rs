//! Global declarations: constants, clocks, data, functions, channels.

use super::{Channel, Generator};
use crate::model::{Edge, Location, Model, Process, Template};

impl Generator {
    /// Declares what all templates see.
    pub(crate) fn declare(&mut self, model: &mut Model) {
        let constant = self.random.between(0, self.constant);
        model.declarations.push(format!("const int N = {constant};"));
        self.global.values.push(("N".into(), constant));
        model.declarations.push("typedef int[0,1] id_t;".into());
        let shared = if self.profile.diagonals { self.clocks } else { self.random.below(self.clocks + 1) };
        for name in ["x", "y", "z"].into_iter().take(shared) {
            model.declarations.push(format!("clock {name};"));
            self.global.clocks.push(name.into());
        }
        self.clocks -= shared;
        self.data(model);
        self.functions(model);
        self.declare_channels(model);
        if self.random.chance(6) {
            let hook = *self.random.pick(&["before_update", "after_update"]);
            let scope = self.global.clone();
            if !scope.places.is_empty() {
                model.declarations.push(format!("{hook} {{ {} }}", self.effect(&scope)));
            }
        }
    }

    /// One to three pieces of data.
    fn data(&mut self, model: &mut Model) {
        let declarations = &mut model.declarations;
        let scope = &mut self.global;
        for _ in 0..=self.random.below(3) {
            match self.random.below(5) {
                0 if !scope.switches.contains(&"b".to_owned()) => {
                    let initial = if self.random.chance(50) { " = true" } else { "" };
                    declarations.push(format!("bool b{initial};"));
                    scope.booleans.push("b".into());
                    scope.switches.push("b".into());
                }
                1 if scope.arrays.is_empty() => {
                    let most = self.random.between(1, 2);
                    let second = self.random.between(0, most);
                    declarations.push(format!("int[0,{most}] a[2] = {{ 0, {second} }};"));
                    scope.arrays.push(("a".into(), most));
                    scope.values.push(("a[1]".into(), most));
                    scope.places.push(("a[0]".into(), 0, most));
                }
                2 if !declarations.iter().any(|line| line.starts_with("struct")) => {
                    declarations.push("struct { int[0,1] f; bool g; } s = { 1, false };".into());
                    scope.values.push(("s.f".into(), 1));
                    scope.places.push(("s.f".into(), 0, 1));
                    scope.booleans.push("s.g".into());
                    scope.switches.push("s.g".into());
                }
                3 if !scope.places.iter().any(|place| place.0 == "w") => {
                    declarations.push("int[-1,1] w;".into());
                    scope.values.push(("(w + 1)".into(), 2));
                    scope.places.push(("w".into(), -1, 1));
                }
                _ if !scope.places.iter().any(|place| place.0 == "v") => {
                    let most = self.random.between(1, 3);
                    declarations.push(format!("int[0,{most}] v = {};", self.random.between(0, most)));
                    scope.values.push(("v".into(), most));
                    scope.places.push(("v".into(), 0, most));
                }
                _ => {}
            }
        }
    }

    fn functions(&mut self, model: &mut Model) {
        if self.random.chance(35) {
            let body = *self.random.pick(&[
                "return k > 1 ? 2 : 3 - k;",
                "int[0,3] r = 0; while (r * 2 < k) r++; return r;",
                "int i; int r = 0; for (i = 0; i < k; i++) { if (i % 2 == 1) r = i; } return r;",
                "int[0,3] r = k; for (j : int[0,1]) r = r > 0 ? r - 1 : 3; return r;",
            ]);
            model.declarations.push(format!("int[0,3] f(int[0,3] k) {{ {body} }}"));
            self.global.functions.push(("f".into(), 3, 3));
        }
        if self.random.chance(30) {
            model.declarations.push("bool odd(int k) { return k % 2 == 1; }".into());
            self.global.tests.push("odd".into());
        }
        let scope = self.global.clone();
        if self.random.chance(50) && !(scope.places.is_empty() && scope.clocks.is_empty()) {
            let condition = self.condition(&scope, 1);
            let (mut first, second) = (self.effect(&scope), self.effect(&scope));
            if !scope.clocks.is_empty() && self.random.chance(60) {
                first = format!("{} = 0", self.random.pick(&scope.clocks));
            }
            let body = match self.random.below(3) {
                0 => format!("{first}; {second};"),
                1 => format!("if ({condition}) {first}; else {second};"),
                _ => format!("if ({condition}) {{ {first}; return; }} {second};"),
            };
            model.declarations.push(format!("void bump() {{ {body} }}"));
            self.global.calls.push("bump()".into());
        }
        if self.random.chance(20)
            && let Some((place, 0, most)) = scope.places.first().cloned()
        {
            model
                .declarations
                .push(format!("void turn(int[0,{most}] &r, int d) {{ r = (r + d) % {}; }}", most + 1));
            let step = self.value(&scope, 1).0;
            self.global.calls.push(format!("turn({place}, {step})"));
        }
    }

    fn declare_channels(&mut self, model: &mut Model) {
        let kinds = [
            ("c", "chan c;", false, false, false),
            ("d", "chan d[2];", true, false, false),
            ("h", "broadcast chan h;", false, true, false),
            ("g", "broadcast chan g[2];", true, true, false),
            ("u", "urgent chan u;", false, false, true),
            ("m", "urgent broadcast chan m;", false, true, true),
        ];
        let count = 1 + self.random.below(2);
        for _ in 0..count {
            let choice = match self.random.below(100) {
                _ if self.profile.guarded_receivers && self.channels.is_empty() => 2,
                0..=34 => 0,
                35..=54 => 1,
                55..=69 => 2,
                70..=84 => 3,
                85..=93 => 4,
                _ => 5,
            };
            let (name, declaration, array, broadcast, urgent) = kinds[choice];
            if self.channels.iter().any(|channel| channel.name == name) {
                continue;
            }
            model.declarations.push(declaration.into());
            self.channels.push(Channel { name: name.into(), array, broadcast, urgent });
        }
        if self.profile.priorities {
            let first = &self.channels[0].name;
            let mut order = vec![first.clone(), "default".into()];
            if let Some(second) = self.channels.get(1) {
                let name = if second.array { format!("{}[1]", second.name) } else { second.name.clone() };
                order.insert(self.random.below(3), name);
            } else if self.random.chance(50) {
                order.reverse();
            }
            model.declarations.push(format!("chan priority {};", order.join(" < ")));
        }
    }

    /// Differences of clocks are only explored while all clocks stay small, so somebody has to reset them.
    pub(crate) fn keep_clocks_small(&mut self, model: &mut Model) {
        let limit = self.constant + 1;
        let keeper = |clocks: &[String]| {
            let invariant = clocks.iter().map(|clock| format!("{clock} <= {limit}")).collect();
            let reset = |clock: &String| Edge {
                guard: vec![format!("{clock} >= 2")],
                update: vec![format!("{clock} = 0")],
                ..Edge::default()
            };
            (invariant, clocks.iter().map(reset).collect::<Vec<_>>())
        };
        let shared = self.global.clocks.clone();
        if !shared.is_empty() {
            let (invariant, edges) = keeper(&shared);
            let location = Location { name: "K".into(), kind: "", invariant };
            let name = "Keeper".to_owned();
            let template =
                Template { name: name.clone(), locations: vec![location], edges, ..Template::default() };
            model.templates.push(template);
            let template = model.templates.len() - 1;
            model.processes.push(Process { name, template, ..Process::default() });
        }
        for template in model.templates.iter_mut().filter(|template| template.name != "Keeper") {
            if !template.declarations.iter().any(|line| line.starts_with("clock")) {
                continue;
            }
            for location in 0..template.locations.len() {
                let (invariant, edges): (Vec<String>, _) = keeper(&["t".to_owned()]);
                template.locations[location].invariant.extend(invariant);
                template.edges.extend(edges.into_iter().map(|edge| Edge {
                    source: location,
                    target: location,
                    ..edge
                }));
            }
        }
    }
}
