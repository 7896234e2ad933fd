//! Calling processes together: starting them, or waiting for those that others start, and making sure that all mean the same.

use crate::connection::{self, ConnectionError, Purpose};
use crate::crew::{Crew, Event, Line};
use crate::engine::Workers;
use crate::hosts::Host;
use crate::protocol::{Order, Report, Task};
use crate::secret::Secret;
use crate::{ClusterError, VERSION};
use guidepost_answer::Limits;
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long processes of this machine may be silent, and how long they have to connect.
const LOCAL: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(30));
/// How often something is looked at while others connect.
const LOOK: Duration = Duration::from_millis(10);
/// How often signs of life are sent.
pub(crate) const ALIVE: Duration = Duration::from_secs(1);
/// Processes that were told to end have so long to do so.
const FAREWELL: Duration = Duration::from_secs(1);
/// So many strangers may talk to us at a time.
const MOST_STRANGERS: usize = 64;

/// Calls the workers together.
pub(crate) fn assemble(
    workers: &Workers,
    task: &Task,
    digest: &str,
    limits: &Limits,
) -> Result<Crew, ClusterError> {
    let (address, secret, (patience, wait), hosts) = if let Workers::Hosts(hosts) = workers {
        let secret = hosts.secret_text()?;
        (hosts.coordinator.clone(), secret, (hosts.patience(), hosts.wait()), hosts.workers.clone())
    } else {
        let local = Host { address: String::new(), start: vec![own_program()?] };
        ("127.0.0.1:0".to_owned(), Secret::invent()?, LOCAL, vec![local; workers.count()])
    };
    let listener = listen(&address)?;
    let address = listener.local_addr().map_err(|error| ClusterError::Listen(address, error.to_string()))?;
    let processes = start(&hosts, address, &secret)?;
    let secret = Secret::new(&secret)?;
    let mut gathering = Gathering {
        hosts: &hosts,
        processes,
        deadline: Instant::now() + wait,
        interrupt: limits.interrupt.clone(),
        refused: Vec::new(),
    };
    let streams = gathering.accept_all(&listener, &secret)?;
    gathering.agree(streams, task, digest, patience)
}

/// Listens at an address, and nowhere else.
pub(crate) fn listen(address: &str) -> Result<TcpListener, ClusterError> {
    let listener = TcpListener::bind(address);
    listener.map_err(|error| ClusterError::Listen(address.to_owned(), error.to_string()))
}

fn own_program() -> Result<String, ClusterError> {
    let program = std::env::current_exe()
        .map_err(|error| ClusterError::Start("guidepost".into(), error.to_string()))?;
    Ok(program.display().to_string())
}

/// Processes that end with the run.
struct Processes(Vec<Option<Child>>);

