// Parts of a prompt that are missing from a clip, according to the messages of its job.

import type { Argument, Told } from "../host";
import { inWords, t } from "../texts";

/** The arguments of a message with the omitted words, by code; none if it has no such words. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
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
const lost: Readonly<Record<string, string>> = { first: "second", second: "first" };

export interface Omitted {
  /** Everything in one line. */
  line: string;
  /** One sentence per omission. */
  details: string[];
}

/** What was omitted; null if everything was used. */
export function omitted(told: readonly Told[]): Omitted | null {
  const those = told.filter((each) => namesOf(each) !== null);
  const [first] = those;
  if (!first) return null;
  const words = [...new Set(those.flatMap(wordsOf))].map((word) => t("shared.understood.quoted", { word }));
  const line = words.length ? t("shared.understood.passed", { words: words.join(", ") }) : inWords(first);
  return { line, details: those.map(inWords) };
}

function namesOf({ code, arguments: given }: Told): readonly string[] | null {
  if (code !== "contradiction") return Object.hasOwn(leftOut, code) ? (leftOut[code] ?? null) : null;
  const name = lost[String(given["kept"])];
  return name === undefined ? null : [name];
}

function wordsOf(told: Told): string[] {
  return (namesOf(told) ?? []).flatMap((name) => inText(told.arguments[name]));
}

function inText(argument: Argument | undefined): string[] {
  if (typeof argument === "string") return [argument];
  return Array.isArray(argument) ? argument : [];
}
