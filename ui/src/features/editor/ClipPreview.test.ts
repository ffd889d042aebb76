import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Correction } from "../../host";
import { FakeHost } from "../../host/fake";
import { SelectedJoint } from "./corrections/selected-joint.svelte";
import type { Layers } from "./corrections/layers";
import ClipPreview from "./ClipPreview.svelte";
import type { JointCurves } from "./viewport/curves";
import type { DragListener } from "./viewport/viewport";
import { open } from "./viewport/open";
import { ViewportOverlays } from "./viewport/overlays.svelte";
import { ViewportError } from "./viewport/unavailable";

vi.mock("./viewport/open", () => ({ open: vi.fn() }));

function fakeViewport() {
  return {
    show: vi.fn(),
    followPlayhead: vi.fn(),
    resize: vi.fn(),
    frameCharacter: vi.fn(),
    lookFrom: vi.fn(),
    moveCamera: vi.fn(),
    jointAt: vi.fn(),
    hold: vi.fn(),
    hover: vi.fn(),
    listen: vi.fn((_listener: DragListener) => {}),
    curvesOf: vi.fn(async (_bone: string, _cancelled: AbortSignal): Promise<JointCurves | null> => null),
    cancelDrag: vi.fn(() => false),
    correct: vi.fn(),
    isHandleTaken: false,
    renew: vi.fn(async (_url: string, _cancelled: AbortSignal) => {}),
    requestDraw: vi.fn(),
    dispose: vi.fn(),
  };
}

const opened = vi.mocked(open as unknown as (...args: unknown[]) => Promise<ReturnType<typeof fakeViewport>>);

beforeEach(() => {
  vi.stubGlobal("WebGL2RenderingContext", class {});
  opened.mockReset();
});
afterEach(() => vi.unstubAllGlobals());

async function renderPreview(glbUrl: string | null = "clip://localhost/job-2.1") {
  const host = new FakeHost({ pace: 1, query: "?signedIn" });
  host.glbUrl = glbUrl;
  const [clip] = await host.clips();
  if (!clip) throw new Error("the fake library is empty");
  const overlays = new ViewportOverlays({ has: () => false, toggle: vi.fn() }, () => false);
  const props = {
    clip,
    details: await host.clipDetails(clip.id),
    frame: 3,
    playing: false,
    playhead: null,
    inPlace: false,
    overlays,
    joint: new SelectedJoint(),
    onpick: vi.fn(),
    ondrag: vi.fn(),
    oncorrect: vi.fn(),
    ondeselect: vi.fn(),
    loadedCorrections: [] as Layers,
    corrections: [] as Layers,
    loadStill: vi.fn(async () => "data:image/png;base64,AA=="),
  };
  return { ...render(ClipPreview, props), props, overlays };
}

test("replaces the still image by the viewport, with the editor's state", async () => {
  const viewport = fakeViewport();
  opened.mockResolvedValue(viewport);
  const { container, rerender, props, overlays } = await renderPreview();
  expect(container.querySelector(".square")).toBeTruthy();
  await waitFor(() => expect(container.querySelector(".square")).toBeNull());
  expect(opened.mock.lastCall?.[1]).toBe("clip://localhost/job-2.1");
  expect(screen.getByRole("application").getAttribute("aria-label")).toContain(props.clip.prompt);
  expect(viewport.show).toHaveBeenLastCalledWith({ frame: 3, inPlace: false, bones: false, contacts: false });
  const playhead = () => 4.5;
  await rerender({ frame: 4, playhead, inPlace: true });
  expect(viewport.show).toHaveBeenLastCalledWith({ frame: 4, inPlace: true, bones: false, contacts: false });
  expect(viewport.followPlayhead).toHaveBeenLastCalledWith(playhead);
  overlays.toggle("bones");
  await waitFor(() => expect(viewport.show).toHaveBeenLastCalledWith({ frame: 4, inPlace: true, bones: true, contacts: false }));
  await fireEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(viewport.lookFrom).toHaveBeenLastCalledWith("back");
  await fireEvent.click(screen.getByRole("button", { name: "Frame character" }));
  expect(viewport.frameCharacter).toHaveBeenCalledTimes(1);
  expect(props.loadStill).not.toHaveBeenCalled();
});

