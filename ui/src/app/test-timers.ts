// For tests: how long to wait for elements before a test fails.
import { configure } from "@testing-library/svelte";
import type { vi } from "vitest";

configure({ asyncUtilTimeout: 20_000 });

/** For fake timers: timeouts fire only when a test advances the clock. */
export const manualTimers: Parameters<typeof vi.useFakeTimers>[0] = {
  toFake: ["setTimeout", "clearTimeout"],
  // covers timers set before
  shouldClearNativeTimers: true,
};

/** For tests: a pace of the fake host at which no work ends during a test, in milliseconds. */
export const neverEndsMs = 3_600_000;
