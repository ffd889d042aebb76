import { afterEach, beforeEach, expect, test, vi } from "vitest";
import mannequin from "../../../../../assets/characters/mannequin.glb?url&inline";
import { clipGlb, type FixtureOptions } from "./glb-fixture";
import { JointHandle } from "./joint-handle";
import { open } from "./open";
import { ViewportError } from "./unavailable";

/** A mock of the graphics driver. */
const driver = vi.hoisted(() => {
  class Renderer {
    autoClear = true;
    readonly debug: { onShaderError: ((gl: object, program: object) => void) | null } = { onShaderError: null };
    readonly setSize = vi.fn();
    readonly setRenderTarget = vi.fn();
    readonly clear = vi.fn();
    readonly render = vi.fn(() => {
      if (driver.complaint) this.debug.onShaderError?.({ getProgramInfoLog: () => driver.complaint }, {});
    });
    readonly dispose = vi.fn();
    readonly forceContextLoss = vi.fn();

    constructor() {
      if (driver.fails) throw new Error("no context");
      driver.made.push(this);
      driver.onmade();
    }

    getContext() {
      return { isContextLost: () => false };
    }
  }
  const driver = { Renderer, made: [] as Renderer[], onmade: (): void => {}, fails: false, complaint: "" };
  return driver;
});

vi.mock("three", async (original) => ({ ...(await original<object>()), WebGLRenderer: driver.Renderer }));

const decoded: { close: ReturnType<typeof vi.fn> }[] = [];
const files = new Map<string, ArrayBuffer>();
const fps = 30;
const clip = { frames: 4, fps, contacts: [] };
const noAbort = new AbortController().signal;

beforeEach(() => {
  Object.assign(driver, { made: [], onmade: () => {}, fails: false, complaint: "" });
  decoded.length = 0;
  files.clear();
  vi.stubGlobal("fetch", vi.fn(async (url: string) => new Response(files.get(url) ?? null, { status: files.has(url) ? 200 : 404 })));
  vi.stubGlobal("createImageBitmap", vi.fn(async () => {
    const image = { close: vi.fn() };
    decoded.push(image);
    return image;
  }));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Serves a clip at a URL, in which the hips move by `stepM` per frame. */
function serve(url: string, stepM: number, more: Partial<FixtureOptions> = {}): string {
  files.set(url, clipGlb(mannequin, { path: Array.from({ length: clip.frames }, (_, frame) => frame * stepM), fps, textured: 2, ...more }));
  return url;
}

function canvas(): HTMLCanvasElement {
  const found = document.createElement("canvas");
  Object.defineProperties(found, { clientWidth: { value: 400 }, clientHeight: { value: 300 } });
  return found;
}

const closed = () => decoded.map(({ close }) => close.mock.calls.length > 0);

test("decodes images once for all versions of a clip, and frees them in the end", async () => {
  const viewport = await open(canvas(), serve("clip://localhost/a?v=1", 0.1), clip, noAbort);
  expect(decoded).toHaveLength(2);
  await viewport.renew(serve("clip://localhost/a?v=2", 0.2), noAbort);
  await viewport.renew(serve("clip://localhost/a?v=3", 0.3), noAbort);
  expect(decoded).toHaveLength(2);
  expect(closed()).toEqual([false, false]);
  viewport.dispose();
  await vi.waitFor(() => expect(closed()).toEqual([true, true]));
  expect(driver.made[0]?.dispose).toHaveBeenCalledTimes(1);
  expect(driver.made[0]?.forceContextLoss).toHaveBeenCalledTimes(1);
});

const unnamed: Partial<FixtureOptions> = {
  change: ({ nodes }) => {
    for (const node of nodes) {
      node["extras"] = { humanBone: node.name };
      delete node.name;
    }
  },
};

test.each([["names", {}], ["no names", unnamed]])("another version of the clip animates the same joints, with %s in the file", async (_, more) => {
  const viewport = await open(canvas(), serve("clip://localhost/a?v=1", 0.1, more), clip, noAbort);
  const speed = async () => (await viewport.curvesOf("hips", noAbort))?.speedCmS[1];
  expect(await speed()).toBeCloseTo(0.1 * 100 * fps, 1);
  await viewport.renew(serve("clip://localhost/a?v=2", 0.25, more), noAbort);
  expect(await speed()).toBeCloseTo(0.25 * 100 * fps, 1);
  viewport.dispose();
});

test("does not show a version with other joints", async () => {
  const viewport = await open(canvas(), serve("clip://localhost/a?v=1", 0.1), clip, noAbort);
  const renamed = serve("clip://localhost/a?v=2", 0.1, { change: ({ nodes }) => void (nodes[0]!.name = "mixamorigHips") });
  await expect(viewport.renew(renamed, noAbort)).rejects.toMatchObject({ reason: "unreadable" });
  viewport.dispose();
});

test("frees resources if graphics are unavailable", async () => {
  driver.fails = true;
  await expect(open(canvas(), serve("clip://localhost/a", 0), clip, noAbort)).rejects.toMatchObject({ reason: "noGraphics" });
  await vi.waitFor(() => expect(closed()).toEqual([true, true]));
});

test("frees resources if the last step fails", async () => {
  vi.spyOn(JointHandle.prototype, "hold").mockImplementation(() => {
    throw new Error("a handle that cannot be made");
  });
  const refresh = vi.spyOn(globalThis, "cancelAnimationFrame");
  await expect(open(canvas(), serve("clip://localhost/a", 0), clip, noAbort)).rejects.toThrow("a handle");
  await vi.waitFor(() => expect(closed()).toEqual([true, true]));
  expect(driver.made[0]?.forceContextLoss).toHaveBeenCalledTimes(1);
  expect(refresh).not.toHaveBeenCalled();
});

test("reports a shader error of the driver, and stops drawing", async () => {
  const refresh = vi.spyOn(globalThis, "requestAnimationFrame").mockReturnValue(7);
  const stop = vi.spyOn(globalThis, "cancelAnimationFrame");
  driver.complaint = "no such function";
  const made = open(canvas(), serve("clip://localhost/a", 0), clip, noAbort);
  await expect(made).rejects.toMatchObject({ reason: "noGraphics", message: "no such function" });
  expect(refresh).toHaveBeenCalled();
  expect(stop).toHaveBeenCalledWith(7);
});

test("frees an image that arrives after an abort", async () => {
  const left = new AbortController();
  let come = (): void => {};
  vi.stubGlobal("createImageBitmap", vi.fn(async () => {
    await new Promise<void>((resolve) => (come = resolve));
    const image = { close: vi.fn() };
    decoded.push(image);
    return image;
  }));
  const made = open(canvas(), serve("clip://localhost/a", 0, { textured: 1 }), clip, left.signal);
  await vi.waitFor(() => expect(createImageBitmap).toHaveBeenCalledTimes(1));
  left.abort();
  await expect(made).rejects.toBeInstanceOf(ViewportError);
  expect(driver.made).toEqual([]);
  come();
  await vi.waitFor(() => expect(closed()).toEqual([true]));
});

test("aborting while frames are analysed leaves nothing open", async () => {
  const left = new AbortController();
  driver.onmade = () => left.abort();
  await expect(open(canvas(), serve("clip://localhost/a", 0), clip, left.signal)).rejects.toMatchObject({ name: "AbortError" });
  await vi.waitFor(() => expect(closed()).toEqual([true, true]));
  expect(driver.made[0]?.forceContextLoss).toHaveBeenCalledTimes(1);
});
