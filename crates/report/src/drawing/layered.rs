//! A layered drawing for automata without one.
//!
//! After K. Sugiyama, S. Tagawa and M. Toda (Methods for visual understanding of hierarchical system structures, 1981): break cycles, put the nodes on
//! layers, order each layer so that few lines cross, then give coordinates. Two things are our own choice. The label of an edge is a node on a layer between
//! those of locations, so that no label ever covers another one or a location (as in Graphviz's `dot`: Gansner, Koutsofios, North and Vo, 1993). And
//! coordinates come from repeated isotonic regression: every node wants to stand at the mean of its neighbours, in the given order and at least so far apart,
//! and the placement of one layer with the least squared disappointment is found exactly by pooling neighbours.

use super::{Point, RADIUS};

/// More than this and a layered drawing would take long and nobody could read it: a plain grid will do.
const MOST_NODES: usize = 400;
const MOST_EDGES: usize = 1500;
const SWEEPS: usize = 16;
/// Between neighbours on a layer.
const GAP: f64 = 26.0;
/// Between layers.
const LAYER_GAP: f64 = 30.0;
/// Lines leave and reach a node so far from its middle at most: left of its text, and above or below it.
const PORTS: f64 = 7.0;
/// From a line to its label.
const BESIDE: f64 = 6.0;

/// What is to be drawn.
pub(super) struct Graph {
    /// Width and height of the text beside each node.
    pub(super) nodes: Vec<(f64, f64)>,
    /// Source, target, and width and height of the label.
    pub(super) edges: Vec<(usize, usize, (f64, f64))>,
    /// The node on top.
    pub(super) root: usize,
}

/// Where everything stands.
pub(super) struct Layout {
    pub(super) nodes: Vec<Point>,
    pub(super) edges: Vec<Route>,
}

/// The bends of an edge, and the upper left corner of its label.
#[derive(Clone, Default)]
pub(super) struct Route {
    pub(super) bends: Vec<Point>,
    pub(super) label: Point,
}

/// A node of the graph, or a place on a layer that an edge passes.
struct Spot {
    layer: usize,
    left: f64,
    right: f64,
    height: f64,
    above: Vec<usize>,
    below: Vec<usize>,
    /// Lines are kept straight rather than nodes central.
    weight: f64,
    x: f64,
}

/// Places a graph.
pub(super) fn place(graph: &Graph) -> Layout {
    if graph.nodes.len() > MOST_NODES || graph.edges.len() > MOST_EDGES {
        return grid(graph);
    }
    let ranks = ranks(graph);
    let (mut spots, chains) = spots(graph, &ranks);
    let mut layers = order(&mut spots);
    minimise_crossings(&mut layers, &spots);
    give_x(&layers, &mut spots);
    let bands = give_y(&layers, &spots);
    routes(graph, &spots, &chains, &bands)
}

/// The room of a layer from top to bottom. Lines go straight down through it, and sideways only between layers, so that they pass every label in it.
#[derive(Clone, Copy)]
struct Band {
    top: f64,
    bottom: f64,
}

impl Band {
    fn middle(self) -> f64 {
        f64::midpoint(self.top, self.bottom)
    }
}

/// Layers of the nodes: longest paths after edges that close a cycle were turned round.
fn ranks(graph: &Graph) -> Vec<usize> {
    let count = graph.nodes.len();
    let mut successors = vec![Vec::new(); count];
    for &(from, to, _) in &graph.edges {
        successors[from].push(to);
    }
    let finished = finishing_order(&successors, graph.root);
    let mut place = vec![0; count];
    for (position, &node) in finished.iter().rev().enumerate() {
        place[node] = position;
    }
    let mut ranks = vec![0; count];
    for &node in finished.iter().rev() {
        for &(from, to, _) in &graph.edges {
            let (high, low) = if place[from] < place[to] { (from, to) } else { (to, from) };
            if high == node && low != high {
                ranks[low] = ranks[low].max(ranks[high] + 1);
            }
        }
    }
    ranks
}

