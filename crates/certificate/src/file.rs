//! Certificates as files.
//!
//! Some lines of text, so that everybody can see what a file is, then numbers in as few bytes as they need (seven bits a byte, low ones first, the highest bit
//! says that more follow), then a checksum. `docs/certificates.md` has the details.

use crate::certificate::{Certificate, Layout, Zones};
use crate::zone::{Bound, Difference};
use guidepost_network::{Network, Sync};
use std::io::{self, BufRead, Write};

/// The version of the format that is written and read.
pub const VERSION: u32 = 3;

const TITLE: &str = "guidepost certificate";

/// What stands in front: enough to say what a certificate is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The query.
    pub query: String,
    /// Which model it is about.
    pub fingerprint: u64,
    /// The names of what is hidden, if it is about an abstraction.
    pub hides: Vec<String>,
}

/// Why a file was not read.
#[derive(Debug)]
pub enum ReadError {
    /// It is no certificate, or one of another version.
    NotACertificate(String),
    /// It is broken: something is missing, too much, or impossible.
    Broken(String),
    /// It cannot be read.
    Disk(io::Error),
    /// Whoever reads it was told to stop.
    Stopped,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadError::NotACertificate(what) | ReadError::Broken(what) => out.write_str(what),
            ReadError::Disk(error) => error.fmt(out),
            ReadError::Stopped => out.write_str("stopped"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            broken("the file is cut off")
        } else {
            Self::Disk(error)
        }
    }
}

fn broken(what: &str) -> ReadError {
    ReadError::Broken(what.to_owned())
}

fn spoilt() -> ReadError {
    broken("the file is spoilt: its checksum is wrong")
}

/// A number that is the same for equal networks and nearly always different for others: names, locations, edges with their guards about clocks, variables, clocks and channels.
pub fn fingerprint(network: &Network) -> u64 {
    let mut sum = Checksum::default();
    let mut add = |text: &str| {
        sum.add(text.as_bytes());
        sum.add(&[0]);
    };
    for process in &network.processes {
        add(&format!("{} {:?} {:?} {}", process.name, process.locations, process.initial, process.priority));
    }
    for location in &network.locations {
        let limits =
            location.clock_invariant.iter().map(|limit| (limit.left, limit.right, limit.strict, limit.bound));
        add(&format!("{} {:?} {:?}", location.name, location.kind, limits.collect::<Vec<_>>()));
    }
    for edge in &network.edges {
        let sync = match &edge.sync {
            Sync::Internal => "-",
            Sync::Send(_) => "!",
            Sync::Receive(_) => "?",
            Sync::Join(_) => "+",
        };
        let limits =
            edge.clock_guard.iter().map(|limit| (limit.left, limit.right, limit.strict, limit.bound));
        let ends = (edge.source, edge.target, edge.data_guard.len(), &edge.clock_effects);
        add(&format!("{ends:?} {sync} {:?} {:?}", edge.sync.channels(), limits.collect::<Vec<_>>()));
    }
    for variable in &network.variables {
        add(&format!("{} {} {} {}", variable.name, variable.min, variable.max, variable.initial));
    }
    network.clocks.iter().for_each(|clock| add(&format!("{} {}", clock.name, clock.initial)));
    network.channels.iter().for_each(|channel| add(&format!("{channel:?}")));
    network.vectors.iter().for_each(|vector| add(&format!("{vector:?}")));
    sum.0
}

