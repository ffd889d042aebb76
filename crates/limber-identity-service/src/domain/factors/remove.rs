//! Removes one's own second factor.

use limber_api::identity::{FactorId, RemovedFactor};
use serde_json::json;
use uuid::Uuid;

use super::{Member, enter, find, lacks_factor, take_away};
use crate::domain::audit::{self, Action, Actor};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{Outcome, UNENROLL_NEEDS_AAL2, refuse};

pub(crate) async fn remove(
    instance: &Instance,
    member: Member,
    factor: Uuid,
    context: &RequestContext,
) -> Outcome<RemovedFactor> {
    let mut tx = instance.begin().await?;
    let (row, session) = enter(&mut tx, member).await?;
    let factor = find(&mut tx, row.id, factor).await?;
    // Even an unverified factor may be one that the owner is about to verify.
    if lacks_factor(&mut tx, row.id, Some(&session)).await? {
        return refuse(UNENROLL_NEEDS_AAL2);
    }
    take_away(instance, &mut tx, &row, &factor).await?;
    let (actor, traits) = (Actor::of(&row, context), json!({"factor_id": factor.id}));
    audit::note(instance, &mut tx, &actor, Action::FactorUnenrolled, traits).await?;
    instance.commit(tx).await?;
    Ok(RemovedFactor { id: FactorId::new(factor.id) })
}
