//! Discord. Source: Discord developer documentation, "User Object" and "Image Formatting".

use serde_json::{Value, json};

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Endpoints, PLAIN, Recipe, Source, at, call};

const HOST: &str = "https://discord.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: "https://discord.com/api",
    endpoints: Endpoints::Fixed {
        authorize: at(HOST, "/api/oauth2/authorize"),
        token: at(HOST, "/api/oauth2/token"),
    },
    scopes: &["email", "identify"],
    pkce: true,
    source: Source::Calls(&[call("user", at(HOST, "/api/users/@me"))]),
    read,
    ..PLAIN
};

fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.get("user");
    let subject = id(&user["id"])?;
    let picture = picture(&subject, user);
    Some(
        Profile::new(answers.issuer, subject)
            .email(&user["email"], user["verified"] == true)
            .name(&name(user))
            .handle(&user["username"])
            .picture(&picture)
            .custom("global_name", &user["global_name"]),
    )
}

/// Returns `name#1234` for users who still have a discriminator; for new-style names it is 0.
fn name(user: &Value) -> Value {
    match (user["username"].as_str(), user["discriminator"].as_str()) {
        (Some(name), Some(number)) if number != "0" => json!(format!("{name}#{number}")),
        _ => user["username"].clone(),
    }
}

fn picture(subject: &str, user: &Value) -> Value {
    const CDN: &str = "https://cdn.discordapp.com";
    match user["avatar"].as_str() {
        Some(hash) => {
            let kind = if hash.starts_with("a_") { "gif" } else { "png" };
            json!(format!("{CDN}/avatars/{subject}/{hash}.{kind}"))
        }
        None => {
            let number = user["discriminator"].as_str().and_then(|n| n.parse::<u64>().ok());
            let index = match number {
                Some(number) if number > 0 => number % 5,
                _ => (subject.parse::<u64>().unwrap_or_default() >> 22) % 6,
            };
            json!(format!("{CDN}/embed/avatars/{index}.png"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn avatars_are_found_for_old_new_and_animated_ones() {
        let of = |user: Value| picture("80351110224678912", &user);
        let cdn = "https://cdn.discordapp.com";
        assert_eq!(
            of(json!({"avatar": "a_x"})),
            format!("{cdn}/avatars/80351110224678912/a_x.gif")
        );
        assert_eq!(of(json!({"discriminator": "1337"})), format!("{cdn}/embed/avatars/2.png"));
        assert_eq!(of(json!({"discriminator": "0"})), format!("{cdn}/embed/avatars/5.png"));
    }
}
