//! Password recovery: sends an email whose link signs the user in. Unknown addresses get the same
//! answer, at the same cost.

use limber_api::identity::RecoverRequest;

use super::accounts::or_stand_in;
use super::address::EmailAddress;
use super::exchange_code;
use super::messages::{CodeKind, count_email, send_code_to};
use super::timers::{self, Purpose};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{MAIL_DISABLED, Outcome, RECOVER_WITHOUT_EMAIL, refuse};
use crate::store;
use crate::tokens::pkce::Challenge;

pub(crate) async fn recover(
    instance: &Instance,
    request: RecoverRequest,
    context: &RequestContext,
) -> Outcome<()> {
    let Some(email) = request.email.as_deref().filter(|email| !email.is_empty()) else {
        return refuse(RECOVER_WITHOUT_EMAIL);
    };
    let challenge = Challenge::read(
        request.code_challenge.as_deref(),
        request.code_challenge_method.as_deref(),
    )?;
    if !instance.config.signup.email {
        return refuse(MAIL_DISABLED);
    }
    let email = EmailAddress::parse(email)?;
    let gap = instance.config.mailer.other_gap();
    let now = instance.now();
    let mut tx = instance.begin().await?;
    let to = (email.as_str(), gap);
    timers::start(instance, &mut tx, Purpose::Recovery, to, context).await?;
    let found = store::accounts::lock_by_email(&mut tx, email.as_str(), &context.aud).await?;
    let (mut row, recipient) = or_stand_in(instance, found, &context.aud, &email);
    count_email(instance, context)?;
    row.recovery_sent_at = Some(now);
    row.updated_at = now;
    store::accounts::save(&mut tx, &row).await?;
    let flow = exchange_code::begin(instance, &mut tx, challenge.as_ref(), "recovery").await?;
    send_code_to(instance, &mut tx, (&row, recipient), CodeKind::Recovery, flow, context).await?;
    instance.commit(tx).await
}
