//! Connections between processes: who is there, and what is said.
//!
//! A connection begins with a handshake of fixed length. Each side sends a random number, and a keyed hash of both numbers and of what it says about itself: so each proves that it knows the secret, and
//! neither what one said to the other nor an old connection is of use to anybody. Whoever says something else, or says it too slowly, is refused. What follows is not encrypted.
//!
//! Orders and reports are then sent as frames: their length, then JSON. A frame that is too long ends the connection before it is read.

use crate::secret::{Secret, fill};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Beginning and end of what is said first; another format gets another one.
const GREETING: &[u8; 12] = b"guidepost/1\n";
/// Who connects must be done with the handshake in this time.
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(5);
/// A frame is no longer than this; a model is.
const LONGEST_FRAME: usize = 256 << 20;

/// What somebody wants who connects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A worker reports to its coordinator, with its number.
    Report(u16),
    /// A worker connects with another one, with its number.
    Letters(u16),
}

impl Purpose {
    fn bytes(self) -> [u8; 4] {
        let (kind, worker) = match self {
            Purpose::Report(worker) => (b'r', worker),
            Purpose::Letters(worker) => (b'l', worker),
        };
        let [low, high] = worker.to_le_bytes();
        [kind, low, high, b'\n']
    }

    fn read(bytes: [u8; 4]) -> Option<Self> {
        let [kind, low, high, end] = bytes;
        let worker = u16::from_le_bytes([low, high]);
        match (kind, end) {
            (b'r', b'\n') => Some(Purpose::Report(worker)),
            (b'l', b'\n') => Some(Purpose::Letters(worker)),
            _ => None,
        }
    }
}

/// Why a connection came to nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectionError {
    #[error("{0}")]
    Broken(#[from] std::io::Error),
    #[error("it does not speak as guidepost does")]
    Foreign,
    #[error("it does not know the secret of the run")]
    Secret,
    #[error("a frame of {0} bytes was announced, which is too long")]
    Long(usize),
    #[error("what was said makes no sense: {0}")]
    Nonsense(#[from] serde_json::Error),
    #[error("{0}")]
    Random(#[from] crate::secret::SecretError),
}

/// The handshake of who connects.
pub(crate) fn connect(
    stream: &mut TcpStream,
    secret: &Secret,
    purpose: Purpose,
) -> Result<(), ConnectionError> {
    prepare(stream)?;
    let mut own = [0; 32];
    fill(&mut own)?;
    stream.write_all(&[&GREETING[..], &purpose.bytes(), &own].concat())?;
    let (mut greeting, mut other, mut proof) = ([0; 12], [0; 32], [0; 32]);
    stream.read_exact(&mut greeting)?;
    if greeting != *GREETING {
        return Err(ConnectionError::Foreign);
    }
    stream.read_exact(&mut other)?;
    stream.read_exact(&mut proof)?;
    if secret.proof(&[b"accepted", &purpose.bytes(), &own, &other]) != proof {
        return Err(ConnectionError::Secret);
    }
    let answer = secret.proof(&[b"connected", &purpose.bytes(), &own, &other]);
    stream.write_all(answer.as_bytes())?;
    done(stream)
}

/// The handshake of who accepts; says what the other one wants.
pub(crate) fn accept(stream: &mut TcpStream, secret: &Secret) -> Result<Purpose, ConnectionError> {
    prepare(stream)?;
    let (mut greeting, mut purpose, mut other) = ([0; 12], [0; 4], [0; 32]);
    stream.read_exact(&mut greeting)?;
    if greeting != *GREETING {
        return Err(ConnectionError::Foreign);
    }
    stream.read_exact(&mut purpose)?;
    stream.read_exact(&mut other)?;
    let mut own = [0; 32];
    fill(&mut own)?;
    let proof = secret.proof(&[b"accepted", &purpose, &other, &own]);
    stream.write_all(&[&GREETING[..], &own, proof.as_bytes()].concat())?;
    let mut answer = [0; 32];
    stream.read_exact(&mut answer)?;
    if secret.proof(&[b"connected", &purpose, &other, &own]) != answer {
        return Err(ConnectionError::Secret);
    }
    done(stream)?;
    Purpose::read(purpose).ok_or(ConnectionError::Foreign)
}

fn prepare(stream: &TcpStream) -> Result<(), ConnectionError> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HANDSHAKE))?;
    stream.set_write_timeout(Some(HANDSHAKE))?;
    Ok(())
}

