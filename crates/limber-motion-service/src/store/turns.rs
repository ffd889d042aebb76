//! Serialises an account's operations that check a limit before they insert.
//!
//! Counting rows and inserting another one are two statements. With PostgreSQL's default isolation
//! level, several requests can count before any of them inserts, and exceed the limit. Holding a
//! turn prevents this.

use sqlx::{Postgres, Transaction};

use super::StoreError;

/// The operation to serialise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Submitting jobs, with their idempotency keys.
    Jobs,
    /// Starting uploads.
    Uploads,
}

impl Turn {
    /// First key of the advisory locks that represent turns.
    const fn class(self) -> i32 {
        match self {
            Self::Jobs => 0x4c4a,    // "LJ"
            Self::Uploads => 0x4c55, // "LU"
        }
    }
}

/// Waits for the account's turn and holds it until the transaction ends. Accounts whose ids have
/// the same hash wait for each other, which is harmless.
pub(super) async fn wait_for(
    turn: Turn,
    account: &str,
    tx: &mut Transaction<'_, Postgres>,
) -> Result<(), StoreError> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock($1, hashtext($2)) as "locked!: ()""#,
        turn.class(),
        account
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(())
}
