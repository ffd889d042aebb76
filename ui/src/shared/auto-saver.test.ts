import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { allSaved, AutoSaver } from "./auto-saver";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const draft = (trimLeft: number) => ({ trimLeft, loops: true });

test("saves a change at once, and of quickly following ones only the last", () => {
  const save = vi.fn();
  const saver = new AutoSaver<object | null>(null, save);
  for (const frame of [1, 2, 3]) saver.changed(draft(frame));
  expect(save.mock.calls).toEqual([[draft(1)]]);
  vi.advanceTimersByTime(400);
  expect(save.mock.calls).toEqual([[draft(1)], [draft(3)]]);
  vi.advanceTimersByTime(1000);
  saver.changed(draft(4));
  expect(save.mock.lastCall).toEqual([draft(4)]);
  expect(save).toHaveBeenCalledTimes(3);
});

test("does not save a change that was reverted during the pause", () => {
  const save = vi.fn();
  const saver = new AutoSaver<object | null>(null, save);
  for (const frame of [1, 2, 1]) saver.changed(draft(frame));
  vi.advanceTimersByTime(1000);
  expect(save.mock.calls).toEqual([[draft(1)]]);
});

test("flush saves at once, and only changes", () => {
  const save = vi.fn();
  const saver = new AutoSaver<object | null>(draft(5), save);
  saver.changed(draft(5));
  saver.flush();
  expect(save).not.toHaveBeenCalled();
  saver.changed(null);
  saver.flush();
  vi.advanceTimersByTime(1000);
  expect(save.mock.calls).toEqual([[null]]);
});

test("waits until all saves have ended, successful or not", async () => {
  const ends: (() => void)[] = [];
  const save = () => new Promise<void>((resolve, reject) => ends.push(ends.length ? reject : resolve));
  for (const text of ["a", "b"]) new AutoSaver("", save).changed(text);
  const onsaved = vi.fn();
  const all = allSaved().then(onsaved);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(1000);
  expect(onsaved).not.toHaveBeenCalled();
  ends[1]?.();
  await all;
  expect(onsaved).toHaveBeenCalledOnce();
});
