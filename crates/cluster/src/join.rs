//! Taking part in a run of others: the process of a worker.

use crate::ClusterError;
use crate::connection::{self, ConnectionError, Purpose};
use crate::digest::digest;
use crate::member::{Prepared, work};
use crate::partition::MOST_WORKERS;
use crate::processes::{ALIVE, Doorman, Shared, address_of, listen};
use crate::protocol::{Order, Report, Task};
use crate::secret::Secret;
use guidepost_network::{CompiledQuery, Network};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Config, Hooks};

/// How a worker finds its run.
#[derive(Clone, Debug)]
pub struct Join {
    /// Where the coordinator listens.
    pub coordinator: String,
    /// The worker's number, from 1.
    pub number: usize,
    /// Where it listens for other workers itself; any free port where the coordinator sees it, if nothing is said.
    pub listen: Option<String>,
    /// What all of them know.
    pub secret: Secret,
    /// The coordinator may be silent for so long.
    pub patience: Duration,
    /// All have so long to connect.
    pub wait: Duration,
    /// Set to end the work.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);
/// Who lost the connection to another worker waits so long for the coordinator to notice.
const GRACE: Duration = Duration::from_secs(3);

/// A worker that has found its run, and knows its task.
pub struct Joined {
    join: Join,
    stream: TcpStream,
    listener: TcpListener,
    task: Task,
}

/// How the work of a worker ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parting {
    /// The coordinator said that all is said.
    Done,
    /// The coordinator is gone, or another worker.
    Lost(String),
}

impl Join {
    /// Connects with the coordinator, and gets to know the task.
    ///
    /// # Errors
    /// When there is no coordinator that knows the secret.
    pub fn find(self) -> Result<Joined, ClusterError> {
        if self.number == 0 || self.number > MOST_WORKERS {
            return Err(ClusterError::Count(self.number, MOST_WORKERS));
        }
        let deadline = Instant::now() + self.wait;
        let mut stream = self.connect(&self.coordinator, Purpose::Report(self.index()), deadline)?;
        let broken = |error: ConnectionError| ClusterError::Coordinator(error.to_string());
        let own = match &self.listen {
            Some(address) => address.clone(),
            None => match stream.local_addr() {
                Ok(mut address) => {
                    address.set_port(0);
                    address.to_string()
                }
                Err(error) => return Err(broken(error.into())),
            },
        };
        let listener = listen(&own)?;
        let listens = listener.local_addr().map_err(|error| broken(error.into()))?.to_string();
        let hello = Report::Hello { version: crate::VERSION.to_owned(), listens };
        connection::send(&mut stream, &hello).map_err(broken)?;
        stream.set_read_timeout(Some(self.patience)).map_err(|error| broken(error.into()))?;
        loop {
            match connection::receive::<Order>(&mut stream).map_err(broken)? {
                Some(Order::Prepare(task)) => return Ok(Joined { join: self, stream, listener, task }),
                Some(Order::Alive) => {}
                _ => return Err(ClusterError::Coordinator("it has no task".to_owned())),
            }
        }
    }

    fn index(&self) -> u16 {
        self.number as u16 - 1
    }

