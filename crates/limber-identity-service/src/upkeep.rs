//! The task that deletes expired data, in small batches.
//!
//! Nothing that an answer could still depend on is deleted: ended sessions and the like are kept
//! for a day, so that a late client gets the right error. Data that unauthenticated callers can
//! create is deleted as soon as no answer depends on it, and is also limited in number, so that a
//! flood of calls cannot fill the disk. Several instances may sweep concurrently; rows locked by
//! another are skipped.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::instance::Instance;
use crate::refusal::Outcome;
use crate::store::upkeep::{self, BATCH};

/// How long ended sessions and the like are kept.
const RETENTION: chrono::Duration = chrono::Duration::hours(24);
/// How long undeliverable emails are kept for the operator.
const UNDELIVERABLE_RETENTION: chrono::Duration = chrono::Duration::days(30);
/// The part of their retention period for which anonymous accounts are kept unused if there are too
/// many. An attacker who wants to keep more must come back to each of them that often.
const SURPLUS_RETENTION_DIVISOR: u32 = 3;
/// Pause between two batches, to leave the database to others.
const BATCH_PAUSE: Duration = Duration::from_millis(50);

/// A kind of rows to delete.
#[derive(Debug, Clone, Copy)]
enum RowKind {
    RefreshTokens,
    Sessions,
    Flows,
    OneTimeTokens,
    GivenUpMail,
    AnonymousAccounts,
    SurplusAnonymousAccounts,
    UnconfirmedAccounts,
    AuditEntries,
    StrangersAuditEntries,
    BusyAccountsAuditEntries,
    SurplusAuditEntries,
    FlowsWithoutLink,
    ProviderFlows,
    SendTimers,
    Guesses,
    DecoyTokens,
    DecoyMail,
}

const ROW_KINDS: [RowKind; 18] = [
    RowKind::RefreshTokens,
    RowKind::Sessions,
    RowKind::Flows,
    RowKind::OneTimeTokens,
    RowKind::GivenUpMail,
    RowKind::AnonymousAccounts,
    RowKind::SurplusAnonymousAccounts,
    RowKind::UnconfirmedAccounts,
    RowKind::AuditEntries,
    RowKind::StrangersAuditEntries,
    // Before the overall limit, so that whoever writes the most loses their own entries first.
    RowKind::BusyAccountsAuditEntries,
    RowKind::SurplusAuditEntries,
    RowKind::FlowsWithoutLink,
    RowKind::ProviderFlows,
    RowKind::SendTimers,
    RowKind::Guesses,
    RowKind::DecoyTokens,
    RowKind::DecoyMail,
];

/// Runs until `stop`.
pub(crate) async fn run(instance: Arc<Instance>, stop: CancellationToken) {
    let Some(interval) = instance.config.upkeep.interval else { return };
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(interval) => {}
        }
        for kind in ROW_KINDS {
            match sweep(&instance, kind, &stop).await {
                Ok(0) => {}
                Ok(rows) => tracing::info!(kind = ?kind, rows, "old rows were deleted"),
                Err(error) => {
                    tracing::warn!(
                        kind = ?kind, ?error,
                        "old rows could not be deleted; the next sweep will try again"
                    );
                }
            }
        }
    }
}

async fn sweep(instance: &Instance, kind: RowKind, stop: &CancellationToken) -> Outcome<u64> {
    let mut rows = 0;
    while !stop.is_cancelled() {
        let batch = {
            let mut conn = instance.pool.acquire().await?;
            sweep_once(instance, kind, &mut conn).await?
        };
        rows += batch;
        if batch < BATCH.unsigned_abs() {
            break;
        }
        tokio::time::sleep(BATCH_PAUSE).await;
    }
    Ok(rows)
}

