import { createInstance, type TFunction } from "i18next";
import { catalogues } from "./catalogue";
import type { en } from "./en";
import { language } from "./language.svelte";

export * from "./language.svelte";
export * from "./messages";
export * from "./numbers";
export * from "./memoize";

// Keys and arguments of every `t` are checked against the English catalogue.
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "texts";
    resources: { texts: typeof en };
    strictInterpolationChecks: true;
    strictKeyChecks: true;
  }
}

// Why i18next: it is maintained (a release every few weeks), MIT-licensed, has no dependencies and
// needs no `eval`, which the content security policy forbids; it counts by `Intl.PluralRules` and
// can change its language at run time. Its types check keys and arguments. Alternatives: Paraglide
// is smaller and as strict, but needs a compiler before anything can be checked, and is meant to
// reload the page for another language; Fluent and svelte-i18n do not check keys, and svelte-i18n
// had no release for two years. Version 26, because 27 requires a newer Node.js than we do.
const texts = createInstance();
void texts.init({
  resources: Object.fromEntries(Object.entries(catalogues).map(([name, texts]) => [name, { texts }])),
  lng: "en",
  fallbackLng: "en",
  defaultNS: "texts",
  // colons occur in our sentences, never in our keys
  nsSeparator: false,
  initAsync: false,
  // Svelte escapes whatever it inserts into the page
  interpolation: { escapeValue: false },
  parseMissingKeyHandler: (key) => {
    if (import.meta.env.DEV) throw new Error(`the text ${key} does not exist, or its count is missing`);
    return key;
  },
});

// for capitalised names within a sentence
texts.services.formatter?.add("lowercase", (value: string) => value.toLowerCase());

/** A text of the catalogue in the current language; reactive to changes of the language. */
export const t = ((key: never, values?: object): unknown =>
  texts.t(key, { ...values, lng: language.now })) as TFunction;
