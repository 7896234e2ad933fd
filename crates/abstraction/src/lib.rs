//! Abstraction by hiding: a network without some of its symbols.
//!
//! Whatever the original can do, the abstraction can do in as many steps or fewer, so distances in the abstraction never exceed those of the original, and
//! what the abstraction cannot reach, the original cannot reach. The abstraction is a network again and is explored by the same engine (Kupferschmid,
//! Hoffmann, Larsen: *Fast Directed Model Checking via Russian Doll Abstraction*, 2008).
//!
//! ```
//! use guidepost_abstraction::{Structure, SymbolSet, hide, symbols_named};
//!
//! let text = "int[0,9] v; bool on;
//!     process P() { state A, B; init A; trans A -> B { guard on && v > 2; assign v = 0; }; }
//!     process Driver() { state D; init D; trans D -> D { assign on = !on; }; }
//!     system P, Driver;";
//! let loaded = guidepost_language::load_text("example.xta", text);
//! let network = guidepost_network::build(&loaded.model).0.unwrap();
//! let structure = Structure::new(&network);
//! let mut hidden = SymbolSet::empty(&network);
//! hidden.extend(symbols_named(&network, "Driver"));
//! structure.close(&mut hidden);
//! assert!(symbols_named(&network, "on").iter().all(|symbol| hidden.contains(*symbol)));
//! let abstraction = hide(&network, &hidden, &[]);
//! assert_eq!(abstraction.network.edges.len(), 1);
//! assert_eq!(abstraction.network.edges[0].data_guard.len(), 1);
//! ```
#![forbid(unsafe_code)]

mod bystanders;
mod closure;
mod cone;
mod hide;
mod ranges;
pub mod regression;
mod retained;
mod safe;
mod structure;
mod symbols;
mod synchronisation;
mod weaken;

pub use bystanders::bystanders;
pub use hide::{AbstractNetwork, hide, hide_in_place};
pub use ranges::Ranges;
pub use retained::Retained;
pub use structure::{Structure, symbols_of_goals, symbols_tested_by};
pub use symbols::{Symbol, SymbolSet, name_of, symbols_named};
pub use weaken::{Hiding, UpdateStep, Weakened, update_steps, weaken};
