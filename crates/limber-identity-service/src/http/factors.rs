//! `/factors`: one's own second factors (identity behaviour, section 9).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{
    ChallengeFactorRequest, EnrollFactorRequest, EnrolledFactor, FactorChallenge, RemovedFactor,
    SessionResponse, VerifyFactorRequest,
};
use uuid::Uuid;

use super::answer::Answer;
use super::body::RawBody;
use super::caller::AuthenticatedUser;
use super::path::{self, Path};
use super::request_context::RateKey;
use crate::domain::factors::{Member, challenge, enroll, prove, remove};
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::FACTOR_NOT_UUID;

pub(super) fn parse_id(text: &str) -> Answer<Uuid> {
    Ok(path::id(text).ok_or(FACTOR_NOT_UUID)?)
}

pub(super) fn member(user: &AuthenticatedUser) -> Member {
    Member { account: user.row.id, session: user.session }
}

/// Starts to enrol a second factor.
#[utoipa::path(post, path = "/factors", tag = "Second factors", security(("person" = [])),
    request_body = EnrollFactorRequest, responses((status = 200, body = EnrolledFactor)))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    context: RequestContext,
    rate: RateKey,
    body: RawBody,
) -> Answer<Json<EnrolledFactor>> {
    rate.check_account(&instance, Endpoint::FactorChange, &user)?;
    Ok(Json(enroll::enroll(&instance, member(&user), body.json()?, &context).await?))
}

/// Creates a challenge for a second factor; a phone receives its code by text message.
#[utoipa::path(post, path = "/factors/{factor_id}/challenge", tag = "Second factors", security(("person" = [])),
    params(("factor_id" = Uuid, Path)), request_body = ChallengeFactorRequest,
    responses((status = 200, body = FactorChallenge)))]
pub(super) async fn ask(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    Path(id): Path<String>,
    context: RequestContext,
    rate: RateKey,
    body: RawBody,
) -> Answer<Json<FactorChallenge>> {
    rate.check_account(&instance, Endpoint::FactorChallenge, &user)?;
    let id = parse_id(&id)?;
    let request: ChallengeFactorRequest = body.json_or_default()?;
    let answer = challenge::challenge(&instance, member(&user), id, &request, &context).await?;
    Ok(Json(answer))
}

/// Verifies the code of a second factor; the session becomes `aal2`.
#[utoipa::path(post, path = "/factors/{factor_id}/verify", tag = "Second factors", security(("person" = [])),
    params(("factor_id" = Uuid, Path)), request_body = VerifyFactorRequest,
    responses((status = 200, body = SessionResponse)))]
pub(super) async fn verify(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    Path(id): Path<String>,
    context: RequestContext,
    rate: RateKey,
    body: RawBody,
) -> Answer<Json<SessionResponse>> {
    rate.check_account(&instance, Endpoint::FactorVerify, &user)?;
    let id = parse_id(&id)?;
    let request: VerifyFactorRequest = body.json()?;
    Ok(Json(prove::prove(&instance, member(&user), id, &request, &context).await?))
}

/// Removes a second factor.
#[utoipa::path(delete, path = "/factors/{factor_id}", tag = "Second factors", security(("person" = [])),
    params(("factor_id" = Uuid, Path)), responses((status = 200, body = RemovedFactor)))]
pub(super) async fn delete(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    Path(id): Path<String>,
    context: RequestContext,
    rate: RateKey,
) -> Answer<Json<RemovedFactor>> {
    rate.check_account(&instance, Endpoint::FactorChange, &user)?;
    Ok(Json(remove::remove(&instance, member(&user), parse_id(&id)?, &context).await?))
}
