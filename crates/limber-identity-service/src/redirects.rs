//! Redirect targets: the site itself, and what the operator allows.
//!
//! Implements identity behaviour, 2.7. A target that is not allowed is silently ignored.
//!
//! Targets are matched in the normalised form that a browser would use: without `..` in any
//! spelling, with a lower-case ASCII host and no default port. The redirect then uses exactly the
//! string that was matched, so that the matcher and the browser cannot interpret it differently.

use std::net::IpAddr;
use std::ops::Range;

use url::form_urlencoded::byte_serialize;
use url::{Host, Position, Url};

/// Maximum length of a target, in bytes.
const MAX_TARGET_BYTES: usize = 2048;

/// The site and the operator's patterns.
#[derive(Debug, Clone)]
pub(crate) struct Redirects {
    site: Url,
    patterns: Vec<Vec<Piece>>,
}

impl Redirects {
    pub(crate) fn new(site: &Url, allow_list: &[String]) -> Self {
        let alternatives = allow_list.iter().flat_map(|text| expand(text));
        let patterns = alternatives.flat_map(|text| normalised(&text)).map(|p| parse(&p)).collect();
        Self { site: site.clone(), patterns }
    }

    /// Returns the first allowed candidate in normalised form, or else the site.
    pub(crate) fn choose<'a>(&self, candidates: impl IntoIterator<Item = &'a str>) -> String {
        candidates
            .into_iter()
            .find_map(|target| self.matched(target))
            .unwrap_or_else(|| self.home().to_owned())
    }

    fn home(&self) -> &str {
        self.site.as_str().trim_end_matches('/')
    }

    /// Returns the normalised target, or `None` if it is not allowed.
    fn matched(&self, target: &str) -> Option<String> {
        if target.is_empty() || target.len() > MAX_TARGET_BYTES || target.contains(char::is_control)
        {
            return None;
        }
        let url = Url::parse(target).ok()?;
        let nobody = url.username().is_empty() && url.password().is_none();
        if (is_web(&url) && !nobody) || hides_steps(&url) {
            return None;
        }
        if url == self.site {
            return Some(self.home().to_owned());
        }
        (self.is_site(&url) || self.is_listed(&url, target)).then(|| url.into())
    }

    fn is_listed(&self, url: &Url, target: &str) -> bool {
        let web = is_web(url);
        match literal_address(url) {
            // Any user of the computer may listen on a loopback port, so it must be listed as well.
            Some(ip) if !ip.is_loopback() || !is_written_plainly(target, url) => return false,
            Some(_) => {}
            None if url.host_str().is_some_and(is_decimal) => return false,
            None if web && !url.host_str().is_some_and(is_ordinary_name) => return false,
            None => {}
        }
        let whole = &url[..Position::AfterQuery];
        self.patterns.iter().any(|pattern| matches(pattern, whole.as_bytes()))
    }

    fn is_site(&self, url: &Url) -> bool {
        url.scheme() == self.site.scheme()
            && url.host_str() == self.site.host_str()
            && url.port_or_known_default() == self.site.port_or_known_default()
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// Tells whether the path hides a `..` behind escapes. `/in/..%2fout` is a single segment to us,
/// but leads out of `/in` on a server that decodes escapes first.
fn hides_steps(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase().replace("%2e", ".");
    let plain = path.replace("%2f", "/").replace("%5c", "/");
    plain.len() < path.len() && plain.split('/').any(|step| step == "..")
}

/// Tells whether the text spells its host as the normalised URL does. Some programs read `0x7f.1`
/// as 127.0.0.1.
fn is_written_plainly(target: &str, url: &Url) -> bool {
    let Some((scheme, rest)) = target.split_once("://") else { return false };
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return false;
    };
    let authority = rest.split(['/', '#']).next().unwrap_or_default();
    let written = [host.to_owned(), format!("{host}:{port}")];
    scheme.eq_ignore_ascii_case(url.scheme())
        && written.iter().any(|plain| authority.eq_ignore_ascii_case(plain))
}

fn literal_address(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(ip) => Some(ip.into()),
        Host::Ipv6(ip) => Some(ip.into()),
        Host::Domain(_) => None,
    }
}

/// Tells whether the host is a plain number. Some programs read `2130706433` as 127.0.0.1.
fn is_decimal(host: &str) -> bool {
    host.bytes().all(|b| b.is_ascii_digit())
}

fn is_ordinary_name(host: &str) -> bool {
    !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
}

#[derive(Debug, Clone)]
enum Piece {
    Byte(u8),
    /// One character other than `.` and `/`.
    One,
    /// Any sequence without `.` and `/`.
    Run,
    /// Any sequence.
    Anything,
    /// Any sequence within the host.
    HostRun,
    /// Any sequence within one label of the host.
    HostLabel,
    Set {
        negated: bool,
        ranges: Vec<(u8, u8)>,
    },
}

