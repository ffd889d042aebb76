import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HostError, type CorrectionLayer, type Told } from "../../../host";
import { allSaved } from "../../../shared/auto-saver";
import { CorrectionKeeping } from "./keeping.svelte";

const named = (name: string): CorrectionLayer[] => [{ name, muted: false, keys: [] }];
const refused = () => new HostError({ code: "diskRefused", message: "The disk is full.", detail: null });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A keeping whose host answers only when told to. */
function keeping() {
  const calls: { name: string | undefined; end: (told: Told[]) => void; fail: (why: unknown) => void }[] = [];
  const host = {
    keepCorrections: (_: string, layers: CorrectionLayer[]) =>
      new Promise<Told[]>((end, fail) => void calls.push({ name: layers[0]?.name, end, fail })),
  };
  const outside: unknown[] = [];
  const attempt = (work: () => Promise<void>) => work().catch((thrown: unknown) => void outside.push(thrown));
  return { calls, outside, kept: new CorrectionKeeping("clip", [], host, attempt) };
}

const names = (calls: { name: string | undefined }[]) => calls.map(({ name }) => name);

test("a state waits for the one before, and what came meanwhile is kept as its newest alone", async () => {
  const { calls, kept } = keeping();
  const first = kept.version;
  kept.changed(named("a"));
  await vi.advanceTimersByTimeAsync(1000);
  for (const name of ["b", "c"]) {
    kept.changed(named(name));
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(names(calls)).toEqual(["a"]);
  calls[0]?.end([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(names(calls)).toEqual(["a", "c"]);
  expect(kept.version).toBe(first + 1);
  calls[1]?.end([]);
  await allSaved();
  expect(kept.version).toBe(first + 2);
});

test("what changes on the heels of another change is kept when the editor is left", async () => {
  const { calls, kept } = keeping();
  kept.changed(named("a"));
  kept.changed(named("b"));
  kept.leave();
  const all = allSaved();
  await vi.advanceTimersByTimeAsync(1);
  calls.at(-1)?.end([]);
  await all;
  expect(names(calls).at(-1)).toBe("b");
});

test("a failure is shown and shows nothing new; trying again keeps the same", async () => {
  const { calls, kept } = keeping();
  const first = kept.version;
  kept.changed(named("a"));
  await vi.advanceTimersByTimeAsync(1);
  calls[0]?.fail(refused());
  await vi.advanceTimersByTimeAsync(1);
  expect(kept.error?.message).toBe("The disk is full.");
  expect(kept.version).toBe(first);
  kept.again();
  await vi.advanceTimersByTimeAsync(1);
  calls[1]?.end([]);
  await allSaved();
  expect(names(calls)).toEqual(["a", "a"]);
  expect(kept.error).toBeNull();
});

test("what failed is tried once more when the editor is left, and then told outside of it", async () => {
  const { calls, outside, kept } = keeping();
  kept.changed(named("a"));
  await vi.advanceTimersByTimeAsync(1);
  calls[0]?.fail(refused());
  await vi.advanceTimersByTimeAsync(1);
  kept.leave();
  await vi.advanceTimersByTimeAsync(1);
  expect(names(calls)).toEqual(["a", "a"]);
  calls[1]?.fail(refused());
  await allSaved();
  expect(outside).toHaveLength(1);
});
