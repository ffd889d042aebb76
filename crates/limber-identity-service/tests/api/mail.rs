//! Contents of emails: kinds, templates, headers and notifications.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use limber_identity_service::config::MailKind;
use reqwest::Method;
use serde_json::json;

use crate::service::{PASSWORD, SITE, TestService};

/// A site that serves a template, counts requests and can be made to fail.
#[derive(Default)]
struct Site {
    asked: AtomicUsize,
    broken: AtomicUsize,
}

async fn template(State(site): State<Arc<Site>>) -> (StatusCode, &'static str) {
    site.asked.fetch_add(1, Ordering::SeqCst);
    if site.broken.load(Ordering::SeqCst) > 0 {
        return (StatusCode::INTERNAL_SERVER_ERROR, "");
    }
    let text = "<p>Own: {{ .Token }} for {{ .Data.first_name }} at {{ .SiteURL }}</p>";
    (StatusCode::OK, text)
}

async fn serve_site() -> (SocketAddr, Arc<Site>) {
    let site = Arc::new(Site::default());
    let routes = Router::new()
        .route("/own.html", get(template))
        .route("/huge.html", get(async || "<p>".repeat(1 << 20)))
        .route(
            "/slow.html",
            get(async || {
                tokio::time::sleep(Duration::from_secs(60)).await;
                ""
            }),
        )
        .with_state(Arc::clone(&site));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound address");
    tokio::spawn(async move { axum::serve(listener, routes).await });
    (address, site)
}

#[tokio::test]
async fn custom_templates_are_cached_for_ten_minutes() {
    let (address, site) = serve_site().await;
    let service = TestService::start_with(|config| {
        // A template address without a host is a path on the site.
        config.site_url = format!("http://{address}").parse().expect("a valid address");
        config.mailer.templates.insert(MailKind::Confirmation, "/own.html".into());
        config.mailer.subjects.insert(MailKind::Confirmation, "Welcome, {{ .Email }}".into());
    })
    .await;
    let sign_up = async |email: &str| {
        let body = json!({"email": email, "password": PASSWORD, "data": {"first_name": "<Ann>"}});
        service.post("/signup", body).await.ok();
        service.mailbox.nth(email, 1).await
    };
    let first = sign_up("a@b.co").await;
    assert_eq!(first.subject, "Welcome, a@b.co");
    let own = format!("<p>Own: {} for &lt;Ann&gt; at http://{address}</p>", first.code());
    assert_eq!(first.html.trim_end(), own);
    sign_up("b@b.co").await;
    assert_eq!(site.asked.load(Ordering::SeqCst), 1, "the second email uses the cached template");
    site.broken.store(1, Ordering::SeqCst);
    service.clock.advance(Duration::from_secs(601));
    let built_in = sign_up("c@b.co").await;
    assert!(built_in.html.contains("Confirm your mail"), "{}", built_in.html);
    sign_up("d@b.co").await;
    assert_eq!(site.asked.load(Ordering::SeqCst), 2, "a failed fetch is not repeated at once");
    site.broken.store(0, Ordering::SeqCst);
    service.clock.advance(Duration::from_secs(11));
    assert!(sign_up("e@b.co").await.html.contains("Own:"));
}

#[tokio::test]
async fn huge_slow_and_missing_templates_fall_back_to_the_built_in_one() {
    let (address, _) = serve_site().await;
    let path = |name: &str| format!("http://{address}/{name}");
    let service = TestService::start_with(|config| {
        config.mailer.templates.insert(MailKind::Confirmation, path("huge.html"));
        config.mailer.templates.insert(MailKind::Recovery, path("slow.html"));
        config.mailer.templates.insert(MailKind::MagicLink, "file:/nowhere/at/all".into());
    })
    .await;
    service.confirmed("ann@b.co").await;
    service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
    let recovery = service.mailbox.nth("ann@b.co", 2).await;
    assert!(recovery.html.contains("Reset Password"), "{}", recovery.html);
    service.clock.advance(Duration::from_secs(61));
    service.post("/otp", json!({"email": "ann@b.co"})).await.ok();
    assert!(service.mailbox.nth("ann@b.co", 3).await.html.contains("Sign in"));
}

#[tokio::test]
async fn links_use_the_configured_paths_and_magic_links_that_of_recoveries() {
    let service = TestService::start_with(|config| {
        config.mailer.url_paths.insert(MailKind::Recovery, "/welcome/back".into());
        config.mailer.url_paths.insert(MailKind::Confirmation, "https://a.example/in".into());
    })
    .await;
    service.confirmed("ann@b.co").await;
    let confirmation = service.mailbox.nth("ann@b.co", 1).await;
    assert!(confirmation.link().starts_with("https://a.example/in?token="));
    for (path, number) in [("/recover", 2), ("/magiclink", 3)] {
        service.post(path, json!({"email": "ann@b.co"})).await.ok();
        let mail = service.mailbox.nth("ann@b.co", number).await;
        let start = format!("{}welcome/back?token=", service.base);
        assert!(mail.link().starts_with(&start), "{}", mail.link());
        service.clock.advance(Duration::from_secs(61));
    }
}

