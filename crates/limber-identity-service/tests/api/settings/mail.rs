//! Every kind of email, with its subject, template, variables and path as operators set them.

use std::time::Duration;

use limber_identity_service::config::MailKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::external::cases_a_to_g::gitlab;
use crate::external::identities::{link, unlink};
use crate::external::stand_in::StandIn;
use crate::external::travel::account;
use crate::factors::{code, enroll, give};
use crate::mailbox::Mail;
use crate::service::{PASSWORD, SITE, TestService, from_settings};
use crate::waiting::wait_for;

/// Returns a subject and a template for every kind, which name the kind and contain `variables`.
fn own_words(variables: impl Fn(MailKind) -> &'static [&'static str]) -> Vec<(String, String)> {
    let words = |kind: MailKind| {
        let word = kind.as_str();
        let filled: Vec<String> =
            variables(kind).iter().map(|name| format!("{{{{ .{name} }}}}")).collect();
        [
            (format!("MAILER_SUBJECTS_{word}"), format!("{word} for {{{{ .Email }}}}")),
            (format!("MAILER_TEMPLATES_{word}"), format!("<p>{}</p>", filled.join("|"))),
        ]
    };
    MailKind::ALL.into_iter().flat_map(words).collect()
}

fn borrowed(settings: &[(String, String)]) -> Vec<(&str, &str)> {
    settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// Returns what the template filled in.
fn filled(mail: &Mail) -> Vec<String> {
    let inner = mail.html.trim().trim_start_matches("<p>").trim_end_matches("</p>");
    inner.split('|').map(|part| part.replace("&amp;", "&")).collect()
}

const LINK_VARIABLES: &[&str] =
    &["SiteURL", "Email", "ConfirmationURL", "Token", "TokenHash", "RedirectTo", "Data.name"];
const CHANGE_VARIABLES: &[&str] = &[
    "SiteURL",
    "Email",
    "ConfirmationURL",
    "Token",
    "TokenHash",
    "RedirectTo",
    "Data.name",
    "NewEmail",
    "SendingTo",
];

fn link_variables(kind: MailKind) -> &'static [&'static str] {
    match kind {
        MailKind::EmailChange => CHANGE_VARIABLES,
        MailKind::Reauthentication => &["SiteURL", "Email", "Token", "Data.name"],
        _ => LINK_VARIABLES,
    }
}

/// Checks an email with a link, and returns what else the template filled in.
#[track_caller]
fn check_link(
    service: &TestService,
    mail: &Mail,
    kind: &str,
    path: &str,
    type_: &str,
) -> Vec<String> {
    let email = mail.subject.strip_prefix(&format!("{kind} for ")).expect("its own subject");
    let parts = filled(mail);
    let [site, to, url, token, hash, back, name, more @ ..] = parts.as_slice() else {
        panic!("{kind}: {parts:?}")
    };
    assert_eq!((site.as_str(), to.as_str(), name.as_str()), (SITE, email, "Ann"), "{kind}");
    assert!(token.len() == 8 && token.bytes().all(|b| b.is_ascii_digit()), "{kind}: {token}");
    let base = service.base.as_str().trim_end_matches('/');
    assert_eq!(url, &format!("{base}{path}?token={hash}&type={type_}&redirect_to={back}"));
    assert_eq!(back, &format!("{SITE}/next"), "{kind}");
    more.to_vec()
}

