import type { ChangeKind, ClipShown } from "../../host";
import { changeWords } from "../../shared/changes";

export type Order = "newest" | "oldest" | "longest" | "shortest";

/** `>3s`, `<=90f`, also with spaces in between; seconds when no unit is given. */
const limit = /([<>]=?)\s*(\d+(?:\.\d+)?)\s*(s|f)?(?=\s|$)/gi;

/** The clips that have every word of a search in prompt, character or change, and its length. */
export function find(clips: ClipShown[], search: string, order: Order): ClipShown[] {
  const limits = [...search.matchAll(limit)].map(([, sign = "", number = "", unit = "s"]) => ({
    sign,
    number: Number(number),
    inFrames: unit.toLowerCase() === "f",
  }));
  const words = search.replace(limit, " ").toLowerCase().split(/\s+/).filter(Boolean);
  // thousands of clips share a handful of words
  const changes = new Map<ChangeKind, string>();
  const changeOf = ({ change }: ClipShown): string => {
    if (!change) return "";
    const known = changes.get(change) ?? changeWords(change) ?? "";
    changes.set(change, known);
    return known;
  };
  const found = clips.filter((clip) => {
    const text = `${clip.prompt} ${clip.characterName} ${changeOf(clip)}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      limits.every(({ sign, number, inFrames }) =>
        within(inFrames ? clip.frames : clip.frames / clip.fps, sign, number),
      )
    );
  });
  const { key, sign } = orders[order];
  return found
    .map((clip) => ({ clip, key: sign * key(clip) }))
    .sort((one, other) => one.key - other.key)
    .map(({ clip }) => clip);
}

function within(value: number, sign: string, number: number): boolean {
  switch (sign) {
    case ">":
      return value > number;
    case ">=":
      return value >= number;
    case "<":
      return value < number;
    default:
      return value <= number;
  }
}

const seconds = (clip: ClipShown): number => clip.frames / clip.fps;
const date = (clip: ClipShown): number => Date.parse(clip.madeAt);

const orders: Record<Order, { key: (clip: ClipShown) => number; sign: 1 | -1 }> = {
  newest: { key: date, sign: -1 },
  oldest: { key: date, sign: 1 },
  longest: { key: seconds, sign: -1 },
  shortest: { key: seconds, sign: 1 },
};
