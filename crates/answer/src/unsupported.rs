//! Why an engine does not answer.

/// Why an engine does not answer a question about a network. The first two have a place in the model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsupported {
    /// Stop-watches make zones an over-approximation, which nobody asked for.
    #[error("the model stops clocks (`x' == 0`), which zones can only over-approximate")]
    Stopwatches,
    /// Urgency that begins at some clock value.
    #[error("a clock is tested on an urgent channel, and zones cannot tell when urgency begins")]
    GuardedUrgentChannel,
    /// An engine for other questions.
    #[error("the engine `{engine}` does not answer {what}")]
    Question {
        /// The engine's name.
        engine: &'static str,
        /// What it was asked, as in "questions about deadlock".
        what: &'static str,
    },
    /// Several processes that are to work together do not: something about them is wrong.
    #[error("the workers cannot work together: {0}")]
    Together(String),
    /// Processes that are to work together are not there, or are gone before anything is explored.
    #[error("the workers cannot work together: {0}")]
    Absent(String),
}
