//! Which members of found sets a question does not tell apart.

use super::found::{Tokens, renamed};
use super::token::{Token, Uses, Writer};
use super::{Content, EdgeIndex, Family, Renaming, ScalarSet, Symmetries, generators};
use crate::code::Codes;
use crate::network::{EdgeId, Network};
use crate::query::Goal;
use std::collections::BTreeSet;

/// A goal as the tokens of its conditions, in ascending order.
type Conditions = Vec<Vec<Token>>;

impl Symmetries {
    /// The symmetries that some questions keep, each given by its goals: those of scalar sets, or else of sets that were found, as far as their members are not told apart.
    #[must_use]
    pub fn for_goals(&self, network: &Network, questions: &[&[Goal]]) -> Self {
        if !self.sets.is_empty() {
            return self.clone();
        }
        let sets = self.found.iter().filter_map(|set| restricted(network, set, questions)).collect();
        Self { sets, are_found: true, ..Self::default() }
    }

    /// The edge that an edge becomes, where sets were found.
    pub(super) fn found_edge(
        &self,
        edge: EdgeId,
        index: &EdgeIndex<'_>,
        renaming: &Renaming,
    ) -> Option<EdgeId> {
        let network = index.network;
        let tokens = index.tokens.get_or_init(|| Tokens::new(network));
        let process = self.process(network.edges[edge.index()].process, renaming);
        let mut image = tokens.edges[edge.index()].clone();
        for (set, names) in self.sets.iter().zip(&renaming.0) {
            for token in &mut image {
                *token = renamed(network, set, names, *token);
            }
        }
        let mut edges = network.processes[process.index()].edges.clone();
        edges.find(|&other| tokens.edges[other as usize] == image).map(EdgeId)
    }
}

/// The set of those members that no question tells apart; `None` if there are not two of them.
fn restricted(network: &Network, set: &ScalarSet, questions: &[&[Goal]]) -> Option<ScalarSet> {
    let mut uses = Uses::new(network);
    let all: Vec<Vec<Conditions>> = questions
        .iter()
        .map(|goals| goals.iter().map(|goal| conditions(network, goal, &mut uses)).collect())
        .collect();
    if touches_hidden(set, &uses) {
        return None;
    }
    let keeps = |names: &Vec<u32>| all.iter().all(|goals| keeps(network, set, names, goals));
    if generators(set.size).iter().all(keeps) {
        return Some(set.clone());
    }
    let mut mentioned = BTreeSet::new();
    for &token in all.iter().flatten().flatten().flatten() {
        mentioned.extend(set.mentioned(token));
    }
    let free: Vec<u32> = (0..set.size).filter(|member| !mentioned.contains(member)).collect();
    (free.len() > 1).then(|| set.part(&free))
}

fn conditions(network: &Network, goal: &Goal, uses: &mut Uses) -> Conditions {
    let mut parts = Writer::new(network, Codes::new(&network.program, &goal.segment), uses).goal(goal);
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// Whether goals use what is moved or renamed in ways that tokens do not show.
fn touches_hidden(set: &ScalarSet, uses: &Uses) -> bool {
    let cells = set.cells.iter().flat_map(|family| family.members.iter().map(move |&cell| (family, cell)));
    let is_hidden = |(family, cell): (&Family, u32)| {
        let (is_moved, is_renamed) = (family.dimensions > 0, family.content == Content::Member);
        uses.is_exposed[cell as usize]
            || (is_moved && uses.is_indexed[cell as usize])
            || (is_renamed && uses.is_number[cell as usize])
    };
    let links_differ = |&(left, right): &(u32, u32)| set.holds_members(left) != set.holds_members(right);
    let mut clocks = set.clocks.iter().flat_map(|family| &family.members);
    cells.into_iter().any(is_hidden)
        || uses.links.iter().any(links_differ)
        || clocks.any(|&clock| uses.is_exposed_clock[clock as usize])
}

/// Whether goals are their own images.
fn keeps(network: &Network, set: &ScalarSet, names: &[u32], goals: &[Conditions]) -> bool {
    let image = |conditions: &Conditions| {
        let rename = |tokens: &Vec<Token>| {
            tokens.iter().map(|&token| renamed(network, set, names, token)).collect::<Vec<_>>()
        };
        let mut image: Conditions = conditions.iter().map(rename).collect();
        image.sort_unstable();
        image
    };
    let own: BTreeSet<&Conditions> = goals.iter().collect();
    goals.iter().all(|goal| own.contains(&image(goal)))
}

impl ScalarSet {
    /// The member that a token names.
    fn mentioned(&self, token: Token) -> Option<u32> {
        let of = |families: &[Family], thing: u32| {
            let position = |family: &Family| family.members.iter().position(|&member| member == thing);
            families
                .iter()
                .filter(|family| family.dimensions == 1)
                .find_map(position)
                .map(|member| member as u32)
        };
        match token {
            Token::Cell(cell) => of(&self.cells, cell),
            Token::Clock(clock) => of(&self.clocks, clock),
            Token::Channel(channel) => of(&self.channels, channel),
            Token::Valued(cell, value) if self.holds_members(cell) => self.member_of(value),
            Token::Valued(..) | Token::Tag(_) | Token::Number(_) => None,
        }
    }

    /// The set of some of the members.
    fn part(&self, members: &[u32]) -> Self {
        let part = |family: &Family| Family {
            members: match family.dimensions {
                0 => family.members.clone(),
                _ => members.iter().map(|&member| family.members[member as usize]).collect(),
            },
            ..family.clone()
        };
        let parts = |families: &[Family]| families.iter().map(part).collect::<Vec<_>>();
        // Cells of others hold members of the part as well.
        let kept: BTreeSet<u32> = members.iter().copied().collect();
        let mut cells = parts(&self.cells);
        for family in
            self.cells.iter().filter(|family| family.content == Content::Member && family.dimensions == 1)
        {
            let others = (0..).zip(&family.members).filter(|(member, _)| !kept.contains(member));
            cells.extend(others.map(|(_, &cell)| Family {
                dimensions: 0,
                members: vec![cell],
                ..family.clone()
            }));
        }
        let mut set = Self::new(
            self.name.clone(),
            members.len() as u32,
            (cells, parts(&self.clocks), parts(&self.channels)),
        );
        set.values = self
            .values
            .as_ref()
            .map(|values| members.iter().map(|&member| values[member as usize]).collect());
        set
    }
}
