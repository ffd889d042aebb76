//! What an account does one after the other, so that nobody counts what another request is about to add.
//!
//! A count and the row that it allows are two statements, and under PostgreSQL's usual isolation many can
//! count before any of them adds. Who holds a turn is the only one of the account between the two.

use sqlx::{Postgres, Transaction};

use super::StoreError;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Jobs that wait, and the keys they were submitted under.
    Jobs,
    /// Files that are on their way.
    Uploads,
}

impl Turn {
    /// The first half of the advisory locks that stand for turns.
    const fn class(self) -> i32 {
        match self {
            Self::Jobs => 0x4c4a,    // "LJ"
            Self::Uploads => 0x4c55, // "LU"
        }
    }
}

/// Waits for the account's turn and keeps it until the transaction ends. Accounts whose names have the
/// same hash wait for each other, which costs them nothing but that.
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
