//! Signing in to a studio server: with an external provider through the browser, by phone, and with
//! a phone as second factor.

use crate::{
    browser::Browser,
    display::light_pixels,
    home::Home,
    server::{NEW_PHONE, PHONE, PHONE_CODE, Server, Visitor},
    window::{Window, until},
};

/// Returns the address that the desktop was asked to open after this many earlier ones.
async fn opened_address(home: &Home, before: usize) -> reqwest::Url {
    let address = until("an address for the browser", async || home.opened().get(before).cloned());
    address.await.parse().expect("the address is valid")
}

/// Passes a link on as the desktop does, by starting the program again.
async fn follow_link(home: &Home, link: &str) {
    let mut second = home.limber(&[link]).spawn().expect("the program can be started");
    let ended = until("the second instance to exit", async || second.try_wait().ok().flatten());
    assert!(ended.await.success());
}

#[tokio::test]
async fn an_external_account_signs_in_through_the_browser() {
    let home = Home::new();
    let Some(server) = Server::start(&home.path().join("server")).await else { return };
    let window = Window::open(&home).await;
    server.connect(&window).await;
    until("the button to be drawn", async || {
        let picture = window.picture_of("section.panel button[type=submit]").await?;
        (light_pixels(&picture) > 1000).then_some(())
    })
    .await;
    window.inspect("account-sign-in").await;
    window.press("Continue with Keycloak").await;
    window.see("Continue in your browser").await;
    window.inspect("account-browser").await;
    let address = opened_address(&home, 0).await;
    assert!(address.as_str().starts_with(&server.identity), "{address}");
    let back = Visitor::new("ann").go(address, "limber://").await;
    assert!(back.as_str().starts_with("limber://auth/callback?state="), "{back}");
    assert!(!back.as_str().contains("token"), "{back}");

    // the same code with a state that was never issued
    let state = back.query_pairs().find(|(name, _)| name == "state").expect("a state").1;
    let altered = back.as_str().replace(&*state, "x".repeat(state.len()).as_str());
    follow_link(&home, &altered).await;
    window.see("does not belong to a sign-in started here").await;
    window.press("Close this message").await;

    follow_link(&home, back.as_str()).await;
    window.see("ann@example.co").await;
    follow_link(&home, back.as_str()).await;
    window.see("does not belong to a sign-in started here").await;
    window.press("Account").await;
    window.see("Keycloak").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_real_browser_returns_to_the_app_whether_it_runs_or_not() {
    let home = Home::new();
    let Some(server) = Server::start(&home.path().join("server")).await else { return };
    let window = Window::open(&home).await;
    server.connect(&window).await;
    let provider = server.provider_origin();
    let origins = [server.identity.as_str(), &provider];
    let browser = Browser::open(&home, &origins).await;
    window.press("Continue with Keycloak").await;
    browser.cancel_sign_in(&opened_address(&home, 0).await).await;
    window.see("End-User aborted interaction. Start it again here.").await;
    window.press("Close this message").await;
    window.press("Continue with Keycloak").await;
    browser.sign_in(&opened_address(&home, 1).await, "ann").await;
    window.see("ann@example.co").await;
    window.press("Account").await;
    window.press_exactly("Sign out").await;

    window.press("Continue with Keycloak").await;
    let address = opened_address(&home, 2).await;
    window.close(&home).await;
    browser.delete_cookies().await;
    browser.sign_in(&address, "carl").await;
    until("the program to start", async || {
        (!home.processes("limber://auth/callback").is_empty()).then_some(())
    })
    .await;
    until("a session", async || home.keeps_session().then_some(())).await;
    browser.close().await;
    home.end_app();
    // a new start would only pass on to the instance that is still running
    until("it to exit", async || home.processes("limber").is_empty().then_some(())).await;
    let window = Window::open(&home).await;
    window.see("carl@example.co").await;
    window.close(&home).await;
}

#[tokio::test]
async fn the_redirect_from_the_browser_also_starts_the_app() {
    let home = Home::new();
    let Some(server) = Server::start(&home.path().join("server")).await else { return };
    let window = Window::open(&home).await;
    server.connect(&window).await;
    window.press("Continue with Keycloak").await;
    window.see("Continue in your browser").await;
    let back = Visitor::new("carl").go(opened_address(&home, 0).await, "limber://").await;
    window.close(&home).await;

    let window = Window::open_with(&home, &[back.as_str()]).await;
    window.see("carl@example.co").await;
    window.close(&home).await;

    // without the server the user stays signed in, and everything that needs the server reports it
    drop(server);
    let window = Window::open(&home).await;
    window.see("carl@example.co").await;
    window.press("Library").await;
    window.see("No clips yet").await;
    window.press("Account").await;
    window.see("Can't reach").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_phone_number_signs_in_and_an_external_account_is_linked() {
    let home = Home::new();
    let Some(server) = Server::start(&home.path().join("server")).await else { return };
    let window = Window::open(&home).await;
    server.connect(&window).await;
    window.press("Text me a code").await;
    window.write("Phone number", PHONE).await;
    window.press("Text me a code").await;
    window.write("Code", "000000").await;
    window.press_exactly("Sign in").await;
    window.see("This link or code is wrong").await;
    window.write("Code", PHONE_CODE).await;
    window.press_exactly("Sign in").await;
    window.press("Account").await;
    window.see(PHONE).await;
    window.press("Change number").await;
    window.write("New number", NEW_PHONE).await;
    window.press("Text me a code").await;
    window.write(&format!("Code sent to {NEW_PHONE}"), PHONE_CODE).await;
    window.press("Confirm number").await;
    window.see_no_more(PHONE).await;
    window.see(NEW_PHONE).await;
    window.press("Add Keycloak").await;
    window.see("Continue in your browser").await;
    let back = Visitor::new("dora").go(opened_address(&home, 0).await, "limber://").await;
    follow_link(&home, back.as_str()).await;
    window.see("Confirmed.").await;
    window.see("dora@example.co").await;
    window.press("Remove Keycloak").await;
    window.see("Add Keycloak").await;
    window.close(&home).await;
}

/// Settings of a server that supports phones as second factors and confirms accounts automatically.
/// Codes may be requested every second, so that tests need not wait for a minute.
const PHONES_AS_SECOND_FACTORS: [(&str, &str); 4] = [
    ("AUTHSVC_MFA_PHONE_ENROLL_ENABLED", "true"),
    ("AUTHSVC_MFA_PHONE_VERIFY_ENABLED", "true"),
    ("AUTHSVC_MAILER_AUTOCONFIRM", "true"),
    ("AUTHSVC_SMS_MAX_FREQUENCY", "1"),
];

#[tokio::test]
async fn a_phone_as_second_factor_receives_a_code_after_the_password() {
    let home = Home::new();
    let files = home.path().join("server");
    let server = Server::start_with(&files, &PHONES_AS_SECOND_FACTORS).await;
    let Some(server) = server else { return };
    let window = Window::open(&home).await;
    server.connect(&window).await;
    window.press("Create one").await;
    window.write("Email", "ada@example.com").await;
    window.write("Password", "correct horse battery").await;
    window.press("Create account").await;
    window.press("Account").await;
    window.press("Set up").await;
    window.choose("Text message").await;
    window.write("Phone number", PHONE).await;
    window.press("Text me a code").await;
    window.see(&format!("We sent a code to {PHONE}")).await;
    window.inspect("account-second-factor-phone").await;
    window.write("Code", "000000").await;
    window.press("Turn on").await;
    window.see("This code is not from the newest message").await;
    window.write("Code", PHONE_CODE).await;
    window.press("Turn on").await;
    window.see("Phone (…000), since").await;
    window.see("Add another").await;
    window.inspect("account-protected-by-phone").await;
    window.press_exactly("Sign out").await;

    window.see("Continue with Keycloak").await;
    window.write("Email", "ada@example.com").await;
    window.write("Password", "correct horse battery").await;
    window.press_exactly("Sign in").await;
    window.see("the number ending in 000").await;
    window.never_sees("Studio").await;
    window.press("Text me a code").await;
    window.see("We texted a code").await;
    window.write("Code", PHONE_CODE).await;
    window.press("Confirm").await;
    window.press("Account").await;
    window.press("Remove Phone").await;
    window.see("Set up").await;
    window.close(&home).await;
}
