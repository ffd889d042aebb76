//! Removing one's own second factor.

use limber_api::identity::{FactorId, RemovedFactor};
use uuid::Uuid;

use super::{AAL2, Member, enter, find, take_away};
use crate::instance::Instance;
use crate::refusal::{Outcome, UNENROLL_NEEDS_AAL2, refuse};

pub(crate) async fn remove(
    instance: &Instance,
    member: Member,
    factor: Uuid,
) -> Outcome<RemovedFactor> {
    let mut tx = instance.begin().await?;
    let (row, session) = enter(&mut tx, member).await?;
    let factor = find(&mut tx, row.id, factor).await?;
    if factor.verified && session.aal != AAL2 {
        return refuse(UNENROLL_NEEDS_AAL2);
    }
    take_away(instance, &mut tx, &row, &factor).await?;
    instance.commit(tx).await?;
    Ok(RemovedFactor { id: FactorId::new(factor.id) })
}
