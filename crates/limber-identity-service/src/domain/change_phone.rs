//! Changing an account's phone number (identity behaviour, 6.7 and 6.14).

use sqlx::PgConnection;

use super::accounts;
use super::address::PhoneNumber;
use super::notices::{Notice, notify};
use super::texts::{self, TextKind};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{CODE_EXPIRED, Outcome, PHONE_TAKEN, refuse};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::texts::{Channel, SendPermit};

/// Requests a new number. It takes effect once confirmed, or immediately if numbers need no
/// confirmation (`permit` is then `None`). The caller saves the row.
pub(super) async fn request(
    instance: &Instance,
    conn: &mut PgConnection,
    permit: Option<&SendPermit>,
    row: &mut AccountRow,
    (phone, channel): (&PhoneNumber, Channel),
    context: &RequestContext,
) -> Outcome<()> {
    if row.phone.as_deref() == Some(phone.as_str()) {
        return Ok(());
    }
    refuse_taken(conn, row, phone.as_str()).await?;
    let Some(permit) = permit else {
        return apply(instance, conn, row, phone.as_str()).await;
    };
    // One timer per account, so that one account cannot text many numbers, and one per number, so
    // that many accounts cannot text the same number.
    let counted = row.phone.clone().unwrap_or_else(|| row.id.to_string());
    let kind = TextKind::PhoneChange;
    texts::start_timer(instance, conn, kind, &counted, context).await?;
    texts::start_timer(instance, conn, kind, phone.as_str(), context).await?;
    row.new_phone = Some(phone.as_str().to_owned());
    row.phone_change_sent_at = Some(instance.now());
    // Discard the codes of an earlier request.
    store::one_time_tokens::delete_kinds(conn, row.id, &[kind.as_str().to_owned()]).await?;
    let to = (kind, phone.as_str(), channel);
    texts::send_code(instance, conn, permit, row, to, context).await?;
    Ok(())
}

/// Applies the confirmed new number. The caller saves the row.
pub(super) async fn confirm(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
) -> Outcome<()> {
    let Some(phone) = row.new_phone.take() else { return refuse(CODE_EXPIRED) };
    refuse_taken(conn, row, &phone).await?;
    apply(instance, conn, row, &phone).await
}

async fn refuse_taken(conn: &mut PgConnection, row: &AccountRow, phone: &str) -> Outcome<()> {
    match store::accounts::find_by_phone(conn, phone, &row.aud).await? {
        Some(holder) if holder.id != row.id => refuse(PHONE_TAKEN),
        _ => Ok(()),
    }
}

async fn apply(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
    phone: &str,
) -> Outcome<()> {
    let old = row.phone.replace(phone.to_owned());
    row.confirm_phone(instance.now());
    accounts::put_own_identity(instance, conn, row, "phone").await?;
    if let Some(old_phone) = old.as_deref() {
        let notice = Notice::PhoneChanged { phone, old_phone };
        notify(instance, conn, row.email.as_deref(), notice).await;
    }
    Ok(())
}
