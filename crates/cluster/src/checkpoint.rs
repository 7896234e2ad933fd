//! States in files, so that a run can go on where it was: with as many workers as before, or with others.
//!
//! Each worker writes its own share: every state that it ever stored, in the order of their numbers, with where it was reached from and whether it waits. A file ends with a hash of everything before, and is called
//! by its name only when it is complete; the coordinator's list of files is written last, and so names a checkpoint that is whole. What was there before is removed after that.
//! The name of a file begins with a mark that no other checkpoint has, and stands in the file too: so files of other runs, or of other workers, are not taken for its own, whoever copies or moves the folder.
//!
//! As many workers as before read their own files. Others read all of them: once to find out who owns which state now, and under which number, and once to take what is their own.

use crate::partition::{Partition, Place};
use crate::protocol::{Aim, Figures, Found, Manner};
use crate::share::{Share, take_words};
use guidepost_explore::hash_packed;
use guidepost_search::Watcher;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often a run is written, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The folder.
    pub folder: PathBuf,
    /// Seconds from one to the next.
    pub every: u64,
}

/// What a coordinator writes: which files there are, and what they are about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) version: String,
    /// Of the model and the queries.
    pub(crate) digest: String,
    pub(crate) aim: Aim,
    pub(crate) manner: Manner,
    pub(crate) shortest: bool,
    /// Who owns which states.
    pub(crate) partition: Partition,
    /// Which checkpoint of the run it is.
    pub(crate) number: u64,
    /// The names of the files in the folder, one for each worker.
    pub(crate) files: Vec<String>,
    pub(crate) hits: Vec<Option<Found>>,
    pub(crate) doubts: Vec<Vec<u32>>,
    pub(crate) recorded: Option<crate::protocol::Recorded>,
    /// What was done, by all workers together.
    pub(crate) figures: Figures,
    pub(crate) seconds: f64,
}

const MANIFEST: &str = "checkpoint.json";
const HEAD: &[u8; 24] = b"guidepost checkpoint 2\0\n";
/// A record is no longer than this.
const LONGEST_RECORD: u32 = 1 << 24;
/// After so many states, who writes looks at the time.
const LOOK: u32 = 1024;
/// The state does not wait.
const EXPANDED: u32 = u32::MAX;
/// The state is an initial one.
const NOBODY: u32 = u32::MAX;

impl Manifest {
    /// The checkpoint in a folder.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join(MANIFEST);
        let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                format!(
                    "there is no checkpoint in `{}`; a run that comes to its end leaves none",
                    folder.display()
                )
            }
            _ => format!("`{}`: {error}", path.display()),
        })?;
        serde_json::from_str(&text).map_err(|error| format!("`{}` is no checkpoint: {error}", path.display()))
    }

    /// Writes it, and removes the files of the one before.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), String> {
        let before = Self::read(folder).ok();
        let text = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        replace(&folder.join(MANIFEST), |file| file.write_all(&text))?;
        for file in before.iter().flat_map(|before| &before.files).filter(|file| !self.files.contains(file)) {
            // On other machines they are theirs to remove.
            let _ = std::fs::remove_file(folder.join(file));
        }
        Ok(())
    }
}

/// Writes a file under another name, and calls it by its own when it is complete.
fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), String> {
    let new = path.with_extension("new");
    let written = File::create(&new).and_then(|file| {
        let mut file = BufWriter::with_capacity(1 << 18, file);
        write(&mut file)?;
        file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
    });
    written.and_then(|()| std::fs::rename(&new, path)).map_err(|error| {
        let _ = std::fs::remove_file(&new);
        format!("`{}` cannot be written: {error}", path.display())
    })
}

/// The name of a worker's file.
pub(crate) fn file_name(mark: &str, worker: usize) -> String {
    format!("{mark}-{}.states", worker + 1)
}

/// What a file says that it is called.
fn own_name(path: &Path) -> Vec<u8> {
    path.file_name().map_or_else(Vec::new, |name| name.as_encoded_bytes().to_vec())
}

/// Writes a worker's share, if that does not take too long.
pub(crate) fn save<W: Watcher>(
    share: &Share<'_, W>,
    path: &Path,
    within: Option<Duration>,
) -> Result<(), String> {
    let begin = Instant::now();
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
    }
    let mut waiting: Vec<(u32, u32)> =
        share.holdings.waiting.iter().map(|(depth, id)| (id.0, depth)).collect();
    waiting.sort_unstable();
    let mut waiting = waiting.into_iter().peekable();
    replace(path, |file| {
        let mut hasher = blake3::Hasher::new();
        let mut put = |bytes: &[u8]| {
            hasher.update(bytes);
            file.write_all(bytes)
        };
        put(HEAD)?;
        let name = own_name(path);
        put(&(name.len() as u32).to_le_bytes())?;
        put(&name)?;
        put(&(share.holdings.len() as u64).to_le_bytes())?;
        let mut record = Vec::new();
        for state in 0..share.holdings.len() as u32 {
            if let Some(time) = within
                && state % LOOK == 0
                && begin.elapsed() > time
            {
                let late =
                    format!("there are more states than can be written in {:.1} s", time.as_secs_f64());
                return Err(std::io::Error::new(std::io::ErrorKind::TimedOut, late));
            }
            let depth = waiting.next_if(|(id, _)| *id == state).map_or(EXPANDED, |(_, depth)| depth);
            let (parent, ordinal) = share.holdings.origin(state);
            let (worker, from) = parent.map_or((NOBODY, 0), |Place { worker, state }| (worker.into(), state));
            record.clear();
            record.extend([worker, from, ordinal, depth].iter().flat_map(|word| word.to_le_bytes()));
            share.holdings.write(state, &mut record);
            put(&(record.len() as u32).to_le_bytes())?;
            put(&record)?;
        }
        file.write_all(hasher.finalize().as_bytes())
    })
}