/// The nodes as a depth-first walk from the root (then from the others) leaves them. Iterative: chains may be long.
fn finishing_order(successors: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut finished = Vec::with_capacity(successors.len());
    for start in std::iter::once(root).chain(0..successors.len()) {
        if start >= seen.len() || std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            match successors[*node].get(*next) {
                None => {
                    finished.push(*node);
                    path.pop();
                }
                Some(&successor) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[successor], true) {
                        path.push((successor, 0));
                    }
                }
            }
        }
    }
    finished
}

/// All spots, and for each edge the ones it passes from top to bottom, its label's first (none for loops).
fn spots(graph: &Graph, ranks: &[usize]) -> (Vec<Spot>, Vec<Vec<usize>>) {
    let mut spots: Vec<Spot> = graph
        .nodes
        .iter()
        .zip(ranks)
        .map(|(&(width, height), &rank)| Spot {
            layer: 2 * rank,
            left: RADIUS + 2.0,
            right: RADIUS + if width > 0.0 { 7.0 + width } else { 2.0 },
            height: height.max(2.0 * RADIUS),
            above: Vec::new(),
            below: Vec::new(),
            weight: 1.0,
            x: 0.0,
        })
        .collect();
    let mut chains = Vec::with_capacity(graph.edges.len());
    let mut loops = vec![0.0; graph.nodes.len()];
    for &(from, to, (width, height)) in &graph.edges {
        let mut chain = Vec::new();
        if from == to {
            // Loops stand to the left of their node, one below the other, with their labels left of them.
            let node = &mut spots[from];
            node.left = node.left.max(RADIUS + LOOP + width + BESIDE);
            loops[from] += loop_height(height);
            node.height = node.height.max(loops[from]);
        } else {
            let (top, bottom) = if ranks[from] < ranks[to] { (from, to) } else { (to, from) };
            let label_layer = 2 * usize::midpoint(ranks[top], ranks[bottom]) + 1;
            let mut previous = top;
            for layer in 2 * ranks[top] + 1..2 * ranks[bottom] {
                let labelled = layer == label_layer && width > 0.0;
                spots.push(Spot {
                    layer,
                    left: 4.0,
                    right: if labelled { BESIDE + width } else { 4.0 },
                    height: if labelled { height } else { 0.0 },
                    above: vec![previous],
                    below: Vec::new(),
                    weight: 2.0,
                    x: 0.0,
                });
                let spot = spots.len() - 1;
                spots[previous].below.push(spot);
                chain.push(spot);
                previous = spot;
            }
            spots[previous].below.push(bottom);
            spots[bottom].above.push(previous);
        }
        chains.push(chain);
    }
    (spots, chains)
}

/// How far a loop reaches out.
const LOOP: f64 = 34.0;

/// The height of a loop with its label.
fn loop_height(label: f64) -> f64 {
    label.max(2.0 * RADIUS) + 8.0
}

/// Where the first loop of each node begins, seen from the node.
fn loop_tops(graph: &Graph) -> Vec<f64> {
    let mut tops = vec![0.0; graph.nodes.len()];
    for &(from, _, (_, height)) in graph.edges.iter().filter(|(from, to, _)| from == to) {
        tops[from] -= loop_height(height) / 2.0;
    }
    tops
}

/// Layers from top to bottom, each in the order in which a walk along the edges meets its spots.
fn order(spots: &mut [Spot]) -> Vec<Vec<usize>> {
    let depth = spots.iter().map(|spot| spot.layer + 1).max().unwrap_or(0);
    let mut layers = vec![Vec::new(); depth];
    let mut seen = vec![false; spots.len()];
    let mut roots: Vec<usize> = (0..spots.len()).filter(|&spot| spots[spot].above.is_empty()).collect();
    roots.sort_by_key(|&spot| spots[spot].layer);
    for root in roots {
        let mut stack = vec![root];
        while let Some(spot) = stack.pop() {
            if std::mem::replace(&mut seen[spot], true) {
                continue;
            }
            layers[spots[spot].layer].push(spot);
            stack.extend(spots[spot].below.iter().rev());
        }
    }
    layers
}

fn positions(layers: &[Vec<usize>], count: usize) -> Vec<usize> {
    let mut position = vec![0; count];
    for layer in layers {
        for (at, &spot) in layer.iter().enumerate() {
            position[spot] = at;
        }
    }
    position
}

