//! Issues the challenge for a second factor; for a phone factor, also sends the code.

use limber_api::identity::{ChallengeFactorRequest, FactorChallenge, FactorKind};
use secrecy::ExposeSecret;
use serde_json::json;
use uuid::Uuid;

use super::{Member, enter, find, kind};
use crate::domain::audit::{self, Action, Actor};
use crate::domain::texts;
use crate::domain::timers::seconds_left;
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    Outcome, PHONE_VERIFY_DISABLED, Refusal, TOTP_VERIFY_DISABLED, WEBAUTHN_VERIFY_DISABLED, refuse,
};
use crate::store;
use crate::store::factor_challenges::ChallengeRow;
use crate::store::factors::FactorRow;
use crate::texts::{Channel, SendPermit};

/// Age at which old challenges are deleted.
const CHALLENGE_RETENTION: chrono::Duration = chrono::Duration::hours(24);

pub(crate) async fn challenge(
    instance: &Instance,
    member: Member,
    factor: Uuid,
    request: &ChallengeFactorRequest,
    context: &RequestContext,
) -> Outcome<FactorChallenge> {
    let channel = texts::read_channel(instance, request.channel.as_deref())?;
    let permit = permit_for(instance, member, factor).await?;
    let mut tx = instance.begin().await?;
    let (row, _) = enter(&mut tx, member).await?;
    let mut factor = find(&mut tx, row.id, factor).await?;
    let kind = kind(&factor);
    require_enabled(instance, kind)?;
    let now = instance.now();
    let mut challenge = ChallengeRow {
        id: instance.random.uuid(),
        factor_id: factor.id,
        code_hash: None,
        ip: context.ip.clone(),
        created_at: now,
        verified_at: None,
    };
    if let Some(permit) = &permit {
        let hash = send_code(instance, permit, &factor, (challenge.id, channel), context).await?;
        challenge.code_hash = Some(hash.to_vec());
    }
    store::factor_challenges::delete_before(&mut tx, factor.id, now - CHALLENGE_RETENTION).await?;
    store::factor_challenges::insert(&mut tx, &challenge).await?;
    factor.last_challenged_at = Some(now);
    store::factors::save(&mut tx, &factor).await?;
    let (actor, traits) = (Actor::of(&row, context), json!({"factor_id": factor.id}));
    audit::note(instance, &mut tx, &actor, Action::ChallengeCreated, traits).await?;
    tx.commit().await?;
    let lifetime = instance.config.factors.challenge_lifetime.as_secs();
    let expires_at = now.timestamp().saturating_add_unsigned(lifetime);
    Ok(FactorChallenge { id: challenge.id, kind, expires_at })
}

/// Reserves a slot for sending a text if the factor is a phone. A factor's kind never changes, so
/// it can be read before the lock is taken.
async fn permit_for(
    instance: &Instance,
    member: Member,
    factor: Uuid,
) -> Outcome<Option<SendPermit>> {
    let found = {
        let mut conn = instance.pool.acquire().await?;
        find(&mut conn, member.account, factor).await?
    };
    match kind(&found) {
        FactorKind::Phone => Ok(Some(instance.texts.acquire_permit().await?)),
        FactorKind::Totp | FactorKind::Webauthn => Ok(None),
    }
}

/// Sends the code of this challenge and returns its hash.
async fn send_code(
    instance: &Instance,
    permit: &SendPermit,
    factor: &FactorRow,
    (challenge, channel): (Uuid, Channel),
    context: &RequestContext,
) -> Outcome<[u8; 32]> {
    let (now, gap) = (instance.now(), instance.config.texts.max_frequency);
    if let Some(seconds) = factor.last_challenged_at.and_then(|at| seconds_left(at, gap, now)) {
        return refuse(Refusal::too_soon_for_texts(seconds));
    }
    let number = factor.phone.as_deref().unwrap_or_default();
    let code = match instance.config.texts.test_code(number, now) {
        Some(fixed) => fixed.expose_secret().to_owned(),
        None => {
            let code = instance.random.digits(instance.config.texts.code_length);
            texts::send(instance, permit, (number, channel), &code, context).await?;
            code
        }
    };
    Ok(instance.factor_key.of_code(challenge, &code))
}

pub(super) fn require_enabled(instance: &Instance, kind: FactorKind) -> Outcome<()> {
    let rules = &instance.config.factors;
    match kind {
        FactorKind::Totp if !rules.totp_verify => refuse(TOTP_VERIFY_DISABLED),
        FactorKind::Phone if !rules.phone_verify => refuse(PHONE_VERIFY_DISABLED),
        FactorKind::Webauthn => refuse(WEBAUTHN_VERIFY_DISABLED),
        FactorKind::Totp | FactorKind::Phone => Ok(()),
    }
}
