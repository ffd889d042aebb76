//! An account created by email, confirmed on this computer, and remembered.

use crate::{home::Home, window::Window};

#[tokio::test]
async fn an_account_is_created_confirmed_by_email_and_remembered_after_a_restart() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.create_account("ada@example.com", "correct horse battery").await;

    // signing in is refused before the confirmation
    window.write("Email", "ada@example.com").await;
    window.write("Password", "correct horse battery").await;
    window.press("Sign in").await;
    window.see("not confirmed yet").await;

    window.confirm_by_mail().await;
    window.see("ada@example.com").await;
    window.press("Account").await;
    window.see("Limber keeps you signed in on this computer").await;
    window.never_sees("access_token").await;
    window.close(&home).await;

    let window = Window::open(&home).await;
    window.press("Account").await;
    window.see("ada@example.com").await;
    window.press("Sign out").await;
    window.see("Continue on this computer").await;
    window.write("Email", "ada@example.com").await;
    window.write("Password", "wrong").await;
    window.press("Sign in").await;
    window.see("The email or password is wrong").await;
    window.write("Password", "correct horse battery").await;
    window.press("Sign in").await;
    window.press("Library").await;
    window.close(&home).await;
}
