//! The SMTP dialogue, as far as our one service needs it.
//!
//! Any other command ends the connection, because the client is not a mail program or not ours. In
//! particular it must not be a browser: a web page can send an HTTP request here, and if its lines
//! were skipped one by one, a later one could be an SMTP command.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

/// User name under which the service authenticates.
pub(crate) const NAME: &str = "limber";
/// Maximum number of recipients; our messages have one.
const MOST_READERS: usize = 10;
/// Maximum number of messages on a connection; the service reconnects after fifty.
const MOST_MESSAGES: usize = 100;

/// How the server proceeds after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Respond and read the next command.
    Say(&'static str),
    /// Read a message.
    ReceiveMessage,
    /// Send a final response, if it is not empty, and close the connection.
    HangUp(&'static str),
}

/// The state of one SMTP session.
#[derive(Debug, Default)]
pub(super) struct Talk {
    is_greeted: bool,
    is_ours: bool,
    has_sender: bool,
    readers: usize,
    messages: usize,
}

impl Talk {
    /// Returns whether the client has authenticated.
    pub(super) const fn is_ours(&self) -> bool {
        self.is_ours
    }

    /// Handles a command line, without its line ending.
    pub(super) fn hear(&mut self, line: &[u8], password: &SecretString) -> Next {
        let (verb, rest) = split(line);
        let verb = verb.to_ascii_uppercase();
        if !self.is_greeted && !matches!(verb.as_slice(), b"EHLO" | b"HELO" | b"QUIT") {
            return Next::HangUp("");
        }
        match verb.as_slice() {
            b"EHLO" => {
                *self = Self { is_greeted: true, messages: self.messages, ..Self::default() };
                Next::Say(
                    "250-limber.localhost\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN\r\n",
                )
            }
            b"HELO" => {
                *self = Self { is_greeted: true, messages: self.messages, ..Self::default() };
                Next::Say("250 limber.localhost\r\n")
            }
            b"NOOP" => Next::Say("250 OK\r\n"),
            b"QUIT" => Next::HangUp("221 Bye\r\n"),
            b"AUTH" if is_ours(rest, password) => {
                self.is_ours = true;
                Next::Say("235 OK\r\n")
            }
            b"AUTH" => Next::HangUp("535 This server accepts mail from the studio only\r\n"),
            b"RSET" | b"MAIL" | b"RCPT" | b"DATA" if !self.is_ours => {
                Next::HangUp("530 This server accepts mail from the studio only\r\n")
            }
            b"RSET" => {
                self.forget_envelope();
                Next::Say("250 OK\r\n")
            }
            b"MAIL" if is_path(rest, b"FROM:") && self.messages < MOST_MESSAGES => {
                self.forget_envelope();
                self.has_sender = true;
                Next::Say("250 OK\r\n")
            }
            b"RCPT" if is_path(rest, b"TO:") && self.has_sender && self.readers < MOST_READERS => {
                self.readers += 1;
                Next::Say("250 OK\r\n")
            }
            b"DATA" if rest.is_empty() && self.readers > 0 => {
                self.messages += 1;
                self.forget_envelope();
                Next::ReceiveMessage
            }
            b"MAIL" | b"RCPT" | b"DATA" => Next::HangUp("503 Bad sequence of commands\r\n"),
            _ => Next::HangUp("500 Unknown command\r\n"),
        }
    }

    fn forget_envelope(&mut self) {
        (self.has_sender, self.readers) = (false, 0);
    }
}

/// Splits a command into its verb and its arguments.
fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii())
}

fn is_path(rest: &[u8], word: &[u8]) -> bool {
    rest.len() > word.len() && rest[..word.len()].eq_ignore_ascii_case(word)
}

/// Verifies `PLAIN` credentials sent as an initial response (RFC 4616).
fn is_ours(rest: &[u8], password: &SecretString) -> bool {
    let (mechanism, shown) = split(rest);
    let shown = STANDARD.decode(shown).unwrap_or_default();
    let expected = format!("\0{NAME}\0{}", password.expose_secret());
    mechanism.eq_ignore_ascii_case(b"PLAIN") && bool::from(shown.ct_eq(expected.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(password: &str) -> String {
        format!("AUTH PLAIN {}", STANDARD.encode(format!("\0{NAME}\0{password}")))
    }

    /// Sends all lines and returns the reaction to the last one.
    fn after(lines: &[&str]) -> Next {
        let (mut talk, password) = (Talk::default(), "hush".into());
        let mut next = None;
        for line in lines {
            next = Some(talk.hear(line.as_bytes(), &password));
        }
        next.expect("a line")
    }

    #[test]
    fn the_service_can_submit_an_email() {
        let us = plain("hush");
        let said = ["EHLO here", &us, "MAIL FROM:<a@b.example> BODY=8BITMIME", "RCPT TO:<c@d.e>"];
        assert_eq!(after(&said), Next::Say("250 OK\r\n"));
        assert_eq!(after(&[&said[..], &["DATA"]].concat()), Next::ReceiveMessage);
        // the next message needs a new envelope
        assert!(matches!(after(&[&said[..], &["DATA", "DATA"]].concat()), Next::HangUp(_)));
        assert!(matches!(after(&[&said[..], &["RSET", "DATA"]].concat()), Next::HangUp(_)));
    }

    #[test]
    fn others_cannot_submit_emails() {
        for who in [plain("guess"), plain(""), plain("hushhush"), "AUTH PLAIN".into()] {
            assert!(
                matches!(after(&["EHLO x", &who]), Next::HangUp(words) if words.starts_with("535"))
            );
        }
        for command in ["MAIL FROM:<a@b.c>", "RCPT TO:<a@b.c>", "DATA", "RSET"] {
            let next = after(&["HELO x", command]);
            assert!(matches!(next, Next::HangUp(words) if words.starts_with("530")), "{command}");
        }
        // a new greeting resets the session
        let us = plain("hush");
        assert!(matches!(after(&["EHLO x", &us, "EHLO x", "MAIL FROM:<a@b.c>"]), Next::HangUp(_)));
    }

    #[test]
    fn http_requests_get_no_response() {
        for line in ["GET / HTTP/1.1", "POST / HTTP/1.1", "PUT /x HTTP/1.1", "\x16\x03\x01", ""] {
            assert_eq!(after(&[line]), Next::HangUp(""), "{line:?}");
        }
        for line in ["Host: 127.0.0.1:25", "POST / HTTP/1.1", "", "VRFY root", "STARTTLS"] {
            assert!(matches!(after(&["EHLO x", line]), Next::HangUp(_)), "{line:?}");
        }
    }

    #[test]
    fn a_connection_accepts_a_limited_number_of_emails() {
        let (mut talk, password) = (Talk::default(), "hush".into());
        talk.hear(b"EHLO x", &password);
        talk.hear(plain("hush").as_bytes(), &password);
        for _ in 0..MOST_MESSAGES {
            talk.hear(b"MAIL FROM:<a@b.c>", &password);
            talk.hear(b"RCPT TO:<a@b.c>", &password);
            assert_eq!(talk.hear(b"DATA", &password), Next::ReceiveMessage);
        }
        assert!(matches!(talk.hear(b"MAIL FROM:<a@b.c>", &password), Next::HangUp(_)));
    }
}
