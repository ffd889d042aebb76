//! Turns a kind and its variables into subject, text and HTML.
//!
//! Templates use `{{ .Name }}` and `{{ .Data.name }}`. The built-in ones stand below; an operator's
//! own is a file. When that cannot be read or asks for something unknown, the built-in one is
//! used: a mail in plain words is better than none.

use serde_json::Value;

use crate::config::{MailKind, MailerConfig};

/// An operator's template larger than this is a mistake.
const MAX_TEMPLATE_BYTES: u64 = 1 << 20;

/// A mail ready to be put into an envelope.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
}

pub(crate) async fn render(
    config: &MailerConfig,
    kind: MailKind,
    variables: &Value,
) -> Option<Rendered> {
    let subject = config.subjects.get(&kind).map_or(kind.default_subject(), String::as_str);
    let subject = fill(subject, variables, |text| text.to_owned())
        .or_else(|| fill(kind.default_subject(), variables, |text| text.to_owned()))?;
    let custom = match config.templates.get(&kind) {
        Some(address) => read_custom(address).await,
        None => None,
    };
    let (built_in_html, built_in_text) = built_in(kind);
    let html = custom
        .and_then(|template| fill(&template, variables, escape_html))
        .or_else(|| fill(built_in_html, variables, escape_html))?;
    // a line break in a subject would begin a new header
    let subject = subject.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = fill(built_in_text, variables, |text| text.to_owned())?;
    Some(Rendered { subject, text, html })
}

async fn read_custom(address: &str) -> Option<String> {
    let Some(path) = address.strip_prefix("file:") else {
        tracing::warn!("only file: templates can be read; the built-in text is used");
        return None;
    };
    let path = path.strip_prefix("//").unwrap_or(path);
    let size = tokio::fs::metadata(path).await.ok()?.len();
    if size > MAX_TEMPLATE_BYTES {
        tracing::warn!("a mail template is larger than 1 MiB; the built-in text is used");
        return None;
    }
    tokio::fs::read_to_string(path).await.ok()
}

/// Replaces every `{{ .Name }}`; `None` when the template asks for more than that.
fn fill(template: &str, variables: &Value, escape: impl Fn(&str) -> String) -> Option<String> {
    let mut out = String::with_capacity(template.len() + 256);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let (expression, tail) = after.split_once("}}")?;
        let path = expression.trim().trim_matches('-').trim().strip_prefix('.')?;
        let mut value = variables;
        for (depth, name) in path.split('.').enumerate() {
            // an unknown variable is a mistake, a missing key of the person's own data is not
            value = match value.get(name) {
                Some(inner) => inner,
                None if depth > 0 => &Value::Null,
                None => return None,
            };
        }
        match value {
            Value::Null => {}
            Value::String(text) => out.push_str(&escape(text)),
            other => out.push_str(&escape(&other.to_string())),
        }
        rest = tail;
    }
    out.push_str(rest);
    Some(out)
}

fn escape_html(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
        out
    })
}

/// The HTML and the plain text of a kind.
macro_rules! built_in {
    ($kind:expr, $($variant:ident $file:literal),+ $(,)?) => {
        match $kind {
            $(MailKind::$variant => (
                include_str!(concat!("templates/", $file, ".html")),
                include_str!(concat!("templates/", $file, ".txt")),
            )),+
        }
    };
}

fn built_in(kind: MailKind) -> (&'static str, &'static str) {
    built_in!(
        kind,
        Invite "invite",
        Confirmation "confirmation",
        Recovery "recovery",
        MagicLink "magic_link",
        EmailChange "email_change",
        Reauthentication "reauthentication",
        PasswordChanged "password_changed",
        EmailChanged "email_changed",
        PhoneChanged "phone_changed",
        IdentityLinked "identity_linked",
        IdentityUnlinked "identity_unlinked",
        FactorEnrolled "factor_enrolled",
        FactorUnenrolled "factor_unenrolled",
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn variables() -> Value {
        json!({
            "SiteURL": "https://site.example", "Email": "a@b.co", "NewEmail": "n@b.co",
            "OldEmail": "o@b.co", "SendingTo": "a@b.co", "Token": "123456", "TokenHash": "h",
            "ConfirmationURL": "https://id.example/verify?token=h&type=signup&redirect_to=x",
            "RedirectTo": "x", "Data": {"first_name": "<Ann>"}, "Phone": "417", "OldPhone": "416",
            "Provider": "github", "FactorType": "totp",
        })
    }

    #[tokio::test]
    async fn every_built_in_mail_renders_and_links_are_escaped_once() {
        for kind in MailKind::ALL {
            let mail = render(&MailerConfig::default(), kind, &variables()).await;
            let mail = mail.expect("the built-in templates ask for known variables only");
            assert_eq!(mail.subject, kind.default_subject());
            assert!(!mail.html.contains("{{") && !mail.text.contains("{{"), "{kind:?}");
        }
        let mail = render(&MailerConfig::default(), MailKind::Confirmation, &variables()).await;
        let mail = mail.expect("it renders");
        assert!(mail.html.contains("token=h&amp;type=signup") && mail.html.contains("123456"));
        assert!(mail.text.contains("token=h&type=signup"));
    }

    #[test]
    fn the_persons_own_data_is_escaped_and_may_be_missing() {
        let filled = fill("Hi {{ .Data.first_name }}{{.Data.nothing}}!", &variables(), escape_html);
        assert_eq!(filled.as_deref(), Some("Hi &lt;Ann&gt;!"));
    }

    #[test]
    fn a_template_that_asks_for_more_is_not_used() {
        for odd in ["{{ .Secret }}", "{{ if .Email }}", "{{ .Email", "{{ range . }}"] {
            assert_eq!(fill(odd, &variables(), escape_html), None, "{odd}");
        }
    }

    #[tokio::test]
    async fn an_operators_file_is_used_and_a_missing_one_is_not_missed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("own.html");
        std::fs::write(&path, "<p>Own {{ .Token }}</p>").expect("it can be written");
        let mut config = MailerConfig::default();
        config.templates.insert(MailKind::Recovery, format!("file:{}", path.display()));
        let mail = render(&config, MailKind::Recovery, &variables()).await.expect("it renders");
        assert_eq!(mail.html, "<p>Own 123456</p>");
        config.templates.insert(MailKind::Recovery, "file:/nowhere".into());
        let mail = render(&config, MailKind::Recovery, &variables()).await.expect("it renders");
        assert!(mail.html.contains("Reset"), "{}", mail.html);
    }
}
