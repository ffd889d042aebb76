/** Milliseconds since 1970, `from` inclusive and `until` exclusive; null is open. */
export type DateRange = { from: number | null; until: number | null };

export const periods = ["ever", "today", "week", "month", "between"] as const;
export type Period = (typeof periods)[number];

/**
 * The time span of a period in local time. `between` holds the first and last day, both inclusive,
 * in the format of date inputs (`2026-11-24`); an empty one is open.
 */
export function dateRange(period: Period, now: Date, between: { from: string; until: string }): DateRange {
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

/** The start of the day `days` after `now`. Days are not always 24 hours long. */
function dayAt(now: Date, days: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
}

function dayOf(field: string, days: number): number | null {
  const [year, month, day] = field.split("-").map(Number);
  if (!year || !month || !day) return null;
  return dayAt(new Date(year, month - 1, day), days);
}
