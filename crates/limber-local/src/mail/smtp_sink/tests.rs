//! Tests with clients that are slow, hostile or ours.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::*;
use crate::mail::talk::NAME;

const PASSWORD: &str = "hush";

struct TestServer {
    _place: tempfile::TempDir,
    mailbox: Arc<Mailbox>,
    sink: SmtpSink,
}

/// Time limits that no test reaches.
const GENEROUS: Limits = Limits { line: HOUR, stranger: HOUR, talk: HOUR };
const HOUR: Duration = Duration::from_secs(3600);
/// A time limit that tests wait for; long enough to authenticate on a busy computer.
const SHORT: Duration = Duration::from_secs(2);

impl TestServer {
    fn open() -> Self {
        Self::open_with(GENEROUS)
    }

    fn open_with(limits: Limits) -> Self {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let mailbox = Arc::new(Mailbox::new(place.path().join("mail")));
        let sink = SmtpSink::open_with(Arc::clone(&mailbox), PASSWORD.into(), limits);
        Self { _place: place, mailbox, sink: sink.expect("the mail server can be started") }
    }

    fn messages(&self) -> usize {
        self.mailbox.list().expect("the mailbox can be listed").len()
    }

    /// A connection that has received the greeting.
    fn connect(&self) -> BufReader<TcpStream> {
        let mut stream = BufReader::new(
            TcpStream::connect(self.sink.address).expect("the server accepts connections"),
        );
        let mut greeting = String::new();
        stream.read_line(&mut greeting).expect("a greeting");
        assert!(greeting.starts_with("220"), "{greeting}");
        stream
    }
}

fn send_command(stream: &mut BufReader<TcpStream>, words: &str) -> String {
    stream.get_mut().write_all(words.as_bytes()).expect("the request can be sent");
    let mut line = String::new();
    // a closed connection reads as empty
    let _ = stream.read_line(&mut line);
    line
}

fn authenticate(stream: &mut BufReader<TcpStream>, password: &str) -> String {
    send_command(stream, "HELO test\r\n");
    let credentials = STANDARD.encode(format!("\0{NAME}\0{password}"));
    send_command(stream, &format!("AUTH PLAIN {credentials}\r\n"))
}

fn send_email(stream: &mut BufReader<TcpStream>, body: &str) -> String {
    send_command(stream, "MAIL FROM:<a@b.example>\r\n");
    send_command(stream, "RCPT TO:<c@d.example>\r\n");
    send_command(stream, "DATA\r\n");
    send_command(stream, &format!("Subject: hi\r\n\r\n{body}\r\n.\r\n"))
}

/// Returns whether an attempt that is repeated every few milliseconds fails within ten seconds.
fn is_cut_off(mut attempt: impl FnMut() -> bool) -> bool {
    (0..1000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !attempt()
    })
}

/// Everything received until the connection ends.
fn read_to_end(stream: &mut BufReader<TcpStream>) -> String {
    let mut received = String::new();
    // the connection may also be reset
    let _ = stream.read_to_string(&mut received);
    received
}