async fn sweep_once(instance: &Instance, kind: RowKind, conn: &mut PgConnection) -> Outcome<u64> {
    let (config, now) = (&instance.config, instance.now());
    Ok(match kind {
        RowKind::RefreshTokens => upkeep::refresh_tokens(conn, now - RETENTION).await?,
        RowKind::Sessions => {
            let over =
                |limit: Option<Duration>| limit.and_then(|limit| before(now - RETENTION, limit));
            let (age, silence) = (over(config.sessions.timebox), over(config.sessions.inactivity));
            upkeep::sessions(conn, age, silence, now - RETENTION).await?
        }
        RowKind::Flows => upkeep::flows(conn, now - RETENTION).await?,
        RowKind::OneTimeTokens => match before(now - RETENTION, config.mailer.code_lifetime) {
            Some(sent_before) => upkeep::one_time_tokens(conn, sent_before).await?,
            None => 0,
        },
        RowKind::GivenUpMail => upkeep::given_up_mail(conn, now - UNDELIVERABLE_RETENTION).await?,
        RowKind::AnonymousAccounts => {
            match config.upkeep.anonymous_retention.and_then(|age| before(now, age)) {
                Some(silent_since) => upkeep::anonymous_accounts(conn, silent_since).await?,
                None => 0,
            }
        }
        RowKind::SurplusAnonymousAccounts => surplus_anonymous_accounts(config, now, conn).await?,
        RowKind::UnconfirmedAccounts => {
            let old = config.upkeep.unconfirmed_retention.and_then(|age| before(now, age));
            upkeep::unconfirmed_accounts(conn, old).await?
        }
        RowKind::AuditEntries => match config.audit.retention.and_then(|age| before(now, age)) {
            Some(before) => upkeep::audit_entries(conn, before).await?,
            None => 0,
        },
        RowKind::StrangersAuditEntries => {
            upkeep::audit_entries_of_strangers(conn, now - RETENTION).await?
        }
        RowKind::BusyAccountsAuditEntries => upkeep::audit_entries_of_busy_accounts(conn).await?,
        RowKind::SurplusAuditEntries => match config.audit.most {
            Some(most) => upkeep::surplus_audit_entries(conn, most.into()).await?,
            None => 0,
        },
        RowKind::FlowsWithoutLink => upkeep::flows_without_a_link(conn).await?,
        RowKind::ProviderFlows => match before(now, config.external.flow_lifetime) {
            Some(before) => upkeep::provider_flows(conn, before).await?,
            None => 0,
        },
        RowKind::SendTimers => match before(now, longest_gap(config)) {
            Some(before) => upkeep::send_timers(conn, before).await?,
            None => 0,
        },
        RowKind::Guesses => upkeep::guesses(conn, now).await?,
        RowKind::DecoyTokens => upkeep::decoy_tokens(conn).await?,
        RowKind::DecoyMail => upkeep::decoy_mail(conn).await?,
    })
}

async fn surplus_anonymous_accounts(
    config: &Config,
    now: DateTime<Utc>,
    conn: &mut PgConnection,
) -> Outcome<u64> {
    // A client in use refreshes its session before each access token expires.
    let first_hours = config.jwt.lifetime * 2;
    let Some(made_before) = before(now, first_hours) else { return Ok(0) };
    let silence = config.upkeep.anonymous_retention.map(|age| age / SURPLUS_RETENTION_DIVISOR);
    let silent_since = silence.and_then(|silence| before(now, silence.max(first_hours)));
    Ok(upkeep::surplus_anonymous_accounts(conn, made_before, silent_since).await?)
}

/// Returns the longest configured message interval, after which no timer has an effect.
fn longest_gap(config: &Config) -> Duration {
    let mailer = &config.mailer;
    mailer.confirmation_gap().max(mailer.other_gap()).max(config.texts.max_frequency)
}

/// Returns the time `age` ago, or `None` if it is too long ago to represent.
fn before(now: DateTime<Utc>, age: Duration) -> Option<DateTime<Utc>> {
    now.checked_sub_signed(chrono::Duration::from_std(age).ok()?)
}
