import { Mesh } from "three";
import { afterEach, expect, test, vi } from "vitest";
import mannequin from "../../../../../assets/characters/mannequin.glb?url&inline";
import { clipGlb } from "./glb-fixture";
import { load, loadMotion } from "./load";
import { ViewportError } from "./unavailable";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const noAbort = new AbortController().signal;

async function reason(answer: () => Promise<Response>): Promise<string> {
  vi.stubGlobal("fetch", vi.fn(answer));
  const error: unknown = await load("clip://localhost/job-2.1", noAbort).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ViewportError);
  return (error as ViewportError).reason;
}

test("the HTTP status determines why a clip is unavailable", async () => {
  expect(await reason(async () => new Response(null, { status: 404 }))).toBe("missing");
  expect(await reason(async () => new Response(null, { status: 413 }))).toBe("tooLarge");
  expect(await reason(() => Promise.reject(new TypeError("refused")))).toBe("missing");
  expect(await reason(async () => new Response("not a GLB at all, but long enough"))).toBe("unreadable");
});

test("times out, and stops at once when aborted", async () => {
  vi.useFakeTimers();
  const hang = (_: unknown, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  vi.stubGlobal("fetch", vi.fn(hang));
  const late = load("clip://localhost/job-2.1", noAbort).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await late).toMatchObject({ reason: "missing" });
  const closed = new AbortController();
  const left = load("clip://localhost/job-2.1", closed.signal).catch((error: unknown) => error);
  closed.abort();
  expect(await left).toBeInstanceOf(ViewportError);
});

test("reads a motion without meshes, but with morph animation", async () => {
  const bytes = clipGlb(mannequin, {
    ...{ path: [0, 0.1], fps: 30, textured: 0 },
    change: (document) => {
      const [{ samplers, channels }] = document["animations"] as [{ samplers: object[]; channels: object[] }];
      const node = document.nodes.findIndex(({ mesh }) => mesh !== undefined);
      const meshes = document["meshes"] as { primitives: { targets?: object[] }[] }[];
      for (const primitive of meshes[document.nodes[node]!["mesh"] as number]!.primitives) primitive.targets = [{}, {}, {}];
      channels.push({ sampler: samplers.push(samplers[0]!) - 1, target: { node, path: "weights" } });
    },
  });
  vi.stubGlobal("fetch", vi.fn(async () => new Response(bytes)));
  const { scene, animation } = await loadMotion("clip://localhost/job-2.1", noAbort);
  expect(animation.tracks.map(({ name }) => name.slice(name.lastIndexOf(".")))).toEqual(expect.arrayContaining([".position", ".morphTargetInfluences"]));
  const drawn: string[] = [];
  scene.traverse((node) => void (node instanceof Mesh && drawn.push(...Object.keys(node.geometry.attributes))));
  expect(drawn).toEqual([]);
});
