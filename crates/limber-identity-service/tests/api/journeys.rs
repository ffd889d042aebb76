//! User journeys across several endpoints, through the client that the desktop app uses.

use limber_api::identity::{ErrorCode, LogoutScope, VerifyKind};
use limber_client::identity::{
    AccountChanges, IdentityClient, IdentityOptions, Proof, SignUp, Verified,
};
use limber_identity_service::config::SmtpConfig;
use secrecy::{ExposeSecret, SecretString};

use crate::service::{PASSWORD, TestService};
use crate::waiting::{PATIENCE, wait_for};

fn client(service: &TestService) -> IdentityClient {
    let base = service.base.join("/auth/v1").expect("a valid path");
    let options = IdentityOptions { timeout: PATIENCE, ..IdentityOptions::default() };
    IdentityClient::new(&base, &options).expect("a usable address")
}

#[tokio::test]
async fn sign_up_confirm_sign_in_refresh_sign_out() {
    let service = TestService::start().await;
    let client = client(&service);
    assert_eq!(client.settings().await.expect("settings").external.get("email"), Some(&true));
    let password = SecretString::from(PASSWORD);
    let signed_up =
        client.sign_up("ann@b.co", &password, None, None).await.expect("the address is not taken");
    assert!(matches!(signed_up, SignUp::ConfirmationSent(_)));
    let early =
        client.sign_in("ann@b.co", &password).await.expect_err("the email is not confirmed yet");
    assert_eq!(early.code(), Some(ErrorCode::EmailNotConfirmed));

    let mail = service.mailbox.nth("ann@b.co", 1).await;
    let token = mail.parameter("token").into();
    let proof = Proof::Link { token_hash: &token };
    let verified = client.verify(VerifyKind::Signup, proof).await.expect("the link is valid");
    assert!(matches!(verified, Verified::SignedIn(_)));
    let session = client.sign_in("ann@b.co", &password).await.expect("confirmed now");
    let next = client.refresh(&session.refresh_token).await.expect("the token is fresh");
    let user = client.user(&next.access_token).await.expect("the token is valid");
    assert_eq!(user.id, session.account.id);
    client.sign_out(&next.access_token, LogoutScope::Global).await.expect("the user is signed in");
    let over = client.refresh(&next.refresh_token).await.expect_err("signed out");
    assert!(over.ends_session(), "{over:?}");
}

#[tokio::test]
async fn reusing_a_stolen_refresh_token_ends_the_session() {
    let service = TestService::start_with(|config| config.mailer.autoconfirm = true).await;
    let (owner, thief) = (client(&service), client(&service));
    let password = SecretString::from(PASSWORD);
    let SignUp::SignedIn(session) =
        owner.sign_up("ann@b.co", &password, None, None).await.expect("the address is not taken")
    else {
        panic!("autoconfirm is on")
    };
    let stolen = session.refresh_token.clone();
    let mine = owner.refresh(&session.refresh_token).await.expect("fresh");
    let mine = owner.refresh(&mine.refresh_token).await.expect("fresh");
    let caught = thief.refresh(&stolen).await.expect_err("an old token");
    assert_eq!(caught.code(), Some(ErrorCode::RefreshTokenAlreadyUsed));
    let ended = owner.refresh(&mine.refresh_token).await.expect_err("the session has ended");
    assert!(ended.ends_session());
}

#[tokio::test]
async fn anonymous_accounts_can_be_made_permanent() {
    let service = TestService::start_with(|config| config.signup.anonymous = true).await;
    let client = client(&service);
    let session = client.sign_in_anonymously(None).await.expect("the feature is enabled");
    assert!(session.account.is_anonymous);
    let changes = AccountChanges {
        email: Some("ann@b.co".into()),
        password: Some(PASSWORD.into()),
        ..AccountChanges::default()
    };
    let waiting = client.update_user(&session.access_token, changes, None).await.expect("free");
    assert_eq!(waiting.new_email.as_deref(), Some("ann@b.co"));
    let code = service.mailbox.nth("ann@b.co", 1).await.code().into();
    let proof = Proof::Code { email: "ann@b.co", code: &code };
    let verified = client.verify(VerifyKind::EmailChange, proof).await.expect("the code is valid");
    let Verified::SignedIn(permanent) = verified else {
        panic!("with one address, one code is enough")
    };
    assert_eq!(permanent.account.id, session.account.id);
    assert!(!permanent.account.is_anonymous);
}

#[tokio::test]
async fn emails_wait_while_the_mail_server_is_down() {
    // Nothing listens on port 9.
    let service = TestService::start_with(|config| {
        config.smtp = Some(SmtpConfig::plain("127.0.0.1", 9, "studio@site.example"));
    })
    .await;
    let password = SecretString::from(PASSWORD);
    client(&service)
        .sign_up("ann@b.co", &password, None, None)
        .await
        .expect("the error does not reveal it");
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    wait_for("an attempt to send the email", async || {
        let tried = "SELECT count(*) FROM mail_outbox WHERE attempts > 0";
        let tried: i64 = sqlx::query_scalar(tried).fetch_one(&pool).await.expect("the table");
        tried == 1
    })
    .await;
    let waiting: i64 =
        sqlx::query_scalar("SELECT count(*) FROM mail_outbox WHERE given_up_at IS NULL")
            .fetch_one(&pool)
            .await
            .expect("the statement succeeds");
    assert_eq!(waiting, 1);
}

#[tokio::test]
async fn the_database_contains_no_plain_text_tokens_or_codes() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    service.post("/recover", serde_json::json!({"email": "ann@b.co"})).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    let everything: String = sqlx::query_scalar(
        "SELECT coalesce((SELECT string_agg(t::text, ' ') FROM refresh_tokens t), '')
             || coalesce((SELECT string_agg(o::text, ' ') FROM one_time_tokens o), '')
             || coalesce((SELECT string_agg(a::text, ' ') FROM accounts a), '')
             || coalesce((SELECT string_agg(m::text, ' ') FROM mail_outbox m), '')",
    )
    .fetch_one(&pool)
    .await
    .expect("the statements succeed");
    let refresh = SecretString::from(session.refresh());
    for secret in [refresh.expose_secret(), &mail.parameter("token"), PASSWORD] {
        assert!(!everything.contains(secret));
    }
    assert!(everything.contains("$argon2id$"));
}
