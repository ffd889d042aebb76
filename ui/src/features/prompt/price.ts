import { creditWords } from "../../shared/credits";

/** What the button says: what it does, and what that costs. */
export function generateWords(price: number): string {
  return price > 0 ? `Generate · ${creditWords(price)}` : "Generate";
}

/** Why something cannot be afforded and what to do, as a sentence; null when it can. */
export function tooDear(price: number, balance: number | null): string | null {
  if (balance === null || price <= balance) return null;
  return `This costs ${creditWords(price)} and you have ${creditWords(balance)}. Choose fewer variants, or ask your operator for more.`;
}