/// Expands `{a,b}` alternatives, up to a limit.
fn expand(pattern: &str) -> Vec<String> {
    const MAX_ALTERNATIVES: usize = 64;
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(next) = open.pop() {
        let braces = next
            .find('{')
            .and_then(|start| next[start..].find('}').map(|length| (start, start + length)));
        match braces {
            Some((start, end)) if open.len() + done.len() < MAX_ALTERNATIVES => {
                for choice in next[start + 1..end].split(',') {
                    open.push(format!("{}{choice}{}", &next[..start], &next[end + 1..]));
                }
            }
            Some(_) => {}
            None => done.push(next),
        }
    }
    done
}

/// Normalises a pattern in the way URLs are normalised. A pattern with a wildcard in its scheme is
/// normalised both as a web URL, for which more rules apply, and as any other URL.
fn normalised(pattern: &str) -> Vec<String> {
    let Some((scheme, rest)) = pattern.split_once("://") else { return vec![escaped(pattern)] };
    let scheme = scheme.to_ascii_lowercase();
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let other = format!("{scheme}://{}", escaped(rest));
    let default_port = if scheme == "https" { ":443" } else { ":80" };
    let known = matches!(scheme.as_str(), "http" | "https");
    let host = host.strip_suffix(default_port).filter(|_| known).unwrap_or(host);
    // A URL without a path has the path `/`.
    let path = if path.is_empty() && !host.ends_with("**") { "/" } else { path };
    let web = format!("{scheme}://{}{}", web_host(host), escaped(path));
    match scheme.contains(['*', '?', '[']) {
        _ if known => vec![web],
        true => vec![web, other],
        false => vec![other],
    }
}

/// Normalises each label of the host: lower case, and Punycode if it is not ASCII.
fn web_host(host: &str) -> String {
    let label = |text: &str| {
        let name = text.trim_end_matches(['.', ':']);
        let url = Url::parse(&format!("http://{name}/")).ok().filter(|_| !name.is_ascii());
        match url.as_ref().and_then(Url::host_str) {
            Some(ascii) => format!("{ascii}{}", &text[name.len()..]),
            None => text.to_ascii_lowercase(),
        }
    };
    host.split_inclusive(['.', ':']).map(label).collect()
}

/// Percent-encodes non-ASCII characters, as URLs do everywhere except in the host of a web URL.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            out.extend(byte_serialize(c.encode_utf8(&mut [0; 4]).as_bytes()));
        }
    }
    out
}

/// Returns the range of the host within the pattern. `https://**.site.example/` matches hosts under
/// `site.example`, but not `https://elsewhere.example/.site.example/`.
fn host_of(pattern: &str) -> Range<usize> {
    let Some(start) = pattern.find("://").map(|at| at + 3) else { return 0..0 };
    let length = pattern[start..].find('/').unwrap_or(pattern.len() - start);
    start..start + length
}

fn parse(pattern: &str) -> Vec<Piece> {
    let bytes = pattern.as_bytes();
    let host = host_of(pattern);
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (piece, used) = match bytes[at] {
            b'*' if bytes.get(at + 1) == Some(&b'*') => {
                // A wildcard at the end of the pattern matches everything that follows, not just
                // the host.
                let inside = host.contains(&at) && at + 2 < bytes.len();
                (if inside { Piece::HostRun } else { Piece::Anything }, 2)
            }
            b'*' => {
                let inside = host.contains(&at) && at + 1 < bytes.len();
                (if inside { Piece::HostLabel } else { Piece::Run }, 1)
            }
            b'?' => (Piece::One, 1),
            b'[' => parse_set(&bytes[at..]).unwrap_or((Piece::Byte(b'['), 1)),
            b'\\' if at + 1 < bytes.len() => (Piece::Byte(bytes[at + 1]), 2),
            other => (Piece::Byte(other), 1),
        };
        pieces.push(piece);
        at += used;
    }
    pieces
}

fn parse_set(bytes: &[u8]) -> Option<(Piece, usize)> {
    let end = bytes.iter().position(|b| *b == b']')?;
    let inner = &bytes[1..end];
    let (negated, inner) = match inner.first() {
        Some(b'!' | b'^') => (true, &inner[1..]),
        _ => (false, inner),
    };
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < inner.len() {
        if at + 2 < inner.len() && inner[at + 1] == b'-' {
            ranges.push((inner[at], inner[at + 2]));
            at += 3;
        } else {
            ranges.push((inner[at], inner[at]));
            at += 1;
        }
    }
    Some((Piece::Set { negated, ranges }, end + 1))
}

