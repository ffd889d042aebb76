import type { Vocabulary } from "../../host";

/** What a chip adds to a prompt. */
export type Kind = "action" | "direction" | "side" | "speed" | "manner" | "count";

/** A text and where the caret stands in it. */
export interface Written {
  text: string;
  caret: number;
}

/** What parts a prompt into clauses, each of them one thing after or beside another. */
const between = /,?\s+(?:and\s+)?then(?=\s|$)|,|\s+(?:while|before|after)(?=\s|$)/gi;

/** The words of one kind, for their chips. */
export function wordsOf(vocabulary: Vocabulary, kind: Exclude<Kind, "action">): string[] {
  const { directions, sides, speeds, manners, counts } = vocabulary;
  return { direction: directions, side: sides, speed: speeds, manner: manners, count: counts }[kind];
}

/** Where the clause that the caret stands in begins and ends. */
function clauseAt(text: string, caret: number): { start: number; end: number } {
  let start = 0;
  for (const found of text.matchAll(between)) {
    if (found.index + found[0].length > caret) return { start, end: found.index };
    start = found.index + found[0].length;
  }
  return { start, end: text.length };
}

/**
 * Puts a chip's word where it belongs: an action begins a clause of its own, everything else ends
 * the clause that the caret stands in, in the place of what it had of the same kind.
 */
export function withWord(now: Written, kind: Kind, word: string, vocabulary: Vocabulary): Written {
  const { start, end } = clauseAt(now.text, now.caret);
  const before = now.text.slice(0, start);
  const clause = now.text.slice(start, end);
  const after = now.text.slice(end);
  const spelled = kind === "action" ? actAdded(clause, word) : modified(clause, wordsOf(vocabulary, kind), word);
  const gap = before && !/\s$/.test(before) && !/^[\s,]/.test(spelled.text) ? " " : "";
  const text = before + gap + spelled.text + after;
  return { text, caret: before.length + gap.length + spelled.caret };
}

function actAdded(clause: string, word: string): Written {
  const said = clause.trimEnd();
  const text = said.trim() === "" ? `${clause}${word}` : `${said}, then ${word}`;
  return { text, caret: text.length };
}

function modified(clause: string, same: string[], word: string): Written {
  const known = [...same].sort((one, other) => other.length - one.length);
  for (const each of known) {
    const [found] = find(clause, [each]);
    if (found) return replaced(clause, found, word);
  }
  const said = clause.trimEnd();
  const text = said.trim() === "" ? `${clause}${word}` : `${said} ${word}`;
  return { text, caret: text.length };
}

interface Found {
  index: number;
  words: string;
}

/** Where one of several words stands as a whole, whatever letters it has. */
function find(text: string, words: string[]): Found[] {
  const literal = words.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  // what stands before is a part of what is found: older web views cannot look back
  const whole = new RegExp(`(^|[^\\p{L}\\p{N}])(${literal})(?![\\p{L}\\p{N}])`, "giu");
  return [...text.matchAll(whole)].map((found) => ({
    index: found.index + (found[1]?.length ?? 0),
    words: found[2] ?? "",
  }));
}

function replaced(text: string, { index, words }: Found, word: string): Written {
  const upTo = text.slice(0, index) + word;
  return { text: upTo + text.slice(index + words.length), caret: upTo.length };
}

/** A piece of a text; `unknown` where its words are passed over. */
export interface Stretch {
  text: string;
  unknown: boolean;
}

/** A text cut where words begin and end that are passed over. */
export function stretches(text: string, skipped: string[]): Stretch[] {
  const wanted = skipped.filter((each) => each.trim() !== "");
  if (wanted.length === 0) return [{ text, unknown: false }];
  const pieces: Stretch[] = [];
  let last = 0;
  for (const { index, words } of find(text, wanted)) {
    if (index > last) pieces.push({ text: text.slice(last, index), unknown: false });
    pieces.push({ text: words, unknown: true });
    last = index + words.length;
  }
  if (last < text.length || pieces.length === 0) pieces.push({ text: text.slice(last), unknown: false });
  return pieces;
}

/** Which of the words that were passed over an action is nearest to; null when there are none. */
export function meantBy(action: string, skipped: string[]): string | null {
  const near = (word: string): number =>
    distance(word.toLowerCase(), action.toLowerCase()) / Math.max(word.length, action.length);
  return [...skipped].sort((one, other) => near(one) - near(other))[0] ?? null;
}

/** A text with an action in the place of a word that was passed over, or after everything. */
export function corrected(text: string, word: string | null, action: string): Written {
  const [found] = word === null ? [] : find(text, [word]);
  return found ? replaced(text, found, action) : actAdded(text, action);
}

/** How many letters to change, add or leave out, after Levenshtein. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  [...one].forEach((letter, line) => {
    const next = [line + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const same = letter === other[at - 1] ? 0 : 1;
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (row[at - 1] ?? 0) + same));
    }
    row = next;
  });
  return row.at(-1) ?? 0;
}
