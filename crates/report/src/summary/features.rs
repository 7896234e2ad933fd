//! What a model uses.

use guidepost_language::Loaded;
use guidepost_language::model::{Callee, Format, Model, SymbolKind, Type};
use guidepost_language::syntax::{Document, Format as Written};
use guidepost_network::{Features, Network};

macro_rules! features {
    ($($name:ident $id:literal $words:literal;)*) => {
        /// Something a model may or may not use.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Feature {
            $(#[doc = $words] $name,)*
        }

        impl Feature {
            /// All features, in the order in which they are shown.
            pub const ALL: &'static [Feature] = &[$(Feature::$name),*];

            /// The stable name for programs.
            pub fn id(self) -> &'static str {
                match self { $(Feature::$name => $id),* }
            }

            /// The name for people.
            pub fn words(self) -> &'static str {
                match self { $(Feature::$name => $words),* }
            }
        }
    };
}

features! {
    OldSyntax "old-syntax" "3.x syntax";
    ProcessSets "process-sets" "process sets";
    Select "select" "select";
    Functions "functions" "functions";
    Arrays "arrays" "arrays";
    Structs "structs" "structs";
    ScalarSets "scalar-sets" "scalar sets";
    MetaVariables "meta-variables" "meta variables";
    Hooks "update-hooks" "update hooks";
    Broadcast "broadcast-channels" "broadcast channels";
    GuardedReceivers "guarded-broadcast-receivers" "clock guards on broadcast receivers";
    UrgentChannels "urgent-channels" "urgent channels";
    GuardedUrgent "guarded-urgent-channels" "clock guards on urgent channels";
    Vectors "synchronisation-vectors" "synchronisation vectors";
    UrgentLocations "urgent-locations" "urgent locations";
    Committed "committed-locations" "committed locations";
    BranchPoints "branch-points" "branch points";
    Priorities "priorities" "priorities";
    Diagonals "diagonal-constraints" "diagonal constraints";
    LowerBounds "lower-bound-invariants" "lower bounds in invariants";
    StopWatches "stop-watches" "stop-watches";
    ClockCopies "clock-copies" "copies of clocks";
    Costs "costs" "costs";
    Progress "progress-measures" "progress measures";
    Gantt "gantt-charts" "Gantt charts";
}

/// The features of a model. Without a network what depends on the instances is judged by the text.
pub(super) fn features(loaded: &Loaded, network: Option<&Network>) -> Vec<Feature> {
    let (model, document) = (&loaded.model, &loaded.document);
    let flat = network.map_or_else(|| guess(model), |network| network.features.clone());
    let used = |feature: Feature| match feature {
        Feature::OldSyntax => document.format == Written::Old,
        Feature::ProcessSets => model.processes.iter().any(|process| is_set(model, process.callee)),
        Feature::Select => model.templates.iter().any(|t| t.edges.iter().any(|edge| !edge.select.is_empty())),
        Feature::Functions => !model.functions.is_empty(),
        Feature::Arrays => any_type(model, |ty| matches!(ty, Type::Array(_))),
        Feature::Structs => any_type(model, is_struct),
        Feature::ScalarSets => model.scalar_sets > 0,
        Feature::MetaVariables => {
            model.symbols.iter().any(|symbol| matches!(symbol.kind, SymbolKind::Variable { meta: true, .. }))
        }
        Feature::Hooks => !model.before_update.is_empty() || !model.after_update.is_empty(),
        Feature::Broadcast => flat.broadcast,
        Feature::GuardedReceivers => flat.guarded_broadcast_receivers,
        Feature::UrgentChannels => flat.urgent_channels,
        Feature::GuardedUrgent => flat.guarded_urgent_channels,
        Feature::Vectors => model.format == Format::Tck && !model.vectors.is_empty(),
        Feature::UrgentLocations => flat.urgent_locations,
        Feature::Committed => flat.committed,
        Feature::BranchPoints => has_branchpoints(document),
        Feature::Priorities => flat.priorities,
        Feature::Diagonals => flat.diagonals,
        Feature::LowerBounds => flat.lower_bound_invariants,
        Feature::StopWatches => flat.stopwatches,
        Feature::ClockCopies => flat.clock_copies,
        Feature::Costs => flat.costs,
        Feature::Progress => !model.progress.is_empty(),
        Feature::Gantt => !model.gantt.is_empty(),
    };
    Feature::ALL.iter().copied().filter(|feature| used(*feature)).collect()
}

/// What the text alone tells about the features of a network that could not be built.
fn guess(model: &Model) -> Features {
    let locations = || model.templates.iter().flat_map(|template| &template.locations);
    let channel = |wanted: fn(bool, bool) -> bool| {
        any_type(
            model,
            |ty| matches!(element(ty), Type::Chan { urgent, broadcast } if wanted(*urgent, *broadcast)),
        )
    };
    Features {
        broadcast: channel(|_, broadcast| broadcast),
        urgent_channels: channel(|urgent, _| urgent),
        committed: locations().any(|location| location.committed),
        urgent_locations: locations().any(|location| location.urgent),
        priorities: !model.channel_priorities.is_empty()
            || model.processes.iter().any(|process| process.priority != 0),
        ..Features::default()
    }
}

fn has_branchpoints(document: &Document) -> bool {
    document.templates.iter().any(|template| !template.branchpoints.is_empty())
}

fn is_set(model: &Model, callee: Callee) -> bool {
    match callee {
        Callee::Template(id) => !model.template(id).params.is_empty(),
        Callee::Instance(id) => !model.instance(id).params.is_empty(),
    }
}

/// Whether a declared variable, constant, parameter or field has such a type; built-in names have no place in the file.
fn any_type(model: &Model, wanted: impl Fn(&Type) -> bool) -> bool {
    let declared = model.symbols.iter().filter(|symbol| {
        matches!(symbol.kind, SymbolKind::Variable { .. } | SymbolKind::Constant(_) | SymbolKind::Param(_))
    });
    declared.into_iter().any(|symbol| wanted(&symbol.ty))
}

fn is_struct(ty: &Type) -> bool {
    matches!(element(ty), Type::Struct(_))
}

/// What an array holds in the end.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Array(array) => element(&array.element),
        other => other,
    }
}
