//! Detection of a database that hangs, with a real server.

use std::time::Duration;

use limber_postgres::TestServer;
use limber_serve::{Pulse, Waits, is_away, pool_options};
use secrecy::ExposeSecret as _;

const SHORT: Duration = Duration::from_millis(800);

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stands_still_is_noticed_and_is_used_again_when_it_goes_on() {
    let mut server = TestServer::start("pulse").await.expect("PostgreSQL is there");
    let waits = Waits { connection: SHORT, statement: Some(SHORT) };
    let pool = pool_options(2, waits).connect(server.url().expose_secret()).await.expect("it runs");
    let pulse = Pulse::of(&pool, SHORT);
    let one = || sqlx::query_scalar::<_, i32>("select 1").fetch_one(&pool);
    assert_eq!(one().await.expect("an answer"), 1);
    let frozen = server.freeze();
    tokio::select! {
        answer = one() => {
            let error = answer.expect_err("it stands still");
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
    let error = one().await.expect_err("nobody is there");
    assert!(is_away(&error), "{error:?}");
    server.start_again().await.expect("it comes up");
    let mut answer = one().await;
    while let Err(error) = answer {
        assert!(is_away(&error), "{error:?}");
        answer = one().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_and_a_pool_that_is_empty_are_away() {
    let server = TestServer::start("slow").await.expect("PostgreSQL is there");
    let waits = Waits { connection: SHORT, statement: Some(SHORT) };
    let pool = pool_options(1, waits).connect(server.url().expose_secret()).await.expect("it runs");
    let slow = sqlx::query("select pg_sleep(600)").execute(&pool).await;
    let error = slow.expect_err("it is given up");
    assert!(is_away(&error), "{error:?}");
    let held = pool.acquire().await.expect("the only one");
    let error = pool.acquire().await.expect_err("there is no other");
    assert!(is_away(&error), "{error:?}");
    drop(held);
    let missing = sqlx::query("select * from nowhere").execute(&pool).await;
    assert!(!is_away(&missing.expect_err("no such table")), "that is an answer");
}
