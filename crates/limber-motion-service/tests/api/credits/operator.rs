//! Operator commands for credits.

use std::process::{Command, Output};

use limber_client::motion::{JobStatus, MotionClient, MotionError};
use limber_motion_service::create_client;

use super::{balance, grant, near, studio_with};
use crate::studio::{Studio, finished, walk};

fn motion(studio: &Studio, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_limber-motion"));
    program.env_clear().env("MOTIONSVC_DATABASE_URL", studio.database.url());
    program.env("MOTIONSVC_STORE", studio.files.path().join("files"));
    program.args(arguments).output().expect("the program runs")
}

#[tokio::test]
async fn the_commands_grant_and_set_plans() {
    let studio = studio_with(0).await;
    let client = studio.client();
    let granted = motion(&studio, &["credits", "grant", &studio.id, "12.5"]);
    assert!(granted.status.success(), "{granted:?}");
    assert!(String::from_utf8_lossy(&granted.stdout).contains("can spend 12.5 credits"));
    assert!(String::from_utf8_lossy(&granted.stderr).contains("MOTIONSVC_BILLING"));
    let plan =
        ["plans", "set", &studio.id, "--name", "Team", "--credits", "100", "--variants", "2"];
    assert!(motion(&studio, &plan).status.success());
    let after = balance(&client).await;
    assert!(near(after.credits, 112.5), "{after:?}");
    assert_eq!(after.subscription.name, "Team");
    let taken = motion(&studio, &["credits", "grant", &studio.id, "-12.5"]);
    assert!(taken.status.success(), "{taken:?}");
    assert!(near(balance(&client).await.credits, 100.0));
    for wrong in [
        &["credits", "grant", "nobody", "1"][..],
        &["credits", "grant", &studio.id, "0.15"],
        &["credits", "grant", &studio.id, "much"],
        &["plans", "set", &studio.id, "--name", "Team", "--credits", "-1"],
        &["plans", "set", &studio.id, "--name", "Team", "--credits", "1", "--variants", "9"],
    ] {
        assert!(!motion(&studio, wrong).status.success(), "{wrong:?}");
    }
    studio.audit().await;
}

#[tokio::test]
async fn a_revoked_client_is_locked_out_at_once_and_refunded() {
    let studio = studio_with(10).await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    let (keeps, _) = create_client(&studio.config, "keeps").await.expect("an account");
    let revoked = motion(&studio, &["clients", "revoke", &studio.id]);
    assert!(revoked.status.success(), "{revoked:?}");
    let refused = client.status(&job).await;
    assert!(matches!(refused, Err(MotionError::CredentialsRejected)), "{refused:?}");
    assert!(!motion(&studio, &["clients", "revoke", &studio.id]).status.success(), "only once");
    assert!(!motion(&studio, &["clients", "rotate", &studio.id]).status.success());
    let list = String::from_utf8(motion(&studio, &["clients", "list"]).stdout).expect("text");
    let mut lines = list.lines();
    let first = lines.next().expect("a line");
    assert!(first.starts_with(&studio.id) && first.contains("revoked 2"), "{list}");
    assert!(first.contains("1 jobs") && first.contains("1 credits  tests"), "{list}");
    assert!(lines.next().expect("a line").starts_with(&keeps), "{list}");
    studio.audit().await;
}

#[tokio::test]
async fn a_new_secret_invalidates_the_old_one_and_its_sessions() {
    let studio = studio_with(0).await;
    let old = studio.client();
    old.sign_in().await.expect("signed in");
    let rotated = motion(&studio, &["clients", "rotate", &studio.id]);
    let text = String::from_utf8(rotated.stdout).expect("text");
    let secret = text.trim().strip_prefix("client secret").expect("a secret").trim();
    let refused = old.balance().await;
    assert!(matches!(refused, Err(MotionError::CredentialsRejected)), "{refused:?}");
    let fresh = MotionClient::new(&studio.base, studio.id.clone(), secret.to_owned().into());
    fresh.expect("an address").balance().await.expect("the new one works");
}

#[tokio::test]
async fn a_job_whose_credits_were_removed_ends_with_101() {
    let studio = studio_with(2).await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    grant(&studio, -1).await;
    let _worker = studio.worker("cpu-0");
    let JobStatus::Failed(cause) = finished(&client, &job).await else { panic!("it fails") };
    assert_eq!((cause.codes, cause.kind.as_str()), (vec![101], "CreditError"));
    let after = balance(&client).await;
    assert!(near(after.credits, 0.1) && near(after.reserved, 0.0), "{after:?}");
    studio.audit().await;
}

#[tokio::test]
async fn entries_of_the_ledger_never_change() {
    let studio = studio_with(20).await;
    let pool = sqlx::PgPool::connect(studio.database.url()).await.expect("the database");
    for statement in [
        "update postings set tenths = 0",
        "delete from ledger",
        "update ledger set kind = 'grant'",
        "insert into postings (entry_id, book, tenths) select max(id), 'spent', 5 from ledger",
        "update wallets set bought = -1",
    ] {
        assert!(sqlx::query(statement).execute(&pool).await.is_err(), "{statement}");
    }
    pool.close().await;
    studio.audit().await;
}
