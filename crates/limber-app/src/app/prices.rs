//! Job prices. Nothing is submitted that costs more than the price the user has seen.

use limber_client::motion::DryRunAnswer;

use super::{App, Services, edits, videos};
use crate::{
    AppError, ErrorCode, Notice,
    library::ClipId,
    views::{Credits, EditRequest, RenderRequest},
};

/// Prices are multiples of a tenth of a credit.
const TENTH: f64 = 0.1;

impl App {
    /// Returns the price of an edit in credits.
    ///
    /// # Errors
    /// As [`Self::edit_clip`].
    pub async fn edit_price(&self, request: EditRequest) -> Result<Credits, AppError> {
        let services = self.services_of_signed_in()?;
        let (edit, ..) = self.motion_edit(&request)?;
        let told = services.motion.dry_run(&edit.to_process_request()).await;
        Ok(Credits(told.map_err(edits::explained)?.price))
    }

    /// Returns the price of a video in credits.
    ///
    /// # Errors
    /// As [`Self::render_video`].
    pub async fn video_price(&self, request: RenderRequest) -> Result<Credits, AppError> {
        let services = self.services_of_signed_in()?;
        Ok(Credits(self.dry_run_render(&services, &request).await?.price))
    }

    /// Asks the service for a dry run of a video.
    pub(super) async fn dry_run_render(
        &self,
        services: &Services,
        request: &RenderRequest,
    ) -> Result<DryRunAnswer, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(&request.clip.id)?)?;
        let render = self.render_job(request, &clip)?;
        services.motion.dry_run_render(&render).await.map_err(videos::refused)
    }
}

/// Checks that the price from a dry run does not exceed the accepted one.
pub(super) fn agree(told: &DryRunAnswer, agreed: Credits) -> Result<(), AppError> {
    if told.price < agreed.0 + TENTH / 2.0 {
        return Ok(());
    }
    let price = (told.price / TENTH).round() * TENTH;
    let price = format!("{price:.1}");
    let price = price.strip_suffix(".0").unwrap_or(&price);
    Err(AppError::new(ErrorCode::DearerThanAgreed, Notice::Dearer { price: price.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costing(price: f64) -> DryRunAnswer {
        let told = serde_json::json!({"price": price, "jobs": 1, "seed": "1"});
        serde_json::from_value(told).expect("an answer")
    }

    #[test]
    fn only_the_agreed_price_may_be_submitted() {
        for (price, agreed) in [(0.0, 0.0), (2.0, 2.0), (1.5, 2.0), (0.3, 0.1 + 0.2)] {
            assert_eq!(agree(&costing(price), Credits(agreed)), Ok(()), "{price} for {agreed}");
        }
        let refused = agree(&costing(2.5), Credits(2.0)).expect_err("the price is higher");
        assert_eq!(refused.code, ErrorCode::DearerThanAgreed);
        assert!(refused.message.text.contains("costs 2.5 credits"), "{}", refused.message);
        let refused = agree(&costing(8.0), Credits(0.0)).expect_err("no price was accepted");
        assert!(refused.message.text.contains("costs 8 credits"), "{}", refused.message);
    }
}
