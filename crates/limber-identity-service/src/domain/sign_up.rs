//! Sign-up: by email, by phone, or anonymously.

mod by_phone;

use limber_api::identity::{Account, SessionResponse, SignUpRequest};
use secrecy::SecretString;
use serde_json::{Value, json};
use sqlx::{PgConnection, PgTransaction};

use super::address::{EmailAddress, PhoneNumber};
use super::audit::{self, Action, Actor};
use super::credentials::SignUp;
use super::messages::{CodeKind, Recipient, count_email, send_code_of};
use super::timers::{self, Purpose};
use super::{accounts, exchange_code, sessions, texts};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    ALREADY_REGISTERED, ANONYMOUS_DISABLED, EMAIL_SIGNUPS_DISABLED, Outcome,
    PHONE_SIGNUPS_DISABLED, PKCE_WITH_PHONE, SIGNUP_BOTH_ADDRESSES, SIGNUP_WITHOUT_PASSWORD,
    refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::texts::Channel;
use crate::tokens::pkce::Challenge;

pub(super) use by_phone::mirror_claims as mirror_phone_claims;

/// The outcome of a sign-up.
pub(crate) enum SignedUp {
    /// A confirmation has been sent, or the answer pretends so because the address is taken.
    Waiting(Box<Account>),
    SignedIn(Box<SessionResponse>),
}

/// Tells whether the request names neither an email address nor a phone number.
pub(crate) fn is_anonymous(request: &SignUpRequest) -> bool {
    let empty = |text: &Option<String>| text.as_deref().is_none_or(str::is_empty);
    empty(&request.email) && empty(&request.phone)
}

pub(crate) async fn anonymously(
    instance: &Instance,
    request: SignUpRequest,
    context: &RequestContext,
) -> Outcome<SignedUp> {
    if !instance.config.signup.anonymous {
        return refuse(ANONYMOUS_DISABLED);
    }
    accounts::check_size_of_sign_up(request.data.as_ref())?;
    let mut row = accounts::blank(instance, &context.aud);
    row.is_anonymous = true;
    row.user_metadata = Value::Object(request.data.unwrap_or_default());
    let mut tx = instance.begin().await?;
    store::accounts::insert(&mut tx, &row).await?;
    let traits = json!({"provider": "anonymous"});
    audit::note(instance, &mut tx, &Actor::of(&row, context), Action::UserSignedUp, traits).await?;
    let session = sessions::start(instance, &mut tx, &mut row, "anonymous", context).await?;
    tx.commit().await?;
    Ok(SignedUp::SignedIn(Box::new(session)))
}

/// A validated sign-up by email or phone.
struct SignUpParams {
    address: Address,
    password: SecretString,
    data: Option<limber_api::identity::Metadata>,
    challenge: Option<Challenge>,
}

enum Address {
    Email(EmailAddress),
    Phone(PhoneNumber, Channel),
}

pub(crate) async fn by_address(
    instance: &Instance,
    request: SignUpRequest,
    context: &RequestContext,
) -> Outcome<SignedUp> {
    let params = check(instance, request)?;
    // Hash before looking up the account, so that a taken address takes as long as a free one.
    let hash = instance.hasher.hash(&params.password, &*instance.random).await?;
    match &params.address {
        Address::Email(email) => by_email(instance, &params, email, hash, context).await,
        Address::Phone(phone, channel) => {
            by_phone::by_phone(instance, &params, (phone, *channel), hash, context).await
        }
    }
}

/// Validates the request, in the order of identity behaviour 6.1.
fn check(instance: &Instance, request: SignUpRequest) -> Outcome<SignUpParams> {
    let set = |text: Option<String>| text.filter(|text| !text.is_empty());
    let Some(password) = set(request.password) else { return refuse(SIGNUP_WITHOUT_PASSWORD) };
    let password = SecretString::from(password);
    instance.config.passwords.check(&password)?;
    let (email, phone) = (set(request.email), set(request.phone));
    if email.is_some() && phone.is_some() {
        return refuse(SIGNUP_BOTH_ADDRESSES);
    }
    let channel = texts::read_channel(instance, request.channel.as_deref())?;
    let challenge = Challenge::read(
        request.code_challenge.as_deref(),
        request.code_challenge_method.as_deref(),
    )?;
    if phone.is_some() && challenge.is_some() {
        return refuse(PKCE_WITH_PHONE);
    }
    accounts::check_size_of_sign_up(request.data.as_ref())?;
    let signup = &instance.config.signup;
    let address = match (email, phone) {
        (Some(_), _) if !signup.email => return refuse(EMAIL_SIGNUPS_DISABLED),
        (_, Some(_)) if !signup.phone => return refuse(PHONE_SIGNUPS_DISABLED),
        (_, Some(phone)) => Address::Phone(PhoneNumber::parse(&phone)?, channel),
        (email, None) => Address::Email(EmailAddress::parse(&email.unwrap_or_default())?),
    };
    Ok(SignUpParams { address, password, data: request.data, challenge })
}

