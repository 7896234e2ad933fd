//! Random systems of controllers, as texts.
//!
//! Two or three nodes with a program each, one or two inputs and outputs, two or three locations; delays, shared and own cycles, settled or not. Inputs are wired to
//! the environment or to any node, also to the node itself. All bounds are small, so that moments often coincide: that is where mistakes hide.

use guidepost_network::interpreter::Random;
use std::fmt::Write;

/// The values of a port.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Bool,
    Level,
}

impl Type {
    const ALL: [Type; 2] = [Type::Bool, Type::Level];

    fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Level => "Level",
        }
    }

    fn values(self) -> &'static [&'static str] {
        match self {
            Type::Bool => &["false", "true"],
            Type::Level => &["low", "middle", "high"],
        }
    }
}

struct Node {
    inputs: Vec<Type>,
    outputs: Vec<Type>,
    locations: usize,
    delays: bool,
}

/// A system with everything that can be hidden in it.
pub(crate) struct System {
    /// The text, with a property for each location of a node and for each two of two nodes.
    pub(crate) text: String,
    nodes: Vec<String>,
    symbols: Vec<String>,
}

impl System {
    /// The same with a variant `hidden` that hides some symbols, but not all nodes; and what it hides.
    pub(crate) fn with_variant(&self, random: &mut Random) -> String {
        let kept = random.below(self.nodes.len());
        let one_in = 2 + random.below(3);
        let mut symbols = self.symbols.iter().chain(&self.nodes).collect::<Vec<_>>();
        symbols.retain(|symbol| **symbol != self.nodes[kept] && random.below(one_in) == 0);
        let names: Vec<&str> = symbols.iter().map(|symbol| symbol.as_str()).collect();
        match names.as_slice() {
            [] => format!("{}variant hidden {{ }}\n", self.text),
            names => format!("{}variant hidden {{ hide {}; }}\n", self.text, names.join(", ")),
        }
    }
}

/// A random system.
pub(crate) fn system(random: &mut Random) -> System {
    let count = 2 + random.below(2);
    let nodes: Vec<Node> = (0..count).map(|_| node(random)).collect();
    let mut text =
        String::from("type Level := { low, middle, high };\ninput button : bool;\ninput level : Level;\n");
    for (index, node) in nodes.iter().enumerate() {
        program(&mut text, index, node, random);
    }
    let mut symbols = vec!["button".to_owned(), "level".to_owned()];
    place(&mut text, &nodes, &mut symbols, random);
    for (index, node) in nodes.iter().enumerate() {
        symbols.extend((0..node.inputs.len()).map(|input| format!("N{index}.i{input}")));
        symbols.extend((0..node.outputs.len()).map(|output| format!("N{index}.o{output}")));
        symbols.extend(node.delays.then(|| format!("N{index}.delay")));
    }
    properties(&mut text, &nodes, random);
    System { text, nodes: (0..count).map(|index| format!("N{index}")).collect(), symbols }
}

fn node(random: &mut Random) -> Node {
    let types = |random: &mut Random| {
        let count = 1 + random.below(2);
        (0..count).map(|_| Type::ALL[random.below(2)]).collect()
    };
    Node {
        inputs: types(random),
        outputs: types(random),
        locations: 2 + random.below(2),
        delays: random.below(2) == 0,
    }
}

fn program(text: &mut String, index: usize, node: &Node, random: &mut Random) {
    let _ = writeln!(text, "program P{index} {{");
    for (kind, ports) in [("input", &node.inputs), ("output", &node.outputs)] {
        for (port, ty) in ports.iter().enumerate() {
            let _ = writeln!(text, "    {kind} {}{port} : {};", &kind[..1], ty.name());
        }
    }
    let delayed = random.below(node.locations);
    for location in 0..node.locations {
        let initial = if location == 0 { "initial " } else { "" };
        let _ = write!(text, "    {initial}location L{location} {{");
        for (port, ty) in node.outputs.iter().enumerate() {
            let values = ty.values();
            let _ = write!(text, " o{port} := {};", values[random.below(values.len())]);
        }
        if node.delays && location == delayed {
            let over = if random.below(2) == 0 { "over " } else { "" };
            let _ = write!(text, " delay {over}{} while {};", 1 + random.below(4), condition(node, random));
        }
        let mut target = || match random.below(node.locations + 1) {
            0 => "stay".to_owned(),
            target => format!("goto L{}", target - 1),
        };
        let (first, second) = (target(), target());
        let _ = writeln!(text, " when {} {first}; otherwise {second}; }}", condition(node, random));
    }
    text.push_str("}\n");
}

