import { expect, test, vi } from "vitest";
import { manualTimers } from "./test-timers";
import { Toasts } from "./toasts.svelte";

const words = (toasts: Toasts) => toasts.all.map((toast) => toast.message);

test("removes outdated toasts and keeps the others", () => {
  const toasts = new Toasts();
  let isAway = true;
  toasts.show("bad", { message: "away", isRelevant: () => isAway });
  toasts.show("bad", { message: "full" });
  toasts.removeOutdated();
  expect(words(toasts)).toEqual(["away", "full"]);
  isAway = false;
  toasts.removeOutdated();
  expect(words(toasts)).toEqual(["full"]);
});

test("success toasts expire, undo toasts stay, and at most three are shown", () => {
  vi.useFakeTimers(manualTimers);
  try {
    const toasts = new Toasts();
    const run = vi.fn();
    toasts.show("good", { message: "saved" });
    toasts.show("good", { message: "deleted", action: { words: "Undo", run, undoes: true } });
    vi.advanceTimersByTime(60_000);
    expect(words(toasts)).toEqual(["deleted"]);
    for (const message of ["one", "two"]) toasts.show("bad", { message });
    expect(toasts.runUndo()).toBe(true);
    expect(run).toHaveBeenCalledOnce();
    for (const message of ["three", "four"]) toasts.show("bad", { message });
    expect(words(toasts)).toEqual(["two", "three", "four"]);
    expect(toasts.dismissNewest()).toBe(true);
    expect(words(toasts)).toEqual(["two", "three"]);
  } finally {
    vi.useRealTimers();
  }
});