    /// Connects with somebody who may not be there yet.
    fn connect(&self, address: &str, purpose: Purpose, deadline: Instant) -> Result<TcpStream, ClusterError> {
        loop {
            let found = address.to_socket_addrs().ok().and_then(|mut all| all.next());
            let stream =
                found.and_then(|address| TcpStream::connect_timeout(&address, connection::HANDSHAKE).ok());
            if let Some(mut stream) = stream {
                match connection::connect(&mut stream, &self.secret, purpose) {
                    Ok(()) => return Ok(stream),
                    Err(error @ (ConnectionError::Secret | ConnectionError::Foreign)) => {
                        return Err(ClusterError::Peer(address.to_owned(), error.to_string()));
                    }
                    Err(_) => {}
                }
            }
            if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(ClusterError::Interrupted);
            }
            if Instant::now() > deadline {
                let seconds = self.wait.as_secs();
                return Err(ClusterError::Peer(
                    address.to_owned(),
                    format!("no connection within {seconds} s"),
                ));
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Joined {
    /// The task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Does not take part, and says why.
    pub fn refuse(mut self, why: &str) {
        // Who is not there to hear it needs no answer.
        let _ = connection::send(&mut self.stream, &Report::Refused(why.to_owned()));
    }

    /// Takes part until all is said. `tell` hears of connections that were refused.
    ///
    /// # Errors
    /// When the workers cannot connect with each other.
    pub fn work(
        self,
        network: Network,
        queries: Vec<CompiledQuery>,
        tell: &dyn Fn(&str),
    ) -> Result<Parting, ClusterError> {
        let Self { join, stream, listener, .. } = self;
        let broken = |error: std::io::Error| ClusterError::Coordinator(error.to_string());
        let line: Shared = Arc::new(Mutex::new(stream.try_clone().map_err(broken)?));
        stream.set_write_timeout(Some(join.patience)).map_err(broken)?;
        let orders = hear(stream);
        give_signs_of_life(Arc::clone(&line));
        say(&line, &Report::Prepared(digest(&network, &queries)));
        let sockets = match orders.wait_for_meeting() {
            Ok(addresses) => join.meet(&addresses, &listener, tell)?,
            Err(parting) => return Ok(parting),
        };
        say(&line, &Report::Met);
        let prepared = Prepared { network, queries, interrupt: join.interrupt.clone() };
        Ok(run(join.index(), sockets, prepared, &orders, &line))
    }
}

impl Join {
    /// Connects with all other workers: with those before it, and they with those after them.
    fn meet(
        &self,
        addresses: &[String],
        listener: &TcpListener,
        tell: &dyn Fn(&str),
    ) -> Result<Vec<Option<TcpStream>>, ClusterError> {
        let me = usize::from(self.index());
        let deadline = Instant::now() + self.wait;
        let mut sockets: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
        for (socket, address) in sockets.iter_mut().zip(addresses).take(me) {
            *socket = Some(self.connect(address, Purpose::Letters(self.index()), deadline)?);
        }
        let mut doorman = Doorman::new(listener, &self.secret)?;
        while sockets.iter().skip(me + 1).any(Option::is_none) {
            doorman.look();
            while let Some((purpose, stream)) = doorman.next() {
                let other = address_of(&stream);
                match purpose {
                    Ok(Purpose::Letters(worker))
                        if usize::from(worker) > me && usize::from(worker) < sockets.len() =>
                    {
                        sockets[usize::from(worker)] = Some(stream);
                    }
                    Ok(_) => tell(&format!("a connection was refused, {other}: no worker of this run")),
                    Err(error) => tell(&format!("a connection was refused, {other}: {error}")),
                }
            }
            if Instant::now() > deadline {
                return Err(ClusterError::Peer(
                    "another worker".to_owned(),
                    "no connection in time".to_owned(),
                ));
            }
            std::thread::sleep(PAUSE / 5);
        }
        Ok(sockets)
    }
}

/// Orders as they come; the end of the connection is the end of them.
struct Orders {
    inbox: Receiver<Order>,
}

impl Orders {
    fn wait_for_meeting(&self) -> Result<Vec<String>, Parting> {
        loop {
            match self.inbox.recv() {
                Ok(Order::Meet(addresses)) => return Ok(addresses),
                Ok(Order::Bye) => return Err(Parting::Done),
                Ok(_) => {}
                Err(_) => return Err(Parting::Lost("the coordinator is gone".to_owned())),
            }
        }
    }
}

/// Hears orders in a thread of its own.
fn hear(mut stream: TcpStream) -> Orders {
    let (sender, inbox): (Sender<Order>, _) = channel();
    std::thread::spawn(move || {
        // Silence is the end as well: the coordinator gives signs of life.
        while let Ok(Some(order)) = connection::receive::<Order>(&mut stream) {
            if order != Order::Alive && sender.send(order).is_err() {
                return;
            }
        }
    });
    Orders { inbox }
}

fn say(line: &Shared, report: &Report) {
    let _ = connection::send(&mut *line.lock().unwrap_or_else(PoisonError::into_inner), report);
}

fn give_signs_of_life(line: Shared) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(ALIVE);
            let said =
                connection::send(&mut *line.lock().unwrap_or_else(PoisonError::into_inner), &Report::Alive);
            if said.is_err() {
                return;
            }
        }
    });
}

/// Runs the dataflow in a thread of `timely`, and looks after it.
fn run(
    me: u16,
    sockets: Vec<Option<TcpStream>>,
    prepared: Prepared,
    orders: &Orders,
    line: &Shared,
) -> Parting {
    let (forwards, inbox) = channel::<Order>();
    let (finished, is_finished) = channel::<()>();
    let once = Mutex::new(Some((inbox, finished)));
    let (prepared, reporting) = (Arc::new(prepared), Arc::clone(line));
    let (builders, others): (Vec<AllocatorBuilder>, Box<dyn std::any::Any + Send>) = if sockets.len() == 1 {
        match Config::Thread.try_build() {
            Ok(built) => built,
            Err(error) => return Parting::Lost(error),
        }
    } else {
        let hooks = Hooks::default();
        let own = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        match initialize_networking_from_sockets(own, sockets, usize::from(me), 1, hooks) {
            Ok((builders, guard)) => {
                (builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard))
            }
            Err(error) => return Parting::Lost(error.to_string()),
        }
    };
    quieten_timely();
    let guards = timely::execute::execute_from(builders, others, WorkerConfig::default(), move |worker| {
        let once = once.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (inbox, finished) = once.expect("there is one worker in this process");
        work(worker, &prepared, &inbox, &|report| say(&reporting, &report));
        let _ = finished.send(());
    });
    let parting = oversee(orders, &forwards, &is_finished, line);
    // Connections end with the process; joining threads would wait for workers that may be gone.
    std::mem::forget(guards);
    parting
}

/// Passes orders on until the work is over.
fn oversee(orders: &Orders, forwards: &Sender<Order>, is_finished: &Receiver<()>, line: &Shared) -> Parting {
    loop {
        match orders.inbox.recv_timeout(PAUSE) {
            Ok(Order::Bye) => {
                let _ = forwards.send(Order::Bye);
                // It ends its part if it can.
                let _ = is_finished.recv_timeout(PAUSE);
                return Parting::Done;
            }
            Ok(order) => {
                let _ = forwards.send(order);
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Parting::Lost("the coordinator is gone".to_owned());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(std::sync::mpsc::TryRecvError::Disconnected) = is_finished.try_recv() {
            return wait_for_the_end(orders, line);
        }
    }
}

/// The dataflow has broken off, most probably because another worker is gone: the coordinator knows more about that.
fn wait_for_the_end(orders: &Orders, line: &Shared) -> Parting {
    let end = Instant::now() + GRACE;
    while let Ok(order) = orders.inbox.recv_timeout(end.saturating_duration_since(Instant::now())) {
        if order == Order::Bye {
            break;
        }
    }
    say(line, &Report::Refused("its connection with another worker broke off".to_owned()));
    Parting::Lost("the connection with another worker broke off".to_owned())
}

/// Threads of `timely` panic when a connection ends, which is no bug of ours; what it means is said elsewhere.
fn quieten_timely() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload_as_str().unwrap_or_default();
        let is_usual = text.starts_with("timely communication error") || text.contains("poisoned");
        if !is_usual {
            usual(panic);
        }
    }));
}
