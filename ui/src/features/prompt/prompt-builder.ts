import type { Vocabulary } from "../../host";
import { appendAction, findWords, replaceWord, type TextWithCaret } from "../../shared/ignored-words";

/** Kinds of words that chips add to a prompt. */
export type Kind = "action" | "direction" | "side" | "speed" | "manner" | "count";

/** Separators of clauses. */
const between = /,?\s+(?:and\s+)?then(?=\s|$)|,|\s+(?:while|before|after)(?=\s|$)/gi;

/** The words of one kind, for their chips. */
export function wordsOf(vocabulary: Vocabulary, kind: Exclude<Kind, "action">): string[] {
  const { directions, sides, speeds, manners, counts } = vocabulary;
  return { direction: directions, side: sides, speed: speeds, manner: manners, count: counts }[kind];
}

/** The start and end of the clause at the caret. */
function clauseAt(text: string, caret: number): { start: number; end: number } {
  let start = 0;
  for (const found of text.matchAll(between)) {
    if (found.index + found[0].length > caret) return { start, end: found.index };
    start = found.index + found[0].length;
  }
  return { start, end: text.length };
}

/**
 * Inserts a chip's word: an action starts a clause of its own; any other word is appended to the
 * clause at the caret and replaces a word of the same kind.
 */
export function withWord(now: TextWithCaret, kind: Kind, word: string, vocabulary: Vocabulary): TextWithCaret {
  const { start, end } = clauseAt(now.text, now.caret);
  const before = now.text.slice(0, start);
  const clause = now.text.slice(start, end);
  const after = now.text.slice(end);
  const spelled = kind === "action" ? appendAction(clause, word) : modified(clause, wordsOf(vocabulary, kind), word);
  const gap = before && !/\s$/.test(before) && !/^[\s,]/.test(spelled.text) ? " " : "";
  const text = before + gap + spelled.text + after;
  return { text, caret: before.length + gap.length + spelled.caret };
}

function modified(clause: string, same: string[], word: string): TextWithCaret {
  const known = [...same].sort((one, other) => other.length - one.length);
  for (const each of known) {
    const [found] = findWords(clause, [each]);
    if (found) return replaceWord(clause, found, word);
  }
  const trimmed = clause.trimEnd();
  const text = trimmed.trim() === "" ? `${clause}${word}` : `${trimmed} ${word}`;
  return { text, caret: text.length };
}
