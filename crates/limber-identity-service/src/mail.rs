//! Email delivery: rendering, and the tasks that hand emails to the mail server.
//!
//! Requests only write rows to the outbox. The tasks here take due rows, speak SMTP, and retry
//! later if the server is unavailable; an email is given up only if the server rejects it
//! permanently or delivery has failed for about eight hours.

mod custom;
mod sending;
pub(crate) mod smtp;
mod template;

pub(crate) use sending::run;
pub(crate) use template::escape_html;
