import type { ChangeKind, ClipView } from "../../host";
import { changeLabel } from "../../shared/change-kind";
import type { DateRange } from "./date-range";

export type SortOrder = "newest" | "oldest" | "longest" | "shortest";

/** Search criteria; absent ones match everything. */
export interface SearchCriteria {
  /** Words, and limits on the length. */
  words: string;
  tag?: string | null;
  /** When it was made. */
  madeWithin?: DateRange;
}

/** `>3s`, `<=90f`, also with spaces in between; in seconds if there is no unit. */
const limit = /([<>]=?)\s*(\d+(?:\.\d+)?)\s*(s|f)?(?=\s|$)/gi;

/**
 * Finds the clips that match the length, tag and date, and have every word in their name, prompt,
 * character, tags or change.
 */
export function searchClips(clips: ClipView[], { words: typed, tag, madeWithin }: SearchCriteria, order: SortOrder): ClipView[] {
  const limits = [...typed.matchAll(limit)].map(([, sign = "", number = "", unit = "s"]) => ({
    sign,
    number: Number(number),
    inFrames: unit.toLowerCase() === "f",
  }));
  const words = typed.replace(limit, " ").toLowerCase().split(/\s+/).filter(Boolean);
  // cached, because thousands of clips share a handful of values
  const changes = new Map<ChangeKind, string>();
  const changeOf = ({ change }: ClipView): string => {
    if (!change) return "";
    const known = changes.get(change) ?? changeLabel(change) ?? "";
    changes.set(change, known);
    return known;
  };
  const found = clips.filter((clip) => {
    if (tag && !clip.tags.some((each) => isSame(each, tag))) return false;
    if (madeWithin && !isWithin(clip, madeWithin)) return false;
    const text = `${clip.name ?? ""} ${clip.prompt} ${clip.characterName} ${changeOf(clip)} ${tagLabels(clip)}`.toLowerCase();
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

/** Returns `#client #take 2`; empty without tags. */
export function tagLabels({ tags }: ClipView): string {
  return tags.map((tag) => `#${tag}`).join(" ");
}

/** All tags with their numbers of clips, in alphabetical order. */
export function allTags(clips: readonly ClipView[]): { tag: string; count: number }[] {
  const counts = new Map<string, { tag: string; count: number }>();
  for (const tag of clips.flatMap((clip) => clip.tags)) {
    const key = tag.toLowerCase();
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { tag, count: 1 });
  }
  return [...counts.values()].sort((one, other) => one.tag.localeCompare(other.tag));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function isWithin(clip: ClipView, { from, until }: DateRange): boolean {
  const madeWithin = date(clip);
  return (from === null || madeWithin >= from) && (until === null || madeWithin < until);
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

const seconds = (clip: ClipView): number => clip.frames / clip.fps;
const date = (clip: ClipView): number => Date.parse(clip.madeAt);

const orders: Record<SortOrder, { key: (clip: ClipView) => number; sign: 1 | -1 }> = {
  newest: { key: date, sign: -1 },
  oldest: { key: date, sign: 1 },
  longest: { key: seconds, sign: -1 },
  shortest: { key: seconds, sign: 1 },
};
