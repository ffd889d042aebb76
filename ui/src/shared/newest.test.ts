import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Newest } from "./newest";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Collects questions to be answered by hand, and the answers received. */
function asker() {
  const asked: { wish: string; answer: (answer: string) => void; refuse: () => void }[] = [];
  const heard: (string | null)[] = [];
  const newest = new Newest<string, string>(
    (wish) => new Promise((resolve, reject) => asked.push({ wish, answer: resolve, refuse: () => reject(new Error("no")) })),
    (answer) => heard.push(answer),
  );
  return { asked, heard, newest };
}

test("only a wish that rests is asked about", async () => {
  const { asked, newest } = asker();
  newest.soon("w");
  await vi.advanceTimersByTimeAsync(200);
  newest.soon("walks");
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(asked.map(({ wish }) => wish)).toEqual(["walks"]);
  newest.soon("jumps")();
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toHaveLength(1);
});

test("an answer that a newer question overtook is not heard, nor one after the wish was given up", async () => {
  const { asked, heard, newest } = asker();
  void newest.now("glorps");
  void newest.now("jumps");
  asked[1]?.answer("jump");
  asked[0]?.answer("?");
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual(["jump"]);
  void newest.now("bows");
  newest.soon(null);
  asked[2]?.answer("bow");
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual(["jump", null]);
});

test("where nobody knows, that is the answer", async () => {
  const { asked, heard, newest } = asker();
  void newest.now("walks");
  asked[0]?.refuse();
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual([null]);
});
