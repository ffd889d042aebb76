// For tests: how long they wait for something to appear before they say that it does not.
import { configure } from "@testing-library/svelte";
import type { vi } from "vitest";

configure({ asyncUtilTimeout: 20_000 });

/** For fake timers: what waits for a moment waits until it is told that the moment is over. */
export const byHand: Parameters<typeof vi.useFakeTimers>[0] = {
  toFake: ["setTimeout", "clearTimeout"],
  // those that were set before
  shouldClearNativeTimers: true,
};

/** The pace of a fake host whose work shall not be over while a test looks at it, in milliseconds. */
export const never = 3_600_000;
