import { expect, test } from "vitest";
import { catalogues, flat } from "./catalogue";
import { t } from "./index";

const { en, ...others } = catalogues;
const english = flat(en);
const translations = Object.entries(others).map(([name, texts]): [string, Map<string, string>] => [name, flat(texts)]);
const pluralForm = /_(zero|one|two|few|many|other)$/;

function argumentsOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)[^}]*\}\}/g)].map(([, name = ""]) => name))].sort();
}

/** Faults of a language compared with English. */
function faults(texts: Map<string, string>, language: string): string[] {
  const found: string[] = [];
  for (const [key, text] of english) {
    const translation = texts.get(key) ?? "";
    const [here, there] = [argumentsOf(text).join(), argumentsOf(translation).join()];
    if (here !== there) found.push(`${key}: takes ${there || "nothing"} where English takes ${here || "nothing"}`);
    if (text !== "" && translation.trim() === "") found.push(`${key}: says nothing`);
    if (translation !== translation.trim() || text !== text.trim()) found.push(`${key}: has a space at an end`);
    // a word may be identical, a sentence may not
    if (translation === text && text.replaceAll(/\{\{[^}]*\}\}/g, "").split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length > 2) found.push(`${key}: is still English`);
  }
  for (const key of texts.keys()) {
    if (!english.has(key) && !pluralForm.test(key)) found.push(`${key}: English has no such text`);
  }
  return [...found, ...missingForms(texts, language)];
}

/** Plural forms required by the language that a text lacks. */
function missingForms(texts: Map<string, string>, language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const counted = new Set([...texts.keys()].filter((key) => pluralForm.test(key)).map((key) => key.replace(pluralForm, "")));
  return [...counted].flatMap((base) =>
    forms.filter((form) => !texts.has(`${base}_${form}`)).map((form) => `${base}: has no form for “${form}”`),
  );
}

test("English has every plural form and no empty text", () => {
  expect(missingForms(english, "en")).toEqual([]);
  expect(english.size).toBeGreaterThan(400);
});

test.each(translations)("%s has all English texts with the same arguments", (name, texts) => {
  expect(faults(texts, name)).toEqual([]);
});

test("the check detects faults", () => {
  const bad = flat(catalogues.de);
  bad.set("library.noneFits", "Kein Clip passt.");
  bad.set("library.emptyTitle", "");
  bad.set("signIn.studio.here", english.get("signIn.studio.here") ?? "");
  bad.set("library.gone", "Weg");
  bad.delete("shared.clips_one");
  expect(faults(bad, "de").join("\n")).toMatch(
    /library\.emptyTitle: says nothing[^]*library\.noneFits: takes nothing[^]*signIn\.studio\.here: is still English[^]*library\.gone: English has no[^]*shared\.clips: has no form for “one”/,
  );
});

test("inserts user input unchanged, whatever characters it contains", () => {
  const odd = "<b> & $t(library.title) {{count}} $& “x”";
  expect(t("library.noneFits", { search: odd })).toBe(`No clip matches “${odd}”.`);
});

test("a plural text without a count does not show its key", () => {
  expect(() => t("shared.clips")).toThrow(/shared\.clips/);
});