#[tokio::test(flavor = "multi_thread")]
async fn emails_from_the_studio_are_delivered() {
    let server = TestServer::open();
    let mut client = server.connect();
    assert!(authenticate(&mut client, PASSWORD).starts_with("235"));
    assert!(send_email(&mut client, "Hello\r\n..and more").starts_with("250"));
    let messages = server.mailbox.list().expect("the mailbox can be listed");
    assert_eq!(messages[0].subject, "hi");
    assert_eq!(messages[0].text.replace('\r', ""), "Hello\n.and more");
    assert!(send_email(&mut client, "Another").starts_with("250"), "the connection is still open");
    assert_eq!(server.messages(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn emails_from_others_are_rejected() {
    let server = TestServer::open();
    let mut client = server.connect();
    assert!(authenticate(&mut client, "guess").starts_with("535"));
    assert_eq!(read_to_end(&mut client), "", "there is no second attempt");
    let mut client = server.connect();
    send_command(&mut client, "HELO test\r\n");
    assert!(send_command(&mut client, "MAIL FROM:<a@b.example>\r\n").starts_with("530"));
    assert_eq!(read_to_end(&mut client), "");
    assert_eq!(server.messages(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn smtp_commands_inside_http_requests_are_ignored() {
    let server = TestServer::open();
    let credentials = STANDARD.encode(format!("\0{NAME}\0{PASSWORD}"));
    let commands = format!(
        "HELO x\r\nAUTH PLAIN {credentials}\r\nMAIL FROM:<a@b.example>\r\n\
         RCPT TO:<c@d.example>\r\nDATA\r\nSubject: hi\r\n\r\nHello\r\n.\r\n"
    );
    for before in ["POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "GET / HTTP/1.1\r\n", ""] {
        let mut client = BufReader::new(
            TcpStream::connect(server.sink.address).expect("the server accepts connections"),
        );
        client
            .get_mut()
            .write_all(format!("{before}{commands}").as_bytes())
            .expect("the request can be sent");
        let received = read_to_end(&mut client);
        assert!(!received.contains("235") && !received.contains("354"), "{before:?}: {received}");
    }
    assert_eq!(server.messages(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn oversized_emails_are_rejected() {
    let server = TestServer::open();
    let mut client = server.connect();
    authenticate(&mut client, PASSWORD);
    let long = "x".repeat(900) + "\r\n";
    assert!(send_email(&mut client, &long.repeat(1300)).starts_with("552"));
    assert_eq!(server.messages(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_lines_close_the_connection() {
    let server = TestServer::open();
    let mut client = server.connect();
    assert_eq!(send_command(&mut client, &"x".repeat(LONGEST_COMMAND_BYTES)), "");
    let mut client = server.connect();
    authenticate(&mut client, PASSWORD);
    assert_eq!(send_email(&mut client, &"x".repeat(LONGEST_LINE_BYTES)), "");
    assert_eq!(server.messages(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_time_out() {
    let server = TestServer::open_with(Limits { stranger: SHORT, ..GENEROUS });
    let mut silent = server.connect();
    assert_eq!(read_to_end(&mut silent), "", "the connection was closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn emails_that_trickle_in_are_cut_off() {
    let server = TestServer::open_with(Limits { line: SHORT, ..GENEROUS });
    let mut client = server.connect();
    assert!(authenticate(&mut client, PASSWORD).starts_with("235"));
    send_command(&mut client, "MAIL FROM:<a@b.example>\r\n");
    send_command(&mut client, "RCPT TO:<c@d.example>\r\n");
    assert!(send_command(&mut client, "DATA\r\n").starts_with("354"));
    assert!(is_cut_off(|| client.get_mut().write_all(b"more\r\n").is_ok()));
    assert_eq!(server.messages(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_sessions_are_cut_off() {
    let server = TestServer::open_with(Limits { talk: SHORT, ..GENEROUS });
    let mut client = server.connect();
    assert!(authenticate(&mut client, PASSWORD).starts_with("235"));
    assert!(is_cut_off(|| send_command(&mut client, "NOOP\r\n").starts_with("250")));
}

#[test]
fn the_time_limits_are_a_matter_of_seconds() {
    let Limits { line, stranger, talk } = LIMITS;
    assert!([line, stranger, talk].iter().all(|limit| *limit <= Duration::from_secs(60)));
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_do_not_block_the_service() {
    let server = TestServer::open();
    let mut earlier = server.connect();
    assert!(authenticate(&mut earlier, PASSWORD).starts_with("235"));
    // all are greeted, even those that arrive when all slots are taken
    let mut crowd: Vec<_> = (0..MOST_TALKS).map(|_| server.connect()).collect();
    assert!(
        send_email(&mut earlier, "Hello").starts_with("250"),
        "other connections do not displace it"
    );
    let mut later = server.connect();
    assert!(authenticate(&mut later, PASSWORD).starts_with("235"));
    assert!(send_email(&mut later, "Hello again").starts_with("250"));
    assert_eq!(read_to_end(&mut crowd[0]), "", "the oldest connection was closed");
    assert_eq!(server.messages(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dot_after_a_bare_line_feed_does_not_end_the_email() {
    let server = TestServer::open();
    let mut client = server.connect();
    authenticate(&mut client, PASSWORD);
    let body = "Hello\n.\r\nMAIL FROM:<eve@d.example>\n..and more";
    assert!(send_email(&mut client, body).starts_with("250"));
    assert!(
        send_email(&mut client, "Another").starts_with("250"),
        "commands and responses are in step"
    );
    let messages = server.mailbox.list().expect("the mailbox can be listed");
    assert_eq!(messages.len(), 2);
    assert!(messages[1].text.contains("\n..and more"), "{}", messages[1].text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_port_is_closed_after_shutdown() {
    let TestServer { sink, .. } = TestServer::open();
    let address = sink.address;
    drop(sink);
    while TcpStream::connect(address).is_ok() {
        tokio::task::yield_now().await;
    }
}
