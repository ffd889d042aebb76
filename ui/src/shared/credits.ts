import { formatNumberUpTo, t } from "../texts";

/** A number of credits in words. */
export function formatCredits(credits: number): string {
  const count = Math.round(credits * 100) / 100;
  return t("shared.credits", { count, rounded: formatNumberUpTo(count, 2) });
}