/// Sorts layers by the means of their neighbours' positions, down and up again, and keeps the best order met.
fn minimise_crossings(layers: &mut Vec<Vec<usize>>, spots: &[Spot]) {
    let mut best = (crossings(layers, spots), layers.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        let downwards = sweep % 2 == 0;
        let indices: Vec<usize> = if downwards {
            (1..layers.len()).collect()
        } else {
            (0..layers.len().saturating_sub(1)).rev().collect()
        };
        for layer in indices {
            let position = positions(layers, spots.len());
            let mean = |spot: usize| {
                let fixed = if downwards { &spots[spot].above } else { &spots[spot].below };
                if fixed.is_empty() {
                    return position[spot] as f64;
                }
                fixed.iter().map(|&other| position[other] as f64).sum::<f64>() / fixed.len() as f64
            };
            layers[layer].sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
        }
        let found = crossings(layers, spots);
        if found < best.0 {
            best = (found, layers.clone());
        }
    }
    *layers = best.1;
}

fn crossings(layers: &[Vec<usize>], spots: &[Spot]) -> usize {
    let position = positions(layers, spots.len());
    let mut count = 0;
    for layer in layers {
        let mut ends: Vec<usize> = Vec::new();
        for &spot in layer {
            let mut below: Vec<usize> = spots[spot].below.iter().map(|&other| position[other]).collect();
            below.sort_unstable();
            for &end in &below {
                count += ends.iter().filter(|&&other| other > end).count();
            }
            ends.extend(below);
        }
    }
    count
}

/// Moves every layer towards its neighbours, several times.
fn give_x(layers: &[Vec<usize>], spots: &mut [Spot]) {
    for layer in layers {
        let mut x = 0.0;
        for &spot in layer {
            x += spots[spot].left;
            spots[spot].x = x;
            x += spots[spot].right + GAP;
        }
        let middle = x / 2.0;
        for &spot in layer {
            spots[spot].x -= middle;
        }
    }
    for sweep in 0..2 * SWEEPS {
        let last = sweep + 2 >= 2 * SWEEPS;
        let indices: Vec<usize> =
            if sweep % 2 == 0 { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
        for layer in indices {
            let wish = |spot: &usize| {
                let spot = &spots[*spot];
                let both = || spot.above.iter().chain(&spot.below);
                let near: Vec<usize> = match sweep % 2 {
                    _ if last => both().copied().collect(),
                    0 if !spot.above.is_empty() => spot.above.clone(),
                    1 if !spot.below.is_empty() => spot.below.clone(),
                    _ => both().copied().collect(),
                };
                let weight: f64 = near.iter().map(|&other| spots[other].weight).sum();
                if near.is_empty() {
                    return spot.x;
                }
                near.iter().map(|&other| spots[other].x * spots[other].weight).sum::<f64>() / weight
            };
            let wishes: Vec<f64> = layers[layer].iter().map(wish).collect();
            settle(&layers[layer], &wishes, spots);
        }
    }
}

/// The places nearest to the wishes that keep order and distances: isotonic regression by pooling adjacent violators.
fn settle(layer: &[usize], wishes: &[f64], spots: &mut [Spot]) {
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (at, &spot) in layer.iter().enumerate() {
        if at > 0 {
            offset += spots[layer[at - 1]].right + GAP + spots[spot].left;
        }
        offsets.push(offset);
    }
    // Blocks of spots that stand as close as they may: their common wish, weight and number.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (at, &wish) in wishes.iter().enumerate() {
        let mut block = (wish - offsets[at], spots[layer[at]].weight, 1);
        while let Some(&(wish, weight, count)) = blocks.last() {
            if wish <= block.0 {
                break;
            }
            blocks.pop();
            let sum = weight + block.1;
            block = ((wish * weight + block.0 * block.1) / sum, sum, count + block.2);
        }
        blocks.push(block);
    }
    let mut at = 0;
    for (start, _, count) in blocks {
        for _ in 0..count {
            spots[layer[at]].x = start + offsets[at];
            at += 1;
        }
    }
}

/// Where each layer is.
fn give_y(layers: &[Vec<usize>], spots: &[Spot]) -> Vec<Band> {
    let mut y = 0.0;
    layers
        .iter()
        .map(|layer| {
            let height = layer.iter().map(|&spot| spots[spot].height).fold(0.0, f64::max);
            let band = Band { top: y, bottom: y + height };
            y = band.bottom + LAYER_GAP;
            band
        })
        .collect()
}