impl Drop for Processes {
    fn drop(&mut self) {
        let end = Instant::now() + FAREWELL;
        for child in self.0.iter_mut().flatten() {
            while Instant::now() < end && matches!(child.try_wait(), Ok(None)) {
                std::thread::sleep(LOOK);
            }
            // Who is suspended, or does not answer, is ended; who has ended already is not there to be.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn start(hosts: &[Host], address: SocketAddr, secret: &str) -> Result<Processes, ClusterError> {
    let mut processes = Processes(Vec::new());
    for (number, host) in (1..).zip(hosts) {
        let Some((program, arguments)) = host.start.split_first() else {
            processes.0.push(None);
            continue;
        };
        let failed = |error: std::io::Error| ClusterError::Start(program.clone(), error.to_string());
        let mut command = Command::new(program);
        command.args(arguments).args(["worker", "--secret", "-", "--coordinator", &address.to_string()]);
        command.args(["--index", &number.to_string()]);
        if !host.address.is_empty() {
            command.args(["--listen", &host.address]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        if let Some(mut input) = child.stdin.take() {
            // A process that does not read it will not connect, which is noticed.
            let _ = writeln!(input, "{secret}");
        }
        processes.0.push(Some(child));
    }
    Ok(processes)
}

/// Workers that are being called together.
struct Gathering<'h> {
    hosts: &'h [Host],
    processes: Processes,
    deadline: Instant,
    interrupt: Option<Arc<AtomicBool>>,
    /// Strangers that were refused, and why.
    refused: Vec<String>,
}

impl Gathering<'_> {
    /// Accepts the connections of all workers.
    fn accept_all(
        &mut self,
        listener: &TcpListener,
        secret: &Secret,
    ) -> Result<Vec<TcpStream>, ClusterError> {
        let mut doorman = Doorman::new(listener, secret)?;
        let mut streams: Vec<Option<TcpStream>> = self.hosts.iter().map(|_| None).collect();
        while streams.iter().any(Option::is_none) {
            doorman.look();
            while let Ok((purpose, stream)) = doorman.admitted.try_recv() {
                match purpose {
                    Ok(Purpose::Report(worker)) if usize::from(worker) < streams.len() => {
                        streams[usize::from(worker)] = Some(stream);
                    }
                    Ok(_) => self.refused.push(format!("{}: no worker of this run", address_of(&stream))),
                    Err(error) => self.refused.push(format!("{}: {error}", address_of(&stream))),
                }
            }
            let missing = streams.iter().position(Option::is_none);
            self.look_at(missing.unwrap_or(0), &streams)?;
            std::thread::sleep(LOOK);
        }
        Ok(streams.into_iter().flatten().collect())
    }

    /// Ends the waiting where it is in vain.
    fn look_at(&mut self, missing: usize, streams: &[Option<TcpStream>]) -> Result<(), ClusterError> {
        for (number, child) in (1..).zip(&mut self.processes.0) {
            let is_missing = streams.get(number - 1).is_some_and(Option::is_none);
            if let (Some(child), true) = (child, is_missing)
                && let Ok(Some(status)) = child.try_wait()
            {
                return Err(ClusterError::Ended(number, status.to_string()));
            }
        }
        self.is_in_time(|| {
            let refused = self.refused.iter().map(String::as_str);
            let strangers = std::iter::once("").chain(refused).collect::<Vec<_>>().join("; refused ");
            ClusterError::Missing(missing + 1, self.hosts[missing].address.clone(), strangers)
        })
    }

    fn is_in_time(&self, late: impl FnOnce() -> ClusterError) -> Result<(), ClusterError> {
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(ClusterError::Interrupted);
        }
        if Instant::now() > self.deadline { Err(late()) } else { Ok(()) }
    }

    /// Makes sure that all have the same program and the same model, and lets them connect with each other.
    fn agree(
        self,
        streams: Vec<TcpStream>,
        task: &Task,
        digest: &str,
        patience: Duration,
    ) -> Result<Crew, ClusterError> {
        let children = self.processes.0.iter().map(|child| child.as_ref().map(Child::id));
        let names = self.hosts.iter().zip(children).map(|(host, child)| match child {
            Some(process) if host.address.is_empty() => format!("process {process}"),
            _ => host.address.clone(),
        });
        let names: Vec<String> = names.collect();
        let (reports, events) = channel();
        let (mut lines, mut shared): (Vec<Box<dyn Line>>, Vec<_>) = (Vec::new(), Vec::new());
        for (worker, stream) in streams.into_iter().enumerate() {
            let broken = |error: std::io::Error| ClusterError::Broken(worker + 1, error.to_string());
            stream.set_write_timeout(Some(patience)).map_err(broken)?;
            let reading = stream.try_clone().map_err(broken)?;
            let reports = reports.clone();
            std::thread::spawn(move || pass_on(worker, reading, &reports));
            let stream = Arc::new(Mutex::new(stream));
            shared.push(Arc::clone(&stream));
            lines.push(Box::new(stream));
        }
        let (deadline, interrupt) = (self.deadline, self.interrupt.clone());
        let ending = (Heartbeat::start(shared), self.processes);
        let crew = Crew::new(names, lines, events, patience, Box::new(ending));
        let mut agreement = Agreement { crew, deadline, interrupt };
        agreement.each(|worker, report| match report {
            Report::Hello { version, .. } if version == VERSION => Ok(true),
            Report::Hello { version, .. } => Err(ClusterError::Version(worker + 1, version.clone(), VERSION)),
            _ => Ok(false),
        })?;
        let addresses = std::mem::take(&mut agreement.crew.addresses);
        agreement.crew.tell_all(&Order::Prepare(task.clone()));
        agreement.each(|worker, report| match report {
            Report::Prepared(own) if own == digest => Ok(true),
            Report::Prepared(_) => Err(ClusterError::Model(worker + 1)),
            _ => Ok(false),
        })?;
        agreement.crew.tell_all(&Order::Meet(addresses));
        agreement.each(|_, report| Ok(matches!(report, Report::Met)))?;
        let mut crew = agreement.crew;
        crew.notes =
            self.refused.iter().map(|refused| format!("a connection was refused, {refused}")).collect();
        Ok(crew)
    }
}

/// Questions that all have to answer before anything is explored.
struct Agreement {
    crew: Crew,
    deadline: Instant,
    interrupt: Option<Arc<AtomicBool>>,
}

impl Agreement {
    /// Waits until everybody has given the answer that is waited for.
    fn each(
        &mut self,
        is_answer: impl Fn(usize, &Report) -> Result<bool, ClusterError>,
    ) -> Result<(), ClusterError> {
        let mut answered = vec![false; self.crew.len()];
        while let Some(missing) = answered.iter().position(|has| !has) {
            if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(ClusterError::Interrupted);
            }
            if Instant::now() > self.deadline {
                return Err(ClusterError::Broken(missing + 1, "it does not answer".to_owned()));
            }
            let heard =
                self.crew.hear(LOOK).map_err(|lost| ClusterError::Broken(lost.worker + 1, lost.why))?;
            let Some((worker, report)) = heard else { continue };
            if let Report::Refused(why) = &report {
                return Err(ClusterError::Broken(worker + 1, why.clone()));
            }
            if let Report::Hello { listens, .. } = &report {
                self.crew.addresses[worker].clone_from(listens);
            }
            answered[worker] |= is_answer(worker, &report)?;
        }
        Ok(())
    }
}

