import { de } from "./de";
import { en } from "./en";
import type { Language } from "./language.svelte";
import type { Translation } from "./translation";

/** The texts of each language. */
export const catalogues: Record<Language, Translation<typeof en>> = { en, de };

type Texts = { readonly [name: string]: string | undefined | Texts };

/** For tests: all texts by key, such as `library.card.play`. */
export function flat(tree: Texts, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") found.set(`${prefix}${name}`, value);
    else if (value) for (const [key, text] of flat(value, `${prefix}${name}.`)) found.set(key, text);
  }
  return found;
}
