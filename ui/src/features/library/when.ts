/** Milliseconds since 1970: from the first, up to but not with the second; null has no end on that side. */
export type Span = { from: number | null; until: number | null };

export const periods = ["ever", "today", "week", "month", "between"] as const;
export type Period = (typeof periods)[number];

/**
 * The days that are meant, as they begin and end where this computer is. `between` goes from one day to
 * another, both included, as fields for dates have them (`2026-11-24`); empty ones leave that side open.
 */
export function span(period: Period, now: Date, between: { from: string; until: string }): Span {
  switch (period) {
    case "ever":
      return { from: null, until: null };
    case "today":
      return { from: dayAt(now, 0), until: null };
    case "week":
      return { from: dayAt(now, -6), until: null };
    case "month":
      return { from: dayAt(now, -29), until: null };
    case "between":
      return { from: dayOf(between.from, 0), until: dayOf(between.until, 1) };
  }
}

/** The beginning of a day, so many days after `now`. Days are not always 24 hours long. */
function dayAt(now: Date, days: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
}

function dayOf(field: string, days: number): number | null {
  const [year, month, day] = field.split("-").map(Number);
  if (!year || !month || !day) return null;
  return dayAt(new Date(year, month - 1, day), days);
}
