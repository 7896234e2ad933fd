//! What all processes of a run know and nobody else: a secret, which is never sent and never stands on a command line.

use std::fmt;
use std::io::{BufRead, Read};

/// A key made from the secret of a run.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

/// Longer secrets are no better.
const LONGEST: u64 = 4096;
const SHORTEST: usize = 16;

/// A secret that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SecretError {
    /// It is too short.
    #[error(
        "the secret has {0} characters; it should have {SHORTEST} at least, as `openssl rand -hex 32` makes"
    )]
    Short(usize),
    /// It cannot be read.
    #[error("the secret cannot be read: {0}")]
    Unreadable(String),
    /// The system has no random numbers.
    #[error("the system gives no random numbers: {0}")]
    Random(String),
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// The secret that a text stands for.
    ///
    /// # Errors
    /// When it is so short that it could be guessed.
    pub fn new(text: &str) -> Result<Self, SecretError> {
        let text = text.trim();
        if text.len() < SHORTEST {
            return Err(SecretError::Short(text.len()));
        }
        Ok(Self(blake3::derive_key("guidepost 2026 secret of a run", text.as_bytes())))
    }

    /// Reads a secret: the first line.
    ///
    /// # Errors
    /// When it cannot be read, or is too short.
    pub fn read(from: impl Read) -> Result<Self, SecretError> {
        let mut line = String::new();
        let read = std::io::BufReader::new(from.take(LONGEST)).read_line(&mut line);
        read.map_err(|error| SecretError::Unreadable(error.to_string()))?;
        Self::new(&line)
    }

    /// A text for a new secret.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn invent() -> Result<String, SecretError> {
        let mut bytes = [0; 32];
        fill(&mut bytes)?;
        Ok(blake3::Hash::from(bytes).to_hex().to_string())
    }

    /// A proof that one knows the secret, for what is said.
    pub(crate) fn proof(&self, said: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in said {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize()
    }
}

/// Random bytes.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), SecretError> {
    getrandom::fill(bytes).map_err(|error| SecretError::Random(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_lines_that_cannot_be_guessed() {
        assert_eq!(Secret::new(" short \n"), Err(SecretError::Short(5)));
        let text = Secret::invent().unwrap();
        assert_ne!(text, Secret::invent().unwrap());
        let secret = Secret::new(&text).unwrap();
        assert_eq!(Secret::read(format!("{text}\nmore").as_bytes()), Ok(secret.clone()));
        assert_eq!(format!("{secret:?}"), "Secret");
        assert!(Secret::read(&[0xff; 100][..]).is_err());
    }
}
