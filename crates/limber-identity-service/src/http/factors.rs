//! `/factors`: one's own second factors (identity behaviour, section 9).

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use limber_api::identity::{
    ChallengeFactorRequest, EnrolledFactor, FactorChallenge, RemovedFactor, SessionResponse,
    VerifyFactorRequest,
};
use uuid::Uuid;

use super::answer::Answer;
use super::asker::RateKey;
use super::body::RawBody;
use super::caller::Person;
use crate::domain::factors::{Member, challenge, enroll, prove, remove};
use crate::instance::{Asker, Instance};
use crate::rate_limits::Gate;
use crate::refusal::FACTOR_NOT_UUID;

pub(super) fn parse_id(text: &str) -> Answer<Uuid> {
    Ok(text.parse().map_err(|_| FACTOR_NOT_UUID)?)
}

fn member(person: &Person) -> Member {
    Member { account: person.row.id, session: person.session }
}

pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    person: Person,
    body: RawBody,
) -> Answer<Json<EnrolledFactor>> {
    Ok(Json(enroll::enroll(&instance, member(&person), body.json()?).await?))
}

pub(super) async fn ask(
    State(instance): State<Arc<Instance>>,
    person: Person,
    Path(id): Path<String>,
    asker: Asker,
    rate: RateKey,
    body: RawBody,
) -> Answer<Json<FactorChallenge>> {
    rate.pass(&instance, Gate::FactorChallenge)?;
    let id = parse_id(&id)?;
    let request: ChallengeFactorRequest = body.json_or_default()?;
    let answer = challenge::challenge(&instance, member(&person), id, &request, &asker).await?;
    Ok(Json(answer))
}

pub(super) async fn verify(
    State(instance): State<Arc<Instance>>,
    person: Person,
    Path(id): Path<String>,
    asker: Asker,
    rate: RateKey,
    body: RawBody,
) -> Answer<Json<SessionResponse>> {
    rate.pass(&instance, Gate::FactorVerify)?;
    let id = parse_id(&id)?;
    let request: VerifyFactorRequest = body.json()?;
    Ok(Json(prove::prove(&instance, member(&person), id, &request, &asker).await?))
}

pub(super) async fn delete(
    State(instance): State<Arc<Instance>>,
    person: Person,
    Path(id): Path<String>,
) -> Answer<Json<RemovedFactor>> {
    Ok(Json(remove::remove(&instance, member(&person), parse_id(&id)?).await?))
}
