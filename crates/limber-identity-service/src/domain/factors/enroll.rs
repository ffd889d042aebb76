//! Enrols a second factor, which has no effect until its first code is verified.

use limber_api::identity::{EnrollFactorRequest, EnrolledFactor, FactorId, FactorKind};
use serde_json::json;
use sqlx::PgConnection;

use super::{MAX_NAME_CHARS, Member, enter, require_for_another};
use crate::domain::address::PhoneNumber;
use crate::domain::audit::{self, Action, Actor};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    FACTOR_KIND, FACTOR_NAME_TOO_LONG, FACTOR_PHONE_MISSING, FACTOR_PHONE_TAKEN, Outcome,
    PHONE_ENROLL_DISABLED, Refusal, TOO_MANY_FACTORS, TOTP_ENROLL_DISABLED,
    WEBAUTHN_ENROLL_DISABLED, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::factors::FactorRow;
use crate::tokens::factor_secrets::TotpSecret;

/// A parsed request.
struct EnrollParams {
    kind: FactorKind,
    name: String,
    issuer: String,
    phone: Option<PhoneNumber>,
}

pub(crate) async fn enroll(
    instance: &Instance,
    member: Member,
    request: EnrollFactorRequest,
    context: &RequestContext,
) -> Outcome<EnrolledFactor> {
    let params = read(instance, request)?;
    let mut tx = instance.begin().await?;
    let (row, session) = enter(&mut tx, member).await?;
    require_for_another(&mut tx, &session).await?;
    forget_abandoned(instance, &mut tx, &row).await?;
    if let Some(phone) = &params.phone {
        make_room_for(&mut tx, &row, phone).await?;
    }
    let others = store::factors::of_accounts(&mut tx, &[row.id]).await?;
    check_others(instance, &others, &params)?;
    let answer = put(instance, &mut tx, &row, params).await?;
    let (actor, traits) = (Actor::of(&row, context), json!({"factor_id": answer.id}));
    audit::note(instance, &mut tx, &actor, Action::FactorInProgress, traits).await?;
    tx.commit().await?;
    Ok(answer)
}

fn read(instance: &Instance, request: EnrollFactorRequest) -> Outcome<EnrollParams> {
    let set = |text: Option<String>| text.filter(|text| !text.is_empty());
    let rules = &instance.config.factors;
    let kind = request.factor_type.as_deref().and_then(FactorKind::parse);
    let kind = match kind {
        None => return refuse(FACTOR_KIND),
        Some(FactorKind::Totp) if !rules.totp_enroll => return refuse(TOTP_ENROLL_DISABLED),
        Some(FactorKind::Phone) if !rules.phone_enroll => return refuse(PHONE_ENROLL_DISABLED),
        Some(FactorKind::Webauthn) => return refuse(WEBAUTHN_ENROLL_DISABLED),
        Some(kind) => kind,
    };
    let phone = match (kind, set(request.phone)) {
        (FactorKind::Phone, None) => return refuse(FACTOR_PHONE_MISSING),
        (FactorKind::Phone, Some(phone)) => Some(PhoneNumber::parse(&phone)?),
        _ => None,
    };
    let name = request.friendly_name.unwrap_or_default();
    let issuer = set(request.issuer)
        .or_else(|| instance.config.site_url.host_str().map(str::to_owned))
        .unwrap_or_default();
    if name.chars().count() > MAX_NAME_CHARS || issuer.chars().count() > MAX_NAME_CHARS {
        return refuse(FACTOR_NAME_TOO_LONG);
    }
    Ok(EnrollParams { kind, name, issuer, phone })
}

async fn forget_abandoned(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &AccountRow,
) -> Outcome<()> {
    let lifetime = chrono::Duration::from_std(instance.config.factors.factor_lifetime);
    let before = instance.now() - lifetime.unwrap_or(chrono::Duration::MAX);
    Ok(store::factors::delete_abandoned(conn, row.id, before).await?)
}

/// Handles a number that is already enrolled: a verified factor blocks the new one, an unverified
/// one is replaced.
async fn make_room_for(
    conn: &mut PgConnection,
    row: &AccountRow,
    phone: &PhoneNumber,
) -> Outcome<()> {
    for factor in store::factors::of_accounts(conn, &[row.id]).await? {
        if factor.phone.as_deref() != Some(phone.as_str()) {
            continue;
        }
        if factor.verified {
            return refuse(FACTOR_PHONE_TAKEN);
        }
        store::factors::delete(conn, factor.id).await?;
    }
    Ok(())
}

fn check_others(instance: &Instance, others: &[FactorRow], params: &EnrollParams) -> Outcome<()> {
    if others.iter().any(|other| other.friendly_name == params.name) {
        return refuse(Refusal::factor_name_taken(&params.name));
    }
    if others.len() >= instance.config.factors.max_enrolled {
        return refuse(TOO_MANY_FACTORS);
    }
    Ok(())
}

async fn put(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &AccountRow,
    params: EnrollParams,
) -> Outcome<EnrolledFactor> {
    let (id, now) = (instance.random.uuid(), instance.now());
    let secret = (params.kind == FactorKind::Totp).then(|| TotpSecret::new(&*instance.random));
    let phone = params.phone.map(|phone| phone.as_str().to_owned());
    let factor = FactorRow {
        id,
        account_id: row.id,
        friendly_name: params.name.clone(),
        kind: params.kind.as_str().to_owned(),
        verified: false,
        sealed_secret: secret.as_ref().map(|secret| instance.factor_key.seal(id, secret)),
        phone: phone.clone(),
        last_step: None,
        created_at: now,
        updated_at: now,
        last_challenged_at: None,
    };
    store::factors::insert(conn, &factor).await?;
    let account = row.email.clone().or_else(|| row.phone.clone());
    let account = account.unwrap_or_else(|| row.id.to_string());
    Ok(EnrolledFactor {
        id: FactorId::new(id),
        kind: params.kind,
        friendly_name: params.name,
        totp: secret.map(|secret| secret.tell(&params.issuer, &account)),
        phone,
    })
}
