//! An SMTP server on loopback that delivers mail of the studio's identity service to the mailbox.

use std::{
    collections::VecDeque,
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::{AbortHandle, JoinHandle, JoinSet, spawn_blocking},
    time::{sleep, timeout},
};

use super::{
    Mailbox,
    talk::{Next, Talk},
};

/// Size limit of a message; ours have a few kilobytes.
const LARGEST_MAIL_BYTES: usize = 1 << 20;
/// How much of an oversized message is still read, so that the sender receives the reason for the
/// refusal.
const MOST_HEARD_BYTES: usize = 4 * LARGEST_MAIL_BYTES;
/// Length limits of a command (RFC 5321, 4.5.3.1.4) and of a text line (4.5.3.1.6).
const LONGEST_COMMAND_BYTES: usize = 512;
const LONGEST_LINE_BYTES: usize = 1000;
/// Timeout for one line and its response; the client runs on the same computer.
const LINE_TIME: Duration = Duration::from_secs(10);
/// Timeout for authentication.
const STRANGER_TIME: Duration = Duration::from_secs(5);
/// Timeout for a whole connection; the service sends up to fifty messages on one.
const TALK_TIME: Duration = Duration::from_secs(60);
/// Maximum number of connections. The service needs one; the rest leaves it room to authenticate
/// while unauthenticated connections crowd each other out.
const MOST_TALKS: usize = 64;
/// Delay after an accept error.
const BREATH: Duration = Duration::from_millis(50);

/// The SMTP server; it stops when dropped.
#[derive(Debug)]
pub(crate) struct SmtpSink {
    pub(crate) address: SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for SmtpSink {
    fn drop(&mut self) {
        // open connections end with it
        self.task.abort();
    }
}

impl SmtpSink {
    /// Listens on a free loopback port, for clients that know the password.
    pub(crate) async fn open(mailbox: Arc<Mailbox>, password: SecretString) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let state = ServerState { mailbox, password };
        Ok(Self { address, task: tokio::spawn(accept_all(listener, state)) })
    }
}

async fn accept_all(listener: TcpListener, state: ServerState) {
    let mut talks = JoinSet::new();
    let mut connections = Connections::default();
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "an email could not be received; waiting for the next one");
                sleep(BREATH).await;
                continue;
            }
        };
        while talks.try_join_next().is_some() {}
        if connections.make_room() {
            let is_ours = Arc::default();
            let talk = talks.spawn(serve_with_timeout(state.clone(), stream, Arc::clone(&is_ours)));
            connections.0.push_back((talk, is_ours));
        }
    }
}

/// Open connections, oldest first, with a flag for whether each is authenticated.
#[derive(Default)]
struct Connections(VecDeque<(AbortHandle, Arc<AtomicBool>)>);

impl Connections {
    /// Makes room for a connection. If there are too many, the oldest unauthenticated one is
    /// closed, so that a crowd cannot keep the service out. Returns `false` if all are
    /// authenticated.
    fn make_room(&mut self) -> bool {
        self.0.retain(|(talk, _)| !talk.is_finished());
        if self.0.len() < MOST_TALKS {
            return true;
        }
        let stranger = self.0.iter().position(|(_, is_ours)| !is_ours.load(Ordering::Relaxed));
        let leaving = stranger.and_then(|place| self.0.remove(place));
        leaving.is_some_and(|(talk, _)| {
            talk.abort();
            true
        })
    }
}

async fn serve_with_timeout(state: ServerState, stream: TcpStream, is_ours: Arc<AtomicBool>) {
    match timeout(TALK_TIME, state.serve(stream, is_ours)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a connection to the mail server failed"),
        Err(_) => tracing::debug!("a connection to the mail server took too long"),
    }
}

/// State shared by all connections.
#[derive(Clone)]
struct ServerState {
    mailbox: Arc<Mailbox>,
    password: SecretString,
}

impl ServerState {
    async fn serve(self, stream: TcpStream, is_ours: Arc<AtomicBool>) -> io::Result<()> {
        let mut connection = Connection { stream: BufReader::new(stream), is_ours };
        let mut talk = Talk::default();
        connection.send("220 limber.localhost\r\n").await?;
        let introduced = async {
            while !talk.is_ours() {
                if !self.handle_command(&mut connection, &mut talk).await? {
                    return Ok(false);
                }
            }
            Ok::<bool, io::Error>(true)
        };
        if !timeout(STRANGER_TIME, introduced).await?? {
            return Ok(());
        }
        while timeout(LINE_TIME, self.handle_command(&mut connection, &mut talk)).await?? {}
        Ok(())
    }

    /// Handles one command; returns `false` if the connection should end.
    async fn handle_command(
        &self,
        connection: &mut Connection,
        talk: &mut Talk,
    ) -> io::Result<bool> {
        let Some(heard) = connection.read_line(LONGEST_COMMAND_BYTES).await? else {
            return Ok(false);
        };
        // our client never pipelines, whereas a browser's request arrives in one piece
        if !connection.is_silent() || !heard.ends_with(b"\r\n") {
            return Ok(false);
        }
        let next = talk.hear(&heard[..heard.len() - 2], &self.password);
        // set before the response, so that an authenticated client is never evicted
        connection.is_ours.store(talk.is_ours(), Ordering::Relaxed);
        match next {
            Next::Say(words) => connection.send(words).await.map(|()| true),
            Next::HangUp(words) => connection.send(words).await.map(|()| false),
            Next::ReceiveMessage => {
                connection.send("354 Start mail input\r\n").await?;
                let Some(message) = connection.read_message().await? else {
                    connection.send("552 This message is too large\r\n").await?;
                    return Ok(true);
                };
                let words = self.store(message).await;
                connection.send(words).await.map(|()| true)
            }
        }
    }

