//! Invites a person by email (identity behaviour, section 10). Works even if sign-up is disabled.

use limber_api::identity::{Account, InviteRequest};
use serde_json::Value;
use sqlx::PgConnection;

use super::accounts;
use super::address::EmailAddress;
use super::audit::{self, Action, Actor};
use super::credentials::SignUp;
use super::messages::{CodeKind, Recipient, count_email, send_code_of};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{EMAIL_TAKEN, Outcome, refuse};
use crate::store;
use crate::store::accounts::AccountRow;

pub(crate) async fn invite(
    instance: &Instance,
    request: InviteRequest,
    context: &RequestContext,
    by: &Actor,
) -> Outcome<Account> {
    let email = EmailAddress::parse(request.email.as_deref().unwrap_or_default())?;
    accounts::check_size(request.data.as_ref())?;
    let data = Value::Object(request.data.unwrap_or_default());
    let mut tx = instance.begin().await?;
    let (row, sign_up) = prepare(instance, &mut tx, &email, data, context).await?;
    count_email(instance, context)?;
    let code = (CodeKind::Invite, sign_up.as_ref());
    send_code_of(instance, &mut tx, (&row, Recipient::Real), code, None, context).await?;
    audit::note(instance, &mut tx, by, Action::UserInvited, audit::traits_of(&row)).await?;
    let record = accounts::record(&mut tx, &row).await?;
    instance.commit(tx).await?;
    Ok(record)
}

/// Finds or creates the account and records the invitation. Also returns the sign-up that the code
/// confirms if somebody had already signed up with the address: what they left in the account is
/// not part of the invitation.
pub(super) async fn prepare(
    instance: &Instance,
    conn: &mut PgConnection,
    email: &EmailAddress,
    data: Value,
    context: &RequestContext,
) -> Outcome<(AccountRow, Option<SignUp>)> {
    let now = instance.now();
    let mut fresh = accounts::blank(instance, &context.aud);
    fresh.email = Some(email.as_str().to_owned());
    fresh.user_metadata = data;
    // Created without a password; the invited person may choose one when accepting.
    let made = store::accounts::insert(conn, &fresh).await?;
    let found = store::accounts::lock_by_email(conn, email.as_str(), &context.aud).await?;
    let Some(mut row) = found.filter(|row| row.email_confirmed_at.is_none()) else {
        return refuse(EMAIL_TAKEN);
    };
    if made {
        accounts::put_own_identity(instance, conn, &mut row, "email").await?;
    }
    row.invited_at = Some(now);
    row.confirmation_sent_at = Some(now);
    row.updated_at = now;
    store::accounts::save(conn, &row).await?;
    let sign_up = row.unproven.then(|| SignUp::later(fresh));
    Ok((row, sign_up))
}
