//! Mail, after it was decided: rendering, and the task that hands it to the mail server.
//!
//! Requests write rows into the outbox and are done. The task here claims rows that are due,
//! speaks SMTP, and tries again later when the server is away; a mail is lost only when it could
//! not be delivered for a working day.

mod sending;
pub(crate) mod smtp;
mod template;

pub(crate) use sending::run;