    async fn store(&self, message: Vec<u8>) -> &'static str {
        let mailbox = Arc::clone(&self.mailbox);
        match spawn_blocking(move || mailbox.put(&message, now())).await {
            Ok(Ok(())) => "250 OK\r\n",
            Ok(Err(error)) => {
                tracing::error!(%error, "an email could not be stored");
                "451 The message could not be stored\r\n"
            }
            Err(_) => "451 The message could not be stored\r\n",
        }
    }
}

/// A connection.
struct Connection {
    stream: BufReader<TcpStream>,
    /// Whether the client is authenticated; read when a connection has to be evicted.
    is_ours: Arc<AtomicBool>,
}

impl Connection {
    async fn send(&mut self, words: &str) -> io::Result<()> {
        self.stream.write_all(words.as_bytes()).await?;
        self.stream.flush().await
    }

    /// Reads a line including its line ending; `None` at the end of the stream.
    async fn read_line(&mut self, longest: usize) -> io::Result<Option<Vec<u8>>> {
        let mut heard = Vec::new();
        let limit = u64::try_from(longest).unwrap_or(u64::MAX);
        (&mut self.stream).take(limit).read_until(b'\n', &mut heard).await?;
        if heard.is_empty() {
            return Ok(None);
        }
        if !heard.ends_with(b"\n") {
            return Err(io::Error::other("a line was too long or incomplete"));
        }
        Ok(Some(heard))
    }

    /// Returns whether no unread input is buffered.
    fn is_silent(&self) -> bool {
        self.stream.buffer().is_empty()
    }

    /// Reads a message up to its end marker; `None` if it is too large.
    ///
    /// Only CR LF ends a line (RFC 5321, 2.3.8), and senders stuff dots only at the start of such
    /// lines; a dot after a bare LF belongs to the message and does not end it.
    async fn read_message(&mut self) -> io::Result<Option<Vec<u8>>> {
        let (mut message, mut bytes, mut begins) = (Vec::new(), 0, true);
        loop {
            let Some(line) = self.read_line(LONGEST_LINE_BYTES).await? else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            if begins && line == b".\r\n" {
                return Ok((bytes <= LARGEST_MAIL_BYTES).then_some(message));
            }
            bytes += line.len();
            if bytes > MOST_HEARD_BYTES {
                return Err(io::Error::other("the email is incomplete"));
            }
            if bytes <= LARGEST_MAIL_BYTES {
                // undo dot-stuffing
                let said = line.strip_prefix(b".").filter(|_| begins).unwrap_or(&line);
                message.extend_from_slice(said);
            }
            begins = line.ends_with(b"\r\n");
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the arrival time of an email is real time; no result depends on it"
)]
fn now() -> DateTime<Utc> {
    Utc::now()
}

#[cfg(test)]
mod tests {
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

    impl TestServer {
        async fn open() -> Self {
            let place = tempfile::tempdir().expect("a temporary folder can be created");
            let mailbox = Arc::new(Mailbox::new(place.path().join("mail")));
            let sink = SmtpSink::open(Arc::clone(&mailbox), PASSWORD.into()).await;
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

    /// Everything received until the connection ends.
    fn read_to_end(stream: &mut BufReader<TcpStream>) -> String {
        let mut received = String::new();
        // the connection may also be reset
        let _ = stream.read_to_string(&mut received);
        received
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn emails_from_the_studio_are_delivered() {
        let server = TestServer::open().await;
        let mut client = server.connect();
        assert!(authenticate(&mut client, PASSWORD).starts_with("235"));
        assert!(send_email(&mut client, "Hello\r\n..and more").starts_with("250"));
        let messages = server.mailbox.list().expect("the mailbox can be listed");
        assert_eq!(messages[0].subject, "hi");
        assert_eq!(messages[0].text.replace('\r', ""), "Hello\n.and more");
        assert!(
            send_email(&mut client, "Another").starts_with("250"),
            "the connection is still open"
        );
        assert_eq!(server.messages(), 2);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn emails_from_others_are_rejected() {
        let server = TestServer::open().await;
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
        let server = TestServer::open().await;
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
            assert!(
                !received.contains("235") && !received.contains("354"),
                "{before:?}: {received}"
            );
        }
        assert_eq!(server.messages(), 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn oversized_emails_are_rejected() {
        let server = TestServer::open().await;
        let mut client = server.connect();
        authenticate(&mut client, PASSWORD);
        let long = "x".repeat(900) + "\r\n";
        assert!(send_email(&mut client, &long.repeat(1300)).starts_with("552"));
        assert_eq!(server.messages(), 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn endless_lines_close_the_connection() {
        let server = TestServer::open().await;
        let mut client = server.connect();
        assert_eq!(send_command(&mut client, &"x".repeat(LONGEST_COMMAND_BYTES)), "");
        let mut client = server.connect();
        authenticate(&mut client, PASSWORD);
        assert_eq!(send_email(&mut client, &"x".repeat(LONGEST_LINE_BYTES)), "");
        assert_eq!(server.messages(), 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn silent_connections_time_out() {
        let server = TestServer::open().await;
        let mut silent = server.connect();
        assert_eq!(read_to_end(&mut silent), "", "the connection was closed");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn idle_connections_do_not_block_the_service() {
        let server = TestServer::open().await;
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
        let server = TestServer::open().await;
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
        let TestServer { sink, .. } = TestServer::open().await;
        let address = sink.address;
        drop(sink);
        while TcpStream::connect(address).is_ok() {
            tokio::task::yield_now().await;
        }
    }
}
