//! Sign-in through providers with the JavaScript client that integrators use.

use serde_json::json;

use super::cases_a_to_g::{gitlab, google};
use super::stand_in::StandIn;
use crate::clients::{CLIENTS, installed, travel};
use crate::service::TestService;

#[tokio::test]
async fn the_javascript_client_signs_in_links_unlinks_and_uses_id_tokens() {
    for client in CLIENTS.into_iter().filter(|client| installed(client)) {
        let (gitlab, google) = (StandIn::start(gitlab()).await, StandIn::start(google()).await);
        let service = TestService::start_with(|config| {
            gitlab.enable(config);
            google.enable(config);
            config.external.manual_linking = true;
        })
        .await;
        service.clock.run();
        let address = service.base.as_str().trim_end_matches('/');
        let given = json!({"service": address, "idToken": google.id_token(json!({}))});
        travel("providers", client, &given).await;
    }
}
