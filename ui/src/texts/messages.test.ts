import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import type { MessageView } from "../host";
import { messageText, language, messageCatalogues } from "./index";

/**
 * All message codes of the app with the names of their arguments; a test of the app updates the
 * list.
 */
const codes = JSON.parse(readFileSync("src/texts/codes.json", "utf8")) as Record<string, string[]>;
/** Sentences of other services, which are not translated. */
const { sentence: _, ...ours } = codes;

function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name))].sort();
}

/** Messages of a language that are missing, superfluous, or have other arguments. */
function faults(messages: Readonly<Record<string, string>>): string[] {
  const missing = Object.keys(ours).filter((code) => !messages[code]?.trim());
  const idle = Object.keys(messages).filter((code) => !Object.hasOwn(ours, code));
  const other = Object.entries(messages)
    .filter(([code, text]) => Object.hasOwn(ours, code) && namesIn(text).join() !== [...(ours[code] ?? [])].sort().join())
    .map(([code, text]) => `${code}: takes ${namesIn(text).join() || "nothing"} and gets ${ours[code]?.join() || "nothing"}`);
  return [...missing.map((code) => `${code}: says nothing`), ...idle.map((code) => `${code}: nobody tells that`), ...other];
}

function message(code: string, given: MessageView["arguments"], text: string): MessageView {
  return { code, arguments: given, text };
}

afterEach(() => language.choose("en"));

test.each(Object.entries(messageCatalogues))("every message is translated to %s with its arguments, and nothing else is", (_, { messages }) => {
  expect(Object.keys(ours).length).toBeGreaterThan(150);
  expect(faults(messages)).toEqual([]);
});

test("the check detects faults", () => {
  const { "clip-deleted": gone, ...others } = messageCatalogues.de?.messages ?? {};
  expect(gone).toBeDefined();
  const bad = { ...others, "never-said": "Das hat nie jemand gesagt.", "long-name": "Der Name ist zu lang." };
  expect(faults(bad)).toEqual([
    "clip-deleted: says nothing",
    "never-said: nobody tells that",
    "long-name: takes nothing and gets most",
  ]);
});

test("messages are translated into every language", () => {
  const doing = message("save-clip", {}, "save the clip");
  const full = message("disk-full", { doing }, "The disk is full, so Limber could not save the clip.");
  expect(messageText(full)).toBe("The disk is full, so Limber could not save the clip.");
  language.choose("de");
  expect(messageText(full)).toBe("Die Festplatte ist voll; es gelang nicht, den Clip zu speichern. Schaffe etwas Platz und versuche es noch einmal.");
  expect(messageText(message("long-name", { most: 60 }, ""))).toBe("Ein Name hat 1 bis 60 Zeichen.");
  const begun = message("only-beginning", { wantedMs: 1500, wholeMs: 6000 }, "");
  expect(messageText(begun)).toBe("In 1,5 Sekunden passt nur der Anfang; alles zusammen dauert etwa 6 Sekunden.");
  const longest = message("most-of-one", { action: "seconds", most: 50, measure: "seconds" }, "");
  expect(messageText(longest)).toBe("Eine Aktion geht über höchstens 50 Sekunden („seconds“).");
});

test("omits optional parts without an argument, and inserts user input unchanged", () => {
  language.choose("de");
  const near = message("unknown-word", { word: "wavs", nearest: ["wave", "walk"] }, "");
  expect(messageText(near)).toBe("Limber kennt „wavs“ noch nicht und hat es ausgelassen. Am nächsten liegen: wave, walk.");
  const odd = message("unknown-word", { word: "[[{{nearest}}]] $& {{word}}", nearest: [] }, "");
  expect(messageText(odd)).toBe("Limber kennt „[[{{nearest}}]] $& {{word}}“ noch nicht und hat es ausgelassen.");
});

test("describes contradictions and how they were resolved", () => {
  language.choose("de");
  const both = { first: "kneels", second: "sprints" };
  expect(messageText(message("contradiction", { ...both, kept: "second" }, ""))).toBe(
    "„kneels“ und „sprints“ widersprechen sich; nur das zweite wird ausgeführt.",
  );
  expect(messageText(message("contradiction", { ...both, event: 0, kept: "in-turn" }, ""))).toBe(
    "events[0]: „kneels“ und „sprints“ widersprechen sich; sie werden nacheinander ausgeführt.",
  );
});

test("describes what a hand of a character lacks", () => {
  language.choose("de");
  expect(messageText(message("fingers-missing", { side: "left" }, ""))).toBe(
    "Für die linke Hand wurden keine Fingergelenke gefunden: Ihre Finger bewegen sich nicht.",
  );
  expect(messageText(message("hand-missing", { side: "right" }, ""))).toBe(
    "Für die rechte Hand gibt es kein Gelenk: Das Mesh dort bewegt sich mit dem Unterarm.",
  );
});

test("shows messages without a translation in their original words", () => {
  language.choose("de");
  expect(messageText(message("sentence", { said: "A server's own words." }, "A server's own words."))).toBe("A server's own words.");
  expect(messageText(message("seen-in-a-dream", {}, "It was only a dream."))).toBe("It was only a dream.");
  expect(messageText(message("long-name", {}, "A name has 1 to 60 characters."))).toBe("A name has 1 to 60 characters.");
  expect(messageText("Ein Text des Katalogs.")).toBe("Ein Text des Katalogs.");
});
