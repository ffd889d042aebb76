//! Renders the subject, text and HTML of an email.
//!
//! Templates use `{{ .Name }}` and `{{ .Data.name }}`. If an operator's template asks for an
//! unknown variable, the built-in one is used: a plain email is better than none.

use serde_json::Value;

use crate::config::{MailKind, MailerConfig};

/// A rendered email.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
}

/// Renders an email. `custom` is the operator's own template, if any. Returns `None` if a variable
/// is missing that the built-in templates need.
pub(crate) fn render(
    config: &MailerConfig,
    custom: Option<&str>,
    kind: MailKind,
    variables: &Value,
) -> Option<Rendered> {
    let subject = config.subjects.get(&kind).map_or(kind.default_subject(), String::as_str);
    let subject = fill(subject, variables, |text| text.to_owned())
        .or_else(|| fill(kind.default_subject(), variables, |text| text.to_owned()))?;
    let (built_in_html, built_in_text) = built_in(kind);
    let html = custom
        .and_then(|template| {
            let filled = fill(template, variables, escape_html);
            if filled.is_none() {
                tracing::warn!(
                    kind = kind.as_str(),
                    "the custom mail template uses an unknown variable; using the built-in template"
                );
            }
            filled
        })
        .or_else(|| fill(built_in_html, variables, escape_html))?;
    // A line break in a subject would start a new header (header injection).
    let subject = subject.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = fill(built_in_text, variables, |text| text.to_owned())?;
    Some(Rendered { subject, text, html })
}

/// Replaces every `{{ .Name }}`. Returns `None` if the template contains any other expression or an
/// unknown variable.
fn fill(template: &str, variables: &Value, escape: impl Fn(&str) -> String) -> Option<String> {
    let mut out = String::with_capacity(template.len() + 256);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let (expression, tail) = after.split_once("}}")?;
        let path = expression.trim().trim_matches('-').trim().strip_prefix('.')?;
        let mut value = variables;
        for (depth, name) in path.split('.').enumerate() {
            // An unknown variable is a mistake in the template; a missing key in the user's own
            // data is not.
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

/// Escapes text for HTML content and quoted attributes.
pub(crate) fn escape_html(text: &str) -> String {
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

/// Expands to the built-in HTML and plain text templates of a kind.
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

    #[test]
    fn every_built_in_template_renders_with_links_escaped_once() {
        for kind in MailKind::ALL {
            let mail = render(&MailerConfig::default(), None, kind, &variables());
            let mail = mail.expect("the built-in templates ask for known variables only");
            assert_eq!(mail.subject, kind.default_subject());
            assert!(!mail.html.contains("{{") && !mail.text.contains("{{"), "{kind:?}");
        }
        let mail = render(&MailerConfig::default(), None, MailKind::Confirmation, &variables());
        let mail = mail.expect("the template renders");
        assert!(mail.html.contains("token=h&amp;type=signup") && mail.html.contains("123456"));
        assert!(mail.text.contains("token=h&type=signup"));
    }

    #[test]
    fn user_data_in_templates_is_escaped_and_may_be_missing() {
        let filled = fill("Hi {{ .Data.first_name }}{{.Data.nothing}}!", &variables(), escape_html);
        assert_eq!(filled.as_deref(), Some("Hi &lt;Ann&gt;!"));
    }

    #[test]
    fn templates_with_unknown_variables_are_rejected() {
        for odd in ["{{ .Secret }}", "{{ if .Email }}", "{{ .Email", "{{ range . }}"] {
            assert_eq!(fill(odd, &variables(), escape_html), None, "{odd}");
        }
    }

    #[test]
    fn custom_templates_are_used_unless_they_have_unknown_variables() {
        let own = |template| {
            let config = MailerConfig::default();
            render(&config, Some(template), MailKind::Recovery, &variables())
                .expect("the template renders")
        };
        assert_eq!(own("<p>Own {{ .Token }}</p>").html, "<p>Own 123456</p>");
        assert!(own("<p>{{ .Nothing }}</p>").html.contains("Reset"));
    }

    #[test]
    fn custom_subjects_are_filled_in_and_stay_on_one_line() {
        let mut config = MailerConfig::default();
        config.subjects.insert(MailKind::Invite, "{{ .Email }}\r\nBcc: x".into());
        let mail =
            render(&config, None, MailKind::Invite, &variables()).expect("the template renders");
        assert_eq!(mail.subject, "a@b.co  Bcc: x");
        config.subjects.insert(MailKind::Invite, "{{ .Nothing }}".into());
        let mail =
            render(&config, None, MailKind::Invite, &variables()).expect("the template renders");
        assert_eq!(mail.subject, "You have been invited");
    }
}
