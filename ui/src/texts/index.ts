import { createInstance, type TFunction } from "i18next";
import { de } from "./de";
import { en } from "./en";
import { language } from "./language.svelte";

export * from "./language.svelte";
export * from "./numbers";

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
// smaller and as strict, but fetches its plug-ins from a network while it builds, falls back
// silently and is meant to load the page anew; Fluent and svelte-i18n do not check keys, and
// svelte-i18n had no release for two years.
const texts = createInstance();
void texts.init({
  resources: { en: { texts: en }, de: { texts: de } },
  lng: "en",
  fallbackLng: "en",
  defaultNS: "texts",
  // a colon is part of our sentences, never of our keys
  nsSeparator: false,
  initAsync: false,
  // Svelte escapes whatever it puts into the page
  interpolation: { escapeValue: false },
  parseMissingKeyHandler: (key) => {
    throw new Error(`there is no text ${key}, or it was not told what to count`);
  },
});

// for names that begin with a capital and stand within a sentence
texts.services.formatter?.add("lowercase", (value: string) => value.toLowerCase());

const inLanguage = { en: texts.getFixedT("en"), de: texts.getFixedT("de") };

/** A text of the catalogue in the language of now; what shows it changes with the language. */
export const t = ((key: never, values: never) => inLanguage[language.now](key, values)) as TFunction;
