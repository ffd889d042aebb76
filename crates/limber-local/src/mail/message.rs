//! A message, parsed from its wire format.

use std::fmt;

use chrono::{DateTime, Utc};
use mail_parser::MessageParser;
use secrecy::SecretString;

/// Maximum number of links extracted from a message.
const MOST_LINKS: usize = 20;

/// A received email.
#[derive(Clone)]
pub struct Message {
    /// ID within the mailbox.
    pub id: String,
    /// Sender.
    pub from: String,
    /// Recipient.
    pub to: String,
    /// Subject line.
    pub subject: String,
    /// When it arrived.
    pub received_at: DateTime<Utc>,
    /// Whether it has not been opened yet.
    pub unread: bool,
    /// Plain-text body.
    pub text: String,
    /// Links as text and URL. URLs may carry tokens.
    pub links: Vec<(String, SecretString)>,
}

impl fmt::Debug for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Message").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Message {
    pub(super) fn parse(id: &str, raw: &[u8], unread: bool) -> Option<Self> {
        let message = MessageParser::default().parse(raw)?;
        let person = |address: Option<&mail_parser::Address<'_>>| {
            let first = address.and_then(|address| address.first());
            first.and_then(|person| person.address()).unwrap_or_default().to_owned()
        };
        let html = message.body_html(0).unwrap_or_default();
        let text = message.body_text(0).unwrap_or_default().trim().to_owned();
        let mut links = links_of_html(&html);
        if links.is_empty() {
            links = links_of_text(&text);
        }
        let millis: i64 = id.split('-').next()?.parse().ok()?;
        Some(Self {
            id: id.to_owned(),
            from: person(message.from()),
            to: person(message.to()),
            subject: message.subject().unwrap_or("(no subject)").to_owned(),
            received_at: DateTime::from_timestamp_millis(millis)?,
            unread,
            text,
            links,
        })
    }
}

/// Extracts links of the form `<a href="…">words</a>`, as our own templates write them.
fn links_of_html(html: &str) -> Vec<(String, SecretString)> {
    let anchors = html.split("<a ").skip(1).filter_map(|rest| {
        let (anchor, _) = rest.split_once("</a>")?;
        let (attributes, words) = anchor.split_once('>')?;
        let (_, href) = attributes.split_once("href=\"")?;
        let (address, _) = href.split_once('"')?;
        let words = words.split('<').next()?.trim();
        let words = if words.is_empty() || words.contains("://") { "Open the link" } else { words };
        is_web(address).then(|| (words.to_owned(), address.replace("&amp;", "&").into()))
    });
    anchors.take(MOST_LINKS).collect()
}

fn links_of_text(text: &str) -> Vec<(String, SecretString)> {
    let words =
        text.split_whitespace().map(|word| word.trim_matches(['(', ')', '<', '>', '[', ']']));
    let found = words.filter(|word| is_web(word));
    found
        .take(MOST_LINKS)
        .map(|word| ("Open the link".to_owned(), word.to_owned().into()))
        .collect()
}

fn is_web(address: &str) -> bool {
    address.starts_with("http://") || address.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    fn parse(raw: &str) -> Message {
        Message::parse("000000000005000-0000", raw.as_bytes(), true).expect("a message")
    }

    #[test]
    fn links_in_html_emails_are_found_with_their_text() {
        let message = parse(
            "From: Limber <studio@limber.localhost>\r\nTo: ada@example.com\r\n\
             Subject: Confirm =?utf-8?q?Y=C3=B6ur?= Signup\r\nContent-Type: text/html\r\n\r\n\
             <h2>Welcome</h2><p><a class=\"x\" \
             href=\"http://127.0.0.1:1/verify?token=t&amp;type=signup\">Confirm your mail</a></p>",
        );
        assert_eq!(message.to, "ada@example.com");
        assert!(message.subject.contains("Yöur"));
        let [(words, address)] = message.links.as_slice() else { panic!("one link") };
        assert_eq!(words, "Confirm your mail");
        assert_eq!(address.expose_secret(), "http://127.0.0.1:1/verify?token=t&type=signup");
        assert!(!format!("{message:?}").contains("token"));
    }

    #[test]
    fn only_web_links_are_found_in_plain_text_emails() {
        let message =
            parse("Subject: x\r\n\r\nOpen (https://a.example/b) or javascript:alert(1)\r\n");
        assert_eq!(message.links.len(), 1);
        assert_eq!(message.links[0].1.expose_secret(), "https://a.example/b");
    }

    #[test]
    fn invalid_emails_have_no_links() {
        for raw in ["", "\0\0\0", "Subject", "<a href=\""] {
            if let Some(message) = Message::parse("000000000000001-0000", raw.as_bytes(), false) {
                assert!(message.links.is_empty());
            }
        }
    }
}