/// A condition over the inputs of a node that is neither always true nor always false.
fn condition(node: &Node, random: &mut Random) -> String {
    let mut test = |input: usize| {
        let ty = node.inputs[input];
        let value = ty.values()[random.below(ty.values().len())];
        match (ty, random.below(2)) {
            (Type::Bool, 0) => format!("i{input}"),
            (Type::Bool, _) => format!("not i{input}"),
            (Type::Level, 0) => format!("i{input} = {value}"),
            (Type::Level, _) => format!("i{input} <> {value}"),
        }
    };
    let tests: Vec<String> = (0..node.inputs.len()).map(&mut test).collect();
    tests.join(if random.below(2) == 0 { " and " } else { " or " })
}

/// Some nodes share a device, the others have cycles of their own.
fn place(text: &mut String, nodes: &[Node], symbols: &mut Vec<String>, random: &mut Random) {
    let shared: Vec<bool> = nodes.iter().map(|_| random.below(2) == 0).collect();
    let lines: Vec<String> = (0..nodes.len()).map(|index| line(index, nodes, random)).collect();
    let mut cycle = |owner: &str, random: &mut Random| {
        let most = 1 + random.below(3);
        let least =
            if random.below(3) == 0 { format!("{}..", random.below(most + 1)) } else { String::new() };
        let settled = random.below(2) == 0;
        symbols.extend(settled.then(|| format!("{owner}.settled")));
        format!("cycle {least}{most}{}", if settled { " settled" } else { "" })
    };
    for (index, line) in lines.iter().enumerate().filter(|(index, _)| !shared[*index]) {
        let _ = writeln!(text, "{line} {};", cycle(&format!("N{index}"), random));
    }
    if shared.contains(&true) {
        let _ = writeln!(text, "device D {} {{", cycle("D", random));
        for (index, line) in lines.iter().enumerate().rev().filter(|(index, _)| shared[*index]) {
            debug_assert!(index < nodes.len());
            let _ = writeln!(text, "    {line};");
        }
        text.push_str("}\n");
    }
}

fn line(index: usize, nodes: &[Node], random: &mut Random) -> String {
    let wires: Vec<String> = nodes[index]
        .inputs
        .iter()
        .enumerate()
        .map(|(input, ty)| {
            let mut signals = vec![if *ty == Type::Bool { "button" } else { "level" }.to_owned()];
            for (writer, node) in nodes.iter().enumerate() {
                let outputs = node.outputs.iter().enumerate().filter(|(_, other)| *other == ty);
                signals.extend(outputs.map(|(output, _)| format!("N{writer}.o{output}")));
            }
            format!("i{input} := {}", signals[random.below(signals.len())])
        })
        .collect();
    format!("node N{index} : P{index}({})", wires.join(", "))
}

fn properties(text: &mut String, nodes: &[Node], random: &mut Random) {
    let places = |index: usize| (0..nodes[index].locations).map(move |location| (index, location));
    let all: Vec<(usize, usize)> = (0..nodes.len()).flat_map(places).collect();
    for (at, (node, location)) in all.iter().enumerate() {
        let _ = writeln!(text, "property at{node}{location} : never N{node} in L{location};");
        for (other, place) in all[at + 1..].iter().filter(|(other, _)| other != node) {
            let test = format!("N{node} in L{location} and N{other} in L{place}");
            let _ = writeln!(text, "property at{node}{location}_{other}{place} : never ({test});");
        }
    }
    let (node, other) = (random.below(nodes.len()), random.below(nodes.len()));
    let (lasting, within) = (random.below(4), 1 + random.below(6));
    let _ = writeln!(
        text,
        "property answer : whenever N{node} in L1 for at least {lasting} then N{other} in L0 within {within};"
    );
}
