import type { Argument, Told } from "../host";
import { messages, terms } from "./de/messages";
import { language, type Language } from "./language.svelte";
import { atMost } from "./numbers";

/** A text of the catalogue, or a message of the app, which is translated by its code. */
export type Words = string | Told;

interface Speech {
  /** Messages by code. */
  messages: Readonly<Record<string, string>>;
  /** Translations of terms that occur as arguments. */
  terms: Readonly<Record<string, string>>;
}

/** English is missing because messages contain their English text. */
export const speeches: Partial<Record<Language, Speech>> = { de: { messages, terms } };

/** Arguments from a fixed list of terms; all others are names and user texts. */
const listed = new Set(["kept", "measure", "readAs", "refusal"]);

const places = /\{\{(\w+)\}\}/g;
const optional = /\[\[(.*?)\]\]/g;

function inserted(name: string, argument: Argument, speech: Speech): string {
  if (typeof argument === "number") return name.endsWith("Ms") ? atMost(argument / 1000, 1) : atMost(argument, 0);
  if (typeof argument === "string") return listed.has(name) ? (speech.terms[argument] ?? argument) : argument;
  return Array.isArray(argument) ? argument.join(", ") : inWords(argument);
}

/** The translation of a message; null if the language lacks the code or an argument is missing. */
function translated({ code, arguments: given }: Told, speech: Speech): string | null {
  const pattern = Object.hasOwn(speech.messages, code) ? speech.messages[code] : undefined;
  if (pattern === undefined) return null;
  const isThere = (name: string): boolean => Object.hasOwn(given, name) && given[name] !== "" && given[name]?.toString() !== "";
  const names = (text: string): string[] => [...text.matchAll(places)].map(([, name = ""]) => name);
  const text = pattern.replace(optional, (_, part: string) => (names(part).every(isThere) ? part : ""));
  if (!names(text).every((name) => Object.hasOwn(given, name))) return null;
  return text.replace(places, (_, name: string) => inserted(name, given[name] ?? "", speech));
}

/**
 * A message in the current language. Without a translation, such as for a server's own words or
 * codes of a newer server, the original text is used.
 */
export function inWords(words: Words): string {
  if (typeof words === "string") return words;
  const speech = speeches[language.now];
  return (speech && translated(words, speech)) ?? words.text;
}
