//! A forgotten password: a mail whose link signs in. Unknown addresses get the same answer.

use limber_api::identity::RecoverRequest;

use super::address::EmailAddress;
use super::exchange_code;
use super::messages::{CodeKind, check_timer, count_email, send_code};
use crate::instance::{Asker, Instance};
use crate::rate_limits::Purpose;
use crate::refusal::{MAIL_DISABLED, Outcome, RECOVER_WITHOUT_EMAIL, refuse};
use crate::store;
use crate::tokens::pkce::Challenge;

pub(crate) async fn recover(
    instance: &Instance,
    request: RecoverRequest,
    asker: &Asker,
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
    // counted per address whether it is known or not, so that a 429 tells nothing
    instance.counters.note_address(Purpose::Recovery, email.as_str(), gap, now)?;
    let mut tx = instance.begin().await?;
    let found = store::accounts::lock_by_email(&mut tx, email.as_str(), &asker.aud).await?;
    let Some(mut row) = found else { return Ok(()) };
    check_timer(instance, row.recovery_sent_at, gap)?;
    count_email(instance)?;
    row.recovery_sent_at = Some(now);
    row.updated_at = now;
    store::accounts::save(&mut tx, &row).await?;
    let flow = exchange_code::begin(instance, &mut tx, challenge.as_ref(), "recovery").await?;
    send_code(instance, &mut tx, &row, CodeKind::Recovery, flow, asker).await?;
    instance.commit(tx).await
}