test("loads a changed clip in the same viewport, and reports a failure", async () => {
  const viewport = fakeViewport();
  opened.mockResolvedValue(viewport);
  const { rerender, props, overlays } = await renderPreview();
  await waitFor(() => expect(overlays.isLive).toBe(true));
  const at = (version: number) => ({ version, details: { ...props.details, glbUrl: `clip://localhost/job-2.1?v=${version}` } });
  await rerender(at(1));
  await waitFor(() => expect(viewport.renew).toHaveBeenCalled());
  expect(viewport.renew.mock.calls.map(([url]) => url)).toEqual(["clip://localhost/job-2.1?v=1"]);
  await rerender({ frame: 9 });
  expect(viewport.renew).toHaveBeenCalledTimes(1);
  expect(overlays.isLive).toBe(true);
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  viewport.renew.mockRejectedValueOnce(new ViewportError("missing", ""));
  await rerender(at(2));
  expect((await screen.findByRole("status")).textContent).toContain("not available");
  expect(overlays.isLive).toBe(false);
  expect(viewport.dispose).toHaveBeenCalledTimes(1);
  warn.mockRestore();
  opened.mockResolvedValue(fakeViewport());
  await rerender(at(3));
  await waitFor(() => expect(overlays.isLive).toBe(true));
  expect(opened.mock.lastCall?.[1]).toBe("clip://localhost/job-2.1?v=3");
});

test("previews corrections at once, and loads the corrected file after a pause", async () => {
  const viewport = fakeViewport();
  opened.mockResolvedValue(viewport);
  const { rerender, props, overlays } = await renderPreview();
  await waitFor(() => expect(overlays.isLive).toBe(true));
  const corrections = (name: string): Layers => [{ name, muted: false, keys: [] }];
  const saved = (version: number) => ({ version, details: { ...props.details, glbUrl: `clip://localhost/job-2.1?v=${version}` } });
  vi.useFakeTimers();
  const states = ["a", "b", "c"].map(corrections);
  for (const [version, state] of states.entries()) {
    await rerender({ corrections: state });
    expect(viewport.correct).toHaveBeenLastCalledWith(props.loadedCorrections, state);
    await rerender({ ...saved(version), loadedCorrections: state });
    // as often as a drag is saved
    await vi.advanceTimersByTimeAsync(400);
  }
  expect(viewport.renew).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  expect(viewport.renew.mock.calls.map(([url]) => url)).toEqual(["clip://localhost/job-2.1?v=2"]);
  await waitFor(() => expect(viewport.correct).toHaveBeenLastCalledWith(states[2], states[2]));
});

test("skips a file that is outdated before it is loaded", async () => {
  const viewport = fakeViewport();
  opened.mockResolvedValue(viewport);
  const { rerender, props, overlays } = await renderPreview();
  await waitFor(() => expect(overlays.isLive).toBe(true));
  const at = (version: number) => ({ version, details: { ...props.details, glbUrl: `clip://localhost/job-2.1?v=${version}` } });
  viewport.renew.mockImplementationOnce((_url, cancelled) => new Promise((_, reject) => cancelled.addEventListener("abort", () => reject(cancelled.reason))));
  await rerender(at(1));
  await waitFor(() => expect(viewport.renew).toHaveBeenCalledTimes(1));
  await rerender(at(2));
  await waitFor(() => expect(viewport.renew).toHaveBeenCalledTimes(2));
  expect(viewport.renew.mock.calls[0]?.[1].aborted).toBe(true);
  expect(overlays.isLive).toBe(true);
});

test("disposes of the viewport when the clip is closed, even if it opens only then", async () => {
  const viewport = fakeViewport();
  let finish = (): void => {};
  opened.mockReturnValueOnce(new Promise((resolve) => (finish = () => resolve(viewport))));
  const first = await renderPreview();
  await waitFor(() => expect(opened).toHaveBeenCalledTimes(1));
  first.unmount();
  finish();
  await waitFor(() => expect(viewport.dispose).toHaveBeenCalledTimes(1));
  const other = fakeViewport();
  opened.mockResolvedValueOnce(other);
  const second = await renderPreview();
  await waitFor(() => expect(second.overlays.isLive).toBe(true));
  second.unmount();
  expect(other.dispose).toHaveBeenCalledTimes(1);
});

test("closes a viewport that cannot observe the size of its canvas, and reports it as unavailable", async () => {
  const viewport = fakeViewport();
  opened.mockResolvedValue(viewport);
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  vi.stubGlobal("ResizeObserver", class {
    constructor() {
      throw new Error("not here");
    }
  });
  const { overlays } = await renderPreview();
  expect((await screen.findByRole("status")).textContent).toContain("cannot be read");
  expect(viewport.dispose).toHaveBeenCalledTimes(1);
  expect(overlays.isLive).toBe(false);
  warn.mockRestore();
});