async fn by_email(
    instance: &Instance,
    params: &SignUpParams,
    email: &EmailAddress,
    hash: String,
    context: &RequestContext,
) -> Outcome<SignedUp> {
    let mailer = &instance.config.mailer;
    let mut tx = instance.begin().await?;
    if !mailer.autoconfirm {
        let gap = mailer.confirmation_gap();
        let to = (email.as_str(), gap);
        timers::start(instance, &mut tx, Purpose::Confirmation, to, context).await?;
    }
    let mut fresh = accounts::blank(instance, &context.aud);
    fresh.email = Some(email.as_str().to_owned());
    fresh.password_hash = Some(hash);
    fresh.user_metadata = Value::Object(params.data.clone().unwrap_or_default());
    fresh.unproven = true;
    if store::accounts::insert(&mut tx, &fresh).await? {
        mirror_claims(&mut fresh, email);
        if mailer.autoconfirm {
            let session = confirm_and_start(instance, &mut tx, fresh, "email", context).await?;
            tx.commit().await?;
            return Ok(session);
        }
        accounts::put_own_identity(instance, &mut tx, &mut fresh, "email").await?;
        let (to, own) = ((fresh, Recipient::Real), SignUp::First);
        let account = send_confirmation(instance, &mut tx, to, params, Some(&own), context).await?;
        instance.commit(tx).await?;
        return Ok(SignedUp::Waiting(Box::new(account)));
    }
    let Some(row) = store::accounts::lock_by_email(&mut tx, email.as_str(), &context.aud).await?
    else {
        // The account was deleted between the two statements. The user can simply try again.
        return refuse(ALREADY_REGISTERED);
    };
    if mailer.autoconfirm || (row.is_confirmed() && instance.config.signup.phone_autoconfirm) {
        return refuse(ALREADY_REGISTERED);
    }
    if row.is_confirmed() {
        let actor = Actor::of(&row, context);
        let decoy = (fresh, Recipient::Decoy);
        send_confirmation(instance, &mut tx, decoy, params, None, context).await?;
        let traits = json!({"provider": "email"});
        audit::note(instance, &mut tx, &actor, Action::UserRepeatedSignup, traits).await?;
        instance.commit(tx).await?;
        let account = accounts::fabricate(instance, &context.aud, email, params.data.clone());
        return Ok(SignedUp::Waiting(Box::new(account)));
    }
    once_more(instance, tx, (row, fresh), params, email, context).await
}

/// Handles another sign-up for the address of an unconfirmed account. Its data takes effect only
/// once it is confirmed.
async fn once_more(
    instance: &Instance,
    mut tx: PgTransaction<'static>,
    (row, mut fresh): (AccountRow, AccountRow),
    params: &SignUpParams,
    email: &EmailAddress,
    context: &RequestContext,
) -> Outcome<SignedUp> {
    let invited = row.invited_at.is_some();
    fresh.id = row.id;
    mirror_claims(&mut fresh, email);
    let (to, own) = ((row, Recipient::Real), SignUp::later(fresh));
    let mut account = send_confirmation(instance, &mut tx, to, params, Some(&own), context).await?;
    instance.commit(tx).await?;
    if invited {
        account.user_metadata.clear();
        account.identities.clear();
    }
    Ok(SignedUp::Waiting(Box::new(account)))
}

/// Copies the identity's claims into the account's user metadata (identity behaviour, 4.1).
pub(super) fn mirror_claims(row: &mut AccountRow, email: &EmailAddress) {
    let claims = json!({
        "sub": row.id.to_string(), "email": email.as_str(),
        "email_verified": false, "phone_verified": false,
    });
    accounts::merge(&mut row.user_metadata, accounts::object(&claims));
}

async fn send_confirmation(
    instance: &Instance,
    conn: &mut PgConnection,
    (mut row, recipient): (AccountRow, Recipient),
    params: &SignUpParams,
    sign_up: Option<&SignUp>,
    context: &RequestContext,
) -> Outcome<Account> {
    count_email(instance, context)?;
    let now = instance.now();
    row.confirmation_sent_at = Some(now);
    row.updated_at = now;
    store::accounts::save(conn, &row).await?;
    let flow =
        exchange_code::begin(instance, conn, params.challenge.as_ref(), "email/signup").await?;
    let code = (CodeKind::Confirmation, sign_up);
    send_code_of(instance, conn, (&row, recipient), code, flow, context).await?;
    accounts::record(conn, &row).await
}

async fn confirm_and_start(
    instance: &Instance,
    conn: &mut PgConnection,
    mut row: AccountRow,
    provider: &str,
    context: &RequestContext,
) -> Outcome<SignedUp> {
    let now = instance.now();
    match provider {
        "email" => row.confirm_email(now),
        _ => row.confirm_phone(now),
    }
    accounts::put_own_identity(instance, conn, &mut row, provider).await?;
    store::accounts::save(conn, &row).await?;
    let traits = json!({"provider": provider});
    audit::note(instance, conn, &Actor::of(&row, context), Action::UserSignedUp, traits).await?;
    let session = sessions::start(instance, conn, &mut row, "password", context).await?;
    Ok(SignedUp::SignedIn(Box::new(session)))
}
