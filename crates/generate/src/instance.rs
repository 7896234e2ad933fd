//! Numbers of an instance file: whitespace between them, comments behind `#`.

use thiserror::Error;

/// Why a text is no instance.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InstanceError {
    /// There is too little.
    #[error("the instance ends where {0} should be")]
    Missing(String),
    /// Something is not a number.
    #[error("`{word}` is not {what}")]
    Wrong {
        /// What stands there.
        word: String,
        /// What should.
        what: String,
    },
    /// There is too much.
    #[error("`{0}` is too much: the instance should end before it")]
    TooMuch(String),
}

/// The numbers that are still to be read.
pub(crate) struct Numbers<'t> {
    words: Box<dyn Iterator<Item = &'t str> + 't>,
}

impl<'t> Numbers<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        Self { words: Box::new(lines.flat_map(str::split_whitespace)) }
    }

    /// The next number, which may have a fraction of zeros only.
    pub(crate) fn next(&mut self, what: &str, least: i64, most: i64) -> Result<i64, InstanceError> {
        let word = self.words.next().ok_or_else(|| InstanceError::Missing(what.to_owned()))?;
        let wrong = || {
            let what = format!("{what}: a number from {least} to {most} is expected");
            InstanceError::Wrong { word: word.to_owned(), what }
        };
        let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
        let number: i64 = whole.parse().map_err(|_| wrong())?;
        let is_whole = fraction.chars().all(|digit| digit == '0');
        if is_whole && (least..=most).contains(&number) { Ok(number) } else { Err(wrong()) }
    }

    /// Nothing may follow.
    pub(crate) fn finish(mut self) -> Result<(), InstanceError> {
        self.words.next().map_or(Ok(()), |word| Err(InstanceError::TooMuch(word.to_owned())))
    }
}
