import { expect, test, vi } from "vitest";
import { byHand } from "./patience";
import { Toasts } from "./toasts.svelte";

const words = (toasts: Toasts) => toasts.all.map((toast) => toast.message);

test("a message whose matter is over ends, and the others stay", () => {
  const toasts = new Toasts();
  let isAway = true;
  toasts.tell("bad", { message: "away", holds: () => isAway });
  toasts.tell("bad", { message: "full" });
  toasts.sweep();
  expect(words(toasts)).toEqual(["away", "full"]);
  isAway = false;
  toasts.sweep();
  expect(words(toasts)).toEqual(["full"]);
});

test("good news goes by itself, an offer that undoes stays, and no more than three are there", () => {
  vi.useFakeTimers(byHand);
  try {
    const toasts = new Toasts();
    const take = vi.fn();
    toasts.tell("good", { message: "saved" });
    toasts.tell("good", { message: "deleted", offer: { words: "Undo", take, undoes: true } });
    vi.advanceTimersByTime(60_000);
    expect(words(toasts)).toEqual(["deleted"]);
    for (const message of ["one", "two"]) toasts.tell("bad", { message });
    expect(toasts.takeOffer()).toBe(true);
    expect(take).toHaveBeenCalledOnce();
    for (const message of ["three", "four"]) toasts.tell("bad", { message });
    expect(words(toasts)).toEqual(["two", "three", "four"]);
    expect(toasts.dismissNewest()).toBe(true);
    expect(words(toasts)).toEqual(["two", "three"]);
  } finally {
    vi.useRealTimers();
  }
});
