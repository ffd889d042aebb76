import { createInstance, type TFunction } from "i18next";
import { catalogues } from "./catalogue";
import type { en } from "./en";
import { language } from "./language.svelte";

export * from "./language.svelte";
export * from "./messages";
export * from "./numbers";
export * from "./remembering";

// Keys and arguments of every `t` are checked against the English catalogue.
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "texts";
    resources: { texts: typeof en };
    strictInterpolationChecks: true;
    strictKeyChecks: true;
  }
}

// i18next, because it is kept up (a release every few weeks), MIT, without dependencies and without
// `eval`, which the window's content policy forbids; it counts by `Intl.PluralRules` and changes
// its language while it runs. Its types check keys and arguments. What was weighed: Paraglide is
// smaller and as strict, but has a compiler to run before anything can be checked, and is meant to
// load the page anew for another language; Fluent and svelte-i18n do not check keys, and svelte-i18n
// had no release for two years. 26, because 27 asks for a newer Node.js than we do.
const texts = createInstance();
void texts.init({
  resources: Object.fromEntries(Object.entries(catalogues).map(([name, texts]) => [name, { texts }])),
  lng: "en",
  fallbackLng: "en",
  defaultNS: "texts",
  // a colon is part of our sentences, never of our keys
  nsSeparator: false,
  initAsync: false,
  // Svelte escapes whatever it puts into the page
  interpolation: { escapeValue: false },
  parseMissingKeyHandler: (key) => {
    if (import.meta.env.DEV) throw new Error(`there is no text ${key}, or it was not told what to count`);
    return key;
  },
});

// for names that begin with a capital and stand within a sentence
texts.services.formatter?.add("lowercase", (value: string) => value.toLowerCase());

/** A text of the catalogue in the language of now; what shows it changes with the language. */
export const t = ((key: never, values?: object): unknown =>
  texts.t(key, { ...values, lng: language.now })) as TFunction;
