//! Processes that can be exchanged for each other, although the model numbers them.
//!
//! Fischer's protocol with processes `P(1)` to `P(10)` does not care who is who, but it says `int[1,10]` where it could say `scalar[10]`. Such sets are found in the network, in three steps.
//!
//! 1. **Guess.** Processes of the same structure may be the members of a set. Their tokens are compared side by side: where they differ, they name the cells, clocks, channels and numbers that belong to the members.
//!    A channel of the first member that occurs elsewhere carries the guess on: to processes that have one member each, and to the edges of others, one for each member.
//! 2. **Check.** A transposition and a cycle of the members must map the network to itself: every edge and location to one with the same tokens. What tokens do not show must not be moved. Nothing of the guess is believed.
//! 3. **Restrict.** A question may tell members apart. Those it does not mention can still be exchanged; see [`goals`](super::goals).
//!
//! A variable that holds the number of a member may only be compared and copied, and its range has all the numbers. Others of its values (0 for *nobody*) stay as they are. So may all cells of an array with a computed index: a queue of members.

use super::token::{Token, Uses, Writer};
use super::{Content, Family, ScalarSet, generators};
use crate::network::{ChannelId, ClockValue, Network, ProcessId, Sync, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The network as tokens.
pub(super) struct Tokens {
    /// By location.
    pub(super) locations: Vec<Vec<Token>>,
    /// By edge.
    pub(super) edges: Vec<Vec<Token>>,
    uses: Uses,
}

impl Tokens {
    pub(super) fn new(network: &Network) -> Self {
        let mut uses = Uses::new(network);
        let mut writer = Writer::new(network, network.program.codes(), &mut uses);
        let locations = network.locations.iter().map(|location| writer.location(location)).collect();
        let edges = network.edges.iter().map(|edge| writer.edge(edge)).collect();
        Self { locations, edges, uses }
    }

    /// All tokens of a process, in order.
    fn process<'t>(&'t self, network: &'t Network, process: u32) -> impl Iterator<Item = Token> + 't {
        let process = &network.processes[process as usize];
        let locations = &self.locations[process.locations.start as usize..process.locations.end as usize];
        let edges = &self.edges[process.edges.start as usize..process.edges.end as usize];
        let priority = Token::Number(process.priority.into());
        [priority].into_iter().chain(locations.iter().chain(edges).flatten().copied())
    }
}

/// What has names that members may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Kind {
    Cell,
    Clock,
    Channel,
}

fn named(token: Token) -> Option<(Kind, u32)> {
    match token {
        Token::Cell(cell) => Some((Kind::Cell, cell)),
        Token::Clock(clock) => Some((Kind::Clock, clock)),
        Token::Channel(channel) => Some((Kind::Channel, channel)),
        Token::Tag(_) | Token::Number(_) | Token::Valued(..) => None,
    }
}

/// A set that is being put together.
#[derive(Debug)]
struct Guess {
    size: usize,
    /// Things that change places, member by member.
    families: Vec<(Kind, Vec<u32>)>,
    /// By thing: the member that it belongs to.
    members: HashMap<(Kind, u32), usize>,
    /// By member: the number it goes by in cells.
    values: Option<Vec<i32>>,
    /// Cells that hold numbers of members.
    holders: BTreeSet<u32>,
}

/// The sets of processes that can be exchanged for each other.
pub(crate) fn find(network: &Network) -> Vec<ScalarSet> {
    let is_simple = network.before_update.is_none()
        && network.after_update.is_none()
        && !network.features.diagonals
        && !network.features.stopwatches;
    if !is_simple || !has_twins(network) {
        return Vec::new();
    }
    let tokens = Tokens::new(network);
    let classes = classes(network, &tokens);
    let mut is_taken = vec![false; network.processes.len()];
    let mut sets = Vec::new();
    for class in classes.values().filter(|class| class.len() > 1) {
        if class.iter().any(|&process| is_taken[process as usize]) {
            continue;
        }
        let found = Guess::new(network, &tokens, class).and_then(|guess| guess.confirmed(network, &tokens));
        if let Some(set) = found {
            for family in set.cells.iter().filter(|family| family.content == Content::Location) {
                family.members.iter().for_each(|&process| is_taken[process as usize] = true);
            }
            sets.push(set);
        }
    }
    sets
}

/// Whether there may be two processes of the same structure; nearly free of charge.
fn has_twins(network: &Network) -> bool {
    let mut sizes: Vec<(usize, usize)> =
        network.processes.iter().map(|process| (process.locations.len(), process.edges.len())).collect();
    sizes.sort_unstable();
    sizes.windows(2).any(|pair| pair[0] == pair[1])
}

