import type { ClipView } from "../../host";
import { expect, test } from "vitest";
import { exampleClip } from "../../host/fake-examples";
import { allTags, searchClips } from "./search";

const clips: ClipView[] = [
  { ...exampleClip(1), id: "jump", tags: ["Client", "take 2"], prompt: "Jumps twice", characterName: "Bruno", frames: 120, fps: 30, madeAt: "2026-01-01T10:00:00Z" },
  { ...exampleClip(1), id: "walk", tags: ["client"], prompt: "Walks forward", characterName: "Ada", frames: 90, fps: 30, madeAt: "2026-01-01T12:00:00Z" },
  { ...exampleClip(1), id: "loop", tags: [], prompt: "Walks forward", characterName: "Ada", change: "looped", frames: 240, fps: 24, madeAt: "2026-01-01T11:00:00Z" },
];
const ids = (search: string, order = "newest" as const) => searchClips(clips, { words: search }, order).map((clip) => clip.id);

test("every word has to be in the prompt, the character or the change", () => {
  expect(ids("forward ada")).toEqual(["walk", "loop"]);
  expect(ids("WALKS looped")).toEqual(["loop"]);
  expect(ids("walks bruno")).toEqual([]);
});

test("compares lengths in seconds or frames", () => {
  expect(ids(">3s")).toEqual(["loop", "jump"]);
  expect(ids(">= 3 <5s")).toEqual(["walk", "jump"]);
  expect(ids("walks <100f")).toEqual(["walk"]);
});

test("sorts clips by date or length", () => {
  expect(searchClips(clips, { words: "" }, "oldest").map((clip) => clip.id)).toEqual(["jump", "loop", "walk"]);
  expect(searchClips(clips, { words: "" }, "longest").map((clip) => clip.id)).toEqual(["loop", "jump", "walk"]);
  expect(searchClips(clips, { words: "" }, "shortest").map((clip) => clip.id)).toEqual(["walk", "jump", "loop"]);
});

test("finds tags by words, and filters by one of them", () => {
  expect(ids("#client twice")).toEqual(["jump"]);
  expect(searchClips(clips, { words: "", tag: "CLIENT" }, "newest").map((clip) => clip.id)).toEqual(["walk", "jump"]);
  expect(allTags(clips)).toEqual([
    { tag: "Client", count: 2 },
    { tag: "take 2", count: 1 },
  ]);
});

test("a date range may be open at either end", () => {
  const from = Date.parse("2026-01-01T11:00:00Z");
  const until = Date.parse("2026-01-01T12:00:00Z");
  const madeWithin = (from: number | null, until: number | null) =>
    searchClips(clips, { words: "", madeWithin: { from, until } }, "oldest").map((clip) => clip.id);
  expect(madeWithin(from, until)).toEqual(["loop"]);
  expect(madeWithin(from, null)).toEqual(["loop", "walk"]);
  expect(madeWithin(null, from)).toEqual(["jump"]);
});