#[tokio::test]
async fn emails_use_the_configured_templates_subjects_and_paths() {
    let mut settings = own_words(link_variables);
    for (kind, path) in [
        ("INVITE", "/in"),
        ("CONFIRMATION", "/con/firm"),
        ("RECOVERY", "/re"),
        ("EMAIL_CHANGE", "/change"),
    ] {
        settings.push((format!("MAILER_URLPATHS_{kind}"), path.to_owned()));
    }
    settings.push(("MAILER_OTP_LENGTH".into(), "8".into()));
    settings.push(("MAILER_OTP_EXP".into(), "10m".into()));
    settings.push(("SMTP_SENDER_NAME".into(), "Studio".into()));
    settings.push(("SMTP_HEADERS".into(), r#"{"X-Kind": "$messageType"}"#.into()));
    let service = TestService::start_from(&borrowed(&settings)).await;
    let next = format!("redirect_to={SITE}/next");
    let ask = |path: &str| format!("{path}?{next}");
    let body = json!({"email": "ann@b.co", "password": PASSWORD, "data": {"name": "Ann"}});
    service.post(&ask("/signup"), body).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    check_link(&service, &mail, "CONFIRMATION", "/con/firm", "signup");
    assert!(mail.header("From").starts_with("Studio "), "{}", mail.head);
    assert_eq!(mail.header("X-Kind"), "confirmation");
    let verify = json!({"type": "signup", "token_hash": filled(&mail)[4]});
    let token = service.post("/verify", verify).await.ok().access();

    let admin = service.admin_token();
    let body = json!({"email": "bob@b.co", "data": {"name": "Ann"}});
    service.send_as(&admin, Method::POST, &ask("/invite"), body).await.ok();
    let mail = service.mailbox.nth("bob@b.co", 1).await;
    check_link(&service, &mail, "INVITE", "/in", "invite");
    for (path, number, kind, type_) in
        [("/recover", 2, "RECOVERY", "recovery"), ("/magiclink", 3, "MAGIC_LINK", "magiclink")]
    {
        service.post(&ask(path), json!({"email": "ann@b.co"})).await.ok();
        let mail = service.mailbox.nth("ann@b.co", number).await;
        check_link(&service, &mail, kind, "/re", type_);
        service.clock.advance(Duration::from_secs(61));
    }
    let body = json!({"email": "new@b.co"});
    service.send_as(&token, Method::PUT, &ask("/user"), body).await.ok();
    for (to, number) in [("new@b.co", 1), ("ann@b.co", 4)] {
        let mail = service.mailbox.nth(to, number).await;
        let more = check_link(&service, &mail, "EMAIL_CHANGE", "/change", "email_change");
        assert_eq!(more, ["new@b.co", to]);
    }
    service.get_as(&token, "/reauthenticate").await.ok();
    let mail = service.mailbox.nth("ann@b.co", 5).await;
    assert_eq!(mail.subject, "REAUTHENTICATION for ann@b.co");
    let parts = filled(&mail);
    assert_eq!([&parts[0], &parts[1], &parts[3]], [SITE, "ann@b.co", "Ann"]);
    assert_eq!(parts[2].len(), 8);

    let late = service.mailbox.nth("new@b.co", 1).await;
    service.clock.advance(Duration::from_secs(601));
    let verify = json!({"type": "email_change", "token_hash": filled(&late)[4]});
    assert_eq!(service.post("/verify", verify).await.text("error_code"), "otp_expired");
}

fn notice_variables(kind: MailKind) -> &'static [&'static str] {
    match kind {
        MailKind::EmailChanged => &["Email", "OldEmail"],
        MailKind::PhoneChanged => &["Email", "Phone", "OldPhone"],
        MailKind::IdentityLinked | MailKind::IdentityUnlinked => &["Email", "Provider"],
        MailKind::FactorEnrolled | MailKind::FactorUnenrolled => &["Email", "FactorType"],
        _ => &["Email"],
    }
}

#[tokio::test]
async fn every_notification_is_sent_if_enabled_with_its_variables() {
    let mut settings = own_words(notice_variables);
    for kind in MailKind::ALL.into_iter().filter_map(MailKind::notification) {
        settings.push((format!("MAILER_NOTIFICATIONS_{kind}_ENABLED"), "true".into()));
    }
    for switch in [
        "MAILER_AUTOCONFIRM",
        "SMS_AUTOCONFIRM",
        "EXTERNAL_PHONE_ENABLED",
        "SECURITY_MANUAL_LINKING_ENABLED",
    ] {
        settings.push((switch.into(), "true".into()));
    }
    settings.push(("MAILER_SECURE_EMAIL_CHANGE_ENABLED".into(), "false".into()));
    let provider = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| {
        *config = from_settings(config, &borrowed(&settings));
        provider.enable(config);
    })
    .await;
    let body = json!({"email": "own@b.co", "password": PASSWORD});
    let session = service.post("/signup", body).await.ok();
    let token = session.access();
    let put = |body: Value| service.send_as(&token, Method::PUT, "/user", body);
    let mut count = 0;
    let mut told = async |kind: &str, variables: &[&str]| {
        count += 1;
        let mail = service.mailbox.nth("own@b.co", count).await;
        let to = variables[0];
        assert_eq!(mail.subject, format!("{kind}_NOTIFICATION for {to}"));
        assert_eq!(filled(&mail), variables, "{kind}");
    };
    put(json!({"password": "battery staple"})).await.ok();
    told("PASSWORD_CHANGED", &["own@b.co"]).await;
    put(json!({"phone": "+41790000001"})).await.ok();
    put(json!({"phone": "+41790000002"})).await.ok();
    told("PHONE_CHANGED", &["own@b.co", "41790000002", "41790000001"]).await;
    let user = account(&service, &link(&service, &provider, &token).await).await;
    told("IDENTITY_LINKED", &["own@b.co", "gitlab"]).await;
    let linked = user["identities"].as_array().expect("a list").iter();
    let linked = linked.clone().find(|identity| identity["provider"] == "gitlab");
    unlink(&service, &token, &linked.expect("the identity is linked")["identity_id"]).await.ok();
    told("IDENTITY_UNLINKED", &["own@b.co", "gitlab"]).await;
    let enrolled = enroll(&service, &token, "").await.ok();
    let id = enrolled.text("id");
    let lifted = give(&service, &token, &id, &code(&service, &enrolled, 0)).await.ok();
    told("MFA_FACTOR_ENROLLED", &["own@b.co", "totp"]).await;
    let path = format!("/factors/{id}");
    service.send_as(&lifted.access(), Method::DELETE, &path, json!({})).await.ok();
    told("MFA_FACTOR_UNENROLLED", &["own@b.co", "totp"]).await;
    put(json!({"email": "new@b.co"})).await.ok();
    let mail = service.mailbox.nth("new@b.co", 1).await;
    let verify = json!({"type": "email_change", "token_hash": mail.parameter("token")});
    service.post("/verify", verify).await.ok();
    told("EMAIL_CHANGED", &["new@b.co", "own@b.co"]).await;
}

