//! Responses of the providers from Apple to Google, according to their public documentation.

use limber_api::identity::ProviderName;
use serde_json::json;

use super::stand_in::{ACCESS_TOKEN, Case, Question, Style, question};

pub(crate) fn all() -> Vec<Case> {
    vec![
        apple(),
        azure(),
        bitbucket(),
        discord(),
        facebook(),
        figma(),
        github(),
        gitlab(),
        google(),
    ]
}

/// The token response of RFC 6749, 5.1, as most providers send it.
pub(crate) fn plain_answer(scope: &str) -> serde_json::Value {
    json!({
        "access_token": ACCESS_TOKEN, "token_type": "bearer", "expires_in": 7200,
        "refresh_token": "refresh-of-them", "scope": scope,
    })
}

fn apple() -> Case {
    Case {
        name: ProviderName::Apple,
        base: "",
        authorize: "/auth/authorize",
        scope: "email name",
        parameters: &[("response_mode", "form_post")],
        asked: "",
        pkce: false,
        token: "/auth/token",
        style: Style::Signed,
        token_answer: plain_answer(""),
        questions: vec![],
        claims: Some(json!({
            "sub": "001234.abcdef.0123", "email": "Ann@Example.co", "email_verified": "true",
            "is_private_email": "false", "auth_time": 1_700_000_000, "nonce_supported": true,
        })),
        identity: json!({
            "sub": "001234.abcdef.0123", "email": "ann@example.co", "email_verified": true,
            "name": "Ann Appleseed", "full_name": "Ann Appleseed",
            "custom_claims": {"is_private_email": false},
        }),
    }
}

fn azure() -> Case {
    Case {
        name: ProviderName::Azure,
        base: "/common",
        authorize: "/common/oauth2/v2.0/authorize",
        scope: "openid",
        parameters: &[],
        asked: "",
        pkce: true,
        token: "/common/oauth2/v2.0/token",
        style: Style::Form,
        token_answer: plain_answer("openid"),
        questions: vec![],
        claims: Some(json!({
            "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", "tid": "the-tenant",
            "oid": "00000000-0000-0000-66f3-3332eca7ea81", "ver": "2.0", "name": "Ann Azure",
            "preferred_username": "ann@example.co", "email": "ann@example.co", "xms_edov": "1",
        })),
        identity: json!({
            "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", "email": "ann@example.co",
            "email_verified": true, "full_name": "Ann Azure",
            "preferred_username": "ann@example.co",
        }),
    }
}

fn bitbucket() -> Case {
    let uuid = "{d301aafa-d676-4ee0-88be-962be7417567}";
    Case {
        name: ProviderName::Bitbucket,
        base: "",
        authorize: "/site/oauth2/authorize",
        scope: "account email",
        parameters: &[],
        asked: "",
        pkce: false,
        token: "/site/oauth2/access_token",
        style: Style::Form,
        token_answer: plain_answer("account email"),
        questions: vec![
            question(
                "/2.0/user",
                json!({
                    "type": "user", "uuid": uuid, "username": "ann", "display_name": "Ann Bit",
                    "account_id": "557058:c0ff", "links": {"avatar": {"href": "https://b.example/a"}},
                }),
            ),
            question(
                "/2.0/user/emails",
                json!({"pagelen": 10, "size": 2, "page": 1, "values": [
                    {"type": "email", "email": "old@example.co", "is_primary": false, "is_confirmed": false},
                    {"type": "email", "email": "ann@example.co", "is_primary": true, "is_confirmed": true},
                ]}),
            ),
        ],
        claims: None,
        identity: json!({
            "sub": uuid, "email": "ann@example.co", "email_verified": true, "name": "Ann Bit",
            "user_name": "ann", "avatar_url": "https://b.example/a",
        }),
    }
}

fn discord() -> Case {
    Case {
        name: ProviderName::Discord,
        base: "",
        authorize: "/api/oauth2/authorize",
        scope: "email identify",
        parameters: &[],
        asked: "",
        pkce: true,
        token: "/api/oauth2/token",
        style: Style::Form,
        token_answer: plain_answer("email identify"),
        questions: vec![question(
            "/api/users/@me",
            json!({
                "id": "80351110224678912", "username": "Nelly", "discriminator": "1337",
                "global_name": "Nelly the Great", "avatar": "8342729096ea3675442027381ff50dfe",
                "verified": true, "email": "ann@example.co", "flags": 64, "premium_type": 1,
            }),
        )],
        claims: None,
        identity: json!({
            "sub": "80351110224678912", "email": "ann@example.co", "email_verified": true,
            "name": "Nelly#1337", "custom_claims": {"global_name": "Nelly the Great"},
            "avatar_url": "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png",
        }),
    }
}

