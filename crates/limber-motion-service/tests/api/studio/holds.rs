//! What a test holds in the database, so that others come to wait at a place of its choice.

use sqlx::{Connection, PgConnection};

use super::{Studio, until};

impl Studio {
    /// Keeps workers from handing in what they have made, so that no job comes to its end.
    pub(crate) async fn hold_results(&self) -> Hold {
        self.hold("lock table variants in share row exclusive mode").await
    }

    /// Holds what this statement locks in the database.
    pub(crate) async fn hold(&self, statement: &str) -> Hold {
        let mut connection = PgConnection::connect(self.database.url()).await.expect("it answers");
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("begin; {statement}")))
            .execute(&mut connection)
            .await
            .expect("the statement is right");
        Hold(connection)
    }

    /// Waits until so many statements wait for what somebody holds in the database.
    pub(crate) async fn until_waiting(&self, count: i64) {
        until("they wait in the database", async || {
            let waiting = "pg_stat_activity where datname = current_database()
                and wait_event_type = 'Lock'";
            (self.rows_of(waiting).await >= count).then_some(())
        })
        .await;
    }

    /// Makes whoever notes a file of this kind in the database wait until that is let go.
    pub(crate) async fn hold_notes_of(&self, kind: &str) -> Hold {
        /// An advisory lock that nothing else takes.
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

/// What is held in the database, until it is let go or dropped.
pub(crate) struct Hold(PgConnection);

impl Hold {
    pub(crate) async fn let_go(self) {
        self.0.close().await.expect("it hears of it");
    }
}
