//! The engine `cluster`: questions to an exploration that several processes share.

use crate::checkpoint::{Checkpoint, Manifest};
use crate::crew::Crew;
use crate::digest::digest;
use crate::member::Prepared;
use crate::partition::MOST_WORKERS;
use crate::processes;
use crate::protocol::Task;
use crate::run::Run;
use crate::{ClusterError, Hosts, Secret};
use guidepost_answer::{CompiledQuery, Engine, Observe, Question, Unsupported};
use guidepost_network::Network;
use guidepost_search::{Configuration, Zones};
use std::path::PathBuf;

/// Letters that tell the files of a run's checkpoints from those of other runs.
const MARK: usize = 16;

/// What the engine is called.
pub(crate) const ENGINE: &str = "cluster";

/// Who works together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Workers {
    /// So many threads of this process, which share nothing: for tests.
    Threads(usize),
    /// So many processes on this machine.
    Processes(usize),
    /// Processes on the machines of a file.
    Hosts(Hosts),
}

impl Workers {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Workers::Threads(count) | Workers::Processes(count) => *count,
            Workers::Hosts(hosts) => hosts.workers.len(),
        }
    }
}

/// Who works together, and what they have to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// Who explores.
    pub workers: Workers,
    /// The name and the text of the model, which processes read again.
    pub model: Option<(String, String)>,
    /// How often the run is written to files, and where.
    pub checkpoint: Option<Checkpoint>,
    /// The folder of a checkpoint that the run goes on from.
    pub resume: Option<PathBuf>,
}

impl Default for Team {
    /// As many processes as the machine has processors.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self { workers: Workers::Processes(processors), model: None, checkpoint: None, resume: None }
    }
}

/// Explores with several processes.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// How zones are explored, under which limits, and which run is wanted. The limit on memory is for each process.
    pub configuration: Configuration,
    /// Who explores.
    pub team: Team,
}

impl Engine for Cluster {
    fn name(&self) -> &'static str {
        ENGINE
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        let what = match &query.question {
            Question::Possibly(_) | Question::Always(_) => None,
            Question::LeastCost(_) => Some("questions about costs"),
            Question::Bound { .. } => Some("questions about bounds (`sup`, `inf`, `bounds`)"),
            _ => Some("questions about liveness (`A<>`, `E[]`, `-->`)"),
        };
        match what {
            Some(what) => Err(Unsupported::Question { engine: ENGINE, what }),
            None => guidepost_explore::supports(network, self.configuration.approximate),
        }
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        let mut run = self.begin(network, queries)?;
        let zones = Zones { configuration: self.configuration.clone() };
        zones.answer_with(network, queries, observe, &mut |network, jobs, configuration, observe| {
            run.seek(network, jobs, configuration, observe)
        })
    }
}

impl Cluster {
    /// Calls the workers together, for some queries.
    pub(crate) fn begin<'n>(
        &'n self,
        network: &'n Network,
        queries: &[CompiledQuery],
    ) -> Result<Run<'n>, Unsupported> {
        let together = |error: ClusterError| {
            let refused = if error.is_absence() { Unsupported::Absent } else { Unsupported::Together };
            refused(error.to_string())
        };
        let resumed = self.team.resume.as_deref().map(Manifest::read).transpose();
        let resumed = resumed.map_err(|why| together(ClusterError::Resume(why)))?;
        let digest = digest(network, queries);
        if resumed.as_ref().is_some_and(|manifest| manifest.digest != digest) {
            let why = "the checkpoint is of another model, other queries or another version".to_owned();
            return Err(together(ClusterError::Resume(why)));
        }
        // States of one depth must have neighbouring numbers, which others do not give them.
        let is_other = |manifest: &Manifest| manifest.files.len() != self.team.workers.count();
        if resumed.as_ref().is_some_and(|manifest| manifest.shortest && is_other(manifest)) {
            let why = "where runs must be shortest, it takes as many processes as before".to_owned();
            return Err(together(ClusterError::Resume(why)));
        }
        let crew = self.assemble(network, queries, &digest).map_err(together)?;
        let mut mark = Secret::invent().map_err(|error| together(error.into()))?;
        mark.truncate(MARK);
        Ok(Run { network, team: &self.team, crew, digest, resumed, mark })
    }

    /// Calls the workers together.
    fn assemble(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        digest: &str,
    ) -> Result<Crew, ClusterError> {
        let workers = &self.team.workers;
        let count = workers.count();
        if count == 0 || count > MOST_WORKERS {
            return Err(ClusterError::Count(count, MOST_WORKERS));
        }
        let interrupt = self.configuration.limits.interrupt.clone();
        if let Workers::Threads(count) = *workers {
            let prepared = Prepared { network: network.clone(), queries: queries.to_vec(), interrupt };
            return Ok(Crew::of_threads(count, prepared));
        }
        let (name, text) = self.team.model.clone().ok_or(ClusterError::NoText)?;
        let queries_as_text = queries.iter().map(|query| query.text.clone()).collect();
        let task = Task { version: crate::VERSION.to_owned(), name, text, queries: queries_as_text };
        processes::assemble(workers, &task, digest, &self.configuration.limits)
    }
}
