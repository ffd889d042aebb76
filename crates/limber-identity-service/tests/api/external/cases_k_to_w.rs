//! Responses of the providers from Keycloak to WorkOS, according to their public documentation.

use limber_api::identity::ProviderName;
use reqwest::Method;
use serde_json::json;

use super::cases_a_to_g::plain_answer;
use super::stand_in::{ACCESS_TOKEN, Case, Question, Style, question};

pub(crate) fn all() -> Vec<Case> {
    vec![
        keycloak(),
        linkedin(),
        notion(),
        snapchat(),
        spotify(),
        slack(),
        twitch(),
        twitter(),
        workos(),
    ]
}

fn keycloak() -> Case {
    let sub = "248289761001";
    Case {
        name: ProviderName::Keycloak,
        base: "/realms/studio",
        authorize: "/realms/studio/protocol/openid-connect/auth",
        scope: "profile email",
        parameters: &[],
        asked: "",
        pkce: true,
        token: "/realms/studio/protocol/openid-connect/token",
        style: Style::Form,
        token_answer: plain_answer("profile email"),
        questions: vec![question(
            "/realms/studio/protocol/openid-connect/userinfo",
            json!({
                "sub": sub, "name": "Ann Key", "preferred_username": "ann", "given_name": "Ann",
                "email": "ann@example.co", "email_verified": true,
            }),
        )],
        claims: None,
        identity: json!({
            "sub": sub, "email": "ann@example.co", "email_verified": true, "name": "Ann Key",
            "preferred_username": "ann",
        }),
    }
}

fn linkedin() -> Case {
    let localised = |text: &str| {
        json!({
            "localized": {"de_DE": "falsch", "en_US": text},
            "preferredLocale": {"country": "US", "language": "en"},
        })
    };
    Case {
        name: ProviderName::Linkedin,
        base: "",
        authorize: "/oauth/v2/authorization",
        scope: "r_emailaddress r_liteprofile",
        parameters: &[],
        asked: "",
        pkce: false,
        token: "/oauth/v2/accessToken",
        style: Style::Form,
        token_answer: json!({"access_token": ACCESS_TOKEN, "expires_in": 5_184_000}),
        questions: vec![
            question(
                "/v2/me",
                json!({
                    "id": "REDACTED", "firstName": localised("Ann"), "lastName": localised("Link"),
                    "profilePicture": {"displayImage": "urn:li:digitalmediaAsset:B54328XZFfe",
                        "displayImage~": {"elements": [{"artifact": "urn:li:x", "identifiers": [
                            {"identifier": "https://i.example/p", "identifierType": "EXTERNAL_URL"},
                        ]}]}},
                }),
            ),
            Question {
                needs: &[("q", "members"), ("projection", "(elements*(handle~))")],
                ..question(
                    "/v2/emailAddress",
                    json!({"elements": [{"handle": "urn:li:emailAddress:3775708763",
                        "handle~": {"emailAddress": "ann@example.co"}}]}),
                )
            },
        ],
        claims: None,
        identity: json!({
            "sub": "REDACTED", "email": "ann@example.co", "email_verified": true,
            "name": "Ann Link", "picture": "https://i.example/p",
        }),
    }
}

fn notion() -> Case {
    Case {
        name: ProviderName::Notion,
        base: "",
        authorize: "/v1/oauth/authorize",
        scope: "",
        parameters: &[("owner", "user")],
        asked: "",
        pkce: false,
        token: "/v1/oauth/token",
        style: Style::JsonWithBasic,
        token_answer: json!({
            "access_token": ACCESS_TOKEN, "bot_id": "b1", "workspace_id": "w1",
            "workspace_name": "Studio", "duplicated_template_id": null,
        }),
        questions: vec![Question {
            needs: &[("notion-version", "2021-08-16")],
            ..question(
                "/v1/users/me",
                json!({"object": "user", "id": "b1", "type": "bot", "bot": {"owner": {
                    "type": "user", "user": {
                        "object": "user", "id": "6794760a-1f15-45cd-9c65-0dfe42f5135a",
                        "name": "Ann Note", "avatar_url": "https://n.example/a", "type": "person",
                        "person": {"email": "ann@example.co"},
                    },
                }}}),
            )
        }],
        claims: None,
        identity: json!({
            "sub": "6794760a-1f15-45cd-9c65-0dfe42f5135a", "email": "ann@example.co",
            "email_verified": true, "name": "Ann Note", "avatar_url": "https://n.example/a",
        }),
    }
}

fn snapchat() -> Case {
    Case {
        name: ProviderName::Snapchat,
        base: "",
        authorize: "/accounts/oauth2/auth",
        scope: "https://auth.snapchat.com/oauth2/api/user.external_id \
                https://auth.snapchat.com/oauth2/api/user.display_name \
                https://auth.snapchat.com/oauth2/api/user.bitmoji.avatar",
        parameters: &[],
        asked: "",
        pkce: false,
        token: "/accounts/oauth2/token",
        style: Style::Form,
        token_answer: plain_answer(""),
        questions: vec![Question {
            method: Method::POST,
            needs: &[("content-type", "application/json")],
            ..question(
                "/v1/me",
                json!({"data": {"me": {"externalId": "CAESIPiRBp0e5gLDq7VVurQ3rVdmdbqxpOJWynjyBL",
                    "displayName": "Ann Snap",
                    "bitmoji": {"avatar": "https://s.example/b", "id": "AXXXX"}}}, "errors": []}),
            )
        }],
        claims: None,
        identity: json!({
            "sub": "CAESIPiRBp0e5gLDq7VVurQ3rVdmdbqxpOJWynjyBL", "name": "Ann Snap",
            "avatar_url": "https://s.example/b", "email_verified": false,
        }),
    }
}

