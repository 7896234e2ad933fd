//! Which machines work together: a file in TOML.

use crate::partition::MOST_WORKERS;
use crate::secret::{Secret, SecretError};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The machines of a run.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hosts {
    /// Where the coordinator listens for its workers: `address:port`.
    pub coordinator: String,
    /// The file with the secret of the run, beside this file if it is no absolute path.
    pub secret: PathBuf,
    /// Seconds that a worker may be silent before it is lost.
    #[serde(default = "default_patience")]
    pub patience: u64,
    /// Seconds that all have to connect.
    #[serde(default = "default_wait")]
    pub wait: u64,
    /// The workers.
    #[serde(rename = "worker")]
    pub workers: Vec<Host>,
}

/// A worker's machine.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Where the worker listens for the others: `address:port`.
    pub address: String,
    /// The command that starts guidepost there, such as `["ssh", "host", "guidepost"]`; without one, the worker is started by hand.
    #[serde(default)]
    pub start: Vec<String>,
}

fn default_patience() -> u64 {
    10
}

fn default_wait() -> u64 {
    60
}

/// A file of hosts that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HostsError {
    /// It cannot be read.
    #[error("`{0}` cannot be read: {1}")]
    Unreadable(String, String),
    /// It is not as it should be.
    #[error("`{0}`: {1}")]
    Wrong(String, String),
    /// It has no workers, or too many.
    #[error("`{0}` has {1} workers; between 1 and {MOST_WORKERS} can work together")]
    Count(String, usize),
    /// There is no such worker.
    #[error("there is no worker {0}; the workers of `{1}` are 1 to {2}")]
    Number(usize, String, usize),
    /// The secret is of no use.
    #[error("`{0}`: {1}")]
    Secret(String, SecretError),
}

impl Hosts {
    /// Reads the file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(path: &Path) -> Result<Self, HostsError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| HostsError::Unreadable(name.clone(), error.to_string()))?;
        let mut hosts: Self = toml::from_str(&text)
            .map_err(|error| HostsError::Wrong(name.clone(), error.to_string().trim_end().to_owned()))?;
        if hosts.workers.is_empty() || hosts.workers.len() > MOST_WORKERS {
            return Err(HostsError::Count(name, hosts.workers.len()));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        hosts.secret = folder.join(&hosts.secret);
        Ok(hosts)
    }

    /// The worker with a number, from 1.
    ///
    /// # Errors
    /// When there is none.
    pub fn worker(&self, number: usize, file: &Path) -> Result<&Host, HostsError> {
        let host = number.checked_sub(1).and_then(|index| self.workers.get(index));
        host.ok_or_else(|| HostsError::Number(number, file.display().to_string(), self.workers.len()))
    }

    /// The secret of the run, as it stands in its file.
    ///
    /// # Errors
    /// When the file cannot be read, or the secret is too short.
    pub fn secret_text(&self) -> Result<String, HostsError> {
        let name = self.secret.display().to_string();
        let text = std::fs::read_to_string(&self.secret)
            .map_err(|error| HostsError::Unreadable(name.clone(), error.to_string()))?;
        let line = text.lines().next().unwrap_or_default().trim().to_owned();
        Secret::new(&line).map(|_| line).map_err(|error| HostsError::Secret(name, error))
    }

    /// How long a worker may be silent.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.patience.max(2))
    }

    /// How long all have to connect.
    pub fn wait(&self) -> Duration {
        Duration::from_secs(self.wait.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Hosts, HostsError> {
        let folder = std::env::temp_dir().join(format!("guidepost-hosts-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{}.toml", blake3::hash(text.as_bytes()).to_hex()));
        std::fs::write(&path, text).unwrap();
        Hosts::read(&path)
    }

    #[test]
    fn files_of_hosts_are_read_and_mistakes_are_named() {
        let head = "coordinator = \"10.0.0.1:7700\"\nsecret = \"secret\"\n";
        let hosts = read(&format!(
            "{head}patience = 5\n[[worker]]\naddress = \"10.0.0.2:7701\"\nstart = [\"ssh\", \"two\", \"guidepost\"]\n[[worker]]\naddress = \"10.0.0.3:7701\"\n"
        ));
        let hosts = hosts.unwrap();
        assert_eq!((hosts.workers.len(), hosts.patience, hosts.wait), (2, 5, 60));
        assert!(hosts.secret.is_absolute() && hosts.workers[1].start.is_empty());
        assert!(hosts.worker(0, Path::new("h")).is_err() && hosts.worker(3, Path::new("h")).is_err());
        let wrong = |text: &str| read(text).unwrap_err().to_string();
        assert!(wrong(&format!("{head}worker = []\n")).contains("0 workers"));
        assert!(wrong(&format!("{head}colour = 1\n")).contains("colour"));
        assert!(wrong("").contains("coordinator"));
    }
}
