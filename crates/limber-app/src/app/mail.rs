//! Emails of the local studio.

use secrecy::ExposeSecret;

use super::App;
use crate::{
    AppError, Doing, ErrorCode, Mail, Notice,
    journal::rfc3339,
    views::{LinkOutcome, MailLink, MailText, MailView},
};

impl App {
    /// Returns all emails, newest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub async fn mails(&self) -> Result<Vec<MailView>, AppError> {
        let store = self.inner.environment.studio.mail();
        let mails = blocking(move || store.list()).await?;
        Ok(mails.iter().map(view).collect())
    }

    /// Opens an email.
    ///
    /// # Errors
    /// If it no longer exists.
    pub async fn read_mail(&self, id: &str) -> Result<MailText, AppError> {
        let mail = self.open_mail(id).await?;
        let links = (0u32..).zip(&mail.links);
        Ok(MailText {
            text: without_addresses(&mail),
            links: links
                .map(|(index, (words, _))| MailLink { index, words: words.clone() })
                .collect(),
            mail: view(&mail),
        })
    }

    /// Follows a link of an email inside the app.
    ///
    /// # Errors
    /// If the email or the link no longer exists, or the link has already been used.
    pub async fn open_mail_link(&self, id: &str, index: u32) -> Result<LinkOutcome, AppError> {
        let mail = self.open_mail(id).await?;
        let link = mail.links.get(index as usize).ok_or_else(gone)?;
        self.open_mailed(&link.1).await
    }

    /// Announces new mail; called by the shell when the studio received an email.
    pub fn mail_came(&self) {
        self.inner.environment.events.mail();
    }

    async fn open_mail(&self, id: &str) -> Result<Mail, AppError> {
        let store = self.inner.environment.studio.mail();
        let id = id.to_owned();
        blocking(move || store.open(&id)).await?.ok_or_else(gone)
    }
}

fn gone() -> AppError {
    AppError::new(ErrorCode::NotFound, Notice::MailGone)
}

/// Returns the body with each URL replaced by its link text.
fn without_addresses(mail: &Mail) -> String {
    let mut text = mail.text.clone();
    for (words, address) in &mail.links {
        text = text.replace(address.expose_secret(), &format!("[{words}]"));
    }
    text
}

fn view(mail: &Mail) -> MailView {
    MailView {
        id: mail.id.clone(),
        from: mail.from.clone(),
        to: mail.to.clone(),
        subject: mail.subject.clone(),
        received_at: rfc3339(mail.received_at),
        unread: mail.unread,
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, AppError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|error| AppError::disk(Doing::ReadMail, &error)),
        Err(_) => Err(AppError::new(ErrorCode::Internal, Notice::MailUnreadable)),
    }
}