/// Talks to everybody who connects, each in a thread, so that nobody holds up others.
pub(crate) struct Doorman<'l> {
    listener: &'l TcpListener,
    secret: Secret,
    admitted: Receiver<(Result<Purpose, ConnectionError>, TcpStream)>,
    results: Sender<(Result<Purpose, ConnectionError>, TcpStream)>,
    strangers: Arc<AtomicUsize>,
}

impl<'l> Doorman<'l> {
    pub(crate) fn new(listener: &'l TcpListener, secret: &Secret) -> Result<Self, ClusterError> {
        let failed = |error: std::io::Error| ClusterError::Listen(String::new(), error.to_string());
        listener.set_nonblocking(true).map_err(failed)?;
        let (results, admitted) = channel();
        Ok(Self { listener, secret: secret.clone(), admitted, results, strangers: Arc::default() })
    }

    /// Who has finished the handshake, and how.
    pub(crate) fn next(&self) -> Option<(Result<Purpose, ConnectionError>, TcpStream)> {
        self.admitted.try_recv().ok()
    }

    /// Accepts those who wait.
    pub(crate) fn look(&mut self) {
        while self.strangers.load(Ordering::Relaxed) < MOST_STRANGERS {
            match self.listener.accept() {
                Ok((mut stream, _)) => {
                    let (secret, results) = (self.secret.clone(), self.results.clone());
                    let strangers = Arc::clone(&self.strangers);
                    strangers.fetch_add(1, Ordering::Relaxed);
                    std::thread::spawn(move || {
                        let purpose = connection::accept(&mut stream, &secret);
                        strangers.fetch_sub(1, Ordering::Relaxed);
                        let _ = results.send((purpose, stream));
                    });
                }
                // Nobody waits, or somebody went away again.
                Err(_) => return,
            }
        }
    }
}

pub(crate) fn address_of(stream: &TcpStream) -> String {
    stream.peer_addr().map_or_else(|_| "somebody".to_owned(), |address| address.to_string())
}

/// Passes on what a worker reports, until it is gone.
fn pass_on(worker: usize, mut stream: TcpStream, reports: &Sender<(usize, Event)>) {
    loop {
        let event = match connection::receive::<Report>(&mut stream) {
            Ok(Some(report)) => Event::Report(Box::new(report)),
            Ok(None) => Event::Gone("it closed the connection".to_owned()),
            Err(error) => Event::Gone(error.to_string()),
        };
        let is_gone = matches!(event, Event::Gone(_));
        if reports.send((worker, event)).is_err() || is_gone {
            // The connection may be kept by others who write.
            let _ = stream.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}

/// A connection that several threads write to.
pub(crate) type Shared = Arc<Mutex<TcpStream>>;

impl Line for Shared {
    fn send(&mut self, order: &Order) {
        // Who does not take orders is noticed as somebody who does not report.
        let _ = connection::send(&mut *self.lock().unwrap_or_else(PoisonError::into_inner), order);
    }
}

/// Signs of life, while it lives.
struct Heartbeat(Arc<AtomicBool>);

impl Heartbeat {
    fn start(mut shared: Vec<Shared>) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                for line in &mut shared {
                    line.send(&Order::Alive);
                }
                std::thread::sleep(ALIVE);
            }
        });
        Self(is_over)
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
