import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { allKept, Keeper } from "./keeper";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const draft = (trimLeft: number) => ({ trimLeft, loops: true });

test("a change is kept at once, of those on its heels only the last", () => {
  const keep = vi.fn();
  const keeper = new Keeper<object | null>(null, keep);
  for (const frame of [1, 2, 3]) keeper.changed(draft(frame));
  expect(keep.mock.calls).toEqual([[draft(1)]]);
  vi.advanceTimersByTime(400);
  expect(keep.mock.calls).toEqual([[draft(1)], [draft(3)]]);
  vi.advanceTimersByTime(1000);
  keeper.changed(draft(4));
  expect(keep.mock.lastCall).toEqual([draft(4)]);
  expect(keep).toHaveBeenCalledTimes(3);
});

test("what was taken back within a moment is not kept again", () => {
  const keep = vi.fn();
  const keeper = new Keeper<object | null>(null, keep);
  for (const frame of [1, 2, 1]) keeper.changed(draft(frame));
  vi.advanceTimersByTime(1000);
  expect(keep.mock.calls).toEqual([[draft(1)]]);
});

test("closing keeps at once, and only what is new", () => {
  const keep = vi.fn();
  const keeper = new Keeper<object | null>(draft(5), keep);
  keeper.changed(draft(5));
  keeper.flush();
  expect(keep).not.toHaveBeenCalled();
  keeper.changed(null);
  keeper.flush();
  vi.advanceTimersByTime(1000);
  expect(keep.mock.calls).toEqual([[null]]);
});

test("all is kept once everything that was begun has ended, well or not", async () => {
  const ends: (() => void)[] = [];
  const keep = () => new Promise<void>((resolve, reject) => ends.push(ends.length ? reject : resolve));
  for (const text of ["a", "b"]) new Keeper("", keep).changed(text);
  const told = vi.fn();
  const all = allKept().then(told);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).not.toHaveBeenCalled();
  ends[1]?.();
  await all;
  expect(told).toHaveBeenCalledOnce();
});
