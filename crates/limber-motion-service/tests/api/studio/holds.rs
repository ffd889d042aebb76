//! Database locks that make other processes block at a point of the test's choice.

use sqlx::{Connection, PgConnection};

use super::{Studio, until};

impl Studio {
    /// Prevents workers from storing results, so that no job ends.
    pub(crate) async fn hold_results(&self) -> Hold {
        self.hold("lock table variants in share row exclusive mode").await
    }

    /// Holds the locks that this statement takes.
    pub(crate) async fn hold(&self, statement: &str) -> Hold {
        let mut connection = PgConnection::connect(self.database.url()).await.expect("it answers");
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("begin; {statement}")))
            .execute(&mut connection)
            .await
            .expect("the statement is valid");
        Hold(connection)
    }

    /// Waits until this many statements wait for a lock.
    pub(crate) async fn until_waiting(&self, count: i64) {
        until("they wait in the database", async || {
            let waiting = "pg_stat_activity where datname = current_database()
                and wait_event_type = 'Lock'";
            (self.rows_of(waiting).await >= count).then_some(())
        })
        .await;
    }

    /// Blocks recording files of this kind until the hold is released.
    pub(crate) async fn hold_notes_of(&self, kind: &str) -> Hold {
        /// An advisory lock that nothing else uses.
        const LOCK: i32 = 42;
        self.sql(&format!(
            "create function wait_for_test() returns trigger language plpgsql as
             $$ begin perform pg_advisory_xact_lock_shared({LOCK}); return new; end $$"
        ))
        .await;
        self.sql(&format!(
            "create trigger wait_for_test before insert on artifacts
             for each row when (new.kind = '{kind}') execute function wait_for_test()"
        ))
        .await;
        self.hold(&format!("select pg_advisory_xact_lock({LOCK})")).await
    }
}

/// Locks, held until released or dropped.
pub(crate) struct Hold(PgConnection);

impl Hold {
    pub(crate) async fn let_go(self) {
        self.0.close().await.expect("it is notified");
    }
}
