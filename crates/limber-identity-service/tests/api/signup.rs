//! `POST /signup`.

use serde_json::{Value, json};

use crate::service::{PASSWORD, TestService};

#[tokio::test]
async fn new_accounts_await_confirmation() {
    let service = TestService::start().await;
    let body = json!({"email": "Ann@B.co", "password": PASSWORD, "data": {"name": "Ann"}});
    let answer = service.post("/signup", body).await.ok();
    assert_eq!(answer.text("email"), "ann@b.co");
    assert_eq!(answer.text("phone"), "");
    assert!(answer.body.get("access_token").is_none() && answer.body.get("confirmed_at").is_none());
    assert!(answer.text("confirmation_sent_at").ends_with('Z'));
    assert_eq!(answer.body["app_metadata"], json!({"provider": "email", "providers": ["email"]}));
    assert_eq!(answer.body["user_metadata"]["name"], "Ann");
    assert_eq!(answer.body["user_metadata"]["email_verified"], false);
    let identity = &answer.body["identities"][0];
    assert_eq!((&identity["provider"], &identity["id"]), (&json!("email"), &answer.body["id"]));
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(mail.subject, "Confirm Your Signup");
    assert_eq!(mail.parameter("type"), "signup");
    assert_eq!(mail.code().len(), 6);
    service.sign_in("ann@b.co", PASSWORD).await.is_error(
        400,
        "email_not_confirmed",
        "Email not confirmed",
    );
}

#[tokio::test]
async fn taken_and_free_emails_get_the_same_response() {
    let service = TestService::start().await;
    let real = service.confirmed("ann@b.co").await.body["user"]["id"].clone();
    let body = json!({"email": "ann@b.co", "password": "another one", "data": {"x": 1}});
    let answer = service.post("/signup", body).await.ok();
    assert_ne!(answer.body["id"], real);
    assert_eq!(answer.body["identities"], json!([]));
    assert_eq!(
        (answer.text("role"), &answer.body["user_metadata"]),
        (String::new(), &json!({"x": 1}))
    );
    assert!(answer.body.get("confirmation_sent_at").is_some());
    assert!(answer.body.get("email_confirmed_at").is_none());
    assert_eq!(service.count_mails("ann@b.co").await, 1);
    service.sign_in("ann@b.co", "another one").await.is_error(
        400,
        "invalid_credentials",
        "Invalid login credentials",
    );
}

#[tokio::test]
async fn repeating_a_sign_up_too_soon_is_rejected_alike_for_all_addresses() {
    let service = TestService::start().await;
    service.confirmed("known@b.co").await;
    for email in ["known@b.co", "new@b.co"] {
        let body = json!({"email": email, "password": PASSWORD});
        service.post("/signup", body.clone()).await.ok();
        let again = service.post("/signup", body).await;
        assert_eq!(again.status, 429, "{email}");
        assert_eq!(again.text("error_code"), "over_email_send_rate_limit");
        let text = again.text("msg");
        assert!(text.starts_with("For security purposes, you can only request this after "));
        assert!(again.headers.contains_key("retry-after"));
    }
}

#[tokio::test]
async fn with_autoconfirm_sign_ups_sign_in_and_taken_emails_are_reported() {
    let service = TestService::start_with(|config| config.mailer.autoconfirm = true).await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let answer = service.post("/signup", body.clone()).await.ok();
    assert_eq!(answer.text("token_type"), "bearer");
    assert!(answer.body["user"]["email_confirmed_at"].is_string());
    service.post("/signup", body).await.is_error(
        400,
        "user_already_exists",
        "User already registered",
    );
    assert_eq!(service.count_mails("ann@b.co").await, 0);
}

#[tokio::test]
async fn every_wrong_request_gets_its_exact_error() {
    let service = TestService::start().await;
    let cases: &[(Value, u16, &str, &str)] = &[
        (json!({"email": "a@b.co"}), 400, "validation_failed", "Signup requires a valid password"),
        (
            json!({"email": "a@b.co", "phone": "+41791234567", "password": PASSWORD}),
            400,
            "validation_failed",
            "Only an email address or phone number should be provided on signup.",
        ),
        (
            json!({"phone": "+41791234567", "password": PASSWORD}),
            400,
            "phone_provider_disabled",
            "Phone signups are disabled",
        ),
        (
            json!({"email": "a", "password": PASSWORD}),
            400,
            "validation_failed",
            "Unable to validate email address: invalid format",
        ),
        (
            json!({"email": "a@b.co", "password": "x".repeat(73)}),
            400,
            "validation_failed",
            "Password cannot be longer than 72 characters",
        ),
        (
            json!({"email": "a@b.co", "password": PASSWORD, "code_challenge": "x"}),
            400,
            "validation_failed",
            "PKCE flow requires code_challenge_method and code_challenge",
        ),
        (
            json!({"data": {}}),
            422,
            "anonymous_provider_disabled",
            "Anonymous sign-ins are disabled",
        ),
    ];
    for (body, status, code, message) in cases {
        service.post("/signup", body.clone()).await.is_error(*status, code, message);
    }
    let weak = service.post("/signup", json!({"email": "a@b.co", "password": "abc"})).await;
    let expected = json!({
        "code": 422, "error_code": "weak_password",
        "msg": "Password should be at least 6 characters.",
        "weak_password": {"reasons": ["length"]},
    });
    assert_eq!((weak.status, weak.body), (422, expected));
}

#[tokio::test]
async fn disabled_sign_up_is_reported_before_other_errors() {
    let service = TestService::start_with(|config| config.signup.disabled = true).await;
    let message = "Signups not allowed for this instance";
    for body in [json!({"email": "a"}), json!({}), json!("not an object")] {
        service.post("/signup", body).await.is_error(422, "signup_disabled", message);
    }
}

#[tokio::test]
async fn with_phone_autoconfirm_a_phone_is_enough() {
    let service = TestService::start_with(|config| {
        config.signup.phone = true;
        config.signup.phone_autoconfirm = true;
    })
    .await;
    let body = json!({"phone": "+41 79 123 45 67", "password": PASSWORD});
    let answer = service.post("/signup", body).await.ok();
    assert_eq!(answer.body["user"]["phone"], "41791234567");
    assert_eq!(answer.body["user"]["app_metadata"]["provider"], "phone");
    let grant = json!({"phone": "41791234567", "password": PASSWORD});
    service.post("/token?grant_type=password", grant).await.ok();
}

#[tokio::test]
async fn concurrent_sign_ups_with_one_email_create_one_account() {
    let service = TestService::start_with(|config| config.mailer.autoconfirm = true).await;
    let body = json!({"email": "race@b.co", "password": PASSWORD});
    let answers =
        futures_util::future::join_all((0..6).map(|_| service.post("/signup", body.clone()))).await;
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(won, 1, "{answers:?}");
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 400)), "{answers:?}");
}

#[tokio::test]
async fn unconfirmed_accounts_are_not_given_to_a_second_sign_up() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("SMS_AUTOCONFIRM", "true"),
        ("EXTERNAL_PHONE_ENABLED", "true"),
    ])
    .await;
    let admin = service.admin_token();
    let taken = "User already registered";
    for address in [json!({"email": "ann@b.co"}), json!({"phone": "+41791234567"})] {
        let made = reqwest::Method::POST;
        service.send_as(&admin, made, "/admin/users", address.clone()).await.ok();
        let mut body = address;
        body["password"] = json!(PASSWORD);
        service.post("/signup", body).await.is_error(400, "user_already_exists", taken);
    }
}