/// Processes of the same structure, in order.
fn classes(network: &Network, tokens: &Tokens) -> BTreeMap<Vec<Token>, Vec<u32>> {
    let mut classes: BTreeMap<Vec<Token>, Vec<u32>> = BTreeMap::new();
    for process in 0..network.processes.len() as u32 {
        let structure = tokens.process(network, process).map(Token::blank).collect();
        classes.entry(structure).or_default().push(process);
    }
    classes
}

impl Guess {
    /// The guess that begins with some processes; `None` if they are too different.
    fn new(network: &Network, tokens: &Tokens, processes: &[u32]) -> Option<Self> {
        let mut guess = Self {
            size: processes.len(),
            families: Vec::new(),
            members: HashMap::new(),
            values: None,
            holders: BTreeSet::new(),
        };
        guess.add_processes(network, tokens, processes)?;
        while guess.carry_on(network, tokens)? {}
        guess.follow_links(&tokens.uses.links);
        Some(guess)
    }

    /// Adds one process for each member, and what their tokens name.
    fn add_processes(&mut self, network: &Network, tokens: &Tokens, processes: &[u32]) -> Option<()> {
        self.add_family(Kind::Cell, processes)?;
        let all: Vec<Vec<Token>> =
            processes.iter().map(|&process| tokens.process(network, process).collect()).collect();
        self.compare(network, &all.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// Compares tokens of all members side by side.
    fn compare(&mut self, network: &Network, all: &[&[Token]]) -> Option<()> {
        if all.iter().any(|tokens| tokens.len() != all[0].len()) {
            return None;
        }
        for position in 0..all[0].len() {
            let column: Vec<Token> = all.iter().map(|tokens| tokens[position]).collect();
            if column.iter().all(|&token| token == column[0]) {
                continue;
            }
            if let Some((kind, _)) = named(column[0]) {
                let same = column.iter().map(|&token| named(token).filter(|(other, _)| *other == kind));
                let names: Vec<u32> = same.map(|name| name.map(|(_, name)| name)).collect::<Option<_>>()?;
                self.add_family(kind, &names)?;
                continue;
            }
            self.add_values(network, &column)?;
        }
        Some(())
    }

    /// Different things at the same place belong to the members.
    fn add_family(&mut self, kind: Kind, names: &[u32]) -> Option<()> {
        let known = names.iter().map(|&name| self.members.get(&(kind, name)).copied());
        if known.clone().all(|member| member.is_none()) {
            for (member, &name) in names.iter().enumerate() {
                if self.members.insert((kind, name), member).is_some() {
                    return None;
                }
            }
            self.families.push((kind, names.to_vec()));
            return Some(());
        }
        let is_same = known.enumerate().all(|(member, known)| known == Some(member))
            && self.families.iter().any(|(other, members)| *other == kind && members == names);
        is_same.then_some(())
    }

    /// Different numbers at the same place are the numbers of the members. Locations are counted process by process: checking looks at them.
    fn add_values(&mut self, network: &Network, column: &[Token]) -> Option<()> {
        let mut values = Vec::with_capacity(column.len());
        for &token in column {
            let Token::Valued(cell, value) = token else { return None };
            if (cell as usize) < network.processes.len() {
                return Some(());
            }
            values.push(value);
        }
        if values.windows(2).all(|pair| pair[0] == pair[1]) {
            return Some(());
        }
        if *self.values.get_or_insert_with(|| values.clone()) != values {
            return None;
        }
        self.holders.extend(column.iter().filter_map(|token| match token {
            Token::Valued(cell, _) => Some(*cell),
            _ => None,
        }));
        Some(())
    }

    /// Looks at processes that are no members for what belongs to members; says whether there was something new.
    fn carry_on(&mut self, network: &Network, tokens: &Tokens) -> Option<bool> {
        let before = self.families.len();
        let others = (0..network.processes.len() as u32)
            .filter(|&process| !self.members.contains_key(&(Kind::Cell, process)));
        let others: Vec<u32> = others.collect();
        // Processes that belong to one member each.
        let mut owned: BTreeMap<Vec<Token>, Vec<(usize, u32)>> = BTreeMap::new();
        for &process in &others {
            if let Some(member) = self.owner(tokens.process(network, process)) {
                let structure = tokens.process(network, process).map(Token::blank).collect();
                owned.entry(structure).or_default().push((member, process));
            }
        }
        for processes in owned.into_values() {
            if let Some(processes) = self.one_each(processes) {
                self.add_processes(network, tokens, &processes)?;
            }
        }
        // Edges that belong to one member each.
        for &process in &others {
            let mut owned: BTreeMap<Vec<Token>, Vec<(usize, u32)>> = BTreeMap::new();
            for edge in network.processes[process as usize].edges.clone() {
                let own = &tokens.edges[edge as usize];
                if let Some(member) = self.owner(own.iter().copied()) {
                    let structure = own.iter().copied().map(Token::blank).collect();
                    owned.entry(structure).or_default().push((member, edge));
                }
            }
            for edges in owned.into_values() {
                if let Some(edges) = self.one_each(edges) {
                    let all: Vec<&[Token]> =
                        edges.iter().map(|&edge| &*tokens.edges[edge as usize]).collect();
                    self.compare(network, &all)?;
                }
            }
        }
        Some(self.families.len() > before)
    }

    /// The one member to whom everything in some tokens belongs that belongs to a member.
    fn owner(&self, tokens: impl Iterator<Item = Token>) -> Option<usize> {
        let mut owners = tokens.filter_map(named).filter_map(|name| self.members.get(&name).copied());
        let first = owners.next()?;
        owners.all(|owner| owner == first).then_some(first)
    }

    /// In the order of members, if each has one.
    fn one_each(&self, mut owned: Vec<(usize, u32)>) -> Option<Vec<u32>> {
        owned.sort_unstable();
        let is_each =
            owned.len() == self.size && owned.iter().enumerate().all(|(place, &(member, _))| place == member);
        is_each.then(|| owned.into_iter().map(|(_, thing)| thing).collect())
    }

    /// What is compared with a number of a member holds one.
    fn follow_links(&mut self, links: &[(u32, u32)]) {
        loop {
            let before = self.holders.len();
            for &(left, right) in links {
                if self.holders.contains(&left) || self.holders.contains(&right) {
                    self.holders.extend([left, right]);
                }
            }
            // Members are alike.
            for (kind, names) in &self.families {
                if *kind == Kind::Cell && names.iter().any(|name| self.holders.contains(name)) {
                    self.holders.extend(names);
                }
            }
            if self.holders.len() == before {
                return;
            }
        }
    }

    /// The set, if the network is its own image.
    fn confirmed(self, network: &Network, tokens: &Tokens) -> Option<ScalarSet> {
        if !self.may_be_moved(network, &tokens.uses) || !self.has_no_order(network) {
            return None;
        }
        let set = self.set(network);
        let keeps = |names: &Vec<u32>| keeps(network, tokens, &set, names);
        generators(set.size).iter().all(keeps).then_some(set)
    }

    /// Whether tokens tell all about what is moved or renamed, and it is alike beside that.
    fn may_be_moved(&self, network: &Network, uses: &Uses) -> bool {
        let processes = network.processes.len();
        let variable = |cell: u32| network.variables.get((cell as usize).wrapping_sub(processes));
        let shape = |variable: &Variable| (variable.min, variable.max, variable.meta);
        let channel = |id: u32| {
            let channel = &network.channels[ChannelId(id).index()];
            (channel.broadcast, channel.urgent, channel.priority)
        };
        let are_alike = |(kind, names): &(Kind, Vec<u32>)| match kind {
            Kind::Cell => names.iter().all(|&name| {
                (name as usize) < uses.is_exposed.len()
                    && !uses.is_exposed[name as usize]
                    && !uses.is_indexed[name as usize]
                    && variable(name).map(shape) == variable(names[0]).map(shape)
                    && variable(name).is_none_or(|variable| !variable.meta)
            }),
            Kind::Clock => names.iter().all(|&name| name != 0 && !uses.is_exposed_clock[name as usize]),
            Kind::Channel => names
                .iter()
                .all(|&name| !uses.is_exposed_channel[name as usize] && channel(name) == channel(names[0])),
        };
        let values = self.values.as_deref().unwrap_or_default();
        let mut distinct = values.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let holds_all = |&cell: &u32| {
            let is_name = (cell as usize) < uses.is_number.len()
                && !uses.is_number[cell as usize]
                && !uses.is_exposed[cell as usize];
            let fits = |variable: &Variable| {
                !variable.meta && values.iter().all(|value| (variable.min..=variable.max).contains(value))
            };
            is_name && variable(cell).is_some_and(fits)
        };
        self.families.iter().all(are_alike)
            && distinct.len() == values.len()
            && self.holders.iter().all(holds_all)
            && !network
                .vectors
                .iter()
                .flat_map(|vector| &vector.participants)
                .any(|(process, _)| self.members.contains_key(&(Kind::Cell, process.0)))
    }

    /// Receivers of a broadcast update the state in the order of their processes. This changes nothing if no member touches what another one writes.
    fn has_no_order(&self, network: &Network) -> bool {
        let cell = |variable: usize| (Kind::Cell, (network.processes.len() + variable) as u32);
        let receives = |sync: &Sync| {
            matches!(sync, Sync::Receive(_))
                && sync.channels().iter().any(|channel| network.channels[channel.index()].broadcast)
        };
        let of_members = || {
            network.edges.iter().filter(|edge| receives(&edge.sync)).filter_map(|edge| {
                let member = self.members.get(&(Kind::Cell, edge.process.0))?;
                Some((*member, edge))
            })
        };
        let footprint = |update| network.program.footprint(update);
        let written: BTreeSet<usize> = of_members()
            .filter_map(|(_, edge)| edge.update)
            .flat_map(|update| footprint(update).writes)
            .map(crate::network::VarId::index)
            .collect();
        of_members().all(|(member, edge)| {
            let owns = |variable: usize| self.members.get(&cell(variable)) == Some(&member);
            let touches = edge.update.map(footprint).unwrap_or_default();
            touches.writes.iter().all(|variable| owns(variable.index()))
                && touches
                    .reads
                    .iter()
                    .all(|variable| owns(variable.index()) || !written.contains(&variable.index()))
                && edge.clock_effects.iter().all(|effect| matches!(effect.value, ClockValue::Constant(..)))
        })
    }

    fn set(&self, network: &Network) -> ScalarSet {
        let processes = network.processes.len() as u32;
        let mut families: [Vec<Family>; 3] = Default::default();
        for (kind, members) in &self.families {
            let content = match kind {
                Kind::Cell if members[0] < processes => Content::Location,
                Kind::Cell if self.holders.contains(&members[0]) => Content::Member,
                _ => Content::Plain,
            };
            families[*kind as usize].push(Family { dimensions: 1, members: members.clone(), content });
        }
        let shared = self.holders.iter().filter(|&&cell| !self.members.contains_key(&(Kind::Cell, cell)));
        for &cell in shared {
            families[0].push(Family { dimensions: 0, members: vec![cell], content: Content::Member });
        }
        let first = &network.processes[self.families[0].1[0] as usize].name;
        let name = first.split_once('(').map_or(&**first, |(name, _)| name).to_owned();
        let [cells, clocks, channels] = families;
        let mut set = ScalarSet::new(name, self.size as u32, (cells, clocks, channels));
        set.values.clone_from(&self.values);
        set
    }
}

/// A token with the members of a set renamed.
pub(super) fn renamed(network: &Network, set: &ScalarSet, names: &[u32], token: Token) -> Token {
    match token {
        Token::Cell(cell) => Token::Cell(set.cell(cell, names)),
        Token::Clock(clock) => Token::Clock(set.clock(crate::network::ClockId(clock), names).0),
        Token::Channel(channel) => Token::Channel(set.channel(ChannelId(channel), names).0),
        Token::Valued(cell, value) => {
            let target = set.cell(cell, names);
            let start = |process: u32| network.processes[process as usize].locations.start as i32;
            let value = if (cell as usize) < network.processes.len() {
                value - start(cell) + start(target)
            } else if set.holds_members(cell) {
                set.renamed_value(value, names)
            } else {
                value
            };
            Token::Valued(target, value)
        }
        Token::Tag(_) | Token::Number(_) => token,
    }
}

/// Whether a network is its own image.
fn keeps(network: &Network, tokens: &Tokens, set: &ScalarSet, names: &[u32]) -> bool {
    let image = |own: &[Token]| -> Vec<Token> {
        own.iter().map(|&token| renamed(network, set, names, token)).collect()
    };
    (0..).map(ProcessId).zip(&network.processes).all(|(id, process)| {
        let other = &network.processes[set.cell(id.0, names) as usize];
        let edges = |range: &std::ops::Range<u32>| &tokens.edges[range.start as usize..range.end as usize];
        let mut images: Vec<Vec<Token>> = edges(&process.edges).iter().map(|own| image(own)).collect();
        let mut others: Vec<&Vec<Token>> = edges(&other.edges).iter().collect();
        images.sort_unstable();
        others.sort_unstable();
        process.priority == other.priority
            && process.locations.len() == other.locations.len()
            && process.locations.clone().zip(other.locations.clone()).all(|(mine, theirs)| {
                image(&tokens.locations[mine as usize]) == tokens.locations[theirs as usize]
            })
            && images.iter().eq(others)
    })
}
