// Ignored words of a prompt, and their replacements.

/** A text with the position of the caret. */
export interface TextWithCaret {
  text: string;
  caret: number;
}

interface WordMatch {
  index: number;
  words: string;
}

/** Finds all whole-word occurrences of any of these words, in any script. */
export function findWords(text: string, words: string[]): WordMatch[] {
  const literal = words.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  // the preceding character is matched because older web views lack lookbehind
  const whole = new RegExp(`(^|[^\\p{L}\\p{N}])(${literal})(?![\\p{L}\\p{N}])`, "giu");
  return [...text.matchAll(whole)].map((found) => ({
    index: found.index + (found[1]?.length ?? 0),
    words: found[2] ?? "",
  }));
}

/** Replaces what was found by another word. */
export function replaceWord(text: string, { index, words }: WordMatch, word: string): TextWithCaret {
  const upTo = text.slice(0, index) + word;
  return { text: upTo + text.slice(index + words.length), caret: upTo.length };
}

/** A piece of a text; `unknown` if its words are ignored. */
export interface TextSegment {
  text: string;
  unknown: boolean;
}

/** Splits a text into ignored words and the rest. */
export function splitAtIgnored(text: string, skipped: string[]): TextSegment[] {
  const wanted = skipped.filter((each) => each.trim() !== "");
  if (wanted.length === 0) return [{ text, unknown: false }];
  const pieces: TextSegment[] = [];
  let last = 0;
  for (const { index, words } of findWords(text, wanted)) {
    if (index > last) pieces.push({ text: text.slice(last, index), unknown: false });
    pieces.push({ text: words, unknown: true });
    last = index + words.length;
  }
  if (last < text.length || pieces.length === 0) pieces.push({ text: text.slice(last), unknown: false });
  return pieces;
}

/** Appends an action to a text. */
export function appendAction(clause: string, word: string): TextWithCaret {
  const trimmed = clause.trimEnd();
  const text = trimmed.trim() === "" ? `${clause}${word}` : `${trimmed}, then ${word}`;
  return { text, caret: text.length };
}

/** The ignored word most similar to an action; null if there is none. */
export function mostSimilarIgnored(action: string, skipped: string[]): string | null {
  const near = (word: string): number =>
    distance(word.toLowerCase(), action.toLowerCase()) / Math.max(word.length, action.length);
  return [...skipped].sort((one, other) => near(one) - near(other))[0] ?? null;
}

/** Replaces an ignored word by an action, or appends the action. */
export function replaceIgnored(text: string, word: string | null, action: string): TextWithCaret {
  const [found] = word === null ? [] : findWords(text, [word]);
  return found ? replaceWord(text, found, action) : appendAction(text, action);
}

/** Levenshtein distance. */
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
