import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { untouched } from "./draft.svelte";
import { Keeper } from "./keeper";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const draft = (trimLeft: number) => ({ ...untouched(), trimLeft });

test("only the last of many changes is kept, a moment later", () => {
  const keep = vi.fn();
  const keeper = new Keeper(null, keep);
  for (const frame of [1, 2, 3]) keeper.changed(draft(frame));
  expect(keep).not.toHaveBeenCalled();
  vi.advanceTimersByTime(400);
  expect(keep.mock.calls).toEqual([[draft(3)]]);
});

test("closing keeps at once, and only what is new", () => {
  const keep = vi.fn();
  const keeper = new Keeper(draft(5), keep);
  keeper.changed(draft(5));
  keeper.flush();
  expect(keep).not.toHaveBeenCalled();
  keeper.changed(null);
  keeper.flush();
  vi.advanceTimersByTime(1000);
  expect(keep.mock.calls).toEqual([[null]]);
});
