//! An SMTP server on loopback that delivers mail of the studio's identity service to the mailbox.

#[cfg(test)]
mod tests;

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
use crate::port::listen_for_children;

/// Size limit of a message; ours have a few kilobytes.
const LARGEST_MAIL_BYTES: usize = 1 << 20;
/// How much of an oversized message is still read, so that the sender receives the reason for the
/// refusal.
const MOST_HEARD_BYTES: usize = 4 * LARGEST_MAIL_BYTES;
/// Length limits of a command (RFC 5321, 4.5.3.1.4) and of a text line (4.5.3.1.6).
const LONGEST_COMMAND_BYTES: usize = 512;
const LONGEST_LINE_BYTES: usize = 1000;
/// Maximum number of connections. The service needs one; the rest leaves it room to authenticate
/// while unauthenticated connections crowd each other out.
const MOST_TALKS: usize = 64;
/// Delay after an accept error.
const BREATH: Duration = Duration::from_millis(50);

/// Time limits of a connection.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// For one command or message and its response; the client runs on the same computer.
    line: Duration,
    /// For authentication.
    stranger: Duration,
    /// For the whole connection; the service sends up to fifty messages on one.
    talk: Duration,
}

const LIMITS: Limits = Limits {
    line: Duration::from_secs(10),
    stranger: Duration::from_secs(5),
    talk: Duration::from_secs(60),
};

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
    pub(crate) fn open(mailbox: Arc<Mailbox>, password: SecretString) -> io::Result<Self> {
        Self::open_with(mailbox, password, LIMITS)
    }

    fn open_with(
        mailbox: Arc<Mailbox>,
        password: SecretString,
        limits: Limits,
    ) -> io::Result<Self> {
        let listener = listen_for_children()?;
        let address = listener.local_addr()?;
        let state = ServerState { mailbox, password, limits };
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
    match timeout(state.limits.talk, state.serve(stream, is_ours)).await {
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
    limits: Limits,
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
        if !timeout(self.limits.stranger, introduced).await?? {
            return Ok(());
        }
        let line = self.limits.line;
        while timeout(line, self.handle_command(&mut connection, &mut talk)).await?? {}
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
