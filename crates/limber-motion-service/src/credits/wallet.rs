//! What an account can spend, and every way in which that changes.
//!
//! Double entry: each change is an [`Entry`] whose postings add up to nothing, and a wallet is what
//! its entries' postings add up to. Whatever happens, no book of an account falls below zero.

use limber_api::motion::BillingPeriod;

/// Tenths of a credit.
pub(crate) type Tenths = i64;

/// Where credits lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Book {
    /// Where grants come from, and where what expires goes.
    Outside,
    /// What is left of the period's allotment.
    Plan,
    /// Granted for good.
    Bought,
    /// Of the plan's, held for unfinished jobs.
    HeldPlan,
    /// Of those granted for good, held for unfinished jobs.
    HeldBought,
    Spent,
}

impl Book {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::Plan => "plan",
            Self::Bought => "bought",
            Self::HeldPlan => "held_plan",
            Self::HeldBought => "held_bought",
            Self::Spent => "spent",
        }
    }
}

/// Why credits moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum EntryKind {
    Grant,
    Reserve,
    Release,
    Charge,
    Expire,
}

impl EntryKind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Reserve => "reserve",
            Self::Release => "release",
            Self::Charge => "charge",
            Self::Expire => "expire",
        }
    }
}

/// One movement of credits: what each book gains, adding up to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: EntryKind,
    /// Each book at most once; no zeros.
    pub(crate) postings: Vec<(Book, Tenths)>,
}

/// An account's books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wallet {
    pub(crate) allotment: Tenths,
    pub(crate) period: BillingPeriod,
    pub(crate) plan: Tenths,
    pub(crate) bought: Tenths,
    pub(crate) held_plan: Tenths,
    pub(crate) held_bought: Tenths,
}

/// What one job holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) plan: Tenths,
    pub(crate) bought: Tenths,
    /// The beginning of the period whose credits these are.
    pub(crate) period_start: i64,
}

/// There is not enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Short {
    pub(crate) required: Tenths,
    pub(crate) available: Tenths,
}

impl Wallet {
    /// Nothing yet.
    pub(crate) const fn empty(period: BillingPeriod) -> Self {
        Self { allotment: 0, period, plan: 0, bought: 0, held_plan: 0, held_bought: 0 }
    }

    /// What can be spent now.
    pub(crate) const fn spendable(&self) -> Tenths {
        self.plan + self.bought
    }

    /// What unfinished jobs hold.
    pub(crate) const fn held(&self) -> Tenths {
        self.held_plan + self.held_bought
    }

    /// Moves credits and answers the entry; `None` when nothing moves.
    fn post(&mut self, kind: EntryKind, moves: &[(Book, Tenths)]) -> Option<Entry> {
        let postings: Vec<(Book, Tenths)> =
            moves.iter().copied().filter(|(_, tenths)| *tenths != 0).collect();
        for (book, tenths) in &postings {
            match book {
                Book::Plan => self.plan += tenths,
                Book::Bought => self.bought += tenths,
                Book::HeldPlan => self.held_plan += tenths,
                Book::HeldBought => self.held_bought += tenths,
                Book::Outside | Book::Spent => {}
            }
        }
        (!postings.is_empty()).then_some(Entry { kind, postings })
    }

    /// Begins the period `now` is in, if the last one is over: what is left of the plan expires,
    /// the allotment is granted.
    pub(crate) fn turn(&mut self, now_ms: i64, period: BillingPeriod) -> Vec<Entry> {
        if now_ms < self.period.end {
            return Vec::new();
        }
        self.period = period;
        self.refill()
    }

    /// Another plan, from now on.
    pub(crate) fn change_plan(&mut self, allotment: Tenths) -> Vec<Entry> {
        self.allotment = allotment;
        self.refill()
    }

