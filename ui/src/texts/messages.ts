import type { Argument, Told } from "../host";
import { messages, terms } from "./de/messages";
import { language, type Language } from "./language.svelte";
import { atMost } from "./numbers";

/** A text of the catalogue, or what the app tells, which has words in every language by its code. */
export type Words = string | Told;

interface Speech {
  /** By code. */
  messages: Readonly<Record<string, string>>;
  /** Words of lists that come as arguments. */
  terms: Readonly<Record<string, string>>;
}

/** English words come with what is told. */
export const speeches: Partial<Record<Language, Speech>> = { de: { messages, terms } };

/** Arguments that are one of a few words; all others are names and what people wrote. */
const listed = new Set(["kept", "measure", "readAs", "refusal"]);

const places = /\{\{(\w+)\}\}/g;
const optional = /\[\[(.*?)\]\]/g;

function inserted(name: string, argument: Argument, speech: Speech): string {
  if (typeof argument === "number") return name.endsWith("Ms") ? atMost(argument / 1000, 1) : atMost(argument, 0);
  if (typeof argument === "string") return listed.has(name) ? (speech.terms[argument] ?? argument) : argument;
  return Array.isArray(argument) ? argument.join(", ") : inWords(argument);
}

/** What is told in another language; null where that language does not know the code or misses an argument. */
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
 * What the app told, in the language of now. What nobody has translated, such as a server's own words, and
 * codes of a newer server stay as they were told.
 */
export function inWords(words: Words): string {
  if (typeof words === "string") return words;
  const speech = speeches[language.now];
  return (speech && translated(words, speech)) ?? words.text;
}
