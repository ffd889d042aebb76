//! Wallets, the ledger, reservations of jobs, and paid variants.
//!
//! A wallet's row is locked before a decision is based on it, so that two requests cannot spend the
//! same credits. Lock order: rows of unfinished jobs, then the wallet, then rows of ended jobs.

use limber_api::motion::BillingPeriod;
use sqlx::{Postgres, Transaction};

use super::{Store, StoreError};
use crate::{
    credits::{Account, Entry, Held, Short, Tenths, Terms, Unlock, Wallet, tenths_of},
    jobs::{Cause, JobState, Outcome},
};

type Tx<'a> = Transaction<'a, Postgres>;

/// A wallet whose row is locked until the transaction ends.
struct Locked<'a> {
    id: &'a str,
    account: Account,
}

/// Locks a wallet, creating it if necessary, and starts a new billing period if it is due.
async fn lock<'a>(
    tx: &mut Tx<'_>,
    id: &'a str,
    (period, now_ms): (BillingPeriod, i64),
) -> Result<Locked<'a>, StoreError> {
    sqlx::query!(
        "insert into wallets (account_id, period_start_ms, period_end_ms) values ($1, $2, $3)
         on conflict do nothing",
        id,
        period.start,
        period.end
    )
    .execute(&mut **tx)
    .await?;
    let row = sqlx::query!("select * from wallets where account_id = $1 for update", id)
        .fetch_one(&mut **tx)
        .await?;
    let mut wallet = Wallet {
        allotment: row.allotment,
        period: BillingPeriod { start: row.period_start_ms, end: row.period_end_ms },
        plan: row.plan,
        bought: row.bought,
        held_plan: row.held_plan,
        held_bought: row.held_bought,
    };
    let turned = wallet.turn(now_ms, period);
    let max_variants = row.max_variants.and_then(|count| u32::try_from(count).ok());
    let account = Account { plan_name: row.plan_name, max_variants, wallet };
    let locked = Locked { id, account };
    if wallet.period.start != row.period_start_ms {
        locked.write(tx, &turned, None).await?;
    }
    Ok(locked)
}

impl Locked<'_> {
    /// Writes the wallet, and the ledger entries for its change.
    async fn write(
        &self,
        tx: &mut Tx<'_>,
        entries: &[Entry],
        about: Option<(&str, Option<i32>)>,
    ) -> Result<(), StoreError> {
        let Account { plan_name, max_variants, wallet } = &self.account;
        sqlx::query!(
            "update wallets set plan_name = $2, allotment = $3, max_variants = $4,
                 period_start_ms = $5, period_end_ms = $6,
                 plan = $7, bought = $8, held_plan = $9, held_bought = $10
             where account_id = $1",
            self.id,
            plan_name,
            wallet.allotment,
            max_variants.and_then(|count| i32::try_from(count).ok()),
            wallet.period.start,
            wallet.period.end,
            wallet.plan,
            wallet.bought,
            wallet.held_plan,
            wallet.held_bought
        )
        .execute(&mut **tx)
        .await?;
        for entry in entries {
            let (books, tenths): (Vec<String>, Vec<i64>) = entry
                .postings
                .iter()
                .map(|(book, tenths)| (book.word().to_owned(), *tenths))
                .unzip();
            sqlx::query!(
                "with entry as (
                     insert into ledger (account_id, kind, rid, variant)
                     values ($1, $2, $3, $4) returning id)
                 insert into postings (entry_id, book, tenths)
                 select entry.id, p.book, p.tenths
                 from entry, unnest($5::text[], $6::bigint[]) as p(book, tenths)",
                self.id,
                entry.kind.word(),
                about.map(|(rid, _)| rid),
                about.and_then(|(_, variant)| variant),
                &books,
                &tenths
            )
            .execute(&mut **tx)
            .await?;
        }
        Ok(())
    }
}

/// Reserves the maximum price of a job, in the transaction that stores the job.
pub(super) async fn reserve(
    tx: &mut Tx<'_>,
    (account, rid): (&str, &str),
    terms: Terms,
    now: (BillingPeriod, i64),
) -> Result<Result<(), Short>, StoreError> {
    let mut locked = lock(tx, account, now).await?;
    let (held, entry) = match locked.account.wallet.hold(terms.most) {
        Ok(held) => held,
        Err(short) => return Ok(Err(short)),
    };
    locked.write(tx, entry.as_slice(), Some((rid, None))).await?;
    sqlx::query!(
        "insert into reservations
             (rid, account_id, plan, bought, period_start_ms, per_variant, per_second)
         values ($1, $2, $3, $4, $5, $6, $7)",
        rid,
        account,
        held.plan,
        held.bought,
        held.period_start,
        terms.per_variant,
        terms.per_second
    )
    .execute(&mut **tx)
    .await?;
    Ok(Ok(()))
}

