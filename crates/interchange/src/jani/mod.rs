//! JANI models of type `ta` (Budde, Dehnert, Hahn, Hartmanns, Junges, Turrini 2017: JANI, quantitative model and tool interaction).

mod read;
mod write;
