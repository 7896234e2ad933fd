//! Exit codes: the verdict for programs.

use std::process::ExitCode;

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// 0: everything asked for was done; all queries satisfied.
    Satisfied,
    /// 2: the input or the command is wrong.
    BadInput,
    /// 4: a bug in guidepost.
    Internal,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Satisfied => 0,
            Exit::BadInput => 2,
            Exit::Internal => 4,
        })
    }
}
