//! The tasks that deliver the outbox.
//!
//! An email is claimed by locking its row, so no two senders or instances hold the same one, and a
//! sender that is killed releases it at once. The row is deleted before the SMTP exchange, in a
//! transaction that is committed once the server has accepted the email. Only a crash between the
//! server's acceptance and the commit, one database round trip later, sends the email again after a
//! restart. SMTP offers no way to close that gap; the second copy carries the same `Message-ID`, by
//! which mail clients recognise the duplicate.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgTransaction;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::custom::CustomTemplates;
use super::smtp::{MailServer, SendError, SmtpConnection};
use super::template::render;
use crate::config::MailKind;
use crate::instance::Instance;
use crate::refusal::Outcome;
use crate::store;
use crate::store::outbox::{DECOY, MailRow};

/// Polling interval, for retries and for emails queued by other instances.
const POLL: Duration = Duration::from_secs(2);
/// Time limit for sending one email, after which it is retried later.
const SEND_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum number of attempts. With the pauses between them, this covers about eight hours.
const MAX_ATTEMPTS: i32 = 14;
/// Maximum number of senders. Several are needed so that one slow delivery does not hold up other
/// mail, but each holds a database connection while it sends, and requests need those more.
const MAX_SENDERS: u32 = 4;
const CONNECTIONS_PER_SENDER: u32 = 8;
/// Age at which message timers are deleted. Longer than any sensible interval between messages.
const TIMER_AGE: chrono::Duration = chrono::Duration::days(1);

/// State shared by all senders.
struct SenderContext {
    instance: Arc<Instance>,
    /// `None` if mail is only logged and then discarded.
    server: Option<MailServer>,
    templates: CustomTemplates,
}

/// Runs until `stop`. Whatever has not been sent by then stays in the outbox for the next start.
pub(crate) async fn run(
    instance: Arc<Instance>,
    server: Option<MailServer>,
    stop: CancellationToken,
) {
    let connections = instance.pool.options().get_max_connections();
    let count = (connections / CONNECTIONS_PER_SENDER).clamp(1, MAX_SENDERS);
    let templates = CustomTemplates::new(&instance.config);
    let context = Arc::new(SenderContext { instance, server, templates });
    let mut senders = JoinSet::new();
    for number in 0..count {
        senders.spawn(send_until(Arc::clone(&context), number, stop.clone()));
    }
    while let Some(ended) = senders.join_next().await {
        if let Err(error) = ended
            && !stop.is_cancelled()
        {
            tracing::error!(%error, "a mail sender failed; starting another one");
            tokio::time::sleep(POLL).await;
            senders.spawn(send_until(Arc::clone(&context), 0, stop.clone()));
        }
    }
}

/// Runs one sender. Sender 0 polls for due mail; the others are woken while there is more.
async fn send_until(context: Arc<SenderContext>, number: u32, stop: CancellationToken) {
    let mut sweep_at = context.instance.now();
    let mut smtp = SmtpConnection::default();
    while !stop.is_cancelled() {
        match send_next(&context, &mut smtp).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => tracing::warn!(?error, "the mail outbox cannot be read"),
        }
        smtp.close().await;
        if number == 0 && context.instance.now() >= sweep_at {
            sweep_at = context.instance.now() + chrono::Duration::hours(1);
            if let Err(error) = sweep(&context.instance).await {
                tracing::warn!(?error, "expired send timers could not be deleted");
            }
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = context.instance.mail_ready.notified() => {}
            () = tokio::time::sleep(POLL), if number == 0 => {}
        }
    }
}

async fn sweep(instance: &Instance) -> Outcome<()> {
    let mut conn = instance.pool.acquire().await?;
    let before = instance.now() - TIMER_AGE;
    store::send_timers::delete_started_before(&mut conn, before).await?;
    Ok(())
}