/// Matches the text against the pattern by tracking the set of reachable positions. The time is
/// bounded by the product of the lengths, so that no pattern causes backtracking.
fn matches(pattern: &[Piece], text: &[u8]) -> bool {
    let mut reached = vec![false; pattern.len() + 1];
    reached[0] = true;
    skip_empty_runs(pattern, &mut reached);
    for byte in text {
        let mut next = vec![false; pattern.len() + 1];
        for (at, piece) in pattern.iter().enumerate().filter(|(at, _)| reached[*at]) {
            let plain = !matches!(byte, b'.' | b'/');
            // For schemes other than those of the web, a query may follow directly after the host.
            let in_host = !matches!(byte, b'/' | b'?');
            match piece {
                Piece::Byte(want) => next[at + 1] |= want == byte,
                Piece::One => next[at + 1] |= plain,
                Piece::Run => next[at] |= plain,
                Piece::Anything => next[at] = true,
                Piece::HostRun => next[at] |= in_host,
                Piece::HostLabel => next[at] |= in_host && plain,
                Piece::Set { negated, ranges } => {
                    let inside = ranges.iter().any(|(low, high)| (low..=high).contains(&byte));
                    next[at + 1] |= plain && inside != *negated;
                }
            }
        }
        skip_empty_runs(pattern, &mut next);
        reached = next;
    }
    reached[pattern.len()]
}

fn is_run(piece: &Piece) -> bool {
    matches!(piece, Piece::Run | Piece::Anything | Piece::HostRun | Piece::HostLabel)
}

