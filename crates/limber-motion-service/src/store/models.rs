//! The table `models`, and the contents it refers to.

use serde_json::Value;
use sqlx::{Postgres, Transaction};

use super::{Store, StoreError, contents::Saving};
use crate::{importing::ReadModel, uploads::UploadKind};

/// Maximum number of rigs whose manual bone mapping is remembered, latest first.
const MOST_RIGS: i64 = 100;

/// A row of `models`.
#[derive(Debug, Clone)]
pub(crate) struct ModelRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) rig_id: String,
    pub(crate) face: i16,
    pub(crate) hand: i16,
    pub(crate) report: Value,
    pub(crate) overrides: Value,
    /// Hash of the joint names.
    pub(crate) joints: Option<String>,
    pub(crate) glb: String,
    pub(crate) thumb: Option<String>,
    pub(crate) ctime: i64,
    pub(crate) mtime: i64,
}

/// An upload: what its URL was created for, and what has been uploaded there.
#[derive(Debug)]
pub(crate) struct UploadRow {
    pub(crate) name: String,
    /// The character that was made from it.
    pub(crate) model_id: Option<String>,
    /// The last session that was completed.
    pub(crate) session: Option<String>,
    /// Whether an upload has been started.
    pub(crate) begun: bool,
}

/// A character to store.
#[derive(Debug)]
pub(crate) struct NewModel<'a> {
    pub(crate) id: &'a str,
    pub(crate) account: &'a str,
    pub(crate) place: Place,
    pub(crate) name: &'a str,
    pub(crate) read: &'a ReadModel,
    pub(crate) glb: &'a str,
    pub(crate) thumb: Option<&'a str>,
    pub(crate) uploads: SpentUploads<'a>,
    pub(crate) now_ms: i64,
}

/// Whether a character is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A new one, if there are fewer than `most`.
    New { most: i64 },
    /// Replaces the character with the same id.
    Known,
}

/// Keys of the uploads that a character is made from.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SpentUploads<'a> {
    pub(crate) model: Option<&'a str>,
    pub(crate) thumb: Option<&'a str>,
}

/// Outcome of storing a character.
#[derive(Debug)]
pub(crate) enum Stored {
    Now(Box<ModelRow>),
    /// A concurrent request has already made this character from the same file.
    Before(String),
    /// The account has reached its limit.
    TooMany,
    /// The character was deleted in the meantime.
    Gone,
}

impl Store {
    pub(crate) async fn find_upload(
        &self,
        account: &str,
        key: &str,
        kind: UploadKind,
    ) -> Result<Option<UploadRow>, StoreError> {
        let row = sqlx::query_as!(
            UploadRow,
            r#"select name, model_id,
                 (select s.id from upload_sessions s where s.key = u.key and s.state = 'complete'
                  order by s.ended_ms desc limit 1) as session,
                 exists (select 1 from upload_sessions s where s.key = u.key and s.state = 'open')
                     as "begun!"
             from uploads u where key = $1 and account_id = $2 and kind = $3"#,
            key,
            account,
            kind.word()
        );
        Ok(row.fetch_optional(&self.pool).await?)
    }

    pub(crate) async fn find_model(
        &self,
        account: &str,
        id: &str,
    ) -> Result<Option<ModelRow>, StoreError> {
        let row = sqlx::query_as!(
            ModelRow,
            "select id, name, rig_id, face, hand, report, overrides, joints, glb, thumb, ctime, mtime
             from models where account_id = $1 and id = $2",
            account,
            id
        );
        Ok(row.fetch_optional(&self.pool).await?)
    }

    /// Returns an account's characters, newest first.
    pub(crate) async fn models_of(&self, account: &str) -> Result<Vec<ModelRow>, StoreError> {
        let rows = sqlx::query_as!(
            ModelRow,
            "select id, name, rig_id, face, hand, report, overrides, joints, glb, thumb, ctime, mtime
             from models where account_id = $1 order by ctime desc, id desc",
            account
        );
        Ok(rows.fetch_all(&self.pool).await?)
    }

    /// Returns the latest manual bone mapping of each of an account's rigs, by the hash of joint
    /// names.
    pub(crate) async fn rigs_decided_on(
        &self,
        account: &str,
    ) -> Result<Vec<(String, Value)>, StoreError> {
        let rows = sqlx::query!(
            r#"select joints as "joints!", overrides from (
                 select distinct on (joints) joints, overrides, mtime from models
                 where account_id = $1 and joints is not null and overrides <> '{}'
                 order by joints, mtime desc) as decided
             order by mtime desc limit $2"#,
            account,
            MOST_RIGS
        );
        let rows = rows.fetch_all(&self.pool).await?;
        Ok(rows.into_iter().map(|row| (row.joints, row.overrides)).collect())
    }

    pub(crate) async fn count_models(&self, account: &str) -> Result<i64, StoreError> {
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from models where account_id = $1"#,
            account
        );
        Ok(count.fetch_one(&self.pool).await?)
    }

    /// Deletes a character. Returns false if this account has no such character.
    pub(crate) async fn delete_model(
        &self,
        account: &str,
        id: &str,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await?;
        wait_for_turn(&mut tx, account).await?;
        release(&mut tx, account, id, Some(""), Some(""), now_ms).await?;
        let deleted =
            sqlx::query!("delete from models where account_id = $1 and id = $2", account, id)
                .execute(&mut *tx)
                .await?;
        tx.commit().await?;
        Ok(deleted.rows_affected() == 1)
    }
}

