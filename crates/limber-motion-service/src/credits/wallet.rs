//! An account's wallet, and all operations that change it.
//!
//! Double-entry bookkeeping: each change is an [`Entry`] whose postings add up to zero, and the
//! wallet's balances are the sums of its postings. No balance ever falls below zero.

use limber_api::motion::BillingPeriod;

/// Tenths of a credit.
pub(crate) type Tenths = i64;

/// An account in the bookkeeping sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Book {
    /// The counter-account: source of grants, destination of expired credits.
    Outside,
    /// Unspent credits of the current period's plan.
    Plan,
    /// Unspent credits that do not expire.
    Bought,
    /// Plan credits reserved for unfinished jobs.
    HeldPlan,
    /// Non-expiring credits reserved for unfinished jobs.
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

/// Reason for an entry.
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

/// One transaction: the change of each book, adding up to zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: EntryKind,
    /// At most one posting per book; none is zero.
    pub(crate) postings: Vec<(Book, Tenths)>,
}

/// The balances of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wallet {
    pub(crate) allotment: Tenths,
    pub(crate) period: BillingPeriod,
    pub(crate) plan: Tenths,
    pub(crate) bought: Tenths,
    pub(crate) held_plan: Tenths,
    pub(crate) held_bought: Tenths,
}

/// Credits reserved for one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) plan: Tenths,
    pub(crate) bought: Tenths,
    /// Start of the billing period that the plan credits belong to.
    pub(crate) period_start: i64,
}

/// The balance is too low.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Short {
    pub(crate) required: Tenths,
    pub(crate) available: Tenths,
}

impl Wallet {
    /// Returns a wallet without credits.
    pub(crate) const fn empty(period: BillingPeriod) -> Self {
        Self { allotment: 0, period, plan: 0, bought: 0, held_plan: 0, held_bought: 0 }
    }

    /// Returns the credits that can be spent now.
    pub(crate) const fn spendable(&self) -> Tenths {
        self.plan + self.bought
    }

    /// Returns the credits reserved for unfinished jobs.
    pub(crate) const fn held(&self) -> Tenths {
        self.held_plan + self.held_bought
    }

    /// Applies the postings and returns the entry; `None` if all of them are zero.
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

    /// Starts `period` if the current one has ended: unspent plan credits expire and the new
    /// allotment is granted.
    pub(crate) fn turn(&mut self, now_ms: i64, period: BillingPeriod) -> Vec<Entry> {
        if now_ms < self.period.end {
            return Vec::new();
        }
        self.period = period;
        self.refill()
    }

    /// Switches to a new allotment, effective immediately.
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

    /// Grants credits that do not expire. A negative amount removes them, down to zero. Reserved
    /// credits are removed last; jobs that relied on them fail when they are charged.
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

    /// Splits a price into plan credits and non-expiring ones. Plan credits go first, because they
    /// expire.
    const fn split(&self, price: Tenths) -> Result<(Tenths, Tenths), Short> {
        let available = self.spendable();
        if price > available {
            return Err(Short { required: price, available });
        }
        let plan = if price < self.plan { price } else { self.plan };
        Ok((plan, price - plan))
    }

    /// Reserves the price of a job.
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

    /// Charges the cost of a job, at most what was reserved, and releases the rest. Returns
    /// [`Short`] and releases everything if the operator has removed the reserved credits.
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
            // the period for which these plan credits were granted is over
            let expire = [(Book::Plan, -left), (Book::Outside, left)];
            entries.extend(self.post(EntryKind::Expire, &expire));
        }
        (entries, paid)
    }

    /// Charges immediately, without a reservation.
    pub(crate) fn pay(&mut self, price: Tenths) -> Result<Option<Entry>, Short> {
        let (plan, bought) = self.split(price)?;
        let moves = [(Book::Plan, -plan), (Book::Bought, -bought), (Book::Spent, price)];
        Ok(self.post(EntryKind::Charge, &moves))
    }
}

#[cfg(test)]
mod tests;
