//! Random charts.

use std::fmt::Write;

/// Small, and the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    pub(crate) fn once_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

enum Shape {
    State(Vec<Node>),
    Parallel(Vec<Node>),
    Final,
    History(bool),
}

struct Node {
    id: String,
    shape: Shape,
}

/// A chart of some states, with everything that is modelled exactly.
pub(crate) fn chart(random: &mut Random) -> String {
    let mut count = 0;
    let children = nodes(random, 0, &mut count);
    let mut names = Vec::new();
    collect(&children, &mut names);
    let mut text = String::from(
        "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" datamodel=\"ecmascript\">\n<datamodel><data id=\"x\" expr=\"0\"/></datamodel>\n",
    );
    for node in &children {
        write(random, node, &names, &mut text);
    }
    text.push_str("</scxml>\n");
    text
}

fn nodes(random: &mut Random, depth: usize, count: &mut usize) -> Vec<Node> {
    let number = 1 + random.below(3) + usize::from(depth == 0);
    (0..number).map(|at| node(random, depth, at, count)).collect()
}

fn node(random: &mut Random, depth: usize, at: usize, count: &mut usize) -> Node {
    *count += 1;
    let id = format!("s{count}");
    let may_nest = depth < 3 && *count < 14;
    let shape = match random.below(10) {
        0..=2 if may_nest => Shape::State(with_histories(random, depth, count)),
        3 | 4 if may_nest => {
            let regions = (0..2).map(|_| region(random, depth + 1, count)).collect();
            Shape::Parallel(regions)
        }
        5 if at > 0 => Shape::Final,
        _ => Shape::State(vec![]),
    };
    Node { id, shape }
}

fn region(random: &mut Random, depth: usize, count: &mut usize) -> Node {
    *count += 1;
    let id = format!("s{count}");
    let children = if depth < 3 { with_histories(random, depth, count) } else { vec![] };
    Node { id, shape: Shape::State(children) }
}

fn with_histories(random: &mut Random, depth: usize, count: &mut usize) -> Vec<Node> {
    let mut children = nodes(random, depth + 1, count);
    if random.once_in(3) {
        *count += 1;
        let deep = random.once_in(2);
        children.push(Node { id: format!("h{count}"), shape: Shape::History(deep) });
    }
    children
}

fn collect(nodes: &[Node], names: &mut Vec<String>) {
    for node in nodes {
        names.push(node.id.clone());
        if let Shape::State(children) | Shape::Parallel(children) = &node.shape {
            collect(children, names);
        }
    }
}

fn write(random: &mut Random, node: &Node, names: &[String], text: &mut String) {
    let (id, children, tag) = match &node.shape {
        Shape::State(children) => (&node.id, children.as_slice(), "state"),
        Shape::Parallel(children) => (&node.id, children.as_slice(), "parallel"),
        Shape::Final => (&node.id, &[][..], "final"),
        Shape::History(_) => return,
    };
    let _ = writeln!(text, "<{tag} id=\"{id}\">");
    if random.once_in(4) {
        let _ = writeln!(text, "<onentry>{}</onentry>", content(random, names));
    }
    if random.once_in(6) {
        let _ = writeln!(text, "<onexit>{}</onexit>", content(random, names));
    }
    if tag != "final" {
        for _ in 0..random.below(3) {
            transition(random, names, text);
        }
    }
    let proper: Vec<&Node> =
        children.iter().filter(|child| !matches!(child.shape, Shape::History(_))).collect();
    for child in children {
        match &child.shape {
            Shape::History(deep) => {
                let kind = if *deep { "deep" } else { "shallow" };
                let target = &random.pick(&proper).id;
                let _ = writeln!(
                    text,
                    "<history id=\"{}\" type=\"{kind}\"><transition target=\"{target}\"/></history>",
                    child.id
                );
            }
            _ => write(random, child, names, text),
        }
    }
    let _ = writeln!(text, "</{tag}>");
}

fn transition(random: &mut Random, names: &[String], text: &mut String) {
    text.push_str("<transition");
    if random.once_in(7) {
        let _ =
            write!(text, " cond=\"{}\"", condition(random, names).replace('&', "&amp;").replace('<', "&lt;"));
        let _ = writeln!(text, " target=\"{}\"/>", random.pick(names));
        return;
    }
    let events = ["a", "b", "c", "a b", "*", "in", "in.x", "own", "done.state", "a.x"];
    let event = if random.once_in(8) {
        format!("done.state.{}", random.pick(names))
    } else {
        (*random.pick(&events)).to_owned()
    };
    let _ = write!(text, " event=\"{event}\"");
    if random.once_in(3) {
        let _ =
            write!(text, " cond=\"{}\"", condition(random, names).replace('&', "&amp;").replace('<', "&lt;"));
    }
    if !random.once_in(8) {
        let _ = write!(text, " target=\"{}\"", random.pick(names));
    }
    if random.once_in(4) {
        text.push_str(" type=\"internal\"");
    }
    let _ = writeln!(
        text,
        ">{}</transition>",
        if random.once_in(3) { content(random, names) } else { String::new() }
    );
}

fn condition(random: &mut Random, names: &[String]) -> String {
    match random.below(6) {
        0 => format!("!In('{}')", random.pick(names)),
        1 => format!("x == {}", random.below(3)),
        2 => format!("x < {} && In('{}')", random.below(3), random.pick(names)),
        3 => format!("x != 1 || In('{}')", random.pick(names)),
        _ => format!("In('{}')", random.pick(names)),
    }
}

fn content(random: &mut Random, names: &[String]) -> String {
    match random.below(6) {
        0 => "<raise event=\"in\"/>".to_owned(),
        1 => "<raise event=\"in.x\"/><raise event=\"in\"/>".to_owned(),
        2 => "<send event=\"own\"/>".to_owned(),
        3 => format!(
            "<if cond=\"{}\"><raise event=\"in\"/><else/><assign location=\"x\" expr=\"0\"/></if>",
            condition(random, names).replace('&', "&amp;").replace('<', "&lt;")
        ),
        _ => "<assign location=\"x\" expr=\"(x + 1) % 3\"/>".to_owned(),
    }
}
