//! Who may ask.
//!
//! A server on the loopback interface can be reached by every page that the browser shows: by a form or a script of another site, or under a name that was
//! made to resolve to 127.0.0.1. So the address contains a secret, `Host` has to be ours, `Origin` as well where there is one, and requests that do something have
//! a content type that no form can have.

use std::fmt;

/// The largest body that is read: a recorded run of many thousand steps fits.
pub const LARGEST_BODY: usize = 64 << 20;

/// What of a request decides whether it is let in.
#[derive(Clone, Debug, Default)]
pub struct Knock<'r> {
    /// `GET`, `POST`, …
    pub method: &'r str,
    /// The path, with the secret.
    pub path: &'r str,
    /// The header `Host`.
    pub host: Option<&'r str>,
    /// The header `Origin`.
    pub origin: Option<&'r str>,
    /// The header `Sec-Fetch-Site`.
    pub site: Option<&'r str>,
    /// The header `Content-Type`.
    pub content_type: Option<&'r str>,
    /// How long the body claims to be.
    pub length: usize,
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The page.
    Page,
    /// Something to be done, or told.
    Answer,
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It was sent to another name than ours.
    Host,
    /// It comes from another site.
    Origin,
    /// It does not know the secret, or asks for what is not there.
    Unknown,
    /// It is not asked in the right way.
    Method,
    /// It is not JSON.
    ContentType,
    /// It is too long.
    TooLong,
}

impl Refusal {
    /// The status of the response.
    pub fn status(self) -> u16 {
        match self {
            Refusal::Host | Refusal::Origin => 403,
            Refusal::Unknown => 404,
            Refusal::Method => 405,
            Refusal::ContentType => 415,
            Refusal::TooLong => 413,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Host => "this server answers to 127.0.0.1 and localhost only",
            Refusal::Origin => "requests of other sites are refused",
            Refusal::Unknown => {
                "there is nothing here; the address that `guidepost explore` prints is longer"
            }
            Refusal::Method => "this cannot be asked in this way",
            Refusal::ContentType => "requests have to be application/json",
            Refusal::TooLong => "the request is too long",
        })
    }
}

/// Lets a request in, or not.
pub fn admit(knock: &Knock<'_>, port: u16, token: &str) -> Result<Wanted, Refusal> {
    let ours = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if !knock.host.is_some_and(|host| ours.iter().any(|own| own == host)) {
        return Err(Refusal::Host);
    }
    let is_own = |origin: &str| ours.iter().any(|own| origin.strip_prefix("http://") == Some(own));
    if knock.origin.is_some_and(|origin| !is_own(origin)) {
        return Err(Refusal::Origin);
    }
    // Browsers say where a request comes from; an address that was typed or opened by a program comes from nowhere.
    if knock.site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return Err(Refusal::Origin);
    }
    let path = knock.path.split(['?', '#']).next().unwrap_or_default();
    let (secret, rest) =
        path.strip_prefix('/').and_then(|path| path.split_once('/')).ok_or(Refusal::Unknown)?;
    if !is_same(secret.as_bytes(), token.as_bytes()) {
        return Err(Refusal::Unknown);
    }
    match (rest, knock.method) {
        ("", "GET") => Ok(Wanted::Page),
        ("api", "POST") => {
            let kind = knock.content_type.and_then(|kind| kind.split(';').next()).map(str::trim);
            if kind != Some("application/json") {
                return Err(Refusal::ContentType);
            }
            if knock.length > LARGEST_BODY {
                return Err(Refusal::TooLong);
            }
            Ok(Wanted::Answer)
        }
        ("" | "api", _) => Err(Refusal::Method),
        _ => Err(Refusal::Unknown),
    }
}

/// Compares in a time that does not tell how much is right.
fn is_same(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && left.iter().zip(right).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn page() -> Knock<'static> {
        let path = "/0123456789abcdef0123456789abcdef/";
        Knock { method: "GET", path, host: Some("127.0.0.1:4000"), ..Knock::default() }
    }

    fn post() -> Knock<'static> {
        Knock {
            method: "POST",
            path: "/0123456789abcdef0123456789abcdef/api",
            content_type: Some("application/json; charset=utf-8"),
            origin: Some("http://127.0.0.1:4000"),
            site: Some("same-origin"),
            length: 10,
            ..page()
        }
    }

    fn refusal(knock: &Knock<'_>) -> Option<Refusal> {
        admit(knock, 4000, TOKEN).err()
    }

    #[test]
    fn the_page_and_its_requests_are_let_in() {
        assert_eq!(admit(&page(), 4000, TOKEN), Ok(Wanted::Page));
        assert_eq!(
            admit(&Knock { host: Some("localhost:4000"), site: Some("none"), ..page() }, 4000, TOKEN),
            Ok(Wanted::Page)
        );
        assert_eq!(admit(&post(), 4000, TOKEN), Ok(Wanted::Answer));
        assert_eq!(admit(&Knock { origin: None, site: None, ..post() }, 4000, TOKEN), Ok(Wanted::Answer));
    }

    #[test]
    fn others_are_not() {
        for host in [
            None,
            Some("evil.example:4000"),
            Some("127.0.0.1"),
            Some("127.0.0.1:4001"),
            Some("127.0.0.1:4000.evil.example"),
        ] {
            assert_eq!(refusal(&Knock { host, ..page() }), Some(Refusal::Host), "{host:?}");
            assert_eq!(refusal(&Knock { host, ..post() }), Some(Refusal::Host), "{host:?}");
        }
        for origin in [
            "http://evil.example",
            "null",
            "https://127.0.0.1:4000",
            "http://127.0.0.1:4000.evil.example",
            "http://127.0.0.1:80",
        ] {
            assert_eq!(refusal(&Knock { origin: Some(origin), ..post() }), Some(Refusal::Origin), "{origin}");
        }
        for site in ["cross-site", "same-site"] {
            assert_eq!(refusal(&Knock { site: Some(site), ..post() }), Some(Refusal::Origin));
            assert_eq!(refusal(&Knock { site: Some(site), ..page() }), Some(Refusal::Origin));
        }
        for path in [
            "/",
            "",
            "/api",
            "/x/api",
            "/0123456789abcdef0123456789abcdee/api",
            "/0123456789abcdef0123456789abcdef/../etc/passwd",
        ] {
            assert_eq!(refusal(&Knock { path, ..post() }), Some(Refusal::Unknown), "{path}");
        }
        for content_type in [None, Some("text/plain"), Some("application/x-www-form-urlencoded")] {
            assert_eq!(refusal(&Knock { content_type, ..post() }), Some(Refusal::ContentType));
        }
        assert_eq!(refusal(&Knock { method: "GET", ..post() }), Some(Refusal::Method));
        assert_eq!(refusal(&Knock { method: "OPTIONS", ..post() }), Some(Refusal::Method));
        assert_eq!(refusal(&Knock { length: LARGEST_BODY + 1, ..post() }), Some(Refusal::TooLong));
    }
}