fn facebook() -> Case {
    Case {
        name: ProviderName::Facebook,
        base: "",
        authorize: "/dialog/oauth",
        scope: "email",
        parameters: &[],
        asked: "",
        pkce: false,
        token: "/oauth/access_token",
        style: Style::Form,
        token_answer: json!({
            "access_token": ACCESS_TOKEN, "token_type": "bearer", "expires_in": 5_183_944,
        }),
        questions: vec![Question {
            // HMAC-SHA256 of the access token, keyed with the secret; computed by another program.
            needs: &[
                ("fields", "email,first_name,last_name,name,picture"),
                (
                    "appsecret_proof",
                    "56943fa80c82403a84475936e80b4e6364ce0f9c0af1e358c0903cd52054217a",
                ),
            ],
            ..question(
                "/me",
                json!({
                    "id": "10153", "name": "Ann Face", "first_name": "Ann", "last_name": "Face",
                    "email": "ann@example.co",
                    "picture": {"data": {"height": 50, "is_silhouette": false, "url": "https://f.example/p"}},
                }),
            )
        }],
        claims: None,
        identity: json!({
            "sub": "10153", "email": "ann@example.co", "email_verified": true,
            "name": "Ann Face", "picture": "https://f.example/p",
        }),
    }
}

fn figma() -> Case {
    Case {
        name: ProviderName::Figma,
        base: "",
        authorize: "/oauth",
        scope: "current_user:read",
        parameters: &[],
        asked: "",
        pkce: true,
        token: "/v1/oauth/token",
        style: Style::FormWithBasic,
        token_answer: json!({
            "user_id_string": "1234", "access_token": ACCESS_TOKEN, "token_type": "bearer",
            "refresh_token": "refresh-of-them", "expires_in": 7_776_000,
        }),
        questions: vec![question(
            "/v1/me",
            json!({
                "id": "1234", "email": "ann@example.co", "handle": "Ann Fig",
                "img_url": "https://g.example/i",
            }),
        )],
        claims: None,
        identity: json!({
            "sub": "1234", "email": "ann@example.co", "email_verified": true, "name": "Ann Fig",
            "avatar_url": "https://g.example/i",
        }),
    }
}

fn github() -> Case {
    Case {
        name: ProviderName::Github,
        base: "",
        authorize: "/login/oauth/authorize",
        scope: "user:email",
        parameters: &[],
        asked: "",
        pkce: true,
        token: "/login/oauth/access_token",
        style: Style::Form,
        token_answer: json!({
            "access_token": ACCESS_TOKEN, "scope": "user:email", "token_type": "bearer",
        }),
        questions: vec![
            question(
                "/api/v3/user",
                json!({
                    "login": "octocat", "id": 583_231, "node_id": "MDQ6VXNlcjU4MzIzMQ==",
                    "avatar_url": "https://h.example/u", "name": "Ann Hub", "type": "User",
                    "email": "shown@example.co", "two_factor_authentication": true,
                }),
            ),
            question(
                "/api/v3/user/emails",
                json!([
                    {"email": "other@example.co", "primary": false, "verified": true, "visibility": null},
                    {"email": "ann@example.co", "primary": true, "verified": true, "visibility": "private"},
                ]),
            ),
        ],
        claims: None,
        identity: json!({
            "sub": "583231", "provider_id": "583231", "email": "ann@example.co",
            "email_verified": true, "full_name": "Ann Hub", "user_name": "octocat",
            "preferred_username": "octocat", "avatar_url": "https://h.example/u",
        }),
    }
}

pub(crate) fn gitlab() -> Case {
    Case {
        name: ProviderName::Gitlab,
        base: "",
        authorize: "/oauth/authorize",
        scope: "read_user",
        parameters: &[],
        asked: "",
        pkce: true,
        token: "/oauth/token",
        style: Style::Form,
        token_answer: plain_answer("read_user"),
        questions: vec![
            question(
                "/api/v4/user",
                json!({
                    "id": 17, "username": "ann", "email": "ann@example.co", "name": "Ann Lab",
                    "state": "active", "avatar_url": "https://l.example/a",
                    "confirmed_at": "2012-05-23T09:05:22Z", "two_factor_enabled": true,
                }),
            ),
            question(
                "/api/v4/user/emails",
                json!([
                    {"id": 1, "email": "ann@example.co", "confirmed_at": "2021-03-26T19:07:56.248Z"},
                    {"id": 3, "email": "second@example.co", "confirmed_at": null},
                ]),
            ),
        ],
        claims: None,
        identity: json!({
            "sub": "17", "email": "ann@example.co", "email_verified": true, "name": "Ann Lab",
            "user_name": "ann", "avatar_url": "https://l.example/a",
        }),
    }
}

pub(crate) fn google() -> Case {
    Case {
        name: ProviderName::Google,
        base: "",
        authorize: "/o/oauth2/v2/auth",
        scope: "email profile",
        parameters: &[],
        asked: "",
        pkce: true,
        token: "/token",
        style: Style::Form,
        token_answer: plain_answer("email profile openid"),
        questions: vec![question(
            "/userinfo/v2/me",
            json!({
                "id": "110169484474386276334", "email": "ann@example.co", "verified_email": true,
                "name": "Ann Goo", "picture": "https://o.example/p",
            }),
        )],
        claims: Some(json!({
            "sub": "110169484474386276334", "azp": "our-client", "email": "ann@example.co",
            "email_verified": true, "name": "Ann Goo", "given_name": "Ann", "family_name": "Goo",
            "picture": "https://o.example/p", "hd": "example.co",
        })),
        identity: json!({
            "sub": "110169484474386276334", "email": "ann@example.co", "email_verified": true,
            "full_name": "Ann Goo", "avatar_url": "https://o.example/p",
            "custom_claims": {"hd": "example.co"},
        }),
    }
}