pub(crate) fn spotify() -> Case {
    Case {
        name: ProviderName::Spotify,
        base: "",
        authorize: "/authorize",
        scope: "user-read-email",
        parameters: &[],
        asked: "",
        pkce: true,
        token: "/api/token",
        style: Style::Form,
        token_answer: plain_answer("user-read-email"),
        questions: vec![question(
            "/v1/me",
            json!({
                "id": "smedjan", "display_name": "Ann Spot", "email": "ann@example.co",
                "images": [{"url": "https://p.example/i", "height": 300, "width": 300}],
                "product": "premium", "type": "user", "uri": "spotify:user:smedjan",
            }),
        )],
        claims: None,
        identity: json!({
            "sub": "smedjan", "email": "ann@example.co", "email_verified": false,
            "name": "Ann Spot", "picture": "https://p.example/i",
        }),
    }
}

fn slack() -> Case {
    Case {
        name: ProviderName::Slack,
        base: "",
        authorize: "/oauth/authorize",
        scope: "profile email openid",
        parameters: &[],
        asked: "",
        pkce: false,
        token: "/api/oauth.access",
        style: Style::Form,
        token_answer: json!({
            "ok": true, "access_token": ACCESS_TOKEN, "scope": "identity.basic",
            "team_id": "T0R7GR4J2",
        }),
        questions: vec![question(
            "/api/openid.connect.userInfo",
            json!({
                "ok": true, "sub": "U0R7JM", "https://slack.com/user_id": "U0R7JM",
                "https://slack.com/team_id": "T0R7GR4J2", "email": "ann@example.co",
                "email_verified": true, "date_email_verified": 1_622_128_723, "name": "Ann Slack",
                "picture": "https://k.example/p", "locale": "en-US",
            }),
        )],
        claims: None,
        identity: json!({
            "sub": "U0R7JM", "email": "ann@example.co", "email_verified": true,
            "name": "Ann Slack", "avatar_url": "https://k.example/p",
            "custom_claims": {"https://slack.com/team_id": "T0R7GR4J2"},
        }),
    }
}

fn twitch() -> Case {
    Case {
        name: ProviderName::Twitch,
        base: "",
        authorize: "/oauth2/authorize",
        scope: "user:read:email",
        parameters: &[],
        asked: "",
        pkce: false,
        token: "/oauth2/token",
        style: Style::Form,
        token_answer: json!({
            "access_token": ACCESS_TOKEN, "expires_in": 14_124, "refresh_token": "refresh-of-them",
            "scope": ["user:read:email"], "token_type": "bearer",
        }),
        questions: vec![Question {
            needs: &[("client-id", "our-client")],
            ..question(
                "/helix/users",
                json!({"data": [{
                    "id": "141981764", "login": "anndev", "display_name": "AnnDev", "type": "",
                    "broadcaster_type": "partner", "email": "ann@example.co",
                    "profile_image_url": "https://t.example/p", "view_count": 5_980_557,
                }]}),
            )
        }],
        claims: None,
        identity: json!({
            "sub": "141981764", "email": "ann@example.co", "email_verified": true,
            "name": "anndev", "nickname": "AnnDev", "picture": "https://t.example/p",
        }),
    }
}

pub(crate) fn twitter() -> Case {
    Case {
        name: ProviderName::Twitter,
        base: "",
        authorize: "/oauth/authenticate",
        scope: "",
        parameters: &[("oauth_token", "request-token")],
        asked: "",
        pkce: false,
        token: "/oauth/access_token",
        style: Style::OAuth1,
        token_answer: json!({}),
        questions: vec![Question {
            needs: &[("include_email", "true")],
            ..question(
                "/1.1/account/verify_credentials.json",
                json!({
                    "id": 6_253_282, "id_str": "6253282", "name": "Ann Bird", "screen_name": "ann",
                    "profile_image_url_https": "https://x.example/p", "email": "ann@example.co",
                    "protected": false, "followers_count": 21,
                }),
            )
        }],
        claims: None,
        identity: json!({
            "sub": "6253282", "email": "ann@example.co", "email_verified": true,
            "name": "Ann Bird", "user_name": "ann", "avatar_url": "https://x.example/p",
        }),
    }
}

pub(crate) fn workos() -> Case {
    Case {
        name: ProviderName::Workos,
        base: "",
        authorize: "/sso/authorize",
        scope: "",
        parameters: &[("provider", "GoogleOAuth")],
        asked: "&workos_provider=GoogleOAuth",
        pkce: false,
        token: "/sso/token",
        style: Style::Form,
        token_answer: json!({
            "access_token": ACCESS_TOKEN,
            "profile": {
                "object": "profile", "id": "prof_01DMC79VCBZ0NY2099737PSVF1",
                "connection_id": "conn_01E4", "organization_id": "org_01EH",
                "connection_type": "GoogleOAuth", "email": "ann@example.co", "first_name": "Ann",
                "last_name": "Work", "idp_id": "00u1", "raw_attributes": {},
            },
        }),
        questions: vec![],
        claims: None,
        identity: json!({
            "sub": "prof_01DMC79VCBZ0NY2099737PSVF1", "email": "ann@example.co",
            "email_verified": true, "name": "Ann Work",
            "custom_claims": {"connection_id": "conn_01E4", "organization_id": "org_01EH"},
        }),
    }
}