/// Settles the job's reservation, once, as it ends in state `end`: a success is charged, the rest
/// is released. Returns the state that the job really ends in, which is a failure with code 101 if
/// the operator has removed the reserved credits.
pub(super) async fn settle(
    tx: &mut Tx<'_>,
    rid: &str,
    end: JobState,
) -> Result<JobState, StoreError> {
    let held = sqlx::query!(
        r#"update reservations set settled_ms = now_ms() where rid = $1 and settled_ms is null
           returning account_id, plan, bought, period_start_ms, per_variant, per_second,
               now_ms() as "now_ms!""#,
        rid
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = held else { return Ok(end) };
    let cost = match end {
        JobState::Finished(Outcome::Success) => {
            cost_of(tx, rid, row.per_variant, row.per_second).await?
        }
        _ => 0,
    };
    let held = Held { plan: row.plan, bought: row.bought, period_start: row.period_start_ms };
    // a new billing period is started when somebody reads the balance, not here
    let before_any_end = (BillingPeriod { start: row.period_start_ms, end: i64::MAX }, i64::MIN);
    let mut locked = lock(tx, &row.account_id, before_any_end).await?;
    let (entries, paid) = locked.account.wallet.settle(held, cost);
    locked.write(tx, &entries, Some((rid, None))).await?;
    match paid {
        Ok(charged) => {
            charge_job(tx, rid, charged).await?;
            Ok(end)
        }
        Err(short) => Ok(JobState::Finished(Outcome::Failure(Cause::unpaid(short)))),
    }
}

/// Returns the cost of the variants that succeeded.
async fn cost_of(
    tx: &mut Tx<'_>,
    rid: &str,
    per_variant: Option<Tenths>,
    per_second: Tenths,
) -> Result<Tenths, StoreError> {
    let made = sqlx::query!(
        "select frames, fps from variants where rid = $1 and cause is null and frames > 0",
        rid
    )
    .fetch_all(&mut **tx)
    .await?;
    let each = made.iter().map(|variant| {
        let seconds = f64::from(variant.frames) / f64::from(variant.fps.max(1));
        per_variant.unwrap_or_else(|| tenths_of(seconds, per_second))
    });
    Ok(each.sum())
}

async fn charge_job(tx: &mut Tx<'_>, rid: &str, tenths: Tenths) -> Result<(), StoreError> {
    sqlx::query!(
        "update jobs set charged_tenths = charged_tenths + $2 where rid = $1",
        rid,
        tenths
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

impl Store {
    /// Returns an account's current wallet and plan.
    pub(crate) async fn account(
        &self,
        id: &str,
        period: BillingPeriod,
        now_ms: i64,
    ) -> Result<Account, StoreError> {
        let mut tx = self.pool.begin().await?;
        let account = lock(&mut tx, id, (period, now_ms)).await?.account;
        tx.commit().await?;
        Ok(account)
    }

    /// Returns the paid variants of these jobs.
    pub(crate) async fn unlocked(&self, rids: &[String]) -> Result<Vec<(String, i32)>, StoreError> {
        let rows = sqlx::query!("select rid, variant from unlocks where rid = any($1)", rids)
            .fetch_all(&self.pool)
            .await?;
        Ok(rows.into_iter().map(|row| (row.rid, row.variant)).collect())
    }

    /// Pays for a variant if it is not paid for yet; with `peek`, only checks.
    pub(crate) async fn unlock(
        &self,
        account: &str,
        (rid, variant): (&str, i32),
        price: Tenths,
        peek: bool,
        now: (BillingPeriod, i64),
    ) -> Result<Unlock, StoreError> {
        let mut tx = self.pool.begin().await?;
        // the lock serialises concurrent requests, so that only one of them pays
        let mut locked = lock(&mut tx, account, now).await?;
        let paid = sqlx::query_scalar!(
            r#"select exists (select 1 from unlocks where rid = $1 and variant = $2) as "paid!""#,
            rid,
            variant
        )
        .fetch_one(&mut *tx)
        .await?;
        if paid {
            tx.commit().await?;
            return Ok(Unlock::Open);
        }
        let wallet = &mut locked.account.wallet;
        if peek {
            let short = Short { required: price, available: wallet.spendable() };
            tx.commit().await?;
            return Ok(Unlock::Locked(short));
        }
        let entry = match wallet.pay(price) {
            Ok(entry) => entry,
            Err(short) => {
                tx.commit().await?;
                return Ok(Unlock::Locked(short));
            }
        };
        locked.write(&mut tx, entry.as_slice(), Some((rid, Some(variant)))).await?;
        sqlx::query!(
            "insert into unlocks (rid, variant, tenths) values ($1, $2, $3)",
            rid,
            variant,
            price
        )
        .execute(&mut *tx)
        .await?;
        charge_job(&mut tx, rid, price).await?;
        tx.commit().await?;
        Ok(Unlock::Open)
    }

    /// Grants credits to an account, or removes some. Returns `None` if there is no such account.
    pub(crate) async fn grant(
        &self,
        id: &str,
        tenths: Tenths,
        now: (BillingPeriod, i64),
    ) -> Result<Option<Account>, StoreError> {
        self.change_wallet(id, now, |account| account.wallet.grant(tenths).into_iter().collect())
            .await
    }

    /// Puts an account on a plan. Returns `None` if there is no such account.
    pub(crate) async fn set_plan(
        &self,
        id: &str,
        (name, allotment, max_variants): (&str, Tenths, Option<u32>),
        now: (BillingPeriod, i64),
    ) -> Result<Option<Account>, StoreError> {
        self.change_wallet(id, now, |account| {
            name.clone_into(&mut account.plan_name);
            account.max_variants = max_variants;
            account.wallet.change_plan(allotment)
        })
        .await
    }

    async fn change_wallet(
        &self,
        id: &str,
        now: (BillingPeriod, i64),
        change: impl FnOnce(&mut Account) -> Vec<Entry> + Send,
    ) -> Result<Option<Account>, StoreError> {
        let mut tx = self.pool.begin().await?;
        let known = sqlx::query_scalar!("select id from accounts where id = $1", id)
            .fetch_optional(&mut *tx)
            .await?;
        if known.is_none() {
            return Ok(None);
        }
        let mut locked = lock(&mut tx, id, now).await?;
        let entries = change(&mut locked.account);
        locked.write(&mut tx, &entries, None).await?;
        let account = locked.account;
        tx.commit().await?;
        Ok(Some(account))
    }
}
