//! A mail server that records what it receives, and can misbehave as mail servers do.

use std::io;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use limber_postgres::TestDatabase;
use mail_parser::MessageParser;
use mailin_embedded::response::OK;
use mailin_embedded::{Handler, Response, Server};
use sqlx::{Connection, PgConnection};
use tokio::sync::Notify;

use crate::waiting::{PATIENCE, wait_for};

/// An email as a person sees it.
#[derive(Debug, Clone)]
pub(crate) struct Mail {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
    /// The headers.
    pub(crate) head: String,
}

impl Mail {
    /// Returns the link in the email.
    pub(crate) fn link(&self) -> &str {
        self.text.lines().find(|line| line.starts_with("http")).expect("the mail has a link")
    }

    /// Returns a parameter of the link.
    pub(crate) fn parameter(&self, name: &str) -> String {
        let url = reqwest::Url::parse(self.link()).expect("the link is an address");
        let value = url.query_pairs().find(|(n, _)| n == name).map(|(_, v)| v.into_owned());
        value.expect("the link has the parameter")
    }

    /// Returns the code for typing in.
    pub(crate) fn code(&self) -> String {
        let text = self.text.to_lowercase();
        let (_, after) = text.split_once("enter this code: ").expect("the mail has a code");
        after.chars().take_while(char::is_ascii_digit).collect()
    }

    /// Returns a header's value.
    pub(crate) fn header(&self, name: &str) -> String {
        let line = self.head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.unwrap_or_else(|| panic!("{name} is missing in {}", self.head)).to_owned()
    }
}

/// How the server treats emails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mood {
    #[default]
    Takes,
    /// Rejects them temporarily.
    Later,
    /// Rejects them permanently.
    Never,
    /// Accepts them after a delay.
    Slow(Duration),
    /// Holds them, and accepts them as soon as the mood changes.
    Holds,
}

#[derive(Debug, Default)]
struct State {
    mails: Vec<Mail>,
    mood: Mood,
    refused: usize,
    held: usize,
}

/// Polling interval for a change of mood.
const BREATH: Duration = Duration::from_millis(10);

/// All received emails.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mailbox {
    state: Arc<Mutex<State>>,
    arrived: Arc<Notify>,
}

impl Mailbox {
    /// Starts the server on a free port. It lives as long as the test program.
    pub(crate) fn start() -> (Self, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("a bound address").port();
        let mailbox = Self::default();
        let mut server = Server::new(Receiver { mailbox: mailbox.clone(), ..Receiver::default() });
        server.with_name("test").with_num_threads(4).with_tcp_listener(listener);
        std::thread::spawn(move || drop(server.serve()));
        (mailbox, port)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panicked while holding the lock")
    }

    pub(crate) fn set_mood(&self, mood: Mood) {
        self.state().mood = mood;
    }

    /// Returns the number of emails rejected so far.
    pub(crate) fn refused(&self) -> usize {
        self.state().refused
    }

    /// Returns the number of emails held so far.
    pub(crate) fn held(&self) -> usize {
        self.state().held
    }

    pub(crate) fn all(&self) -> Vec<Mail> {
        self.state().mails.clone()
    }

    pub(crate) fn all_to(&self, to: &str) -> Vec<Mail> {
        self.state().mails.iter().filter(|mail| mail.to == to).cloned().collect()
    }

    /// Waits for the `number`th email (from 1) to an address.
    pub(crate) async fn nth(&self, to: &str, number: usize) -> Mail {
        let coming = async {
            loop {
                let arrived = self.arrived.notified();
                tokio::pin!(arrived);
                // From here on, no arrival is missed.
                arrived.as_mut().enable();
                if let Some(mail) = self.all_to(to).get(number - 1) {
                    return mail.clone();
                }
                arrived.await;
            }
        };
        let mail = tokio::time::timeout(PATIENCE, coming).await;
        mail.unwrap_or_else(|_| panic!("email {number} to {to} did not arrive"))
    }

    /// Waits before accepting an email, according to the mood.
    fn linger(&self) {
        let mood = self.state().mood;
        match mood {
            Mood::Slow(time) => std::thread::sleep(time),
            Mood::Holds => {
                self.state().held += 1;
                while self.state().mood == Mood::Holds {
                    std::thread::sleep(BREATH);
                }
            }
            Mood::Takes | Mood::Later | Mood::Never => {}
        }
    }

    /// Returns the number of emails to an address, once the outbox is empty.
    pub(crate) async fn count(&self, database: &TestDatabase, to: &str) -> usize {
        let left = "SELECT count(*) FROM mail_outbox WHERE given_up_at IS NULL";
        let mut database = PgConnection::connect(database.url()).await.expect("the database");
        wait_for("the outbox is empty", async || {
            sqlx::query_scalar::<_, i64>(left).fetch_one(&mut database).await.ok() == Some(0)
        })
        .await;
        self.all_to(to).len()
    }
}

#[derive(Debug, Clone, Default)]
struct Receiver {
    mailbox: Mailbox,
    to: String,
    bytes: Vec<u8>,
}

impl Handler for Receiver {
    fn rcpt(&mut self, to: &str) -> Response {
        to.trim_matches(['<', '>']).clone_into(&mut self.to);
        let mut state = self.mailbox.state();
        state.refused += usize::from(matches!(state.mood, Mood::Later | Mood::Never));
        match state.mood {
            Mood::Later => Response::custom(450, "come back later".into()),
            Mood::Never => Response::custom(550, "nobody of that name".into()),
            Mood::Takes | Mood::Slow(_) | Mood::Holds => OK,
        }
    }

    fn data_start(&mut self, _: &str, _: &str, _: bool, _: &[String]) -> Response {
        self.bytes.clear();
        OK
    }

    fn data(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn data_end(&mut self) -> Response {
        self.mailbox.linger();
        let message = MessageParser::default().parse(&self.bytes).expect("the email can be parsed");
        let whole = String::from_utf8_lossy(&self.bytes).replace("\r\n", "\n");
        let mail = Mail {
            to: self.to.clone(),
            subject: message.subject().unwrap_or_default().to_owned(),
            text: message.body_text(0).unwrap_or_default().replace("\r\n", "\n"),
            html: message.body_html(0).unwrap_or_default().into_owned(),
            head: whole.split("\n\n").next().unwrap_or_default().to_owned(),
        };
        self.mailbox.state().mails.push(mail);
        self.mailbox.arrived.notify_waiters();
        OK
    }
}
