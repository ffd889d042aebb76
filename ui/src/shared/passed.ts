// Words of a prompt that are passed over, and what may stand in their place.

/** A text and where the caret stands in it. */
export interface Written {
  text: string;
  caret: number;
}

interface Found {
  index: number;
  words: string;
}

/** Where one of several words stands as a whole, whatever letters it has. */
export function find(text: string, words: string[]): Found[] {
  const literal = words.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  // what stands before is a part of what is found: older web views cannot look back
  const whole = new RegExp(`(^|[^\\p{L}\\p{N}])(${literal})(?![\\p{L}\\p{N}])`, "giu");
  return [...text.matchAll(whole)].map((found) => ({
    index: found.index + (found[1]?.length ?? 0),
    words: found[2] ?? "",
  }));
}

/** A text with another word in the place of what was found. */
export function replaced(text: string, { index, words }: Found, word: string): Written {
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

/** A text with an action after everything. */
export function actAdded(clause: string, word: string): Written {
  const said = clause.trimEnd();
  const text = said.trim() === "" ? `${clause}${word}` : `${said}, then ${word}`;
  return { text, caret: text.length };
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
