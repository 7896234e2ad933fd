//! Options for explorations with several processes.

use crate::args::{SearchArgs, SearchOrder, TraceKind};
use crate::exit::Exit;
use crate::terminal::refuse;
use clap::Args as ClapArgs;
use guidepost::cluster::{Checkpoint, Hosts, Team, Workers};
use guidepost_answer::Limits;
use guidepost_plc::ModelPath;
use std::path::{Path, PathBuf};

/// Who explores together.
#[derive(ClapArgs, Debug)]
pub(crate) struct ClusterArgs {
    /// Explore with so many processes on this machine, each with a share of the states: the engine `cluster` (E<>, A[] and `states`).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) processes: Option<u16>,
    /// Explore with the workers of a file, on this and other machines.
    #[arg(long, value_name = "HOSTS.toml", conflicts_with = "processes")]
    pub(crate) cluster: Option<PathBuf>,
    /// Write the explored states to a folder now and then, so that the run can be resumed.
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Seconds from one checkpoint to the next.
    #[arg(long, value_name = "S", default_value_t = 60, requires = "checkpoint", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: u64,
    /// Go on from the checkpoint in a folder, with as many processes as before or with others.
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
}

impl ClusterArgs {
    /// Whether several processes are wanted.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.processes.is_some()
            || self.cluster.is_some()
            || self.checkpoint.is_some()
            || self.resume.is_some()
    }

    /// Processes of one machine share its memory, where nobody says what each may have.
    pub(crate) fn share_memory(&self, search: &SearchArgs, limits: &mut Limits) {
        if search.memory_limit.is_none() {
            let processes = usize::from(self.processes.unwrap_or(1));
            limits.memory = limits.memory.map(|memory| memory / processes);
        }
    }

    /// Who works together on a model; contradictions end the command.
    pub(crate) fn team(&self, model: &Path, search: &SearchArgs, trace: TraceKind) -> Result<Team, Exit> {
        let mut team = Team::default();
        if let Some(count) = self.processes {
            team.workers = Workers::Processes(count.into());
        }
        if let Some(path) = &self.cluster {
            team.workers = Workers::Hosts(Hosts::read(path).map_err(|error| refuse(error.to_string()))?);
        }
        let folder = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        let checkpoint = self.checkpoint.as_ref();
        team.checkpoint = checkpoint.map(|path| Checkpoint { folder: folder(path), every: self.every });
        team.resume = self.resume.as_ref().map(folder);
        // A variant of a file is known by its name alone.
        team.model = ModelPath::of(model).map(|_| (model.display().to_string(), String::new()));
        let given = [
            ("--search", !matches!(search.search, SearchOrder::Auto | SearchOrder::Bfs)),
            ("--threads", search.threads > 1),
            ("--convex-hull", search.convex_hull),
            ("--trace cheapest", trace == TraceKind::Cheapest),
            ("--trace fastest", trace == TraceKind::Fastest),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(refuse(format!(
                "several processes explore breadth-first, with one thread each; `{option}` is not for them"
            ))),
            None => Ok(team),
        }
    }
}
