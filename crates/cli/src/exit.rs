//! Exit codes: the verdict for programs.

use std::process::ExitCode;

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// 0: everything asked for was done; all queries satisfied.
    Satisfied,
    /// 1: some query is not satisfied, or not as expected.
    NotSatisfied,
    /// 2: the input or the command is wrong.
    BadInput,
    /// 3: undecided, because of a limit or an interrupt.
    Undecided,
    /// 4: a bug in guidepost.
    Internal,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        // The variants stand in the order of their codes.
        ExitCode::from(exit as u8)
    }
}