/// Sends one email that is due. Returns false if there is none.
async fn send_next(context: &SenderContext, smtp: &mut SmtpConnection) -> Outcome<bool> {
    let instance = &context.instance;
    let mut tx = instance.begin().await?;
    store::outbox::prepare_to_send(&mut tx).await?;
    let Some(mail) = store::outbox::lock_next(&mut tx, instance.now()).await? else {
        return Ok(false);
    };
    // Wake another idle sender, in case there is more.
    instance.mail_ready.notify_one();
    if mail.kind == DECOY {
        store::send_timers::delete_decoys(&mut tx).await?;
        store::outbox::delete(&mut tx, mail.id).await?;
    } else {
        send_one(context, smtp, &mut tx, &mail).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Sends one email and updates its row. The caller commits immediately afterwards.
async fn send_one(
    context: &SenderContext,
    smtp: &mut SmtpConnection,
    tx: &mut PgTransaction<'static>,
    mail: &MailRow,
) -> Outcome<()> {
    store::outbox::begin_attempt(tx).await?;
    store::outbox::delete(tx, mail.id).await?;
    let Err(error) = hand_over(context, smtp, mail).await else { return Ok(()) };
    store::outbox::undo_attempt(tx).await?;
    let now = context.instance.now();
    let attempts = mail.attempts + 1;
    let is_transient = matches!(error, SendError::Transient(_));
    if is_transient && attempts < MAX_ATTEMPTS {
        tracing::warn!(
            mail.id = %mail.id, mail.kind, attempts, %error,
            "an email could not be sent; it will be retried"
        );
        let next = next_attempt(mail.id, attempts, now);
        store::outbox::retry_at(tx, mail.id, next).await?;
    } else {
        tracing::error!(
            mail.id = %mail.id, mail.kind, attempts, %error,
            "an email could not be sent and will not be retried"
        );
        store::outbox::give_up(tx, mail.id, now).await?;
    }
    Ok(())
}

async fn hand_over(
    context: &SenderContext,
    smtp: &mut SmtpConnection,
    mail: &MailRow,
) -> Result<(), SendError> {
    let Some(kind) = MailKind::parse(&mail.kind) else { return Err(SendError::Permanent) };
    let custom = context.templates.get(kind, context.instance.now()).await;
    let rendered =
        render(&context.instance.config.mailer, custom.as_deref(), kind, &mail.variables);
    let Some(rendered) = rendered else { return Err(SendError::Permanent) };
    let Some(server) = &context.server else {
        tracing::info!(mail.kind, "SMTP_HOST is not set, so this email was not sent");
        return Ok(());
    };
    tokio::time::timeout(SEND_TIMEOUT, server.send(smtp, mail, kind, rendered))
        .await
        .unwrap_or(Err(SendError::Transient("the mail server did not answer in time")))
}

/// Returns the time of the next attempt: after 5 s, 10 s, 20 s and so on up to 3 h, each with a
/// small offset so that a full outbox is not retried all at once.
fn next_attempt(id: Uuid, attempts: i32, now: DateTime<Utc>) -> DateTime<Utc> {
    let doublings = u32::try_from(attempts - 1).unwrap_or(0).min(11);
    let pause_s = (5_i64 << doublings).min(3 * 3600);
    now + chrono::Duration::seconds(pause_s) + chrono::Duration::milliseconds(shift_ms(id))
}

fn shift_ms(id: Uuid) -> i64 {
    i64::from(id.as_bytes()[15]) * 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_pauses_double_and_span_a_working_day() {
        let start = DateTime::from_timestamp(0, 0).expect("the epoch");
        let id = Uuid::from_bytes([0; 16]);
        let pause = |attempts| (next_attempt(id, attempts, start) - start).num_seconds();
        assert_eq!((pause(1), pause(2), pause(12)), (5, 10, 10_240));
        assert!((1..MAX_ATTEMPTS).map(pause).sum::<i64>() > 8 * 3600);
    }
}
