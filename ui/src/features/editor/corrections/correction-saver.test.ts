import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HostError, type CorrectionLayer, type MessageView } from "../../../host";
import { allSaved } from "../../../shared/auto-saver";
import { CorrectionSaver } from "./correction-saver.svelte";

const named = (name: string): CorrectionLayer[] => [{ name, muted: false, keys: [] }];
const refused = () => new HostError({ code: "diskRefused", message: "The disk is full.", detail: null });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A saver whose host answers on command. */
function setUp() {
  const calls: { name: string | undefined; end: (told: MessageView[]) => void; fail: (why: unknown) => void }[] = [];
  const host = {
    keepCorrections: (_: string, layers: CorrectionLayer[]) =>
      new Promise<MessageView[]>((end, fail) => void calls.push({ name: layers[0]?.name, end, fail })),
  };
  const outside: unknown[] = [];
  const attempt = (work: () => Promise<void>) => work().catch((thrown: unknown) => void outside.push(thrown));
  return { calls, outside, saver: new CorrectionSaver("clip", [], host, attempt) };
}

const names = (calls: { name: string | undefined }[]) => calls.map(({ name }) => name);

test("saves one state at a time, and of later ones only the newest", async () => {
  const { calls, saver } = setUp();
  const first = saver.version;
  saver.changed(named("a"));
  await vi.advanceTimersByTimeAsync(1000);
  for (const name of ["b", "c"]) {
    saver.changed(named(name));
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(names(calls)).toEqual(["a"]);
  calls[0]?.end([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(names(calls)).toEqual(["a", "c"]);
  expect(saver.version).toBe(first + 1);
  calls[1]?.end([]);
  await allSaved();
  expect(saver.version).toBe(first + 2);
});

test("saves pending changes on close", async () => {
  const { calls, saver } = setUp();
  saver.changed(named("a"));
  saver.changed(named("b"));
  saver.close();
  const all = allSaved();
  await vi.advanceTimersByTimeAsync(1);
  calls.at(-1)?.end([]);
  await all;
  expect(names(calls).at(-1)).toBe("b");
});

test("a failure shows the error and not the new state; retry saves the same state", async () => {
  const { calls, saver } = setUp();
  const first = saver.version;
  saver.changed(named("a"));
  await vi.advanceTimersByTimeAsync(1);
  calls[0]?.fail(refused());
  await vi.advanceTimersByTimeAsync(1);
  expect(saver.error?.message).toBe("The disk is full.");
  expect(saver.version).toBe(first);
  saver.retry();
  await vi.advanceTimersByTimeAsync(1);
  calls[1]?.end([]);
  await allSaved();
  expect(names(calls)).toEqual(["a", "a"]);
  expect(saver.error).toBeNull();
});

test("retries once on close, and then reports the failure outside of the editor", async () => {
  const { calls, outside, saver } = setUp();
  saver.changed(named("a"));
  await vi.advanceTimersByTimeAsync(1);
  calls[0]?.fail(refused());
  await vi.advanceTimersByTimeAsync(1);
  saver.close();
  await vi.advanceTimersByTimeAsync(1);
  expect(names(calls)).toEqual(["a", "a"]);
  calls[1]?.fail(refused());
  await allSaved();
  expect(outside).toHaveLength(1);
});
