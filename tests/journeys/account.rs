//! Account management in the local studio.

use std::time::{SystemTime, UNIX_EPOCH};

use limber_api::{identity::LogoutScope, local::SECRET_FILE};
use limber_client::{
    ConnectionPolicy,
    identity::{IdentityClient, IdentityOptions},
};
use totp_rs::{Builder, Secret};

use crate::{
    browser::Browser,
    display::light_pixels,
    home::Home,
    window::{Window, until},
};

const ADA: &str = "ada@example.com";
const PASSWORD: &str = "correct horse battery";

/// Signs in with a newly created account.
async fn ada(home: &Home) -> Window {
    let window = Window::open(home).await;
    window.create_account(ADA, PASSWORD).await;
    window.confirm_by_mail().await;
    window.press("Account").await;
    window.see("Active sessions").await;
    window
}

async fn sign_in(window: &Window, email: &str, password: &str) {
    window.see("Continue on this computer").await;
    window.write("Email", email).await;
    window.write("Password", password).await;
    window.press_exactly("Sign in").await;
}

/// Another program of the same user, connected to the same studio.
async fn second_client(home: &Home) -> IdentityClient {
    let address = until("an address in an email", async || {
        let letters = std::fs::read_dir(home.data().join("mail")).ok()?;
        let texts = letters.filter_map(|letter| std::fs::read_to_string(letter.ok()?.path()).ok());
        let text = texts.into_iter().find(|text| text.contains("http://127.0.0.1:"))?;
        let rest = text.split_once("http://")?.1;
        Some(format!("http://{}", rest.split('/').next()?))
    })
    .await;
    let _ = rustls::crypto::ring::default_provider().install_default();
    let address = address.parse().expect("the address is valid");
    // only the same user can read the data folder
    let secret =
        std::fs::read_to_string(home.data().join(SECRET_FILE)).expect("the studio is running");
    let connection =
        ConnectionPolicy { app_secret: Some(secret.into()), ..ConnectionPolicy::default() };
    let options = IdentityOptions { connection, ..IdentityOptions::default() };
    IdentityClient::new(&address, &options).expect("the address is accepted")
}

#[tokio::test]
async fn a_forgotten_password_is_reset_by_local_mail() {
    let home = Home::new();
    let window = ada(&home).await;
    window.press_exactly("Sign out").await;
    window.press("Forgot password?").await;
    window.write("Email", ADA).await;
    window.press("Email me a reset link").await;
    window.see(&format!("If {ADA} has an account here, we sent it a link")).await;
    window.press("Mail on this computer").await;
    window.follow_mail("Reset Your Password", ADA).await;
    window.see("Choose a new password").await;
    window.never_sees("Studio").await;
    window.inspect("account-new-password").await;
    window.write("New password", "another horse").await;
    window.press("Save new password").await;
    window.press("Account").await;
    window.press_exactly("Sign out").await;
    sign_in(&window, ADA, PASSWORD).await;
    window.see("The email or password is wrong").await;
    sign_in(&window, ADA, "another horse").await;
    window.press("Library").await;
    window.close(&home).await;
}

#[tokio::test]
async fn an_emailed_link_creates_the_account_and_signs_in() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Email me a link").await;
    window.write("Email", "bob@example.com").await;
    window.press("Email me a link").await;
    window.see("We sent a link to bob@example.com").await;
    window.press("Mail on this computer").await;
    window.follow_mail("", "bob@example.com").await;
    window.press("Account").await;
    window.see("bob@example.com").await;
    window.close(&home).await;
}

/// Returns the link in the newest email, as an email program would show it.
async fn emailed_link(home: &Home, to: &str) -> String {
    until("a link in an email", async || {
        let letters = std::fs::read_dir(home.data().join("mail")).ok()?;
        let texts = letters.filter_map(|letter| std::fs::read(letter.ok()?.path()).ok());
        let bytes = texts.into_iter().find(|text| String::from_utf8_lossy(text).contains(to))?;
        let letter = mail_parser::MessageParser::default().parse(&bytes)?;
        let text = letter.body_text(0)?.into_owned();
        let rest = text.split_once("http://127.0.0.1")?.1;
        let end = rest.find(|c: char| c.is_whitespace() || "\"<>)".contains(c))?;
        Some(format!("http://127.0.0.1{}", &rest[..end]))
    })
    .await
}

#[tokio::test]
async fn an_emailed_link_opened_in_the_browser_returns_to_the_app() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Email me a link").await;
    window.write("Email", "eve@example.com").await;
    window.press("Email me a link").await;
    window.see("We sent a link to eve@example.com").await;
    let link = emailed_link(&home, "eve@example.com").await;
    let browser =
        Browser::open(&home, &[&link[..link.find("/verify").expect("the link has this path")]])
            .await;
    browser.open_page(&link).await;
    window.see("Library").await;
    window.press("Account").await;
    window.see("eve@example.com").await;
    browser.close().await;
    window.close(&home).await;
}