fn skip_empty_runs(pattern: &[Piece], reached: &mut [bool]) {
    for (at, piece) in pattern.iter().enumerate() {
        if reached[at] && is_run(piece) {
            reached[at + 1] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redirects(site: &str, list: &[&str]) -> Redirects {
        let list: Vec<String> = list.iter().map(ToString::to_string).collect();
        Redirects::new(&Url::parse(site).expect("a valid site"), &list)
    }

    impl Redirects {
        fn allows(&self, target: &str) -> bool {
            self.matched(target).is_some()
        }
    }

    #[test]
    fn redirects_to_the_site_are_allowed_but_not_to_http_or_another_port() {
        let r = redirects("https://site.example", &[]);
        assert!(r.allows("https://site.example/a?b=c"));
        assert!(!r.allows("http://site.example/"));
        assert!(!r.allows("https://site.example:444/"));
        assert!(!r.allows("https://site.example.evil.org/"));
        assert!(!r.allows("https://site.example@evil.org/"));
    }

    #[test]
    fn other_loopback_ports_must_be_listed() {
        let elsewhere = ["http://localhost:5173/x", "http://127.0.0.1:5173/x", "http://[::1]:1/x"];
        let own = redirects("http://localhost:3000", &[]);
        assert!(own.allows("http://localhost:3000/x"));
        let listing = ["http://localhost:*/*", "http://127.0.0.1:*/*", "http://\\[::1\\]:*/*"];
        let listed = redirects("http://localhost:3000", &listing);
        for target in elsewhere {
            assert!(!own.allows(target) && listed.allows(target), "{target}");
        }
    }

    #[test]
    fn redirect_patterns_match_the_whole_url() {
        let r = redirects(
            "https://site.example",
            &[
                "https://x.dev",
                "http://localhost:8000/*",
                "com.app://cb/**",
                "https://{a,b}-?.io/[0-9]",
            ],
        );
        assert!(r.allows("https://x.dev") && r.allows("https://x.dev/"), "one address");
        assert!(!r.allows("https://x.dev/a"));
        assert!(r.allows("http://localhost:8000/path?x=1"));
        assert!(!r.allows("http://localhost:8000/a/b"));
        assert!(r.allows("com.app://cb/deep/er?x#fragment"));
        assert!(r.allows("https://b-7.io/4") && !r.allows("https://c-7.io/4"));
    }

    #[test]
    fn wildcards_in_a_host_do_not_match_beyond_the_host() {
        let r = redirects("https://site.example", &["https://**.site.example/**", "app://**"]);
        assert!(r.allows("https://a.b.site.example/x/y") && r.allows("app://x/y.z"));
        assert!(!r.allows("https://evil.org/.site.example/"));
        assert!(!r.allows("https://evil.org/a.site.example/x"));
        let r = redirects("https://site.example", &["https://**/back", "https://{a,b}**"]);
        assert!(r.allows("https://x.dev/back") && r.allows("https://a.dev/deep/er"));
        assert!(!r.allows("https://x.dev/deep/back"));
    }

    #[test]
    fn numeric_host_tricks_are_rejected_even_if_listed() {
        let r = redirects("https://site.example", &["**"]);
        assert!(!r.allows("http://10.0.0.1/"));
        assert!(!r.allows("app://2130706433/"));
        assert!(r.allows("http://127.0.0.1:9/"), "loopback is allowed where it is listed");
    }

    #[test]
    fn the_matched_url_is_the_url_that_browsers_parse_and_that_is_sent() {
        let list = ["https://app.example/in/**", "HTTPS://B\u{fc}cher.Example:443/gr\u{f6}\u{df}e"];
        let r = redirects("https://site.example", &list);
        let book = "https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe";
        for (target, sent) in [
            ("HTTPS://APP.example:443/in/A", Some("https://app.example/in/A")),
            ("https://app.example/in/x/../y", Some("https://app.example/in/y")),
            ("https:\\\\app.example\\in\\a", Some("https://app.example/in/a")),
            ("https://app.example/in/a%2Fb?c#d", Some("https://app.example/in/a%2Fb?c#d")),
            ("https://b\u{fc}cher.example/gr\u{f6}\u{df}e", Some(book)),
            ("https://app.example/in/../out", None),
            ("https://app.example/in/%2e%2E/out", None),
            ("https://app.example/in/.%2e/out", None),
            ("https://app.example/in\\..\\out", None),
            ("https://app.example/in/..%2Fout", None),
            ("https://app.example/in/%2e%2e%5cout", None),
            ("https://app.example:444/in/a", None),
            ("https://app.example./in/a", None),
        ] {
            assert_eq!(r.matched(target).as_deref(), sent, "{target}");
        }
    }

    #[test]
    fn patterns_accept_the_same_spellings_as_urls() {
        let list = ["https://X.dev:443", "http://localhost:*", "App://Back/**", "http*://A-*.io"];
        let r = redirects("https://site.example", &list);
        for good in ["https://x.dev/", "http://localhost:8000", "app://Back/x", "https://a-7.io"] {
            assert!(r.allows(good), "{good}");
        }
        for bad in ["http://x.dev:443/", "http://localhost:8/x", "app://back/x", "httpx://A-?.io"] {
            assert!(!r.allows(bad), "{bad}");
        }
    }

    #[test]
    fn lookalike_hosts_are_not_matched() {
        let r = redirects("https://site.example", &["https://*.site.example/**"]);
        assert!(r.allows("https://a.site.example/x?y#z"));
        for trick in [
            "https://evil?.site.example/x",
            "https://evil\\.site.example/x",
            "https://evil#.site.example/x",
            "https://evil@a.site.example/x",
            "https://a.site.example@evil.org/x",
            "https://evil%2f.site.example/x",
        ] {
            assert!(!r.allows(trick), "{trick}");
        }
        for odd in ["https:a.site.example/x", "https:/\\a.site.example/x"] {
            assert_eq!(r.matched(odd).as_deref(), Some("https://a.site.example/x"), "{odd}");
        }
        assert!(!r.allows("https://anybody:at@site.example/"), "not even for the site itself");
    }

    proptest::proptest! {
        /// Whatever surrounds the listed names, a session never goes to another host.
        #[test]
        fn allowed_urls_stay_on_the_host_of_the_pattern(
            before in "[a-z./\\\\?#@:%0-9\\[\\]。 ]{0,12}",
            after in "[a-z./\\\\?#@:%0-9 ]{0,12}",
            scheme in "(https|http|HTTPS)",
            slashes in "(://|:|:/|:\\\\\\\\|:///)",
        ) {
            let r = redirects("https://site.example", &["https://**.site.example/**", "http*://*.site.example/**"]);
            let target = format!("{scheme}{slashes}{before}.site.example/{after}");
            if let Some(sent) = r.matched(&target) {
                proptest::prop_assert_eq!(r.matched(&sent), Some(sent.clone()), "matching does not \
                                                                                 change the URL");
                let url = Url::parse(&sent).expect("an allowed URL can be parsed");
                let host = url.host_str().expect("the URL has a host");
                proptest::prop_assert!(host.ends_with("site.example"), "{target} leads to {host}");
                proptest::prop_assert!(url.username().is_empty() && url.password().is_none());
            }
        }
    }

    #[test]
    fn disallowed_redirects_become_the_site_url() {
        let r = redirects("https://site.example/", &[]);
        assert_eq!(r.choose(["https://evil.org"]), "https://site.example");
        assert_eq!(
            r.choose(["https://evil.org", "https://site.example/in"]),
            "https://site.example/in"
        );
    }

    #[test]
    fn hostile_patterns_are_matched_quickly() {
        let r = redirects("https://site.example", &["*a*a*a*a*a*a*a*a*a*a*a*b"]);
        assert!(!r.allows(&format!("https://{}", "a".repeat(1500))));
    }
}
