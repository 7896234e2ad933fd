//! A language server: what editors want to know about models, queries and controllers.
//!
//! The protocol is that of <https://microsoft.github.io/language-server-protocol>. Everything that is said about a model comes from the front end and
//! the facade, as for the `guidepost` command: the same messages, the same answers. This crate knows texts, positions and the protocol.
//!
//! | file | what |
//! |---|---|
//! | `server` | the loop: messages in, messages out, work that takes longer |
//! | `requests` | requests that are answered at once |
//! | `texts` | what is open in the editor, as it is edited |
//! | `position` | lines and columns in the client's units, and byte offsets |
//! | `analysis` | everything known about one model and the queries beside it |
//! | `names` | what a name in the text means, whatever the language |
//! | `hover`, `completion`, `symbols`, `tokens`, `folding`, `rename`, `lens`, `messages` | one request each |
//! | `context` | where in a text something is typed |
//! | `work` | what takes longer than a key stroke: networks are built, queries checked |
#![forbid(unsafe_code)]

mod analysis;
mod completion;
mod context;
mod folding;
mod hover;
mod lens;
mod messages;
mod names;
mod position;
mod rename;
mod requests;
mod server;
mod symbols;
mod texts;
mod tokens;
mod uri;
mod work;

pub use server::{Failure, serve, serve_stdio};