test("disposes of a viewport whose context is lost during loading", async () => {
  const [lost, next] = [fakeViewport(), fakeViewport()];
  let finish = (): void => {};
  opened.mockReturnValueOnce(new Promise((resolve) => (finish = () => resolve(lost)))).mockResolvedValueOnce(next);
  const { overlays } = await renderPreview();
  await waitFor(() => expect(opened).toHaveBeenCalledTimes(1));
  await fireEvent(screen.getByRole("application", { hidden: true }), new Event("webglcontextlost", { cancelable: true }));
  finish();
  await waitFor(() => expect(lost.dispose).toHaveBeenCalledTimes(1));
  expect(overlays.isLive).toBe(false);
  await waitFor(() => expect(overlays.isLive).toBe(true));
  expect(opened).toHaveBeenCalledTimes(2);
});

test("reopens a lost context once; a second loss falls back to the still image with the reason", async () => {
  const viewports = [fakeViewport(), fakeViewport()];
  opened.mockResolvedValueOnce(viewports[0]!).mockResolvedValueOnce(viewports[1]!);
  const { container, overlays } = await renderPreview();
  const lose = () => fireEvent(screen.getByRole("application", { hidden: true }), new Event("webglcontextlost", { cancelable: true }));
  await waitFor(() => expect(overlays.isLive).toBe(true));
  expect(await lose()).toBe(false);
  expect(overlays.isLive).toBe(false);
  expect(container.querySelector("canvas.live")).toBeNull();
  await waitFor(() => expect(container.querySelector(".square")).toBeTruthy());
  expect(screen.queryByRole("status")).toBeNull();
  await waitFor(() => expect(overlays.isLive).toBe(true));
  expect(viewports[0]?.dispose).toHaveBeenCalledTimes(1);
  await lose();
  expect((await screen.findByRole("status")).textContent).toContain("the graphics driver stopped");
  await waitFor(() => expect(viewports[1]?.dispose).toHaveBeenCalledTimes(1));
  expect(opened).toHaveBeenCalledTimes(2);
});

test("a context loss after a long time does not count as a second loss", async () => {
  const viewports = [fakeViewport(), fakeViewport(), fakeViewport()];
  for (const viewport of viewports) opened.mockResolvedValueOnce(viewport);
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const { overlays } = await renderPreview();
  for (let loss = 1; loss < viewports.length; loss += 1) {
    await waitFor(() => expect(overlays.isLive).toBe(true));
    now += 3_600_000;
    await fireEvent(screen.getByRole("application", { hidden: true }), new Event("webglcontextlost", { cancelable: true }));
  }
  await waitFor(() => expect(opened).toHaveBeenCalledTimes(3));
  clock.mockRestore();
  await waitFor(() => expect(overlays.isLive).toBe(true));
  expect(screen.queryByRole("status")).toBeNull();
});

test("reloads an unreadable file on request", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  opened.mockRejectedValueOnce(new ViewportError("missing", ""));
  const { overlays } = await renderPreview();
  opened.mockResolvedValueOnce(fakeViewport());
  await fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(overlays.isLive).toBe(true));
  expect(screen.queryByRole("status")).toBeNull();
  warn.mockRestore();
});

