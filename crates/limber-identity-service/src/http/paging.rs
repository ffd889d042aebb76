//! Pagination: the parameters `page` and `per_page`, and the headers by which clients find further
//! pages (identity behaviour, section 10).

use axum::http::{HeaderName, header};
use limber_api::identity::ErrorCode;

use super::answer::Answer;
use super::query::Query;
use crate::refusal::Refusal;

const DEFAULT_PER_PAGE: i64 = 50;
const MAX_PER_PAGE: i64 = 1000;

/// The `X-Total-Count` and `Link` headers.
pub(super) type PagingHeaders = [(HeaderName, String); 2];

/// The requested page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paging {
    number: i64,
    pub(super) limit: i64,
}

impl Paging {
    pub(super) fn read(query: &Query) -> Answer<Self> {
        let number = number(query, "page", 1)?;
        let limit = self::number(query, "per_page", DEFAULT_PER_PAGE)?.min(MAX_PER_PAGE);
        Ok(Self { number, limit })
    }

    pub(super) fn offset(self) -> i64 {
        (self.number - 1).saturating_mul(self.limit)
    }

    pub(super) fn headers(self, path: &str, total: i64) -> PagingHeaders {
        [
            (HeaderName::from_static("x-total-count"), total.to_string()),
            (header::LINK, self.links(path, total)),
        ]
    }

    /// Returns the `Link` header. The client reads what follows the first `=` of each link, so
    /// `page` comes first.
    fn links(self, path: &str, total: i64) -> String {
        let per_page = self.limit;
        let last = ((total + per_page - 1) / per_page).max(1);
        let link = |page: i64, rel: &str| {
            format!("<{path}?page={page}&per_page={per_page}>; rel=\"{rel}\"")
        };
        let next = (self.number < last).then(|| link(self.number + 1, "next"));
        next.into_iter().chain([link(last, "last")]).collect::<Vec<_>>().join(", ")
    }
}

fn number(query: &Query, name: &str, default: i64) -> Answer<i64> {
    let Some(text) = query.get(name) else { return Ok(default) };
    match text.parse::<i64>() {
        Ok(0) => Ok(default),
        Ok(number) if number > 0 => Ok(number),
        _ => {
            let text = format!("Bad Pagination Parameters: {name} must be a positive number");
            Err(Refusal::with_text(400, ErrorCode::ValidationFailed, text).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(number: i64, limit: i64, total: i64) -> String {
        Paging { number, limit }.links("/admin/users", total)
    }

    #[test]
    fn pagination_links_name_the_next_and_last_page() {
        assert_eq!(
            links(1, 10, 41),
            "</admin/users?page=2&per_page=10>; rel=\"next\", \
             </admin/users?page=5&per_page=10>; rel=\"last\""
        );
        assert_eq!(links(5, 10, 41), "</admin/users?page=5&per_page=10>; rel=\"last\"");
        assert_eq!(links(1, 50, 0), "</admin/users?page=1&per_page=50>; rel=\"last\"");
    }
}
