//! The local mailbox, and the SMTP server that delivers to it.

mod message;
mod smtp_sink;
mod talk;

use std::{fmt, fs, io, path::PathBuf, sync::Mutex};

use chrono::{DateTime, Utc};
use limber_domain::lock;
use limber_system::private;

pub use message::Message;
pub(crate) use smtp_sink::SmtpSink;
pub(crate) use talk::NAME as SMTP_USER;

/// Maximum number of messages; the oldest are deleted.
const MOST_MESSAGES: usize = 500;

type Listener = Box<dyn Fn() + Send + Sync>;

/// Messages in a folder, one `.eml` file each. A second, empty file marks a message as read.
pub struct Mailbox {
    folder: PathBuf,
    on_arrival: Mutex<Option<Listener>>,
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Mailbox").finish_non_exhaustive()
    }
}

impl Mailbox {
    /// Uses the mailbox in this folder, which is created when the first message arrives.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, on_arrival: Mutex::default() }
    }

    /// Calls `listener` after each message that arrives.
    pub fn on_arrival(&self, listener: impl Fn() + Send + Sync + 'static) {
        *lock(&self.on_arrival) = Some(Box::new(listener));
    }

    /// Returns all messages, newest first.
    ///
    /// # Errors
    /// If the folder exists but cannot be read.
    pub fn list(&self) -> io::Result<Vec<Message>> {
        let ids = self.ids()?;
        Ok(ids.iter().rev().filter_map(|id| self.read(id).ok().flatten()).collect())
    }

    /// Opens a message and marks it as read; `None` if the ID does not exist.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn open(&self, id: &str) -> io::Result<Option<Message>> {
        let message = self.read(id)?;
        if message.is_some() {
            fs::write(self.mark(id), "")?;
        }
        Ok(message)
    }

    /// Stores a message.
    pub(crate) fn put(&self, raw: &[u8], now: DateTime<Utc>) -> io::Result<()> {
        private::own_folder(&self.folder)?;
        let ids = self.ids()?;
        let id = (0u32..)
            .map(|number| format!("{:015}-{number:04}", now.timestamp_millis()))
            .find(|id| !ids.contains(id))
            .unwrap_or_default();
        private::write(&self.folder.join(format!("{id}.eml")), raw)?;
        for old in ids.iter().rev().skip(MOST_MESSAGES - 1) {
            let _ = fs::remove_file(self.folder.join(format!("{old}.eml")));
            let _ = fs::remove_file(self.mark(old));
        }
        if let Some(listener) = &*lock(&self.on_arrival) {
            listener();
        }
        Ok(())
    }

    fn read(&self, id: &str) -> io::Result<Option<Message>> {
        // IDs are file names, so only digits and dashes are allowed
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            return Ok(None);
        }
        match fs::read(self.folder.join(format!("{id}.eml"))) {
            Ok(raw) => Ok(Message::parse(id, &raw, !self.mark(id).exists())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn mark(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.read"))
    }

    /// Returns all message IDs, oldest first.
    fn ids(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
            other => other?,
        };
        let mut ids: Vec<String> = entries
            .filter_map(|entry| {
                let name = entry.ok()?.file_name().into_string().ok()?;
                Some(name.strip_suffix(".eml")?.to_owned())
            })
            .collect();
        ids.sort();
        Ok(ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(second, 0).expect("a time")
    }

    #[test]
    fn emails_are_listed_newest_first_and_keep_their_read_state() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let mailbox = Mailbox::new(place.path().join("mail"));
        assert!(mailbox.list().expect("the mailbox can be listed").is_empty());
        for (second, subject) in [(1, "one"), (2, "two"), (2, "three")] {
            let raw = format!("From: a@b.c\r\nTo: d@e.f\r\nSubject: {subject}\r\n\r\nHello\r\n");
            mailbox.put(raw.as_bytes(), at(second)).expect("the message can be stored");
        }
        let subjects: Vec<_> = mailbox
            .list()
            .expect("the mailbox can be listed")
            .into_iter()
            .map(|message| message.subject)
            .collect();
        assert_eq!(subjects, ["three", "two", "one"]);
        let id = mailbox.list().expect("the mailbox can be listed")[0].id.clone();
        assert!(
            mailbox.open(&id).expect("the mailbox can be read").expect("the message exists").unread
        );
        assert!(!mailbox.list().expect("the mailbox can be listed")[0].unread);
    }

    #[test]
    fn ids_of_other_files_are_rejected() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let mailbox = Mailbox::new(place.path().to_owned());
        for id in ["", "../secrets", "/etc/passwd", "1/2"] {
            assert!(mailbox.open(id).expect("the mailbox can be read").is_none());
        }
    }

    #[test]
    fn a_full_mailbox_drops_the_oldest_email() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let mailbox = Mailbox::new(place.path().to_owned());
        for number in 0..=MOST_MESSAGES {
            let id = format!("{number:015}-0000");
            fs::write(place.path().join(format!("{id}.eml")), "Subject: x\r\n\r\n")
                .expect("the file can be written");
        }
        mailbox.put(b"Subject: new\r\n\r\n", at(9_999_999)).expect("the message can be stored");
        let messages = mailbox.list().expect("the mailbox can be listed");
        assert_eq!(messages.len(), MOST_MESSAGES);
        assert_eq!(messages[0].subject, "new");
    }
}