#[tokio::test]
async fn default_subjects_are_those_of_the_specification() {
    let subjects = [
        ("INVITE", "You have been invited"),
        ("CONFIRMATION", "Confirm Your Signup"),
        ("RECOVERY", "Reset Your Password"),
        ("MAGIC_LINK", "Your Magic Link"),
        ("EMAIL_CHANGE", "Confirm Email Change"),
        ("REAUTHENTICATION", "Confirm reauthentication"),
        ("PASSWORD_CHANGED_NOTIFICATION", "Your password has been changed"),
        ("EMAIL_CHANGED_NOTIFICATION", "Your email address has been changed"),
        ("PHONE_CHANGED_NOTIFICATION", "Your phone number has been changed"),
        ("IDENTITY_LINKED_NOTIFICATION", "A new identity has been linked"),
        ("IDENTITY_UNLINKED_NOTIFICATION", "An identity has been unlinked"),
        ("MFA_FACTOR_ENROLLED_NOTIFICATION", "A new MFA factor has been enrolled"),
        ("MFA_FACTOR_UNENROLLED_NOTIFICATION", "An MFA factor has been unenrolled"),
    ];
    assert_eq!(MailKind::ALL.map(|kind| (kind.as_str(), kind.default_subject())), subjects);
}

#[tokio::test]
async fn mail_servers_without_encryption_never_see_the_password() {
    let service =
        TestService::start_from(&[("SMTP_USER", "postmaster"), ("SMTP_PASS", "mail password")])
            .await;
    service.post("/signup", json!({"email": "ann@b.co", "password": PASSWORD})).await.ok();
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    wait_for("an attempt to send the email", async || {
        let tried = "SELECT count(*) FROM mail_outbox WHERE attempts > 0";
        let tried: i64 = sqlx::query_scalar(tried).fetch_one(&pool).await.expect("the table");
        tried == 1
    })
    .await;
    assert!(service.mailbox.all().is_empty(), "the email is waiting");
}

#[tokio::test]
async fn without_a_mail_server_emails_are_logged_and_dropped() {
    let service = TestService::start_from(&[("SMTP_HOST", "")]).await;
    service.post("/signup", json!({"email": "ann@b.co", "password": PASSWORD})).await.ok();
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    wait_for("the outbox is empty", async || {
        let waiting = sqlx::query_scalar("SELECT count(*) FROM mail_outbox").fetch_one(&pool).await;
        let waiting: i64 = waiting.expect("the statement succeeds");
        waiting == 0
    })
    .await;
    assert!(service.mailbox.all().is_empty());
}
