// Parts of a prompt that are missing from a clip, according to the messages of its job.

import type { Argument, MessageView } from "../host";
import { messageText, t } from "../texts";

/** The arguments of a message with the omitted words, by code; none if it has no such words. */
const argumentsByCode: Readonly<Record<string, readonly string[]>> = {
  "unknown-word": ["word"],
  "nothing-known": ["words"],
  "not-performed-yet": ["action"],
  "words-not-performed-yet": ["words"],
  "event-not-performed-yet": ["action"],
  "no-such-movement": ["action"],
  "legs-are-busy": ["action"],
  "left-out": ["field"],
  "number-out-of-range": ["words"],
  "most-actions": [],
  "one-person": [],
  "on-the-spot": [],
  "only-beginning": [],
};

/**
 * Of two contradicting parts, the one that was dropped, by the one that was kept. Parts performed
 * in sequence have no entry.
 */
const droppedPart: Readonly<Record<string, string>> = { first: "second", second: "first" };

export interface Omitted {
  /** Everything in one line. */
  line: string;
  /** One sentence per omission. */
  details: string[];
}

/** What was omitted; null if everything was used. */
export function omittedParts(messages: readonly MessageView[]): Omitted | null {
  const omissions = messages.filter((each) => omittedArgumentNames(each) !== null);
  const [first] = omissions;
  if (!first) return null;
  const words = [...new Set(omissions.flatMap(omittedWords))].map((word) => t("shared.understood.quoted", { word }));
  const line = words.length ? t("shared.understood.passed", { words: words.join(", ") }) : messageText(first);
  return { line, details: omissions.map(messageText) };
}

function omittedArgumentNames({ code, arguments: given }: MessageView): readonly string[] | null {
  if (code !== "contradiction") return Object.hasOwn(argumentsByCode, code) ? (argumentsByCode[code] ?? null) : null;
  const name = droppedPart[String(given["kept"])];
  return name === undefined ? null : [name];
}

function omittedWords(message: MessageView): string[] {
  return (omittedArgumentNames(message) ?? []).flatMap((name) => textsOf(message.arguments[name]));
}

function textsOf(argument: Argument | undefined): string[] {
  if (typeof argument === "string") return [argument];
  return Array.isArray(argument) ? argument : [];
}
