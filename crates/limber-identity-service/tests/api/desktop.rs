//! What the desktop app uses besides passwords, through its own client.

use limber_api::identity::{ErrorCode, LogoutScope, VerifyKind};
use limber_client::identity::{
    AccountChanges, Assurance, IdentityClient, IdentityOptions, Proof, RedirectTarget, Session,
    SignUp, Verified, Verifier,
};
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use totp_rs::{Builder, Secret};

use crate::service::{PASSWORD, TestService};
use crate::waiting::PATIENCE;

const BACK: &str = "limber://auth/callback?state=s1";

fn client(service: &TestService) -> IdentityClient {
    let base = service.base.join("/auth/v1").expect("a valid path");
    let options = IdentityOptions { timeout: PATIENCE, ..IdentityOptions::default() };
    IdentityClient::new(&base, &options).expect("a usable address")
}

async fn with_links_to_the_app() -> TestService {
    TestService::start_with(|config| {
        config.uri_allow_list = vec!["limber://auth/callback*".to_owned()];
    })
    .await
}

async fn ann(service: &TestService) -> Session {
    service.confirmed("ann@b.co").await;
    client(service).sign_in("ann@b.co", &PASSWORD.into()).await.expect("confirmed")
}

fn redirect_target(verifier: &Verifier) -> RedirectTarget {
    RedirectTarget { redirect_to: BACK.to_owned(), challenge: Some(verifier.challenge()) }
}

/// Opens a mailed link as a browser does and returns the redirect target.
async fn opened(link: &str) -> Url {
    let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build();
    let answer = browser.expect("a browser").get(link).send().await.expect("the service responds");
    let target =
        answer.headers().get("location").expect("there is a redirect").to_str().expect("text");
    Url::parse(target).expect("an address")
}

fn code_in(address: &Url) -> SecretString {
    let code = address.query_pairs().find(|(name, _)| name == "code").expect("a code");
    code.1.into_owned().into()
}

#[tokio::test]
async fn emailed_links_return_state_and_code_to_the_app() {
    let service = with_links_to_the_app().await;
    let client = client(&service);
    service.confirmed("ann@b.co").await;
    let verifier = Verifier::from_random([7; 32]);
    client
        .recover("ann@b.co", Some(&redirect_target(&verifier)))
        .await
        .expect("the user has an account");
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    let landed = opened(mail.link()).await;
    assert!(landed.as_str().starts_with(BACK), "{landed}");
    assert!(!landed.as_str().contains("access_token"), "{landed}");
    let code = code_in(&landed);
    let thief = Verifier::from_random([8; 32]);
    let refused =
        client.exchange_code(&code, &thief).await.expect_err("another app cannot use the code");
    assert_eq!(refused.code(), Some(ErrorCode::BadCodeVerifier));
    let session =
        client.exchange_code(&code, &verifier).await.expect("the app that asked can use the code");
    assert_eq!(session.account.email, "ann@b.co");
    let again =
        client.exchange_code(&code, &verifier).await.expect_err("the code can be used once");
    assert_eq!(again.code(), Some(ErrorCode::FlowStateNotFound));

    let changes =
        AccountChanges { password: Some("another horse".into()), ..AccountChanges::default() };
    client.update_user(&session.access_token, changes, None).await.expect("a good password");
    client.sign_in("ann@b.co", &"another horse".into()).await.expect("it counts");
}

#[tokio::test]
async fn emailed_codes_sign_in_and_create_accounts_only_if_allowed() {
    let service = TestService::start().await;
    let client = client(&service);
    service.confirmed("ann@b.co").await;
    client.send_link("ann@b.co", false, None).await.expect("the user has an account");
    let code = service.mailbox.nth("ann@b.co", 2).await.code().into();
    let proof = Proof::Code { email: "ann@b.co", code: &code };
    let verified = client.verify(VerifyKind::Email, proof).await.expect("the code is valid");
    assert!(matches!(verified, Verified::SignedIn(_)));
    let refused = client.send_link("bob@b.co", false, None).await.expect_err("nobody");
    assert_eq!(refused.code(), Some(ErrorCode::OtpDisabled));
}

#[tokio::test]
async fn authorize_urls_contain_the_challenge_and_no_secret() {
    let service = TestService::start().await;
    let verifier = Verifier::from_random([7; 32]);
    let address = client(&service).authorize_address("github", &redirect_target(&verifier));
    let address = address.expect("an address");
    assert!(address.path().ends_with("/auth/v1/authorize"), "{address}");
    let pairs: Vec<(String, String)> = address.query_pairs().into_owned().collect();
    assert!(pairs.contains(&("redirect_to".to_owned(), BACK.to_owned())), "{address}");
    assert!(pairs.contains(&("code_challenge".to_owned(), verifier.challenge())), "{address}");
    assert!(!address.as_str().contains(verifier.secret().expose_secret()));
}

