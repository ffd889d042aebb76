//! The task that empties the outbox.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::smtp::{MailServer, SendError};
use super::template::render;
use crate::config::MailKind;
use crate::instance::Instance;
use crate::refusal::Outcome;
use crate::store;
use crate::store::outbox::{DECOY, MailRow};

/// How often to look without being woken: for retries, and for mail of other instances.
const POLL: Duration = Duration::from_secs(2);
/// While one sender works on a mail nobody else touches it.
const CLAIM: chrono::Duration = chrono::Duration::seconds(120);
/// With the pauses below: about eight hours.
const MAX_ATTEMPTS: i32 = 14;

/// Runs until `stop`. What is not sent by then stays in the outbox for the next start.
pub(crate) async fn run(
    instance: Arc<Instance>,
    server: Option<MailServer>,
    stop: CancellationToken,
) {
    loop {
        match send_due(&instance, server.as_ref(), &stop).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => tracing::warn!(?error, "the mail outbox cannot be read"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = instance.mail_ready.notified() => {}
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

/// True when there may be more.
async fn send_due(
    instance: &Instance,
    server: Option<&MailServer>,
    stop: &CancellationToken,
) -> Outcome<bool> {
    let now = instance.now();
    let due = {
        let mut conn = instance.pool.acquire().await?;
        store::outbox::claim_due(&mut conn, now, now + CLAIM).await?
    };
    let found = !due.is_empty();
    for mail in due {
        if stop.is_cancelled() {
            return Ok(false);
        }
        send_one(instance, server, mail).await?;
    }
    Ok(found)
}

async fn send_one(instance: &Instance, server: Option<&MailServer>, mail: MailRow) -> Outcome<()> {
    if mail.kind == DECOY {
        let mut conn = instance.pool.acquire().await?;
        store::send_timers::delete_decoys(&mut conn).await?;
        return Ok(store::outbox::delete(&mut conn, mail.id).await?);
    }
    let kind = MailKind::parse(&mail.kind);
    let rendered = match kind {
        Some(kind) => render(&instance.config.mailer, kind, &mail.variables).await,
        None => None,
    };
    let result = match (rendered, server) {
        (None, _) => Err(SendError::Final),
        (Some(_), None) => {
            tracing::info!(mail.kind, "no mail server is set: this mail was not sent");
            Ok(())
        }
        (Some(rendered), Some(server)) => server.send(&mail.recipient, rendered).await,
    };
    let mut conn = instance.pool.acquire().await?;
    let now = instance.now();
    match result {
        Ok(()) => store::outbox::delete(&mut conn, mail.id).await?,
        Err(error) => {
            let passing = matches!(error, SendError::Passing(_));
            if passing && mail.attempts < MAX_ATTEMPTS {
                tracing::warn!(mail.id = %mail.id, mail.kind, %error, "mail will be tried again");
                store::outbox::retry_at(&mut conn, mail.id, next_attempt(&mail, now)).await?;
            } else {
                tracing::error!(mail.id = %mail.id, mail.kind, %error, "mail was given up");
                store::outbox::give_up(&mut conn, mail.id, now).await?;
            }
        }
    }
    Ok(())
}

/// 5 s, 10 s, 20 s … up to 3 h, each shifted a little so that a full outbox does not return at
/// once.
fn next_attempt(mail: &MailRow, now: DateTime<Utc>) -> DateTime<Utc> {
    let doublings = u32::try_from(mail.attempts - 1).unwrap_or(0).min(11);
    let pause_s = (5_i64 << doublings).min(3 * 3600);
    now + chrono::Duration::seconds(pause_s) + chrono::Duration::milliseconds(shift_ms(mail.id))
}

fn shift_ms(id: Uuid) -> i64 {
    i64::from(id.as_bytes()[15]) * 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(attempts: i32) -> MailRow {
        MailRow {
            id: Uuid::from_bytes([0; 16]),
            kind: String::new(),
            recipient: String::new(),
            variables: serde_json::Value::Null,
            attempts,
        }
    }

    #[test]
    fn pauses_double_and_last_a_working_day() {
        let start = DateTime::from_timestamp(0, 0).expect("the epoch");
        let pause = |attempts| (next_attempt(&mail(attempts), start) - start).num_seconds();
        assert_eq!((pause(1), pause(2), pause(12)), (5, 10, 10_240));
        assert!((1..MAX_ATTEMPTS).map(pause).sum::<i64>() > 8 * 3600);
    }
}