#[tokio::test]
async fn emails_have_the_configured_headers_and_auto_submitted() {
    let service = TestService::start_with(|config| {
        let smtp = config.smtp.as_mut().expect("tests have a mail server");
        smtp.sender_name = Some("Studio".into());
        smtp.headers = vec![
            ("X-Kind".into(), "auth-$messageType".into()),
            ("X-Campaign".into(), "none".into()),
        ];
    })
    .await;
    service.post("/signup", json!({"email": "a@b.co", "password": PASSWORD})).await.ok();
    let mail = service.mailbox.nth("a@b.co", 1).await;
    assert_eq!(mail.header("X-Kind"), "auth-confirmation");
    assert_eq!(mail.header("X-Campaign"), "none");
    assert_eq!(mail.header("Auto-Submitted"), "auto-generated");
    assert!(mail.header("From").ends_with("Studio <studio@site.example>"), "{}", mail.head);
    assert!(mail.header("Message-ID").ends_with("@site.example>"));
}

#[tokio::test]
async fn notifications_are_sent_only_if_enabled() {
    for (on, mails) in [(false, 1), (true, 2)] {
        let service = TestService::start_with(|config| {
            if on {
                config.mailer.notifications.insert(MailKind::PasswordChanged);
            }
        })
        .await;
        let token = service.confirmed("ann@b.co").await.access();
        let body = json!({"password": "battery staple"});
        service.send_as(&token, Method::PUT, "/user", body).await.ok();
        assert_eq!(service.count_mails("ann@b.co").await, mails);
        if on {
            let mail = service.mailbox.nth("ann@b.co", 2).await;
            assert_eq!(mail.subject, "Your password has been changed");
            assert!(mail.text.contains("ann@b.co"));
        }
    }
}

#[tokio::test]
async fn address_changes_notify_the_old_email_and_phone_changes_the_current_one() {
    let service = TestService::start_with(|config| {
        config.mailer.notifications.extend([MailKind::EmailChanged, MailKind::PhoneChanged]);
        config.mailer.secure_email_change = false;
        config.signup.phone = true;
        config.signup.phone_autoconfirm = true;
    })
    .await;
    let token = service.confirmed("old@b.co").await.access();
    let put = |body| service.send_as(&token, Method::PUT, "/user", body);
    put(json!({"phone": "+41791234567"})).await.ok();
    assert_eq!(service.count_mails("old@b.co").await, 1, "there was no phone before");
    put(json!({"phone": "+41797654321"})).await.ok();
    let told = service.mailbox.nth("old@b.co", 2).await;
    assert_eq!(told.subject, "Your phone number has been changed");
    assert!(told.text.contains("41791234567") && told.text.contains("41797654321"));
    put(json!({"email": "new@b.co"})).await.ok();
    let mail = service.mailbox.nth("new@b.co", 1).await;
    let body = json!({"type": "email_change", "token_hash": mail.parameter("token")});
    service.post("/verify", body).await.ok();
    let told = service.mailbox.nth("old@b.co", 3).await;
    assert_eq!(told.subject, "Your email address has been changed");
    assert!(told.text.contains("from old@b.co to new@b.co"), "{}", told.text);
}

#[tokio::test]
async fn failed_notifications_do_not_fail_the_change() {
    let service = TestService::start_with(|config| {
        config.mailer.notifications.insert(MailKind::PasswordChanged);
    })
    .await;
    let token = service.confirmed("ann@b.co").await.access();
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    let broken = "ALTER TABLE mail_outbox ADD CONSTRAINT closed CHECK (kind NOT LIKE 'PASSWORD%')";
    sqlx::query(broken).execute(&pool).await.expect("the statement succeeds");
    let body = json!({"password": "battery staple"});
    service.send_as(&token, Method::PUT, "/user", body).await.ok();
    service.sign_in("ann@b.co", "battery staple").await.ok();
}

#[tokio::test]
async fn with_the_link_page_enabled_only_the_button_redeems_a_link() {
    let service = TestService::start_with(|config| config.mailer.link_page = true).await;
    service.post("/signup", json!({"email": "ann@b.co", "password": PASSWORD})).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    let path = mail.link().trim_start_matches(service.base.as_str().trim_end_matches('/'));
    for method in [Method::GET, Method::HEAD, Method::GET] {
        let answer = service.request(method, path).send().await.expect("the service responds");
        assert_eq!(answer.status(), 200);
    }
    let answer = service.request(Method::GET, path).send().await.expect("the service responds");
    let policy = answer.headers()["content-security-policy"].to_str().expect("text").to_owned();
    assert!(policy.contains("default-src 'none'"), "{policy}");
    let page = answer.text().await.expect("a page");
    assert!(page.contains("Confirm your email address") && page.contains("<form method=\"post\""));
    assert!(!page.contains("<script"), "the page works without scripts");
    let press = || service.request(Method::POST, path).form(&[("pressed", "yes")]).send();
    let answer = press().await.expect("the service responds");
    assert_eq!(answer.status(), 303);
    let location = answer.headers()["location"].to_str().expect("text").to_owned();
    assert!(location.starts_with(SITE) && location.contains("access_token="), "{location}");
    let again = press().await.expect("the service responds");
    assert!(again.headers()["location"].to_str().expect("text").contains("otp_expired"));
}

#[tokio::test]
async fn sign_ups_are_rolled_back_if_the_email_cannot_be_queued() {
    let service = TestService::start().await;
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    let broken = "ALTER TABLE mail_outbox ADD CONSTRAINT closed CHECK (false)";
    sqlx::query(broken).execute(&pool).await.expect("the statement succeeds");
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let refused = service.post("/signup", body).await;
    assert_eq!(
        (refused.status, refused.text("msg").as_str()),
        (500, "Error sending confirmation email")
    );
    assert!(refused.body["error_id"].is_string());
    let accounts = service.get_as(&service.admin_token(), "/admin/users").await.ok();
    assert_eq!(accounts.headers["x-total-count"], "0");
}