test.each([
  [new ViewportError("tooLarge", ""), "too large"],
  [new ViewportError("missing", ""), "not available"],
  [new ViewportError("noGraphics", ""), "does not support WebGL 2"],
  [new Error("anything else"), "cannot be read"],
])("falls back to the still image and shows why (%s)", async (error, words) => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  opened.mockRejectedValue(error);
  const { container, props } = await renderPreview();
  expect((await screen.findByRole("status")).textContent).toContain(words);
  expect(container.querySelector(".square")).toBeTruthy();
  await waitFor(() => expect(props.loadStill).toHaveBeenCalledWith(3));
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

test("does not load three.js without WebGL or without a GLB", async () => {
  vi.unstubAllGlobals();
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const first = await renderPreview();
  expect((await screen.findByRole("status")).textContent).toContain("does not support WebGL 2");
  first.unmount();
  await renderPreview(null);
  expect((await screen.findByRole("status")).textContent).toContain("not available");
  expect(opened).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("highlights and names the joint under the pointer, and selects it on click", async () => {
  const viewport = fakeViewport();
  opened.mockResolvedValue(viewport);
  const { container, overlays, props } = await renderPreview();
  await waitFor(() => expect(overlays.isLive).toBe(true));
  const canvas = screen.getByRole("application");
  canvas.setPointerCapture = vi.fn();
  viewport.jointAt.mockReturnValue({ bone: "leftHand", xPx: 30, yPx: 40 });
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 33, clientY: 41 });
  expect(viewport.jointAt).toHaveBeenLastCalledWith(33, 41);
  expect(viewport.hover).toHaveBeenLastCalledWith("leftHand");
  expect(container.querySelector(".joint")?.textContent).toBe("Left hand");
  await fireEvent.pointerDown(canvas, { pointerId: 1, button: 0, clientX: 33, clientY: 41 });
  await fireEvent.pointerUp(canvas, { pointerId: 1, clientX: 33, clientY: 41 });
  expect(props.onpick).toHaveBeenCalledExactlyOnceWith("leftHand");
  viewport.jointAt.mockReturnValue(null);
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 90, clientY: 90 });
  expect(viewport.hover).toHaveBeenLastCalledWith(null);
  expect(container.querySelector(".joint")).toBeNull();
});

test("attaches a handle to the selected joint and reports its drags", async () => {
  const viewport = fakeViewport();
  opened.mockResolvedValue(viewport);
  const { overlays, props } = await renderPreview();
  await waitFor(() => expect(overlays.isLive).toBe(true));
  props.joint.choose("leftHand");
  await waitFor(() => expect(viewport.hold).toHaveBeenLastCalledWith({ bone: "leftHand", tool: "pull" }));
  await fireEvent.click(screen.getByRole("button", { name: "Rotate" }));
  expect(viewport.hold).toHaveBeenLastCalledWith({ bone: "leftHand", tool: "rotate" });
  const listener = viewport.listen.mock.lastCall?.[0];
  const pull: Correction = { kind: "pull", limb: "leftHand", offset: { left: 0.1, up: 0.05, forward: 0 } };
  listener?.onbegin();
  expect(props.ondrag).toHaveBeenCalledTimes(1);
  listener?.onchange(pull);
  expect(await screen.findByText("Left 10 · up 5 · forward 0 cm")).toBeTruthy();
  listener?.onend(pull);
  expect(props.oncorrect).toHaveBeenCalledExactlyOnceWith(pull);
  await waitFor(() => expect(screen.queryByText("Left 10 · up 5 · forward 0 cm")).toBeNull());
  props.ondeselect.mockImplementation(() => props.joint.leave());
  await fireEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(viewport.hold).toHaveBeenLastCalledWith(null);
  expect(document.activeElement).toBe(screen.getByRole("application"));
});

test("shows the curves of the selected joint in the shown file", async () => {
  const viewport = fakeViewport();
  opened.mockResolvedValue(viewport);
  const { rerender, overlays, props } = await renderPreview();
  await waitFor(() => expect(overlays.isLive).toBe(true));
  const curves = (heightCm: number): JointCurves => {
    const flat = new Float32Array(2);
    return { bone: "head", rotationDeg: [flat, flat, flat], heightCm: flat.map(() => heightCm), speedCmS: flat };
  };
  viewport.curvesOf.mockResolvedValue(curves(1));
  props.joint.choose("head");
  await waitFor(() => expect(props.joint.curves?.heightCm[0]).toBe(1));
  expect(viewport.curvesOf.mock.lastCall?.[0]).toBe("head");
  viewport.curvesOf.mockResolvedValue(curves(2));
  const loadedCorrections: Layers = [];
  let renewed = (): void => {};
  viewport.renew.mockReturnValueOnce(new Promise((resolve) => (renewed = resolve)));
  await rerender({ version: 1, loadedCorrections, details: { ...props.details, glbUrl: "clip://localhost/job-2.1?v=1" } });
  await waitFor(() => expect(viewport.renew.mock.lastCall?.[0]).toBe("clip://localhost/job-2.1?v=1"));
  expect([props.joint.curves?.heightCm[0], props.joint.curvesInclude]).toEqual([1, props.loadedCorrections]);
  renewed();
  await waitFor(() => expect(props.joint.curves?.heightCm[0]).toBe(2));
  expect(props.joint.curvesInclude).toBe(loadedCorrections);
  props.joint.leave();
  await waitFor(() => expect(props.joint.curves).toBeNull());
});
