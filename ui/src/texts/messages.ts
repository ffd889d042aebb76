import type { Argument, MessageView } from "../host";
import { messages, terms } from "./de/messages";
import { language, type Language } from "./language.svelte";
import { formatNumberUpTo } from "./numbers";

/** A text of the catalogue, or a message of the app, which is translated by its code. */
export type MessageText = string | MessageView;

interface MessageCatalogue {
  /** Messages by code. */
  messages: Readonly<Record<string, string>>;
  /** Translations of terms that occur as arguments. */
  terms: Readonly<Record<string, string>>;
}

/** English is missing because messages contain their English text. */
export const messageCatalogues: Partial<Record<Language, MessageCatalogue>> = { de: { messages, terms } };

/** Arguments from a fixed list of terms; all others are names and user texts. */
const listed = new Set(["kept", "measure", "readAs", "refusal", "side"]);

const places = /\{\{(\w+)\}\}/g;
const optional = /\[\[(.*?)\]\]/g;

function inserted(name: string, argument: Argument, catalogue: MessageCatalogue): string {
  if (typeof argument === "number") return name.endsWith("Ms") ? formatNumberUpTo(argument / 1000, 1) : formatNumberUpTo(argument, 0);
  if (typeof argument === "string") return listed.has(name) ? (catalogue.terms[argument] ?? argument) : argument;
  return Array.isArray(argument) ? argument.join(", ") : messageText(argument);
}

/** The translation of a message; null if the language lacks the code or an argument is missing. */
function translated({ code, arguments: given }: MessageView, catalogue: MessageCatalogue): string | null {
  const pattern = Object.hasOwn(catalogue.messages, code) ? catalogue.messages[code] : undefined;
  if (pattern === undefined) return null;
  const isThere = (name: string): boolean => Object.hasOwn(given, name) && given[name] !== "" && given[name]?.toString() !== "";
  const names = (text: string): string[] => [...text.matchAll(places)].map(([, name = ""]) => name);
  const text = pattern.replace(optional, (_, part: string) => (names(part).every(isThere) ? part : ""));
  if (!names(text).every((name) => Object.hasOwn(given, name))) return null;
  return text.replace(places, (_, name: string) => inserted(name, given[name] ?? "", catalogue));
}

/**
 * A message in the current language. Without a translation, such as for a server's own words or
 * codes of a newer server, the original text is used.
 */
export function messageText(words: MessageText): string {
  if (typeof words === "string") return words;
  const catalogue = messageCatalogues[language.now];
  return (catalogue && translated(words, catalogue)) ?? words.text;
}