impl Saving<'_> {
    /// Changes the name or thumbnail.
    pub(crate) async fn change_model(
        self,
        account: &str,
        id: &str,
        name: Option<&str>,
        (thumb, upload): (Option<&str>, Option<&str>),
        now_ms: i64,
    ) -> Result<Option<ModelRow>, StoreError> {
        let mut tx = self.0;
        wait_for_turn(&mut tx, account).await?;
        release(&mut tx, account, id, None, thumb, now_ms).await?;
        let row = sqlx::query_as!(
            ModelRow,
            "update models set name = coalesce($3, name), thumb = coalesce($4, thumb), mtime = $5
             where account_id = $1 and id = $2
             returning id, name, rig_id, face, hand, report, overrides, joints, glb, thumb, ctime, mtime",
            account,
            id,
            name,
            thumb,
            now_ms
        )
        .fetch_optional(&mut *tx)
        .await?;
        if row.is_some() {
            spend(&mut tx, SpentUploads { model: None, thumb: upload }, id).await?;
        } else if let Some(thumb) = thumb {
            let_go(&mut tx, thumb, now_ms).await?;
        }
        tx.commit().await?;
        Ok(row)
    }

    /// Stores or replaces the character. If that is not possible any more, releases its contents.
    pub(crate) async fn put_model(self, model: &NewModel<'_>) -> Result<Stored, StoreError> {
        let mut tx = self.0;
        wait_for_turn(&mut tx, model.account).await?;
        let stored = match hindrance(&mut tx, model).await? {
            None => Stored::Now(Box::new(write(&mut tx, model).await?)),
            Some(hindrance) => {
                for content in [Some(model.glb), model.thumb].into_iter().flatten() {
                    let_go(&mut tx, content, model.now_ms).await?;
                }
                hindrance
            }
        };
        tx.commit().await?;
        Ok(stored)
    }
}

/// Serialises changes to an account's characters, so that each sees the result of the previous one.
async fn wait_for_turn(
    tx: &mut Transaction<'_, Postgres>,
    account: &str,
) -> Result<(), StoreError> {
    sqlx::query!("select id from accounts where id = $1 for no key update", account)
        .fetch_optional(&mut **tx)
        .await?;
    Ok(())
}

/// Returns why the character cannot be stored any more, although it could when its file was parsed.
async fn hindrance(
    tx: &mut Transaction<'_, Postgres>,
    model: &NewModel<'_>,
) -> Result<Option<Stored>, StoreError> {
    let state = sqlx::query!(
        r#"select (select model_id from uploads where key = $3) as before,
             (select count(*) from models where account_id = $1) as "count!",
             exists (select 1 from models where account_id = $1 and id = $2) as "known!""#,
        model.account,
        model.id,
        model.uploads.model
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(match (model.place, state.before) {
        (Place::New { .. }, Some(before)) => Some(Stored::Before(before)),
        (Place::New { most }, None) if state.count >= most => Some(Stored::TooMany),
        (Place::Known, _) if !state.known => Some(Stored::Gone),
        _ => None,
    })
}

async fn write(
    tx: &mut Transaction<'_, Postgres>,
    model: &NewModel<'_>,
) -> Result<ModelRow, StoreError> {
    let (account, id) = (model.account, model.id);
    release(tx, account, id, Some(model.glb), model.thumb, model.now_ms).await?;
    let row = sqlx::query_as!(
        ModelRow,
        "insert into models
             (id, account_id, name, rig_id, face, hand, report, glb, thumb, ctime, mtime,
              overrides, joints)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12)
         on conflict (id) do update set name = excluded.name, rig_id = excluded.rig_id,
             face = excluded.face, hand = excluded.hand, report = excluded.report,
             glb = excluded.glb, thumb = coalesce(excluded.thumb, models.thumb),
             mtime = excluded.mtime, overrides = excluded.overrides, joints = excluded.joints
         returning id, name, rig_id, face, hand, report, overrides, joints, glb, thumb, ctime, mtime",
        id,
        account,
        model.name,
        model.read.rig_id,
        i16::from(model.read.face),
        i16::from(model.read.hand),
        model.read.report,
        model.glb,
        model.thumb,
        model.now_ms,
        serde_json::to_value(&model.read.overrides).unwrap_or_default(),
        model.read.joints
    )
    .fetch_one(&mut **tx)
    .await?;
    spend(tx, model.uploads, id).await?;
    Ok(row)
}

/// Records that the uploads became this character.
async fn spend(
    tx: &mut Transaction<'_, Postgres>,
    uploads: SpentUploads<'_>,
    id: &str,
) -> Result<(), StoreError> {
    sqlx::query!(
        "update uploads set model_id = $3 where key = $1 or key = $2",
        uploads.model,
        uploads.thumb,
        id
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Records that a content may be unreferenced.
async fn let_go(
    tx: &mut Transaction<'_, Postgres>,
    content: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query!(
        "insert into released_contents (content_id, released_ms) values ($1, $2)
         on conflict (content_id) do update set released_ms = excluded.released_ms",
        content,
        now_ms
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Records that contents of a character are replaced or removed and may be unreferenced.
async fn release(
    tx: &mut Transaction<'_, Postgres>,
    account: &str,
    id: &str,
    glb: Option<&str>,
    thumb: Option<&str>,
    now_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query!(
        "insert into released_contents (content_id, released_ms)
         select content_id, $5 from (
             select glb as content_id from models
             where account_id = $1 and id = $2 and $3::text is not null and glb <> $3
             union
             select thumb from models
             where account_id = $1 and id = $2 and $4::text is not null and thumb <> $4) as gone
         on conflict (content_id) do update set released_ms = excluded.released_ms",
        account,
        id,
        glb,
        thumb,
        now_ms
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
