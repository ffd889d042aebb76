import { formatCredits } from "../../shared/credits";
import { t } from "../../texts";

/** The label of the button, with the price if there is one. */
export function generateLabel(price: number): string {
  return price > 0 ? t("prompt.generateFor", { price: formatCredits(price) }) : t("prompt.generate");
}

/** Why the balance does not suffice and what to do, as a sentence; null if it does. */
export function balanceProblem(price: number, balance: number | null, variants: number): string | null {
  if (balance === null || price <= balance) return null;
  const advice = t(variants > 1 ? "prompt.fewer" : "prompt.askForMore");
  return t("prompt.tooDear", { price: formatCredits(price), balance: formatCredits(balance), advice });
}
