//! An SMTP server on loopback that puts every mail into the mailbox.

use std::{
    io,
    net::{IpAddr, SocketAddr, TcpListener},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use mailin_embedded::{Handler, Response, Server, SslConfig, response};

use super::Mailbox;

/// Our own mails have a few kilobytes.
const LARGEST_MAIL_BYTES: usize = 1 << 20;

/// Opens the post office.
pub(crate) struct PostOffice;

impl PostOffice {
    /// Listens on a free loopback port for as long as the program runs.
    pub(crate) fn open(mailbox: Arc<Mailbox>) -> io::Result<SocketAddr> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let mut server = Server::new(Clerk { mailbox, mail: Vec::new(), too_large: false });
        server
            .with_name("limber.localhost")
            .with_ssl(SslConfig::None)
            .map_err(|error| io::Error::other(error.to_string()))?
            .with_num_threads(2)
            .with_tcp_listener(listener);
        std::thread::Builder::new().name("mail".to_owned()).spawn(move || {
            if let Err(error) = server.serve() {
                tracing::error!(%error, "mail can no longer be received");
            }
        })?;
        Ok(address)
    }
}

/// Takes one mail at a time; each connection has its own.
#[derive(Clone)]
struct Clerk {
    mailbox: Arc<Mailbox>,
    mail: Vec<u8>,
    too_large: bool,
}

impl Handler for Clerk {
    fn helo(&mut self, ip: IpAddr, _: &str) -> Response {
        if ip.is_loopback() { response::OK } else { response::BAD_HELLO }
    }

    fn data_start(&mut self, _: &str, _: &str, _: bool, _: &[String]) -> Response {
        self.mail.clear();
        self.too_large = false;
        response::OK
    }

    fn data(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.too_large |= self.mail.len() + bytes.len() > LARGEST_MAIL_BYTES;
        if !self.too_large {
            self.mail.extend_from_slice(bytes);
        }
        Ok(())
    }

    fn data_end(&mut self) -> Response {
        if self.too_large {
            return response::NO_STORAGE;
        }
        match self.mailbox.put(&self.mail, now()) {
            Ok(()) => response::OK,
            Err(error) => {
                tracing::error!(%error, "a mail could not be kept");
                response::INTERNAL_ERROR
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "when a mail arrives is when it arrives")]
fn now() -> DateTime<Utc> {
    Utc::now()
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader, Write},
        net::TcpStream,
    };

    use super::*;

    fn say(stream: &mut BufReader<TcpStream>, words: &str) -> String {
        stream.get_mut().write_all(words.as_bytes()).expect("sent");
        let mut line = String::new();
        stream.read_line(&mut line).expect("answered");
        line
    }

    fn send(address: SocketAddr, body: &str) -> String {
        let mut stream = BufReader::new(TcpStream::connect(address).expect("open"));
        stream.read_line(&mut String::new()).expect("a greeting");
        say(&mut stream, "HELO test\r\n");
        say(&mut stream, "MAIL FROM:<a@b.example>\r\n");
        say(&mut stream, "RCPT TO:<c@d.example>\r\n");
        say(&mut stream, "DATA\r\n");
        say(&mut stream, &format!("Subject: hi\r\n\r\n{body}\r\n.\r\n"))
    }

    #[test]
    fn a_mail_that_is_sent_is_in_the_mailbox() {
        let place = tempfile::tempdir().expect("a folder");
        let mailbox = Arc::new(Mailbox::new(place.path().join("mail")));
        let address = PostOffice::open(Arc::clone(&mailbox)).expect("open");
        assert!(send(address, "Hello").starts_with("250"));
        let letters = mailbox.list().expect("listed");
        assert_eq!((letters[0].subject.as_str(), letters[0].text.as_str()), ("hi", "Hello"));
    }

    #[test]
    fn a_mail_that_is_too_large_is_refused_and_not_kept() {
        let place = tempfile::tempdir().expect("a folder");
        let mailbox = Arc::new(Mailbox::new(place.path().join("mail")));
        let address = PostOffice::open(Arc::clone(&mailbox)).expect("open");
        let line = "x".repeat(900) + "\r\n";
        assert!(send(address, &line.repeat(1300)).starts_with("552"));
        assert!(mailbox.list().expect("listed").is_empty());
    }
}
