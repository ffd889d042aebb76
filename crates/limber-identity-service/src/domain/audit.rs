//! The audit log: who did what (identity behaviour, section 10). Each entry is written in the
//! transaction of the action it records, so that neither exists without the other.

pub(crate) use limber_api::identity::AuditAction as Action;
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::instance::{Instance, RequestContext};
use crate::refusal::Outcome;
use crate::store;
use crate::store::accounts::AccountRow;

/// Maximum length of a recorded display name. The metadata it comes from is user-controlled, and
/// anyone can cause an entry.
const MAX_NAME_CHARS: usize = 128;

/// Who performed an action, and from which address.
#[derive(Debug, Clone)]
pub(crate) struct Actor {
    /// Nil for administrators, whose tokens carry a role but no account.
    id: Uuid,
    username: String,
    name: Option<String>,
    ip: Option<String>,
}

impl Actor {
    /// An account holder.
    pub(crate) fn of(row: &AccountRow, context: &RequestContext) -> Self {
        let username = row.phone.as_ref().or(row.email.as_ref()).cloned().unwrap_or_default();
        let name = row.user_metadata["full_name"].as_str();
        let name = name.map(|name| name.chars().take(MAX_NAME_CHARS).collect());
        Self { id: row.id, username, name, ip: context.ip.clone() }
    }

    /// A caller who named an address that no account has.
    pub(crate) fn nobody(context: &RequestContext) -> Self {
        Self { ip: context.ip.clone(), ..Self::administrator("", None) }
    }

    /// A caller with an administrator's role, or the command line.
    pub(crate) fn administrator(role: &str, ip: Option<String>) -> Self {
        Self { id: Uuid::nil(), username: role.to_owned(), name: None, ip }
    }
}

/// Writes one entry. `traits` is an object, empty if there are no details.
pub(crate) async fn note(
    instance: &Instance,
    conn: &mut PgConnection,
    actor: &Actor,
    action: Action,
    traits: Value,
) -> Outcome<()> {
    note_all(instance, conn, actor, &[(action, traits)]).await
}

/// Writes several entries in one statement.
pub(crate) async fn note_all(
    instance: &Instance,
    conn: &mut PgConnection,
    actor: &Actor,
    entries: &[(Action, Value)],
) -> Outcome<()> {
    for (action, _) in entries {
        tracing::info!(audit.action = action.as_str(), account.id = %actor.id, "noted");
    }
    if !instance.config.audit.in_database {
        return Ok(());
    }
    let ids: Vec<Uuid> = entries.iter().map(|_| instance.random.uuid()).collect();
    let payloads: Vec<Value> = entries.iter().map(|(a, t)| payload(actor, *a, t)).collect();
    let ip = actor.ip.as_deref().unwrap_or_default();
    Ok(store::audit_entries::insert(conn, &ids, &payloads, ip, instance.now()).await?)
}

fn payload(actor: &Actor, action: Action, traits: &Value) -> Value {
    let mut payload = json!({
        "actor_id": actor.id,
        "actor_username": actor.username,
        "actor_via_sso": false,
        "action": action.as_str(),
        "log_type": action.log_type(),
    });
    if let Some(name) = &actor.name {
        payload["actor_name"] = json!(name);
    }
    if traits.as_object().is_some_and(|traits| !traits.is_empty()) {
        payload["traits"] = traits.clone();
    }
    payload
}

/// Describes the affected account in an administrator's entry.
pub(crate) fn traits_of(row: &AccountRow) -> Value {
    json!({
        "user_id": row.id,
        "user_email": row.email.as_deref().unwrap_or_default(),
        "user_phone": row.phone.as_deref().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn audit_payloads_omit_unknown_fields() {
        let actor = Actor::administrator("service_role", None);
        let bare = payload(&actor, Action::UserDeleted, &json!({}));
        assert_eq!(
            bare,
            json!({"actor_id": Uuid::nil(), "actor_username": "service_role",
                "actor_via_sso": false, "action": "user_deleted", "log_type": "team"})
        );
        let with = payload(&actor, Action::Login, &json!({"provider": "email"}));
        assert_eq!(with["traits"]["provider"], "email");
    }
}