fn routes(graph: &Graph, spots: &[Spot], chains: &[Vec<usize>], bands: &[Band]) -> Layout {
    let at = |spot: usize| Point::new(spots[spot].x, bands[spots[spot].layer].middle());
    let nodes: Vec<Point> = (0..graph.nodes.len()).map(at).collect();
    let (above, below) = ports(graph, spots, chains);
    let mut loops = loop_tops(graph);
    let edges =
        graph.edges.iter().zip(chains).enumerate().map(|(index, (&(from, to, (width, height)), chain))| {
            if from == to {
                return loop_route(nodes[from], &mut loops[from], width, height);
            }
            let goes_down = spots[from].layer < spots[to].layer;
            let (upper, lower) = if goes_down { (from, to) } else { (to, from) };
            let mut bends = vec![Point::new(nodes[upper].x + below[index], bands[spots[upper].layer].bottom)];
            for &spot in chain {
                let band = bands[spots[spot].layer];
                bends.extend([band.top, band.bottom].map(|y| Point::new(spots[spot].x, y)));
            }
            bends.push(Point::new(nodes[lower].x + above[index], bands[spots[lower].layer].top));
            let labelled = chain.iter().copied().find(|&spot| spots[spot].height > 0.0);
            let beside = labelled.map_or_else(|| super::paths::middle(&[nodes[from], nodes[to]]), at);
            if !goes_down {
                bends.reverse();
            }
            Route { bends, label: Point::new(beside.x + BESIDE, beside.y - height / 2.0) }
        });
    let edges = edges.collect();
    Layout { nodes, edges }
}

/// How far from the middle of its lower and of its upper node each edge arrives and leaves, by edge: side by side, in the order in which they come.
fn ports(graph: &Graph, spots: &[Spot], chains: &[Vec<usize>]) -> (Vec<f64>, Vec<f64>) {
    let spread = |node: usize, is_upper: bool, offsets: &mut Vec<f64>| {
        let mut here: Vec<(f64, usize)> = Vec::new();
        for (index, (&(from, to, _), chain)) in graph.edges.iter().zip(chains).enumerate() {
            let (upper, lower) = if spots[from].layer < spots[to].layer { (from, to) } else { (to, from) };
            let (own, next) = if is_upper { (upper, chain.first()) } else { (lower, chain.last()) };
            if from != to && own == node {
                let next = next.copied().unwrap_or(if is_upper { lower } else { upper });
                here.push((spots[next].x, index));
            }
        }
        here.sort_by(|a, b| a.0.total_cmp(&b.0));
        let middle = (here.len() as f64 - 1.0) / 2.0;
        let step = if here.len() > 1 { (PORTS / middle).min(5.0) } else { 0.0 };
        for (place, (_, index)) in here.into_iter().enumerate() {
            offsets[index] = (place as f64 - middle) * step;
        }
    };
    let (mut above, mut below) = (vec![0.0; graph.edges.len()], vec![0.0; graph.edges.len()]);
    for node in 0..graph.nodes.len() {
        spread(node, false, &mut above);
        spread(node, true, &mut below);
    }
    (above, below)
}

/// Loops of one node stand below each other; `top` is where the next one begins.
fn loop_route(node: Point, top: &mut f64, width: f64, height: f64) -> Route {
    let middle = node.y + *top + loop_height(height) / 2.0;
    *top += loop_height(height);
    let x = node.x - RADIUS - LOOP + 4.0;
    let bends = vec![Point::new(x, middle - 9.0), Point::new(x, middle + 9.0)];
    Route { bends, label: Point::new(x - BESIDE - width, middle - height / 2.0) }
}

