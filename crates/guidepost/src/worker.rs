//! A process that takes part in a run of others.

use crate::{ModelError, Session};
use guidepost_cluster::{ClusterError, Join, Parting, VERSION};

/// Why a worker did not take part.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WorkerError {
    /// It does not work together with the others.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// It cannot make anything of the model.
    #[error("the model that the coordinator sent is wrong here: {0}")]
    Model(#[from] ModelError),
}

/// Finds a run and takes part in it until all is said. `tell` hears of strangers that were refused.
///
/// # Errors
/// When there is no run, or when it cannot take part in it.
pub fn take_part(join: Join, tell: &dyn Fn(&str)) -> Result<Parting, WorkerError> {
    let joined = join.find()?;
    let task = joined.task().clone();
    if task.version != VERSION {
        let error =
            ClusterError::Coordinator(format!("it has version {}, and this is {VERSION}", task.version));
        joined.refuse(&error.to_string());
        return Err(error.into());
    }
    let prepared = Session::parse(&task.name, &task.text).and_then(|mut session| {
        let queries =
            task.queries.iter().map(|query| session.compile(query)).collect::<Result<Vec<_>, _>>()?;
        Ok((session, queries))
    });
    match prepared {
        Ok((session, queries)) => Ok(joined.work(session.into_parts().1, queries, tell)?),
        Err(error) => {
            joined.refuse(&error.to_string());
            Err(error.into())
        }
    }
}
