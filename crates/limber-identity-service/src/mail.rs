//! Mail, after it was decided: rendering, and the task that hands it to the mail server.
//!
//! Requests write rows into the outbox and are done. The tasks here take rows that are due,
//! speak SMTP, and try again later when the server is away; a mail is lost only when it could
//! not be delivered for a working day.

mod custom;
mod sending;
pub(crate) mod smtp;
mod template;

pub(crate) use sending::run;
pub(crate) use template::escape_html;
