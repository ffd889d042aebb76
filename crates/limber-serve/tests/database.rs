//! Detection of a database that hangs, with a real server.

use std::time::Duration;

use limber_postgres::TestServer;
use limber_serve::{Pulse, Waits, is_away, pool_options};
use secrecy::ExposeSecret as _;
use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};

const SHORT: Duration = Duration::from_millis(800);

#[tokio::test(flavor = "multi_thread")]
async fn hung_databases_are_detected_and_used_again_after_recovery() {
    let mut server = TestServer::start("pulse").await.expect("PostgreSQL is available");
    let waits = Waits { connection: SHORT, statement: Some(SHORT) };
    let pool = pool_options(2, waits)
        .connect(server.url().expose_secret())
        .await
        .expect("the server is running");
    let pulse = Pulse::of(&pool, SHORT);
    let one = || sqlx::query_scalar::<_, i32>("select 1").fetch_one(&pool);
    assert_eq!(one().await.expect("the query succeeds"), 1);
    let frozen = server.freeze();
    tokio::select! {
        answer = one() => {
            let error = answer.expect_err("the server hangs");
            assert!(is_away(&error), "{error:?}");
        }
        () = pulse.lost() => {}
    }
    // All waiters are notified, and waiting for a connection respects its limit.
    tokio::join!(pulse.lost(), pulse.lost(), pulse.lost());
    drop(frozen);
    let mut answer = one().await;
    while let Err(error) = answer {
        assert!(is_away(&error), "{error:?}");
        answer = one().await;
    }
    server.kill();
    let error = one().await.expect_err("the server was killed");
    assert!(is_away(&error), "{error:?}");
    server.start_again().await.expect("the server can be restarted");
    let mut answer = one().await;
    while let Err(error) = answer {
        assert!(is_away(&error), "{error:?}");
        answer = one().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn statement_timeouts_and_exhausted_pools_count_as_unavailable() {
    let server = TestServer::start("slow").await.expect("PostgreSQL is available");
    let waits = Waits { connection: SHORT, statement: Some(SHORT) };
    let pool = pool_options(1, waits)
        .connect(server.url().expose_secret())
        .await
        .expect("the server is running");
    let slow = sqlx::query("select pg_sleep(600)").execute(&pool).await;
    let error = slow.expect_err("the statement times out");
    assert!(is_away(&error), "{error:?}");
    let held = pool.acquire().await.expect("the only connection is free");
    let error = pool.acquire().await.expect_err("the pool has no other connection");
    assert!(is_away(&error), "{error:?}");
    drop(held);
    let missing = sqlx::query("select * from nowhere").execute(&pool).await;
    assert!(!is_away(&missing.expect_err("the table does not exist")), "the database responded");
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_logins_and_missing_databases_count_as_unavailable() {
    let server = TestServer::start("moved").await.expect("PostgreSQL is available");
    let options: PgConnectOptions =
        server.url().expose_secret().parse().expect("the URL of a database");
    let mut connection = PgConnection::connect_with(&options).await.expect("the server is running");
    let schema = sqlx::query("create table nowhere.t (n int)").execute(&mut connection).await;
    let database = PgConnection::connect_with(&options.clone().database("nowhere")).await;
    sqlx::query("alter role current_user password 'changed'")
        .execute(&mut connection)
        .await
        .expect("every role may change its own password");
    let login = PgConnection::connect_with(&options).await;
    let errors = [
        ("3F000", schema.map(drop).expect_err("the schema does not exist")),
        ("3D000", database.map(drop).expect_err("the database does not exist")),
        ("28P01", login.map(drop).expect_err("the password has changed")),
    ];
    for (code, error) in errors {
        let found = error.as_database_error().and_then(|error| error.code());
        assert_eq!(found.as_deref(), Some(code), "{error:?}");
        assert!(is_away(&error), "{error:?}");
    }
}
