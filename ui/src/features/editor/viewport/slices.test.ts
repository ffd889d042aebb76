import { afterEach, expect, test, vi } from "vitest";
import { inSlices } from "./slices";

afterEach(() => void vi.restoreAllMocks());

/** Work whose pieces take `pieceMs` each, and how often the page had a turn in between. */
async function work(pieceMs: number, segments: number) {
  let [now, turns, isOver] = [0, 0, false];
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const done = await inSlices(segments, (at) => ((now += pieceMs), at), new AbortController().signal);
  isOver = true;
  return { done, turns };
}

test("long work yields to the page, short work does not", async () => {
  const long = await work(5, 100);
  expect(long.done).toEqual(Array.from({ length: 100 }, (_, at) => at));
  expect(long.turns).toBeGreaterThan(20);
  expect((await work(0.01, 100)).turns).toBe(0);
});

test("aborted work ends", async () => {
  const left = new AbortController();
  const seen: number[] = [];
  const done = inSlices(10, (at) => (at === 3 && left.abort(), seen.push(at)), left.signal);
  await expect(done).rejects.toMatchObject({ name: "AbortError" });
  expect(seen).toEqual([0, 1, 2, 3]);
});
