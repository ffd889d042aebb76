import type { ClipShown } from "../../host";
import { expect, test } from "vitest";
import { exampleClip } from "../../host/fake-examples";
import { allTags, find } from "./find";

const clips: ClipShown[] = [
  { ...exampleClip(1), id: "jump", tags: ["Client", "take 2"], prompt: "Jumps twice", characterName: "Bruno", frames: 120, fps: 30, madeAt: "2026-01-01T10:00:00Z" },
  { ...exampleClip(1), id: "walk", tags: ["client"], prompt: "Walks forward", characterName: "Ada", frames: 90, fps: 30, madeAt: "2026-01-01T12:00:00Z" },
  { ...exampleClip(1), id: "loop", tags: [], prompt: "Walks forward", characterName: "Ada", change: "looped", frames: 240, fps: 24, madeAt: "2026-01-01T11:00:00Z" },
];
const ids = (search: string, order = "newest" as const) => find(clips, { words: search }, order).map((clip) => clip.id);

test("every word has to be in the prompt, the character or the change", () => {
  expect(ids("forward ada")).toEqual(["walk", "loop"]);
  expect(ids("WALKS looped")).toEqual(["loop"]);
  expect(ids("walks bruno")).toEqual([]);
});

test("lengths are compared in seconds or frames", () => {
  expect(ids(">3s")).toEqual(["loop", "jump"]);
  expect(ids(">= 3 <5s")).toEqual(["walk", "jump"]);
  expect(ids("walks <100f")).toEqual(["walk"]);
});

test("clips are ordered by date or by how long they last", () => {
  expect(find(clips, { words: "" }, "oldest").map((clip) => clip.id)).toEqual(["jump", "loop", "walk"]);
  expect(find(clips, { words: "" }, "longest").map((clip) => clip.id)).toEqual(["loop", "jump", "walk"]);
  expect(find(clips, { words: "" }, "shortest").map((clip) => clip.id)).toEqual(["walk", "jump", "loop"]);
});

test("tags are found by words, and one of them alone", () => {
  expect(ids("#client twice")).toEqual(["jump"]);
  expect(find(clips, { words: "", tag: "CLIENT" }, "newest").map((clip) => clip.id)).toEqual(["walk", "jump"]);
  expect(allTags(clips)).toEqual([
    { tag: "Client", count: 2 },
    { tag: "take 2", count: 1 },
  ]);
});

test("a time has a beginning and an end, or only one of them", () => {
  const from = Date.parse("2026-01-01T11:00:00Z");
  const until = Date.parse("2026-01-01T12:00:00Z");
  const made = (from: number | null, until: number | null) =>
    find(clips, { words: "", made: { from, until } }, "oldest").map((clip) => clip.id);
  expect(made(from, until)).toEqual(["loop"]);
  expect(made(from, null)).toEqual(["loop", "walk"]);
  expect(made(null, from)).toEqual(["jump"]);
});