/// Fills a worker's share with what is its own of some files.
pub(crate) fn load<W: Watcher>(share: &mut Share<'_, W>, files: &[String]) -> Result<(), String> {
    let (me, workers) = share.holdings.place();
    if files.len() == usize::from(workers) {
        let own = Path::new(&files[usize::from(me)]);
        // Nothing is made of a file that is not whole.
        read(own, &mut |_| Ok(()))?;
        return read(own, &mut |record| {
            let Record { parent, ordinal, depth, state } = record;
            share.restore(parent, ordinal, depth, state)
        });
    }
    // By file and number: who owns the state now, and its number there.
    let mut names: Vec<Vec<Place>> = Vec::new();
    let mut next = vec![0_u32; usize::from(workers)];
    for file in files {
        let mut own = Vec::new();
        read(Path::new(file), &mut |record| {
            let key = key_of(record.state, share)?;
            let worker = share.holdings.partition().owner(&key, hash_packed(&key), workers);
            let number = &mut next[usize::from(worker)];
            own.push(Place { worker, state: *number });
            *number += 1;
            Ok(())
        })?;
        names.push(own);
    }
    for (file, own) in files.iter().zip(&names) {
        let mut own = own.iter();
        read(Path::new(file), &mut |record| {
            if own.next().is_none_or(|name| name.worker != me) {
                return Ok(());
            }
            let name =
                |place: Place| names.get(usize::from(place.worker))?.get(place.state as usize).copied();
            let parent = match record.parent {
                Some(parent) => Some(name(parent).ok_or(BROKEN)?),
                None => None,
            };
            share.restore(parent, record.ordinal, record.depth, record.state)
        })?;
    }
    Ok(())
}

const BROKEN: &str = "it is no checkpoint of this model";

/// The packed discrete part of a state, which stands behind one byte.
fn key_of<W: Watcher>(state: &[u8], share: &Share<'_, W>) -> Result<Vec<u32>, &'static str> {
    let words = state.get(1..1 + 4 * share.explorer.packing().words()).ok_or(BROKEN)?;
    Ok(words.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect())
}

/// One state of a file.
struct Record<'r> {
    parent: Option<Place>,
    ordinal: u32,
    /// Its depth, if it waits.
    depth: Option<u32>,
    state: &'r [u8],
}

/// Goes through the states of a file, and makes sure that it is whole.
fn read(path: &Path, take: &mut dyn FnMut(Record<'_>) -> Result<(), &'static str>) -> Result<(), String> {
    let wrong = |what: &str| format!("`{}`: {what}", path.display());
    let file = File::open(path).map_err(|error| wrong(&error.to_string()))?;
    let mut file = Hashing { file: BufReader::with_capacity(1 << 18, file), hasher: blake3::Hasher::new() };
    let broken = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => wrong("it is cut off"),
        _ => wrong(&error.to_string()),
    };
    let mut head = [0; HEAD.len()];
    file.fill(&mut head).map_err(broken)?;
    if head != *HEAD {
        return Err(wrong("it is no file of a checkpoint"));
    }
    let (name, mut length) = (own_name(path), [0; 4]);
    file.fill(&mut length).map_err(broken)?;
    let mut called = vec![0; name.len()];
    if u32::from_le_bytes(length) as usize == name.len() {
        file.fill(&mut called).map_err(broken)?;
    }
    if called != name {
        return Err(wrong("it is a file of another checkpoint"));
    }
    let mut count = [0; 8];
    file.fill(&mut count).map_err(broken)?;
    let mut bytes = Vec::new();
    for _ in 0..u64::from_le_bytes(count) {
        let mut length = [0; 4];
        file.fill(&mut length).map_err(broken)?;
        let length = u32::from_le_bytes(length);
        if length > LONGEST_RECORD {
            return Err(wrong(BROKEN));
        }
        bytes.resize(length as usize, 0);
        file.fill(&mut bytes).map_err(broken)?;
        let mut state = &bytes[..];
        let [worker, from, ordinal, depth] = take_words(&mut state).map_err(|_| wrong(BROKEN))?;
        let parent = (worker != NOBODY).then_some(Place { worker: worker as u16, state: from });
        let depth = (depth != EXPANDED).then_some(depth);
        take(Record { parent, ordinal, depth, state }).map_err(wrong)?;
    }
    let (own, mut hash) = (file.hasher.finalize(), [0; 32]);
    file.file.read_exact(&mut hash).map_err(broken)?;
    if own == hash { Ok(()) } else { Err(wrong("it is damaged")) }
}

/// A file, and a hash of what was read of it.
struct Hashing {
    file: BufReader<File>,
    hasher: blake3::Hasher,
}

impl Hashing {
    fn fill(&mut self, bytes: &mut [u8]) -> std::io::Result<()> {
        self.file.read_exact(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }
}
