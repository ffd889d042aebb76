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
const DAY: chrono::Duration = chrono::Duration::hours(24);
/// How long undeliverable emails are kept for the operator.
const GIVEN_UP: chrono::Duration = chrono::Duration::days(30);
/// Pause between two batches, to leave the database to others.
const BREATH: Duration = Duration::from_millis(50);

/// A kind of rows to delete.
#[derive(Debug, Clone, Copy)]
enum Heap {
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

const HEAPS: [Heap; 18] = [
    Heap::RefreshTokens,
    Heap::Sessions,
    Heap::Flows,
    Heap::OneTimeTokens,
    Heap::GivenUpMail,
    Heap::AnonymousAccounts,
    Heap::SurplusAnonymousAccounts,
    Heap::UnconfirmedAccounts,
    Heap::AuditEntries,
    Heap::StrangersAuditEntries,
    // Before the overall limit, so that whoever writes the most loses their own entries first.
    Heap::BusyAccountsAuditEntries,
    Heap::SurplusAuditEntries,
    Heap::FlowsWithoutLink,
    Heap::ProviderFlows,
    Heap::SendTimers,
    Heap::Guesses,
    Heap::DecoyTokens,
    Heap::DecoyMail,
];

/// Runs until `stop`.
pub(crate) async fn run(instance: Arc<Instance>, stop: CancellationToken) {
    let Some(interval) = instance.config.upkeep.interval else { return };
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(interval) => {}
        }
        for heap in HEAPS {
            match sweep(&instance, heap, &stop).await {
                Ok(0) => {}
                Ok(rows) => tracing::info!(heap = ?heap, rows, "old rows were deleted"),
                Err(error) => {
                    tracing::warn!(heap = ?heap, ?error, "old rows stay until the next sweep");
                }
            }
        }
    }
}

async fn sweep(instance: &Instance, heap: Heap, stop: &CancellationToken) -> Outcome<u64> {
    let mut rows = 0;
    while !stop.is_cancelled() {
        let batch = {
            let mut conn = instance.pool.acquire().await?;
            sweep_once(instance, heap, &mut conn).await?
        };
        rows += batch;
        if batch < BATCH.unsigned_abs() {
            break;
        }
        tokio::time::sleep(BREATH).await;
    }
    Ok(rows)
}

async fn sweep_once(instance: &Instance, heap: Heap, conn: &mut PgConnection) -> Outcome<u64> {
    let (config, now) = (&instance.config, instance.now());
    Ok(match heap {
        Heap::RefreshTokens => upkeep::refresh_tokens(conn, now - DAY).await?,
        Heap::Sessions => {
            let over = |limit: Option<Duration>| limit.and_then(|limit| before(now - DAY, limit));
            let (age, silence) = (over(config.sessions.timebox), over(config.sessions.inactivity));
            upkeep::sessions(conn, age, silence, now - DAY).await?
        }
        Heap::Flows => upkeep::flows(conn, now - DAY).await?,
        Heap::OneTimeTokens => match before(now - DAY, config.mailer.code_lifetime) {
            Some(sent_before) => upkeep::one_time_tokens(conn, sent_before).await?,
            None => 0,
        },
        Heap::GivenUpMail => upkeep::given_up_mail(conn, now - GIVEN_UP).await?,
        Heap::AnonymousAccounts => {
            match config.upkeep.anonymous_retention.and_then(|age| before(now, age)) {
                Some(silent_since) => upkeep::anonymous_accounts(conn, silent_since).await?,
                None => 0,
            }
        }
        Heap::SurplusAnonymousAccounts => match before(now, config.jwt.lifetime * 2) {
            Some(before) => upkeep::surplus_anonymous_accounts(conn, before).await?,
            None => 0,
        },
        Heap::UnconfirmedAccounts => {
            let old = config.upkeep.unconfirmed_retention.and_then(|age| before(now, age));
            upkeep::unconfirmed_accounts(conn, old).await?
        }
        Heap::AuditEntries => match config.audit.retention.and_then(|age| before(now, age)) {
            Some(before) => upkeep::audit_entries(conn, before).await?,
            None => 0,
        },
        Heap::StrangersAuditEntries => upkeep::audit_entries_of_strangers(conn, now - DAY).await?,
        Heap::BusyAccountsAuditEntries => upkeep::audit_entries_of_busy_accounts(conn).await?,
        Heap::SurplusAuditEntries => match config.audit.most {
            Some(most) => upkeep::surplus_audit_entries(conn, most.into()).await?,
            None => 0,
        },
        Heap::FlowsWithoutLink => upkeep::flows_without_a_link(conn).await?,
        Heap::ProviderFlows => match before(now, config.external.flow_lifetime) {
            Some(before) => upkeep::provider_flows(conn, before).await?,
            None => 0,
        },
        Heap::SendTimers => match before(now, longest_gap(config)) {
            Some(before) => upkeep::send_timers(conn, before).await?,
            None => 0,
        },
        Heap::Guesses => upkeep::guesses(conn, now).await?,
        Heap::DecoyTokens => upkeep::decoy_tokens(conn).await?,
        Heap::DecoyMail => upkeep::decoy_mail(conn).await?,
    })
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