/// The hash of Fowler, Noll and Vo (1991), variant 1a. It finds what a disk spoils, not what somebody changes on purpose; that is for the check to find.
struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Certificate {
    /// Writes it; says how many bytes that took.
    ///
    /// # Errors
    /// What the disk says.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<u64> {
        let mut out = Output { out, sum: Checksum::default(), bytes: 0 };
        let query = self.query.replace(['\n', '\r'], " ");
        let header = Header { query, fingerprint: self.fingerprint, hides: self.hides.clone() };
        out.bytes(header.text().as_bytes())?;
        let is_ranked = !self.ranks.is_empty();
        let sizes =
            [self.layout.stride() as u64, self.clocks.into(), self.states() as u64, self.zones() as u64];
        for number in sizes.into_iter().chain([is_ranked.into()]) {
            out.number(number)?;
        }
        // Zones are written where they are needed first, and get their numbers in that order.
        let mut numbers = vec![0; self.zones.len()];
        let mut written = 0;
        let mut previous: &[u8] = &[];
        for state in 0..self.states() {
            let row = self.row(state);
            let shared = row.iter().zip(previous).take_while(|(own, other)| own == other).count();
            out.number(shared as u64)?;
            out.bytes(&row[shared..])?;
            previous = row;
            out.number(self.members(state).len() as u64)?;
            for (zone, rank) in self.members(state) {
                if is_ranked {
                    out.number(rank.into())?;
                }
                out.number(numbers[zone as usize])?;
                if numbers[zone as usize] == 0 {
                    written += 1;
                    numbers[zone as usize] = written;
                    out.zone(&self.zones.get(zone).collect::<Vec<_>>(), self.clocks)?;
                }
            }
        }
        let sum = out.sum.0;
        out.bytes(&sum.to_be_bytes())?;
        out.out.flush()?;
        Ok(out.bytes)
    }

    /// Reads the rest of a certificate for a network, behind its [`Header`]. The closure hears how many bytes are in use, and says whether to go on.
    ///
    /// # Errors
    /// When the file is broken, or does not fit the network.
    pub fn read(
        header: Header,
        network: &Network,
        input: &mut dyn BufRead,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Self, ReadError> {
        let mut input = Input { input, sum: Checksum::default() };
        input.sum.add(header.text().as_bytes());
        let layout = Layout::new(network);
        let clocks = network.clocks.len() as u32;
        let mut certificate = Self {
            query: header.query,
            fingerprint: header.fingerprint,
            hides: header.hides,
            layout,
            clocks,
            rows: Vec::new(),
            ends: Vec::new(),
            members: Vec::new(),
            ranks: Vec::new(),
            zones: Zones::default(),
        };
        let (stride, dimension) = (input.number()?, input.number()?);
        if stride != certificate.layout.stride() as u64 || dimension != u64::from(clocks) {
            return Err(broken(
                "its states are not states of this model: the numbers of cells or clocks differ",
            ));
        }
        let (states, zones, is_ranked) = (input.number()?, input.number()?, input.number()? != 0);
        certificate.reserve(states, zones);
        for _ in 0..states {
            let row = input.row(&certificate)?;
            certificate.rows.extend_from_slice(&row);
            let count = input.number()?;
            for _ in 0..count {
                if is_ranked {
                    let rank = u32::try_from(input.number()?).map_err(|_| broken("a rank is too large"))?;
                    certificate.ranks.push(rank);
                }
                certificate.read_member(&mut input)?;
                if !go_on(certificate.bytes()) {
                    return Err(ReadError::Stopped);
                }
            }
            let end = u32::try_from(certificate.members.len());
            certificate.ends.push(end.map_err(|_| broken("it has more than 4 billion zones"))?);
        }
        if certificate.members.len() as u64 != zones {
            return Err(broken("the number of its zones is not what it says"));
        }
        input.end()?;
        Ok(certificate)
    }

    /// Makes room for what the file says that it has, within reason: it may be wrong.
    fn reserve(&mut self, states: u64, zones: u64) {
        const MOST: u64 = 1 << 28;
        let rows = states.saturating_mul(self.layout.stride() as u64);
        self.rows.reserve_exact(rows.min(MOST) as usize);
        self.ends.reserve_exact(states.min(MOST / 4) as usize);
        self.members.reserve_exact(zones.min(MOST / 4) as usize);
    }

    /// Reads a zone of the last state: a known one by its number, or a new one.
    fn read_member(&mut self, input: &mut Input<'_>) -> Result<(), ReadError> {
        let known = self.zones.len() as u64;
        let number = match input.number()? {
            0 => {
                self.zones.push(&input.zone(self.clocks)?);
                known
            }
            number if number <= known => number - 1,
            _ => return Err(broken("a zone is used before it is written")),
        };
        self.members.push(u32::try_from(number).map_err(|_| broken("it has more than 4 billion zones"))?);
        Ok(())
    }
}

impl Header {
    /// The lines of text.
    fn text(&self) -> String {
        let model = [format!("{TITLE} {VERSION}"), format!("model {}", hexadecimal(self.fingerprint))];
        let hides = self.hides.iter().map(|name| format!("hides {name}"));
        let query = [format!("query {}", self.query), String::new()];
        model.into_iter().chain(hides).chain(query).collect::<Vec<_>>().join("\n")
    }

    /// Looks whether the rest of a certificate, and this, is as it was written: before it is said that something of this is wrong.
    ///
    /// # Errors
    /// When the file is spoilt, or cannot be read.
    pub fn look_at_rest(&self, input: &mut dyn BufRead) -> Result<(), ReadError> {
        let mut sum = Checksum::default();
        sum.add(self.text().as_bytes());
        let mut last = Vec::new();
        loop {
            let bytes = input.fill_buf()?;
            let length = bytes.len();
            if length == 0 {
                let stored = last.try_into().map_err(|_| broken("the file is cut off"))?;
                return if u64::from_be_bytes(stored) == sum.0 { Ok(()) } else { Err(spoilt()) };
            }
            last.extend_from_slice(bytes);
            input.consume(length);
            // The checksum is what comes last.
            let others = last.len().saturating_sub(8);
            sum.add(&last[..others]);
            last.drain(..others);
        }
    }

