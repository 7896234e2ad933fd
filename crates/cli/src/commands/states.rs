//! `guidepost states MODEL`

use crate::args::{MessageFormat, StatesArgs};
use crate::exit::Exit;
use crate::input;
use crate::terminal::{print_diagnostics, print_error, print_json};
use guidepost_explore::{Abstraction, Explorer, Store};
use guidepost_search::{Limits, Order, Search};
use serde_json::json;

pub(crate) fn run(args: &StatesArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let loaded = input::load(&args.model, messages)?;
    let (network, diagnostics) = guidepost_network::build(&loaded.model);
    print_diagnostics(&diagnostics, &loaded.sources, messages);
    let Some(network) = network else { return Err(Exit::BadInput) };
    let mut explorer = Explorer::new(&network, &[], Abstraction::REACHABILITY).map_err(|error| {
        print_error(error);
        Exit::BadInput
    })?;
    let mut store = Store::new(&explorer);
    let limits = Limits::default();

    let reach = Search {
        explorer: &mut explorer,
        store: &mut store,
        order: Order::BreadthFirst,
        shortest: false,
        limits: &limits,
    };
    let (outcome, s) = reach.run(&mut ());
    print_json(&json!({"outcome": format!("{outcome:?}"), "statistics": {"transitions": s.generated, "explored": s.explored, "stored": s.stored, "discrete": s.discrete, "seconds": s.seconds, "bytes": s.bytes}}));
    Ok(Exit::Satisfied)
}