fn grid(graph: &Graph) -> Layout {
    let columns = (graph.nodes.len() as f64).sqrt().ceil().max(1.0) as usize;
    let at = |index: usize| Point::new((index % columns) as f64 * 180.0, (index / columns) as f64 * 130.0);
    let nodes: Vec<Point> = (0..graph.nodes.len()).map(at).collect();
    let mut loops = loop_tops(graph);
    let edges = graph.edges.iter().map(|&(from, to, (width, height))| {
        if from == to {
            return loop_route(nodes[from], &mut loops[from], width, height);
        }
        Route { bends: Vec::new(), label: super::paths::middle(&[nodes[from], nodes[to]]) }
    });
    let edges = edges.collect();
    Layout { nodes, edges }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(graph: &Graph) -> Layout {
        let layout = place(graph);
        let mut boxes: Vec<(Point, Point)> = Vec::new();
        for (node, &(width, height)) in layout.nodes.iter().zip(&graph.nodes) {
            let half = (height / 2.0).max(RADIUS);
            boxes.push((
                Point::new(node.x - RADIUS, node.y - half),
                Point::new(node.x + RADIUS + 5.0 + width, node.y + half),
            ));
        }
        for (route, &(.., (width, height))) in layout.edges.iter().zip(&graph.edges) {
            if width > 0.0 {
                boxes.push((route.label, Point::new(route.label.x + width, route.label.y + height)));
            }
        }
        for (index, a) in boxes.iter().enumerate() {
            for b in &boxes[..index] {
                let apart = a.1.x <= b.0.x || b.1.x <= a.0.x || a.1.y <= b.0.y || b.1.y <= a.0.y;
                assert!(apart, "{a:?} covers {b:?}");
            }
        }
        for route in layout.edges.iter().zip(&graph.edges).filter(|(_, (from, to, _))| from != to) {
            for pair in route.0.bends.windows(2) {
                // Straight down, or within the gap between two layers; see `svg::path`.
                for part in 0..=20 {
                    let part = f64::from(part) / 20.0;
                    let curve = part * part * (3.0 - 2.0 * part);
                    let x = pair[0].x + (pair[1].x - pair[0].x) * curve;
                    let y = pair[0].y + (pair[1].y - pair[0].y) * part;
                    let inside = |(low, high): &&(Point, Point)| {
                        low.x + 0.5 < x && x < high.x - 0.5 && low.y + 0.5 < y && y < high.y - 0.5
                    };
                    let hit = boxes[graph.nodes.len()..].iter().find(inside);
                    assert!(hit.is_none(), "a line runs through the label {hit:?} at {x}, {y}");
                    let texts = layout.nodes.iter().zip(&graph.nodes).map(|(node, &(width, height))| {
                        let left = node.x + RADIUS + 5.0;
                        (
                            Point::new(left, node.y - height / 2.0),
                            Point::new(left + width, node.y + height / 2.0),
                        )
                    });
                    let hit = texts.into_iter().find(|text| inside(&text));
                    assert!(hit.is_none(), "a line runs through the text {hit:?} at {x}, {y}");
                }
            }
        }
        layout
    }

    #[test]
    fn nothing_covers_anything() {
        let label = (90.0, 28.0);
        let edges = vec![
            (0, 1, label),
            (1, 2, label),
            (2, 0, label),
            (0, 2, label),
            (0, 2, label),
            (1, 1, label),
            (1, 1, label),
            (3, 0, label),
            (2, 3, (0.0, 0.0)),
        ];
        check(&Graph { nodes: vec![(60.0, 14.0); 5], edges, root: 0 });
    }

    #[test]
    fn random_graphs_are_placed_without_overlaps() {
        let mut seed = 7_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for _ in 0..40 {
            let count = 1 + random(14);
            let edges = (0..random(30))
                .map(|_| (random(count), random(count), (random(150) as f64, 14.0 * (1 + random(3)) as f64)))
                .collect();
            check(&Graph { nodes: vec![(40.0, 14.0); count], edges, root: 0 });
        }
    }

    #[test]
    fn the_root_is_on_top_and_large_graphs_are_not_refused() {
        let chain = |count: usize| Graph {
            nodes: vec![(30.0, 14.0); count],
            edges: (1..count).map(|node| (node - 1, node, (20.0, 14.0))).collect(),
            root: 0,
        };
        let layout = check(&chain(20));
        assert!(layout.nodes.windows(2).all(|pair| pair[0].y < pair[1].y));
        assert!(
            layout.nodes.iter().all(|node| (node.x - layout.nodes[0].x).abs() < 40.0),
            "a chain is straight"
        );
        assert_eq!(place(&chain(2000)).nodes.len(), 2000);
    }
}
