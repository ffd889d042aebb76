import { atMost, t } from "../texts";

/** A number of credits in words. */
export function creditWords(credits: number): string {
  const count = Math.round(credits * 100) / 100;
  return t("shared.credits", { count, rounded: atMost(count, 2) });
}