    fn refill(&mut self) -> Vec<Entry> {
        let (left, fresh) = (self.plan, self.allotment);
        let expired = self.post(EntryKind::Expire, &[(Book::Plan, -left), (Book::Outside, left)]);
        let granted = self.post(EntryKind::Grant, &[(Book::Outside, -fresh), (Book::Plan, fresh)]);
        expired.into_iter().chain(granted).collect()
    }

    /// Gives credits for good. Less than nothing takes them away, as far as there are any; what jobs
    /// hold goes last, and such jobs fail in the end.
    pub(crate) fn grant(&mut self, tenths: Tenths) -> Option<Entry> {
        if tenths >= 0 {
            return self
                .post(EntryKind::Grant, &[(Book::Outside, -tenths), (Book::Bought, tenths)]);
        }
        let mut wanted = tenths.saturating_neg();
        let mut from = |book, there: Tenths| {
            let taken = wanted.min(there);
            wanted -= taken;
            (book, -taken)
        };
        let mut moves = vec![
            from(Book::Bought, self.bought),
            from(Book::Plan, self.plan),
            from(Book::HeldBought, self.held_bought),
            from(Book::HeldPlan, self.held_plan),
        ];
        let taken: Tenths = moves.iter().map(|(_, tenths)| tenths).sum();
        moves.push((Book::Outside, -taken));
        self.post(EntryKind::Grant, &moves)
    }

    /// Splits a price: the plan's credits go first, because they expire.
    const fn split(&self, price: Tenths) -> Result<(Tenths, Tenths), Short> {
        let available = self.spendable();
        if price > available {
            return Err(Short { required: price, available });
        }
        let plan = if price < self.plan { price } else { self.plan };
        Ok((plan, price - plan))
    }

    /// Holds the price of a job back.
    pub(crate) fn hold(&mut self, price: Tenths) -> Result<(Held, Option<Entry>), Short> {
        let (plan, bought) = self.split(price)?;
        let moves = [
            (Book::Plan, -plan),
            (Book::Bought, -bought),
            (Book::HeldPlan, plan),
            (Book::HeldBought, bought),
        ];
        let entry = self.post(EntryKind::Reserve, &moves);
        Ok((Held { plan, bought, period_start: self.period.start }, entry))
    }

    /// Charges what a job cost, at most what it holds, and gives the rest back. [`Short`], and
    /// everything is given back, when the operator took away what was held.
    pub(crate) fn settle(
        &mut self,
        held: Held,
        cost: Tenths,
    ) -> (Vec<Entry>, Result<Tenths, Short>) {
        let cost = cost.clamp(0, held.plan + held.bought);
        let (plan, bought) = (held.plan.min(self.held_plan), held.bought.min(self.held_bought));
        let paid = if cost <= plan + bought {
            Ok(cost)
        } else {
            Err(Short { required: cost, available: plan + bought })
        };
        let charged = paid.unwrap_or(0);
        let of_plan = charged.min(plan);
        let of_bought = charged - of_plan;
        let mut entries = Vec::new();
        let charge =
            [(Book::HeldPlan, -of_plan), (Book::HeldBought, -of_bought), (Book::Spent, charged)];
        entries.extend(self.post(EntryKind::Charge, &charge));
        let (left, back) = (plan - of_plan, bought - of_bought);
        let release = [
            (Book::HeldPlan, -left),
            (Book::HeldBought, -back),
            (Book::Plan, left),
            (Book::Bought, back),
        ];
        entries.extend(self.post(EntryKind::Release, &release));
        if held.period_start != self.period.start {
            // the period these were granted for is over
            let expire = [(Book::Plan, -left), (Book::Outside, left)];
            entries.extend(self.post(EntryKind::Expire, &expire));
        }
        (entries, paid)
    }

    /// Charges at once.
    pub(crate) fn pay(&mut self, price: Tenths) -> Result<Option<Entry>, Short> {
        let (plan, bought) = self.split(price)?;
        let moves = [(Book::Plan, -plan), (Book::Bought, -bought), (Book::Spent, price)];
        Ok(self.post(EntryKind::Charge, &moves))
    }
}

#[cfg(test)]
mod tests;