    /// Reads the beginning of a certificate.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(input: &mut dyn BufRead) -> Result<Self, ReadError> {
        let title = line(input)?;
        let version = title.strip_prefix(TITLE).and_then(|rest| rest.strip_prefix(' '));
        match version.map(str::parse::<u32>) {
            Some(Ok(VERSION)) => {}
            Some(Ok(other)) => {
                return Err(ReadError::NotACertificate(format!(
                    "it is a certificate of version {other}; this program reads version {VERSION}"
                )));
            }
            _ => return Err(ReadError::NotACertificate("it is not a certificate".to_owned())),
        }
        let missing = |name: &str| ReadError::Broken(format!("the line `{name}` is missing"));
        let model = line(input)?;
        let model = value(&model, "model").ok_or_else(|| missing("model"))?;
        let fingerprint = u64::from_str_radix(model, 16).ok().filter(|&number| hexadecimal(number) == model);
        let fingerprint = fingerprint.ok_or_else(|| broken("the line `model` is not a fingerprint"))?;
        let mut hides = Vec::new();
        loop {
            let text = line(input)?;
            if let Some(query) = value(&text, "query") {
                return Ok(Self { query: query.to_owned(), fingerprint, hides });
            }
            hides.push(value(&text, "hides").ok_or_else(|| missing("query"))?.to_owned());
            if hides.len() > MOST_HIDDEN {
                return Err(broken("it hides too much"));
            }
        }
    }
}

/// More symbols than any network has.
const MOST_HIDDEN: usize = 1 << 24;

/// What stands behind a name and a blank.
fn value<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.strip_prefix(name)?.strip_prefix(' ')
}

fn hexadecimal(number: u64) -> String {
    format!("{number:016x}")
}

/// A line of the header. What is no certificate may have no lines at all.
fn line(input: &mut dyn BufRead) -> Result<String, ReadError> {
    const LONGEST: u64 = 1 << 20;
    let mut bytes = Vec::new();
    io::Read::take(&mut *input, LONGEST).read_until(b'\n', &mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Err(ReadError::NotACertificate("it is not a certificate".to_owned()));
    }
    String::from_utf8(bytes).map_err(|_| ReadError::NotACertificate("it is not a certificate".to_owned()))
}

struct Output<'o> {
    out: &'o mut dyn Write,
    sum: Checksum,
    bytes: u64,
}

impl Output<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.add(bytes);
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.bytes(&[number as u8 | 0x80])?;
            number >>= 7;
        }
        self.bytes(&[number as u8])
    }

    /// The number of bounds, then for each the place in the matrix, and the bound: `2c` for `< c` and `2c + 1` for `<= c`, with the sign in the lowest bit.
    fn zone(&mut self, zone: &[Difference], clocks: u32) -> io::Result<()> {
        self.number(zone.len() as u64)?;
        for difference in zone {
            self.number(u64::from(difference.left) * u64::from(clocks) + u64::from(difference.right))?;
            let bound = difference.bound.0;
            self.number((bound << 1 ^ bound >> 63) as u64)?;
        }
        Ok(())
    }
}

struct Input<'i> {
    input: &'i mut dyn BufRead,
    sum: Checksum,
}

impl Input<'_> {
    fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), ReadError> {
        self.input.read_exact(bytes)?;
        self.sum.add(bytes);
        Ok(())
    }

    fn number(&mut self) -> Result<u64, ReadError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.bytes(&mut byte)?;
            number |= u64::from(byte[0] & 0x7f) << shift;
            if byte[0] & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(broken("a number is too long"))
    }

    /// A discrete state: how many bytes are those of the state before it, then the others.
    fn row(&mut self, before: &Certificate) -> Result<Vec<u8>, ReadError> {
        let stride = before.layout.stride();
        let shared = self.number()? as usize;
        let previous: &[u8] = if before.ends.is_empty() { &[] } else { before.row(before.states() - 1) };
        if shared > previous.len() {
            return Err(broken("a state shares more with the one before it than that has"));
        }
        let mut row = previous[..shared].to_vec();
        row.resize(stride, 0);
        self.bytes(&mut row[shared..])?;
        if before.layout.unpack(&row).is_none() {
            return Err(broken("a state has locations or values that the model does not have"));
        }
        if !before.ends.is_empty() && *row <= *previous {
            return Err(broken("its states are not in ascending order"));
        }
        Ok(row)
    }

    fn zone(&mut self, clocks: u32) -> Result<Vec<Difference>, ReadError> {
        let clocks = u64::from(clocks);
        let count = self.number()?;
        if count > clocks * clocks {
            return Err(broken("a zone has more bounds than there are pairs of clocks"));
        }
        let mut zone = Vec::new();
        for _ in 0..count {
            let (place, bound) = (self.number()?, self.number()?);
            let bound = Bound((bound >> 1) as i64 ^ -((bound & 1) as i64));
            let (left, right) = (place / clocks, place % clocks);
            if left >= clocks || left == right || bound.parts().0.abs() > Bound::LARGEST {
                return Err(broken("a zone has a bound that cannot be one"));
            }
            zone.push(Difference { left: left as u32, right: right as u32, bound });
        }
        Ok(zone)
    }

    /// The checksum, and nothing behind it.
    fn end(&mut self) -> Result<(), ReadError> {
        let sum = self.sum.0;
        let mut stored = [0; 8];
        self.bytes(&mut stored)?;
        if u64::from_be_bytes(stored) != sum {
            return Err(spoilt());
        }
        if self.input.fill_buf()?.is_empty() { Ok(()) } else { Err(broken("something follows its end")) }
    }
}
