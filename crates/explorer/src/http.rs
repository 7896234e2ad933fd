//! As much of HTTP as one page needs: a head of bounded length, a body of the length that the head says, one request per connection.
//!
//! Everything that a client can make long, slow or endless has a limit, and no memory is reserved for what is only claimed.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// Browsers send some kilobytes.
const LONGEST_HEAD: usize = 32 << 10;
const MOST_HEADERS: usize = 100;
/// Whoever says nothing for so long has gone away.
const PATIENCE: Duration = Duration::from_secs(20);

/// The head of a request.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
}

impl Head {
    /// A header by its name; where it is given twice nobody can tell what is meant, and it counts as something else.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name));
        let first = found.next().map(|(_, value)| value.as_str());
        if found.next().is_some() { Some("(given twice)") } else { first }
    }

    /// How long the body is; an error where that cannot be told, as with transfer encodings.
    pub(crate) fn length(&self) -> Result<usize, NotHttp> {
        match (self.header("Transfer-Encoding"), self.header("Content-Length")) {
            (Some(_), _) => Err(NotHttp),
            (None, None) => Ok(0),
            (None, Some(length)) => length.parse().map_err(|_| NotHttp),
        }
    }
}

/// What was sent is no request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotHttp;

/// A client that has said something.
pub(crate) struct Connection {
    stream: TcpStream,
    /// What was read behind the head.
    ahead: Vec<u8>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, ahead: Vec::new() })
    }

    pub(crate) fn head(&mut self) -> Result<Head, NotHttp> {
        let mut text = Vec::new();
        let mut buffer = [0_u8; 4096];
        loop {
            let read = self.stream.read(&mut buffer).map_err(|_| NotHttp)?;
            text.extend_from_slice(&buffer[..read]);
            if let Some((head, length)) = parse(&text)? {
                self.ahead = text.split_off(length);
                return Ok(head);
            }
            if read == 0 || text.len() > LONGEST_HEAD {
                return Err(NotHttp);
            }
        }
    }

    /// The body, of a length that has been accepted.
    pub(crate) fn body(&mut self, length: usize) -> Result<Vec<u8>, NotHttp> {
        let mut body = std::mem::take(&mut self.ahead);
        let missing = length.saturating_sub(body.len());
        body.truncate(length);
        let read = (&mut self.stream).take(missing as u64).read_to_end(&mut body).map_err(|_| NotHttp)?;
        if read == missing { Ok(body) } else { Err(NotHttp) }
    }

    /// Responds, and ends the connection.
    pub(crate) fn respond(mut self, status: u16, headers: &[(&str, &str)], body: &[u8]) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {status} {}\r\n", phrase(status));
        let length = body.len().to_string();
        for (name, value) in
            headers.iter().chain(&[("Content-Length", length.as_str()), ("Connection", "close")])
        {
            head.push_str(name);
            head.push_str(": ");
            head.push_str(value);
            head.push_str("\r\n");
        }
        head.push_str("\r\n");
        self.stream.write_all(head.as_bytes())?;
        self.stream.write_all(body)?;
        self.stream.shutdown(Shutdown::Write)?;
        // To close while a client is still sending would take the response away from it; but nobody waits long for that.
        self.stream.set_read_timeout(Some(Duration::from_millis(200)))?;
        let _ = io::copy(&mut (&mut self.stream).take(1 << 20), &mut io::sink());
        Ok(())
    }
}

/// The head and its length, once it is complete.
fn parse(text: &[u8]) -> Result<Option<(Head, usize)>, NotHttp> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(length) = request.parse(text).map_err(|_| NotHttp)? else {
        return Ok(None);
    };
    let headers = request.headers.iter().map(|header| {
        let value = std::str::from_utf8(header.value).map_err(|_| NotHttp)?;
        Ok((header.name.to_owned(), value.trim().to_owned()))
    });
    let headers = headers.collect::<Result<_, _>>()?;
    let (method, path) = request.method.zip(request.path).ok_or(NotHttp)?;
    Ok(Some((Head { method: method.to_owned(), path: path.to_owned(), headers }, length)))
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        _ => "Bad Request",
    }
}
