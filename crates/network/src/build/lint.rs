//! Warnings that need the whole network: synchronisations without a partner, locations without a way in.
//!
//! Only what no instance of a template can ever do is worth a warning: an edge is judged with all its processes, select values and
//! branches together, so a member of a process set that happens to have no neighbour is no news, and there is one warning per label at most. A partner is
//! any edge on the other side of one of the channels, whether or not it can ever be taken: what is not taken in the end is
//! `guidepost states`' business.

use super::Builder;
use crate::meetings::Meetings;
use crate::network::{ChannelId, Edge, EdgeId, Network, Sync};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::model::{self, Direction, Node, SyncPartner, Template};
use std::collections::{BTreeMap, BTreeSet};

/// Who can take part in a synchronisation; the better the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Partner {
    Nobody,
    /// Only edges of the same process, which cannot take two at once.
    Itself,
    Another,
}

/// Template and edge in the document.
type EdgeKey = (u32, u32);

impl Builder<'_> {
    /// Adds the warnings about a finished network.
    pub(super) fn lint(&mut self, network: &Network) {
        self.lint_synchronisations(network);
        self.lint_rendezvous(network);
        self.lint_locations(network);
    }

    fn lint_synchronisations(&mut self, network: &Network) {
        let meetings = Meetings::new(network);
        let mut best: BTreeMap<EdgeKey, Partner> = BTreeMap::new();
        for edge in &network.edges {
            if let Some(partner) = partner(edge, network, &meetings) {
                let template = network.processes[edge.process.index()].template;
                let entry = best.entry((template, edge.origin.edge)).or_insert(partner);
                *entry = partner.max(*entry);
            }
        }
        for ((template, edge), partner) in best {
            if let Some(sync) = sync_of(&self.model.templates[template as usize], edge) {
                self.warn_lonely(sync, partner);
            }
        }
    }

    /// A rendezvous in CSP style that found no partner has left no edge in the network.
    fn lint_rendezvous(&mut self, network: &Network) {
        let model = self.model;
        let built: BTreeSet<EdgeKey> = network
            .edges
            .iter()
            .map(|edge| (network.processes[edge.process.index()].template, edge.origin.edge))
            .collect();
        for (index, template) in instantiated(model, network) {
            for (at, edge) in template.edges.iter().enumerate() {
                let Some(sync) = &edge.sync else { continue };
                let meets =
                    sync.direction == Direction::Join && matches!(sync.partner, SyncPartner::Channel(_));
                let guard = edge.guard.as_ref().map(|guard| guard.span);
                let may_hold = guard.is_none_or(|span| self.satisfiable.get(&span) == Some(&true));
                let starts = matches!(edge.source, Node::Location(_));
                if meets && may_hold && starts && !built.contains(&(index, at as u32)) {
                    self.warn_lonely(sync, Partner::Nobody);
                }
            }
        }
    }

    fn warn_lonely(&mut self, sync: &model::Sync, partner: Partner) {
        let diagnostic = match (partner, sync.direction) {
            (Partner::Another, _) => return,
            (Partner::Nobody, Direction::Send) => {
                let message = "this edge can never be taken: no other process receives on its channel";
                Diagnostic::new(Code::UnusedChannelDirection, sync.span, message).label("nobody receives")
            }
            (Partner::Nobody, Direction::Receive) => {
                let message = "this edge can never be taken: no other process sends on its channel";
                Diagnostic::new(Code::UnusedChannelDirection, sync.span, message).label("nobody sends")
            }
            (Partner::Nobody, Direction::Join) => {
                let message = "this edge can never be taken: no other process synchronises on its channel";
                Diagnostic::new(Code::UnusedChannelDirection, sync.span, message).label("nobody to meet")
            }
            (Partner::Itself, _) => {
                let message =
                    "this edge can never be taken: only the same process is on the other side of its channel";
                Diagnostic::new(Code::SelfSynchronisation, sync.span, message)
                    .label("only itself to meet")
                    .hint("a process cannot synchronise with itself; it takes two processes")
            }
        };
        self.report.push(diagnostic);
    }

    fn lint_locations(&mut self, network: &Network) {
        let model = self.model;
        for (_, template) in instantiated(model, network) {
            let mut entered = vec![false; template.locations.len()];
            for edge in &template.edges {
                if let Node::Location(target) = edge.target
                    && edge.source != edge.target
                {
                    entered[target] = true;
                }
            }
            for (index, location) in template.locations.iter().enumerate() {
                if !entered[index] && index != template.initial {
                    let message =
                        format!("no edge leads to location `{}` of `{}`", location.name, template.name);
                    self.report.push(Diagnostic::new(Code::UnreachableLocation, location.span, message));
                }
            }
        }
    }
}

/// The templates that some process is an instance of, with their numbers.
fn instantiated<'m>(model: &'m model::Model, network: &Network) -> Vec<(u32, &'m Template)> {
    let mut numbers: Vec<u32> = network.processes.iter().map(|process| process.template).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().map(|number| (number, &model.templates[number as usize])).collect()
}

fn sync_of(template: &Template, edge: u32) -> Option<&model::Sync> {
    template.edges.get(edge as usize)?.sync.as_ref()
}