#[tokio::test]
async fn an_email_change_takes_effect_once_both_addresses_confirm() {
    let home = Home::new();
    let window = ada(&home).await;
    window.press("Change email").await;
    window.write("New email", "ada@work.example").await;
    window.press("Send confirmation links").await;
    window.see("ada@work.example is not confirmed yet").await;
    window.press("Mail on this computer").await;
    window.follow_mail("Confirm Email Change", "ada@work.example").await;
    window.see("open the link that we sent to the other address").await;
    window.follow_mail("Confirm Email Change", ADA).await;
    window.see("Confirmed.").await;
    window.see_no_more("is not confirmed yet").await;
    window.see("ada@work.example").await;
    window.press_exactly("Sign out").await;
    sign_in(&window, "ada@work.example", PASSWORD).await;
    window.press("Library").await;
    window.close(&home).await;
}

#[tokio::test]
async fn other_sessions_are_listed_and_can_all_be_ended() {
    let home = Home::new();
    let window = ada(&home).await;
    window.never_sees("Sign out everywhere else").await;
    let other = second_client(&home).await;
    let session = other.sign_in(ADA, &PASSWORD.into()).await.expect("the password is right");
    window.press("Library").await;
    window.press("Account").await;
    window.see("Sign out everywhere else").await;
    window.inspect("account").await;
    let session = other.refresh(&session.refresh_token).await.expect("no session has ended yet");
    window.press_exactly("Sign out everywhere").await;
    window.see("Continue on this computer").await;
    let ended = other.refresh(&session.refresh_token).await.expect_err("the session has ended");
    assert!(ended.ends_session(), "{ended:?}");
    window.close(&home).await;
}

#[tokio::test]
async fn a_session_ended_elsewhere_ends_here_and_clips_are_kept() {
    let home = Home::new();
    let window = ada(&home).await;
    window.press("Studio").await;
    window.prompt("waves").await;
    window.choose("3 s").await;
    window.press("Generate").await;
    window.see("Clip: waves").await;
    let other = second_client(&home).await;
    let session = other.sign_in(ADA, &PASSWORD.into()).await.expect("the password is right");
    let ended = other.sign_out(&session.access_token, LogoutScope::Others).await;
    ended.expect("a signed-in user may end the other sessions");
    window.press("Account").await;
    window.see("Your session has ended").await;
    window.inspect("account-ended").await;
    sign_in(&window, ADA, PASSWORD).await;
    window.press("Library").await;
    window.see("Clip: waves").await;
    window.close(&home).await;
}

/// Returns the code that the authenticator shows, this many 30-second steps from now.
#[expect(clippy::disallowed_methods, reason = "authenticator codes depend on the time of day")]
fn authenticator_code(secret: &str, steps: u64) -> String {
    let bare: String = secret.chars().filter(|c| !c.is_whitespace()).collect();
    let secret = Secret::try_from_base32(&bare).expect("the secret is base32");
    let totp = Builder::new().with_secret(secret).build().expect("the secret is long enough");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is after 1970");
    totp.generate(now.as_secs() + 30 * steps).to_string()
}

#[tokio::test]
async fn a_password_alone_is_not_enough_with_a_second_factor() {
    let home = Home::new();
    let window = ada(&home).await;
    window.press("Set up").await;
    window.see("Scan the QR code with your authenticator app").await;
    until("the QR code to be drawn", async || {
        let picture = window.picture_of(".offer img").await?;
        (light_pixels(&picture) > 1000).then_some(())
    })
    .await;
    window.inspect("account-second-factor").await;
    let secret = window.words_of(".offer code").await;
    window.write("Code", "000000").await;
    window.press("Turn on").await;
    window.see("This code is wrong").await;
    window.write("Code", &authenticator_code(&secret, 0)).await;
    window.press("Turn on").await;
    window.see("Remove Authenticator").await;
    window.press_exactly("Sign out").await;

    sign_in(&window, ADA, PASSWORD).await;
    window.see("Verification code").await;
    window.inspect("account-code").await;
    window.close(&home).await;
    // restarting does not bypass it
    let window = Window::open(&home).await;
    window.see("Verification code").await;
    window.never_sees("Studio").await;
    window.write("Code", &authenticator_code(&secret, 1)).await;
    window.press("Confirm").await;
    window.press("Account").await;
    window.press("Remove Authenticator").await;
    window.see("Set up").await;
    window.press_exactly("Sign out").await;
    sign_in(&window, ADA, PASSWORD).await;
    window.press("Library").await;
    window.close(&home).await;
}