fn done(stream: &TcpStream) -> Result<(), ConnectionError> {
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    Ok(())
}

/// Sends a frame.
pub(crate) fn send<T: Serialize>(stream: &mut impl Write, said: &T) -> Result<(), ConnectionError> {
    let text = serde_json::to_vec(said)?;
    if text.len() > LONGEST_FRAME {
        return Err(ConnectionError::Long(text.len()));
    }
    let mut frame = (text.len() as u32).to_le_bytes().to_vec();
    frame.extend_from_slice(&text);
    stream.write_all(&frame)?;
    Ok(())
}

/// Receives a frame; `None` when the other side has closed the connection.
pub(crate) fn receive<T: DeserializeOwned>(stream: &mut impl Read) -> Result<Option<T>, ConnectionError> {
    let mut length = [0; 4];
    match stream.read_exact(&mut length) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST_FRAME {
        return Err(ConnectionError::Long(length));
    }
    // Memory is taken as bytes come, whatever was announced.
    let mut text = Vec::new();
    stream.take(length as u64).read_to_end(&mut text)?;
    if text.len() < length {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&text)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Order;
    use std::net::TcpListener;

    fn meet(theirs: Secret) -> (Result<(), ConnectionError>, Result<Purpose, ConnectionError>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let purpose = Purpose::Letters(4095);
        let thread =
            std::thread::spawn(move || connect(&mut TcpStream::connect(address).unwrap(), &theirs, purpose));
        let (mut stream, _) = listener.accept().unwrap();
        let ours = accept(&mut stream, &Secret::new("a secret that is long enough").unwrap());
        drop(stream);
        (thread.join().unwrap(), ours)
    }

    #[test]
    fn who_knows_the_secret_is_accepted_and_nobody_else() {
        let (theirs, ours) = meet(Secret::new("a secret that is long enough").unwrap());
        assert!(theirs.is_ok() && ours.is_ok_and(|purpose| purpose == Purpose::Letters(4095)));
        let (theirs, ours) = meet(Secret::new("another one that is long enough").unwrap());
        assert!(matches!(theirs, Err(ConnectionError::Secret)), "{theirs:?}");
        assert!(ours.is_err());
    }

    #[test]
    fn bytes_of_others_end_the_connection_and_nothing_else() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let secret = Secret::new("a secret that is long enough").unwrap();
        let greeted = [&GREETING[..], &Purpose::Report(1).bytes(), &[7; 32], &[9; 32]].concat();
        for said in [b"GET / HTTP/1.1\r\n\r\n".to_vec(), vec![0xff; 3000], Vec::new(), greeted] {
            let mut other = TcpStream::connect(address).unwrap();
            other.write_all(&said).unwrap();
            other.shutdown(std::net::Shutdown::Write).unwrap();
            let (mut stream, _) = listener.accept().unwrap();
            assert!(accept(&mut stream, &secret).is_err());
        }
    }

    #[test]
    fn frames_are_bounded() {
        let mut bytes = Vec::new();
        send(&mut bytes, &Order::Way(7)).unwrap();
        assert_eq!(receive::<Order>(&mut &bytes[..]).unwrap(), Some(Order::Way(7)));
        assert!(matches!(receive::<Order>(&mut &bytes[..6]), Ok(None)));
        assert!(matches!(receive::<Order>(&mut &[0xff; 4][..]), Err(ConnectionError::Long(_))));
        assert!(matches!(
            receive::<Order>(&mut &[2, 0, 0, 0, b'[', b'}'][..]),
            Err(ConnectionError::Nonsense(_))
        ));
        assert!(matches!(receive::<Order>(&mut &[][..]), Ok(None)));
    }
}
