//! Verifies the code of a second factor. The session becomes `aal2` and gets a new refresh token.
//! The previous token is revoked, because its holder has not provided the code.

use limber_api::identity::{FactorKind, SessionResponse, VerifyFactorRequest};
use serde_json::{Value, json};
use sqlx::PgConnection;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::challenge::require_enabled;
use super::{AAL2, Member, enter, find, kind, require_for_another};
use crate::domain::audit::{self, Action, Actor};
use crate::domain::guesses::{self, Target};
use crate::domain::notices::{Notice, notify};
use crate::domain::sessions;
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    CHALLENGE_ELSEWHERE, CHALLENGE_NOT_FOUND, FACTOR_CODE_MISSING, Outcome, PHONE_CODE_WRONG,
    Refusal, SESSION_GONE, TOTP_CODE_WRONG, refuse,
};
use crate::store;
use crate::store::factor_challenges::ChallengeRow;
use crate::store::factors::FactorRow;
use crate::store::sessions::SessionRow;
use crate::tokens::refresh::RefreshToken;

pub(crate) async fn prove(
    instance: &Instance,
    member: Member,
    factor: Uuid,
    request: &VerifyFactorRequest,
    context: &RequestContext,
) -> Outcome<SessionResponse> {
    let Some(code) = request.code.as_deref().filter(|code| !code.is_empty()) else {
        return refuse(FACTOR_CODE_MISSING);
    };
    let mut tx = instance.begin().await?;
    let (row, session) = enter(&mut tx, member).await?;
    let mut factor = find(&mut tx, row.id, factor).await?;
    require_enabled(instance, kind(&factor))?;
    if !factor.verified {
        require_for_another(&mut tx, &session).await?;
    }
    let challenge = open_challenge(instance, &mut tx, &factor, request, context).await?;
    let targets = [Target::factors_of(instance, row.id)];
    guesses::count(instance, &mut tx, &targets).await?;
    let (actor, traits) = (Actor::of(&row, context), json!({"factor_id": factor.id}));
    audit::note(instance, &mut tx, &actor, Action::VerificationAttempted, traits).await?;
    if !accept(instance, &mut factor, &challenge, code) {
        // Commit although the answer is an error, so that the failed attempt is counted.
        tx.commit().await?;
        return refuse(match kind(&factor) {
            FactorKind::Phone => PHONE_CODE_WRONG,
            FactorKind::Totp | FactorKind::Webauthn => TOTP_CODE_WRONG,
        });
    }
    guesses::forget(&mut tx, &targets).await?;
    let now = instance.now();
    store::factor_challenges::set_verified(&mut tx, challenge.id, now).await?;
    if !factor.verified {
        let notice = Notice::FactorEnrolled { factor_type: &factor.kind };
        notify(instance, &mut tx, row.email.as_deref(), notice).await;
    }
    factor.verified = true;
    factor.updated_at = now;
    store::factors::save(&mut tx, &factor).await?;
    store::factors::delete_unverified(&mut tx, row.id, &factor.kind).await?;
    let (session, token) = lift(instance, &mut tx, &session, &factor).await?;
    let answer = sessions::answer(instance, &mut tx, &row, &session, &token).await?;
    instance.commit(tx).await?;
    Ok(answer)
}

/// Returns the challenge, if it can still be answered.
async fn open_challenge(
    instance: &Instance,
    conn: &mut PgConnection,
    factor: &FactorRow,
    request: &VerifyFactorRequest,
    context: &RequestContext,
) -> Outcome<ChallengeRow> {
    let id = request.challenge_id.as_deref().and_then(|text| text.parse::<Uuid>().ok());
    let found = match id {
        Some(id) => store::factor_challenges::lock(conn, factor.id, id).await?,
        None => None,
    };
    let Some(challenge) = found else { return refuse(CHALLENGE_NOT_FOUND) };
    let rules = &instance.config.factors;
    let moved = rules.same_address && challenge.ip != context.ip;
    if challenge.verified_at.is_some() || moved {
        return refuse(CHALLENGE_ELSEWHERE);
    }
    let age = (instance.now() - challenge.created_at).to_std().unwrap_or_default();
    if age > rules.challenge_lifetime {
        return refuse(Refusal::challenge_expired(challenge.id));
    }
    Ok(challenge)
}

fn accept(
    instance: &Instance,
    factor: &mut FactorRow,
    challenge: &ChallengeRow,
    code: &str,
) -> bool {
    if let Some(expected) = &challenge.code_hash {
        let given = instance.factor_key.of_code(challenge.id, code);
        return bool::from(expected.as_slice().ct_eq(&given));
    }
    let sealed = factor.sealed_secret.as_deref().unwrap_or_default();
    let Some(secret) = instance.factor_key.open(factor.id, sealed) else {
        tracing::error!(
            factor.id = %factor.id,
            "the secret of a second factor cannot be decrypted, because JWT_SECRET was changed \
             after the factor was enrolled; remove the factor, so that the user can enroll it again"
        );
        return false;
    };
    let step = secret.accept(code, instance.now(), factor.last_step);
    factor.last_step = step.or(factor.last_step);
    step.is_some()
}

/// Raises the session to `aal2` and ends the account's other sessions that are below it.
async fn lift(
    instance: &Instance,
    conn: &mut PgConnection,
    session: &SessionRow,
    factor: &FactorRow,
) -> Outcome<(SessionRow, RefreshToken)> {
    let Some(mut session) = store::sessions::lock(conn, session.account_id, session.id).await?
    else {
        return refuse(SESSION_GONE);
    };
    let now = instance.now();
    session.aal = AAL2.to_owned();
    session.factor_id = Some(factor.id);
    session.refreshed_at = now;
    session.amr = with_method(&session.amr, amr_method(factor), now.timestamp());
    store::sessions::save_level(conn, &session).await?;
    store::sessions::delete_lesser(conn, session.account_id, session.id).await?;
    store::sessions::end_surplus(conn, &session).await?;
    let Some(parent) = store::refresh_tokens::retire_active(conn, session.id, now).await? else {
        // The token family was revoked because of reuse, and nothing revives it.
        return refuse(SESSION_GONE);
    };
    let token = RefreshToken::new(&*instance.random);
    store::refresh_tokens::insert(conn, session.id, &token.hash(), Some(parent), now).await?;
    Ok((session, token))
}

fn amr_method(factor: &FactorRow) -> &'static str {
    match kind(factor) {
        FactorKind::Totp => "totp",
        FactorKind::Phone => "mfa/phone",
        FactorKind::Webauthn => "mfa/webauthn",
    }
}

/// Returns the `amr` value with `method` first and without duplicates of it.
fn with_method(amr: &Value, method: &str, timestamp: i64) -> Value {
    let others = amr.as_array().into_iter().flatten().filter(|entry| entry["method"] != method);
    let first = json!({"method": method, "timestamp": timestamp});
    Value::Array(std::iter::once(first).chain(others.cloned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amr_lists_each_method_once_newest_first() {
        let amr = with_method(&json!([{"method": "password", "timestamp": 1}]), "totp", 2);
        let amr = with_method(&amr, "mfa/phone", 3);
        let amr = with_method(&amr, "totp", 4);
        let expected = json!([
            {"method": "totp", "timestamp": 4},
            {"method": "mfa/phone", "timestamp": 3},
            {"method": "password", "timestamp": 1},
        ]);
        assert_eq!(amr, expected);
    }
}
