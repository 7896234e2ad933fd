//! `guidepost worker`

use crate::exit::Exit;
use crate::limits::on_interrupt;
use crate::terminal::{print_error, refuse};
use clap::Args as ClapArgs;
use guidepost::cluster::{Hosts, Join, Parting, Secret};
use guidepost::{WorkerError, take_part};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a worker finds its run.
#[derive(ClapArgs, Debug)]
pub(crate) struct WorkerArgs {
    /// The file that names the coordinator, the workers and the secret.
    #[arg(long, value_name = "HOSTS.toml", required_unless_present = "coordinator")]
    pub(crate) cluster: Option<PathBuf>,
    /// Which of the workers this is, from 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) index: u16,
    /// Where the coordinator listens, where no file says so.
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with = "cluster")]
    pub(crate) coordinator: Option<String>,
    /// Where to listen for other workers, where no file says so [default: a free port].
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with = "cluster")]
    pub(crate) listen: Option<String>,
    /// The file with the secret of the run; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) secret: Option<PathBuf>,
}

/// What is usual where no file says otherwise.
const PATIENCE: Duration = Duration::from_secs(10);
const WAIT: Duration = Duration::from_mins(1);

pub(crate) fn run(args: &WorkerArgs) -> Result<Exit, Exit> {
    let join = join(args)?;
    match take_part(join, &|strange| anstream::eprintln!("note: {strange}")) {
        Ok(Parting::Done) => Ok(Exit::Satisfied),
        Ok(Parting::Lost(why)) => {
            print_error(format!("worker {}: {why}", args.index));
            Ok(Exit::Undecided)
        }
        Err(error) => {
            print_error(format!("worker {}: {error}", args.index));
            Err(match error {
                WorkerError::Cluster(guidepost::cluster::ClusterError::Interrupted) => Exit::Undecided,
                _ => Exit::BadInput,
            })
        }
    }
}

fn join(args: &WorkerArgs) -> Result<Join, Exit> {
    let wrong = |error: &dyn std::fmt::Display| refuse(error.to_string());
    let number = usize::from(args.index);
    let interrupt = Some(on_interrupt());
    if let Some(path) = &args.cluster {
        let hosts = Hosts::read(path).map_err(|error| wrong(&error))?;
        let secret = match &args.secret {
            Some(file) => secret(file)?,
            None => Secret::new(&hosts.secret_text().map_err(|error| wrong(&error))?)
                .map_err(|error| wrong(&error))?,
        };
        let listen = Some(hosts.worker(number, path).map_err(|error| wrong(&error))?.address.clone());
        let (patience, wait) = (hosts.patience(), hosts.wait());
        return Ok(Join {
            coordinator: hosts.coordinator,
            number,
            listen,
            secret,
            patience,
            wait,
            interrupt,
        });
    }
    let (Some(coordinator), Some(file)) = (&args.coordinator, &args.secret) else {
        return Err(refuse("`--coordinator` needs `--secret FILE`, or `--secret -` for standard input"));
    };
    Ok(Join {
        coordinator: coordinator.clone(),
        number,
        listen: args.listen.clone(),
        secret: secret(file)?,
        patience: PATIENCE,
        wait: WAIT,
        interrupt,
    })
}

fn secret(file: &Path) -> Result<Secret, Exit> {
    let read = if file.as_os_str() == "-" {
        Secret::read(std::io::stdin())
    } else {
        match std::fs::File::open(file) {
            Ok(file) => Secret::read(file),
            Err(error) => return Err(refuse(format!("`{}` cannot be read: {error}", file.display()))),
        }
    };
    read.map_err(|error| refuse(error.to_string()))
}
