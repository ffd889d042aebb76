import type { ClipShown } from "../../host";

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
  const found = clips.filter((clip) => {
    const text = `${clip.prompt} ${clip.characterName} ${clip.change ?? ""}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      limits.every(({ sign, number, inFrames }) =>
        within(inFrames ? clip.frames : clip.frames / clip.fps, sign, number),
      )
    );
  });
  return found.sort(orders[order]);
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
const newer = (one: ClipShown, other: ClipShown): number =>
  Date.parse(other.madeAt) - Date.parse(one.madeAt);

const orders: Record<Order, (one: ClipShown, other: ClipShown) => number> = {
  newest: newer,
  oldest: (one, other) => newer(other, one),
  longest: (one, other) => seconds(other) - seconds(one),
  shortest: (one, other) => seconds(one) - seconds(other),
};
