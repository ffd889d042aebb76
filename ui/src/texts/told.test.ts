import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { inWords, language, told } from "./index";

/** Where what the window shows of the app is said. */
const speakers = ["crates/limber-app/src", "crates/limber-client/src", "crates/limber-local/src", "src-tauri/src"];

const sources = speakers.flatMap((folder) =>
  readdirSync(`../${folder}`, { recursive: true, encoding: "utf8" })
    // the test's own surroundings speak to nobody
    .filter((path) => path.endsWith(".rs") && !path.startsWith("testing"))
    .map((path) => readFileSync(`../${folder}/${path}`, "utf8")),
);

/** Literals of Rust, in one line, with `{}` for everything that is put in. */
function literals(source: string): string[] {
  const [code = ""] = source.split("#[cfg(test)]\nmod tests {");
  const spoken = code.replaceAll(/^\s*\/\/.*$/gm, "");
  return [...spoken.matchAll(/"((?:[^"\\]|\\[^])*)"/g)].map(([, text = ""]) =>
    text.replaceAll(/\\\n\s*/g, "").replaceAll(/\{[^{}]*\}/g, "{}"),
  );
}

/** As the app makes sentences of what a service says. */
function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1) + (/[.!?…]$/.test(words) ? "" : ".");
}

const all = new Set(sources.flatMap(literals));
const sentences = [...all].filter((text) => /^[A-Z“{].{18,}[.?!”]$/s.test(text) && text.includes(" "));

/** What a language says of what nobody tells, and what it does not say. */
function faults(language: Readonly<Record<string, string>>): string[] {
  const sayable = new Set([...all, ...[...all].map(sentence)]);
  const missing = sentences.filter((english) => !Object.hasOwn(language, english));
  const idle = Object.keys(language).filter((english) => !sayable.has(english));
  return [...missing.map((text) => `not translated: ${text}`), ...idle.map((text) => `told by nobody: ${text}`)];
}

afterEach(() => language.choose("en"));

test.each(Object.entries(told))("whatever the app tells is there in %s, and nothing else", (_, sentences) => {
  expect(sources.length).toBeGreaterThan(80);
  expect(faults(sentences)).toEqual([]);
});

test("the check finds what it is there for", () => {
  const { "This clip was deleted for good.": gone, ...others } = told.de ?? {};
  expect(gone).toBeDefined();
  expect(faults({ ...others, "This was never said.": "Das hat nie jemand gesagt." })).toEqual([
    "not translated: This clip was deleted for good.",
    "told by nobody: This was never said.",
  ]);
});

test("what changes in a sentence goes along, and is translated where it can be", () => {
  const full = "The disk is full, so Limber could not save the clip. Free some space and try again.";
  expect(inWords(full)).toBe(full);
  language.choose("de");
  expect(inWords(full)).toBe("Die Festplatte ist voll; es gelang nicht, den Clip zu speichern. Schaffe etwas Platz und versuche es noch einmal.");
  expect(inWords("A name has 1 to 60 characters.")).toBe("Ein Name hat 1 bis 60 Zeichen.");
  expect(inWords("A server's own words.")).toBe("A server's own words.");
});