/// The best partner on any of an edge's channels; `None` for an edge that needs no partner.
fn partner(edge: &Edge, network: &Network, meetings: &Meetings) -> Option<Partner> {
    let among = |others: &[EdgeId]| {
        let is_own = |id: &EdgeId| network.edges[id.index()].process == edge.process;
        match others {
            [] => Partner::Nobody,
            // They are sorted by process.
            [first, .., last] if is_own(first) && is_own(last) => Partner::Itself,
            [only] if is_own(only) => Partner::Itself,
            _ => Partner::Another,
        }
    };
    let of = |id: &ChannelId| match edge.sync {
        Sync::Send(_) if network.channels[id.index()].broadcast => Partner::Another,
        Sync::Send(_) => among(meetings.receivers(*id)),
        _ => among(meetings.senders(*id)),
    };
    edge.sync.channels().iter().map(of).max()
}

#[cfg(test)]
mod tests {
    use crate::build;
    use guidepost_language::diagnostic::Code;
    use guidepost_language::load_text;

    /// The warnings of this pass as `W002 text`, with the text they point at.
    fn warnings_of(name: &str, text: &str) -> Vec<String> {
        let loaded = load_text(name, text);
        assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics);
        let (network, diagnostics) = build(&loaded.model);
        assert!(network.is_some(), "{diagnostics:#?}");
        let ours = [Code::UnusedChannelDirection, Code::SelfSynchronisation, Code::UnreachableLocation];
        let shown = diagnostics.iter().filter(|diagnostic| ours.contains(&diagnostic.code));
        shown.map(|diagnostic| format!("{} {}", diagnostic.code, &text[diagnostic.span.range()])).collect()
    }

    fn warnings(text: &str) -> Vec<String> {
        warnings_of("model.xta", text)
    }

    #[test]
    fn partners_that_exist_are_no_news() {
        let text = "chan a; broadcast chan b;
            process P() { state L; init L; trans L -> L { sync a!; }, L -> L { sync b!; }; }
            process Q() { state L; init L; trans L -> L { sync a?; }, L -> L { sync b?; }; }
            system P, Q;";
        assert_eq!(warnings(text), [""; 0]);
    }

    #[test]
    fn a_side_without_the_other_is_reported_once_per_label() {
        let text = "typedef int[0,3] id_t; chan a[id_t], b; broadcast chan c, d;
            process P(id_t id) { state L; init L;
                trans L -> L { select i : id_t; sync a[i]!; }, L -> L { sync b?; }, L -> L { sync c!; }, L -> L { sync d?; }; }
            system P;";
        let found = warnings(text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.iter().all(|warning| warning.starts_with("W002")), "{found:?}");
        assert!(
            !found.iter().any(|warning| warning.contains("c!")),
            "a broadcast needs no receiver: {found:?}"
        );
    }

    #[test]
    fn one_instance_with_a_partner_is_enough() {
        // The last one has no neighbour to the right.
        let text = "const int N = 3; typedef int[0,N-1] id_t; chan pass[N+1];
            process P(id_t id) { state L; init L; trans L -> L { sync pass[id+1]!; }, L -> L { sync pass[id]?; }; }
            system P;";
        assert_eq!(warnings(text), [""; 0]);
    }

    #[test]
    fn a_process_cannot_meet_itself() {
        let alone =
            "chan a; process P() { state L, M; init L; trans L -> M { sync a!; }, M -> L { sync a?; }; }";
        let found = warnings(&format!("{alone} system P;"));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|warning| warning.starts_with("W009")), "{found:?}");
        assert_eq!(warnings(&format!("{alone} Q = P(); system P, Q;")), [""; 0]);
    }

    #[test]
    fn a_receiver_of_its_own_broadcast_only_is_reported() {
        let text = "broadcast chan a;
            process P() { state L; init L; trans L -> L { sync a!; }, L -> L { sync a?; }; } system P;";
        let found = warnings(text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("W009") && found[0].contains("a?"), "{found:?}");
    }

    #[test]
    fn computed_channels_count_with_all_their_candidates() {
        let text = "chan a[3]; int[0,2] v;
            process P() { state L; init L; trans L -> L { sync a[v]!; }; }
            process Q() { state L; init L; trans L -> L { sync a[2]?; assign v = 0; }; }
            system P, Q;";
        assert_eq!(warnings(text), [""; 0]);
    }

    #[test]
    fn guards_that_never_hold_leave_their_own_warning_only() {
        let text = "const bool ON = false; chan a;
            process P() { state L; init L; trans L -> L { guard ON; sync a!; }; } system P;";
        assert_eq!(warnings(text), [""; 0]);
    }

    #[test]
    fn rendezvous_need_two() {
        let one = "chan a; process P() { state L; init L; trans L -> L { sync a; }; }";
        assert_eq!(warnings(&format!("{one} system P;")).len(), 1);
        assert_eq!(warnings(&format!("{one} Q = P(); system P, Q;")), [""; 0]);
    }

    #[test]
    fn locations_without_a_way_in_are_reported_once_per_template() {
        let text = "process P(const int[0,1] id) { state L, M, N; init L; trans L -> M { }, N -> N { }, N -> L { }; }
            process Unused() { state A, B; init A; }
            system P;";
        let found = warnings(text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("W015") && found[0].contains('N'), "{found:?}");
    }

    #[test]
    fn branches_lead_to_locations() {
        let text = "process P() { state L, M, N; branchpoint b; init L;
            trans L -> b { }, b -> M { probability 1; }, b -> N { probability 2; }; } system P;";
        assert_eq!(warnings(text), [""; 0]);
    }
}
