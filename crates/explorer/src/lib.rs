//! The explorer: a model, step by step, in the browser.
//!
//! [`Explorer`] answers requests about one model, as JSON; it can be asked without any browser. [`Server`] puts it on the loopback interface, behind an address that
//! nobody can guess, and refuses whatever comes from elsewhere ([`gate`]). The page is made from the parts of the report.
//!
//! All tabs share what was visited, a tree of states; where somebody is in it is known to their tab alone, and is part of each request. So tabs do
//! not disturb each other, a reload loses nothing, and the server has nothing to forget.
#![forbid(unsafe_code)]

mod api;
pub mod gate;
mod http;
mod page;
mod searches;
mod server;
mod view;

pub use api::Explorer;
pub use server::Server;