fn shown_code(service: &TestService, secret: &str, steps: i64) -> SecretString {
    let secret = Secret::try_from_base32(secret).expect("base32");
    let totp = Builder::new().with_secret(secret).build().expect("a good secret");
    let time_s = u64::try_from(service.now().timestamp() + steps * 30).expect("after 1970");
    totp.generate(time_s).to_string().into()
}

#[tokio::test]
async fn second_factors_are_enrolled_required_and_removed() {
    let service = TestService::start().await;
    let client = client(&service);
    let session = ann(&service).await;
    assert_eq!(session.assurance(), Assurance::One);
    let token = &session.access_token;
    let enrolled = client.enroll_totp(token, "phone", "Limber").await.expect("she may");
    let told = enrolled.totp.expect("the data that the app needs");
    assert!(told.uri.contains("issuer=Limber"), "{}", told.uri);
    let challenge = client.challenge_factor(token, enrolled.id).await.expect("a challenge");
    let wrong = client.verify_factor(token, enrolled.id, &challenge, &"000000".into()).await;
    let wrong = wrong.expect_err("the code is wrong");
    assert_eq!(wrong.code(), Some(ErrorCode::MfaVerificationFailed));
    let code = shown_code(&service, &told.secret, 0);
    let lifted = client.verify_factor(token, enrolled.id, &challenge, &code).await.expect("good");
    assert_eq!(lifted.assurance(), Assurance::Two);

    let later = client.sign_in("ann@b.co", &PASSWORD.into()).await.expect("the password is right");
    assert_eq!(later.assurance(), Assurance::One);
    assert_eq!(later.account.factors.len(), 1, "the response says which factor is required");
    let refused = client.remove_factor(&later.access_token, enrolled.id).await.expect_err("aal1");
    assert_eq!(refused.code(), Some(ErrorCode::InsufficientAal));
    client.remove_factor(&lifted.access_token, enrolled.id).await.expect("she may");
    let account = client.user(&lifted.access_token).await.expect("the user is signed in");
    assert!(account.factors.is_empty());
}

#[tokio::test]
async fn sessions_are_listed_and_ended_one_by_one_or_all_others() {
    let service = TestService::start().await;
    let client = client(&service);
    service.confirmed("ann@b.co").await;
    let password = SecretString::from(PASSWORD);
    let here = client.sign_in("ann@b.co", &password).await.expect("confirmed");
    let there = client.sign_in("ann@b.co", &password).await.expect("confirmed");
    let listed = client.sessions(&here.access_token).await.expect("told").expect("offered");
    let current: Vec<bool> = listed.iter().map(|session| session.current).collect();
    assert_eq!(current, [false, true, false], "newest first");
    assert!(listed[0].user_agent.starts_with("limber/"), "{:?}", listed[0]);
    client
        .end_session(&here.access_token, listed[0].id)
        .await
        .expect("the session belongs to the user");
    client
        .end_session(&here.access_token, listed[0].id)
        .await
        .expect("an ended session is fine too");
    assert!(client.refresh(&there.refresh_token).await.expect_err("ended").ends_session());
    client.sign_out(&here.access_token, LogoutScope::Others).await.expect("the user is signed in");
    let listed = client.sessions(&here.access_token).await.expect("told").expect("offered");
    assert_eq!(listed.len(), 1);
}

#[tokio::test]
async fn disabled_features_are_rejected_with_their_error_code() {
    let service = TestService::start().await;
    let client = client(&service);
    let session = ann(&service).await;
    let verifier = Verifier::from_random([7; 32]);
    let token = &session.access_token;
    let refused = client.link_address(token, "github", &redirect_target(&verifier)).await;
    assert_eq!(refused.expect_err("off").code(), Some(ErrorCode::ManualLinkingDisabled));
    let identity = session.account.identities[0].identity_id;
    assert!(client.unlink(token, identity).await.is_err());
    let refused = client.send_text("+491701234567", true).await.expect_err("off");
    assert_eq!(refused.code(), Some(ErrorCode::PhoneProviderDisabled));
    client.reauthenticate(token).await.expect("the user has an email");
    let nonce = service.mailbox.nth("ann@b.co", 2).await.code();
    assert_eq!(nonce.len(), 6);
    let SignUp::ConfirmationSent(_) =
        client.sign_up("bob@b.co", &PASSWORD.into(), None, None).await.expect("free")
    else {
        panic!("the change is confirmed by email")
    };
}
