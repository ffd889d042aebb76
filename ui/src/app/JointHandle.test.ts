import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { open } from "../features/editor/viewport/open";
import type { DragListener } from "../features/editor/viewport/viewport";
import { HostError, type Correction, type CorrectionLayer } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";

vi.mock("../features/editor/viewport/open", () => ({ open: vi.fn() }));

const id = "job-2.1";
const opened = vi.mocked(open as unknown as (...args: unknown[]) => Promise<object>);

beforeEach(() => vi.stubGlobal("WebGL2RenderingContext", class {}));
afterEach(() => vi.unstubAllGlobals());

/**
 * Opens the editor of a clip of 150 frames with a viewport in which every point hits the left hand.
 */
async function editor(layers: CorrectionLayer[] = []) {
  let listener: DragListener | undefined;
  const viewport = {
    ...{ show: vi.fn(), followPlayhead: vi.fn(), resize: vi.fn(), hover: vi.fn(), dispose: vi.fn(), correct: vi.fn() },
    hold: vi.fn(),
    curvesOf: async () => null,
    cancelDrag: vi.fn(() => false),
    renew: vi.fn(async () => {}),
    jointAt: () => ({ bone: "leftHand", xPx: 10, yPx: 10 }),
    listen: (each: DragListener) => (listener = each),
    isHandleTaken: false,
  };
  opened.mockResolvedValue(viewport);
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  if (layers.length) await host.keepCorrections(id, layers);
  host.glbUrl = "clip://localhost/job-2.1";
  render(App, { host, start: { edit: 2 } });
  const canvas = await waitFor(() => {
    const found = screen.getByRole("application");
    expect(found.className).toContain("live");
    return found;
  });
  canvas.setPointerCapture = vi.fn();
  const pick = async () => {
    await fireEvent.pointerDown(canvas, { pointerId: 1, button: 0, clientX: 9, clientY: 9 });
    await fireEvent.pointerUp(canvas, { pointerId: 1, clientX: 9, clientY: 9 });
  };
  const drag = (change: Correction) => {
    listener?.onbegin();
    listener?.onchange(change);
    listener?.onend(change);
  };
  const panel = within(screen.getByRole("region", { name: "Corrections" }));
  return { host, viewport, pick, drag, panel, user: userEvent.setup() };
}

const pull = (up: number): Correction => ({ kind: "pull", limb: "leftHand", offset: { left: 0, up, forward: 0 } });

/** Waits until the app has saved these corrections. */
async function expectSaved(host: FakeHost, expected: unknown): Promise<void> {
  await waitFor(async () => expect(await host.corrections(id)).toMatchObject(expected as object));
}

test("dragging a picked hand adds a correction at the playhead, and another drag extends it", async () => {
  const { host, viewport, pick, drag, panel, user } = await editor();
  await user.keyboard("{Shift>}{ArrowRight}{ArrowRight}{/Shift}");
  await pick();
  expect(viewport.hold).toHaveBeenLastCalledWith({ bone: "leftHand", tool: "pull" });
  expect(panel.getByRole("combobox", { name: "What to correct" })).toHaveProperty("value", "pull leftHand");
  drag(pull(0.1));
  await expectSaved(host, [{ keys: [{ frame: 20, what: pull(0.1) }] }]);
  expect(panel.getByRole("spinbutton", { name: "Up, cm" })).toHaveProperty("value", "10");
  drag(pull(0.05));
  await waitFor(() => expect(panel.getByRole("spinbutton", { name: "Up, cm" })).toHaveProperty("value", "15"));
  const shown = () => viewport.correct.mock.lastCall?.[1];
  expect(shown()).toMatchObject([{ keys: [{ what: pull(0.1 + 0.05) }] }]);
  await user.keyboard("{Control>}z{/Control}");
  expect(shown()).toMatchObject([{ keys: [{ what: pull(0.1) }] }]);
  await expectSaved(host, [{ keys: [{ frame: 20, what: pull(0.1) }] }]);
  await user.keyboard("{Control>}z{/Control}");
  await expectSaved(host, []);
});

test("does not show corrections that cannot be saved, because no file contains them", async () => {
  const { host, viewport, pick, drag, panel, user } = await editor();
  const why = new HostError({ code: "diskRefused", message: "The disk is full.", detail: null });
  vi.spyOn(host, "keepCorrections").mockRejectedValueOnce(why);
  await pick();
  drag(pull(0.1));
  await waitFor(() => expect(viewport.correct.mock.lastCall?.[1]).toHaveLength(1));
  await panel.findByText("The disk is full.");
  expect(viewport.correct.mock.lastCall?.[1]).toEqual([]);
  await user.click(panel.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(viewport.correct.mock.lastCall?.[1]).toHaveLength(1));
  await expectSaved(host, [{ keys: [{ frame: 0 }] }]);
});

test("a change between the fades of a correction gets its own layer, so that both are kept", async () => {
  const { host, pick, drag, user } = await editor();
  await user.keyboard("{Shift>}{ArrowRight}{ArrowRight}{/Shift}");
  await pick();
  drag(pull(0.1));
  await user.keyboard("{ArrowRight}");
  drag(pull(0.2));
  await expectSaved(host, [{ keys: [{ frame: 20 }] }, { keys: [{ frame: 21 }] }]);
});

test("Escape ends a drag, then deselects the joint, then closes the editor", async () => {
  const { viewport, pick, user } = await editor();
  await pick();
  viewport.cancelDrag.mockReturnValueOnce(true);
  await user.keyboard("{Escape}");
  expect(viewport.hold).toHaveBeenLastCalledWith({ bone: "leftHand", tool: "pull" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(viewport.hold).toHaveBeenLastCalledWith(null));
  expect(screen.getByRole("slider", { name: "Playhead" })).toBeTruthy();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("slider", { name: "Playhead" })).toBeNull());
});

test("selects a joint in the panel, without a pointer", async () => {
  const { viewport, panel, user } = await editor();
  await user.selectOptions(panel.getByRole("combobox", { name: "What to correct" }), "Rotate: Head");
  expect(viewport.hold).toHaveBeenLastCalledWith({ bone: "head", tool: "rotate" });
  expect(screen.getByRole("group", { name: "Selected joint: Head" })).toBeTruthy();
});

test("closing the joint deselects its correction, as Escape does", async () => {
  const { viewport, pick, drag, panel, user } = await editor();
  await pick();
  drag(pull(0.1));
  expect(await panel.findByRole("spinbutton", { name: "Up, cm" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(viewport.hold).toHaveBeenLastCalledWith(null);
  expect(panel.queryByRole("spinbutton")).toBeNull();
});

test("with the maximum of corrections, a drag changes nothing and the file's pose is shown", async () => {
  const full = Array.from({ length: 500 }, (_, at) => ({
    ...{ frame: at % 150, before: 0, after: 0, ease: "smooth" as const },
    what: { kind: "rotate" as const, joint: `joint${at}`, rotation: { x: 0, y: 0, z: 0, w: 1 } },
  }));
  const { host, viewport, pick, drag } = await editor([{ name: "", muted: false, keys: full }]);
  await pick();
  drag(pull(0.1));
  expect(host.correctionStore.saved).toHaveLength(1);
});

test("a selected joint is accessible", async () => {
  const { pick } = await editor();
  await pick();
  expect(await screen.findByRole("group", { name: "Selected joint: Left hand" })).toBeTruthy();
  const { violations } = await axe.run(document.body, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: { "color-contrast": { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});
