import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HostError, type CorrectionKey, type CorrectionLayer } from "../host";
import { FakeHost } from "../host/fake";
import { keyboard } from "../shared/keyboard.svelte";
import App from "./App.svelte";

const id = "job-2.1";

beforeEach(() => {
  // happy-dom has no top layer
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

afterEach(() => void (keyboard.chosen = {}));

/** Opens the third newest clip, of 150 frames at 30 fps, in the editor. */
async function open(...layers: CorrectionLayer[]) {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  if (layers.length) await host.keepCorrections(id, layers);
  render(App, { host, start: { edit: 2 } });
  const panel = within(await screen.findByRole("region", { name: "Corrections" }));
  return { host, panel, user: userEvent.setup() };
}

const pull = (frame: number, more: Partial<CorrectionKey> = {}): CorrectionKey => ({
  frame,
  what: { kind: "pull", limb: "rightHand", offset: { left: 0, up: 0.12, forward: 0 } },
  before: 5,
  after: 8,
  ease: "smooth",
  ...more,
});
const layer = (name: string, ...keys: CorrectionKey[]): CorrectionLayer => ({ name, muted: false, keys });
const head = { kind: "rotate" as const, joint: "head", rotation: { x: 0, y: 0, z: 0, w: 1 } };

const playhead = () => Number(screen.getByRole("slider", { name: "Playhead" }).getAttribute("aria-valuenow"));

/** Waits until the app has saved these corrections. */
async function expectSaved(host: FakeHost, expected: unknown): Promise<void> {
  await waitFor(async () => expect(await host.corrections(id)).toMatchObject(expected as CorrectionLayer[]));
}

test("adds a position correction at the playhead, edits its values and saves them", async () => {
  const { host, panel, user } = await open();
  await user.keyboard("{Shift>}{ArrowRight}{ArrowRight}{/Shift}");
  await user.selectOptions(panel.getByRole("combobox", { name: "What to correct" }), "Pull: Right hand");
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  const form = within(panel.getByRole("group", { name: "Pull: Right hand" }));
  const up = form.getByRole("spinbutton", { name: "Up, cm" });
  await user.clear(up);
  await user.type(up, "12.5");
  const before = form.getByRole("spinbutton", { name: "Fade in" });
  await user.clear(before);
  await user.type(before, "4");
  await user.click(form.getByRole("radio", { name: "Hold" }));
  expect(panel.getByText("Left 0 · up 12.5 · forward 0 cm")).toBeTruthy();
  const what = { kind: "pull", limb: "rightHand", offset: { left: 0, up: 0.125, forward: 0 } };
  await expectSaved(host, [{ name: "", muted: false, keys: [{ frame: 20, what, before: 4, after: 10, ease: "hold" }] }]);
});

test("rotates a joint in degrees", async () => {
  const { host, panel, user } = await open();
  await user.selectOptions(panel.getByRole("combobox", { name: "What to correct" }), "Rotate: Left upper arm");
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  const x = panel.getByRole("spinbutton", { name: "X, °" });
  await user.clear(x);
  await user.type(x, "90");
  await expectSaved(host, [{ keys: [{ frame: 0, before: 0, what: { kind: "rotate", joint: "leftUpperArm" } }] }]);
  await waitFor(async () => {
    const what = (await host.corrections(id))[0]?.keys[0]?.what;
    if (what?.kind !== "rotate") throw new Error("it is no rotation");
    expect(what.rotation.x).toBeCloseTo(Math.SQRT1_2, 6);
    expect(what.rotation.w).toBeCloseTo(Math.SQRT1_2, 6);
  });
  expect(panel.getByText("X 90° · Y 0° · Z 0°")).toBeTruthy();
});

test("loads saved corrections, and opening one moves the playhead to it", async () => {
  const { panel, user } = await open(layer("Higher", pull(20), pull(60)));
  await user.click(panel.getByRole("button", { name: /^Pull: Right hand, 2\.00 s · frame 60/ }));
  expect(playhead()).toBe(60);
  expect(panel.getByRole("spinbutton", { name: "Up, cm" })).toHaveProperty("value", "12");
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await user.clear(frame);
  await user.type(frame, "75");
  // the 7 typed on the way to 75 is not applied
  expect(playhead()).toBe(60);
  await user.keyboard("{Enter}");
  expect(playhead()).toBe(75);
});

test("reports a number out of range while typing, and clamps it on commit", async () => {
  const { host, panel, user } = await open(layer("", pull(20)));
  await user.click(panel.getByRole("button", { name: /frame 20/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await user.clear(frame);
  await user.type(frame, "900");
  expect(panel.getByRole("alert").textContent).toBe("Enter a whole number from 0 to 149.");
  await user.tab();
  expect(panel.queryByRole("alert")).toBeNull();
  expect(frame).toHaveProperty("value", "149");
  const up = panel.getByRole("spinbutton", { name: "Up, cm" });
  await user.clear(up);
  await user.type(up, "400{Enter}");
  expect(up).toHaveProperty("value", "300");
  await expectSaved(host, [{ keys: [{ frame: 149, what: { offset: { up: 3 } } }] }]);
});

test("Escape restores a field without adding a history step", async () => {
  const { panel, user } = await open(layer("", pull(20)));
  await user.click(panel.getByRole("button", { name: /frame 20/ }));
  const [up, frame] = [panel.getByRole("spinbutton", { name: "Up, cm" }), panel.getByRole("spinbutton", { name: "Frame" })];
  await user.clear(up);
  await user.type(up, "250");
  await user.keyboard("{Escape}");
  expect(up).toHaveProperty("value", "12");
  await user.clear(frame);
  await user.type(frame, "80{Escape}");
  expect(frame).toHaveProperty("value", "20");
  expect(playhead()).toBe(20);
  expect(screen.getByRole("button", { name: "Undo" })).toHaveProperty("disabled", true);
});

test("angles stay as typed, even at 90 degrees", async () => {
  const { panel, user } = await open(layer("", pull(20, { what: head })));
  await user.click(panel.getByRole("button", { name: /frame 20/ }));
  for (const [name, angle] of [["X, °", "20"], ["Z, °", "30"], ["Y, °", "90"]] as const) {
    const field = panel.getByRole("spinbutton", { name });
    await user.clear(field);
    await user.type(field, angle);
  }
  await user.tab();
  for (const [name, value] of [["X, °", "20"], ["Y, °", "90"], ["Z, °", "30"]] as const) {
    expect(panel.getByRole("spinbutton", { name })).toHaveProperty("value", value);
  }
  expect(panel.getByText("X 20° · Y 90° · Z 30°")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(panel.getByText("X 20° · Y 0° · Z 30°")).toBeTruthy();
});

test("an open correction stays open, with its input, while another layer is removed and restored", async () => {
  const { panel, user } = await open(layer("Low", pull(20)), layer("High", pull(60)));
  await user.click(panel.getByRole("button", { name: /frame 60/ }));
  await user.click(panel.getByRole("button", { name: "Remove layer: Low" }));
  expect(panel.getByRole("spinbutton", { name: "Frame" })).toHaveProperty("value", "60");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(panel.getByRole("button", { name: /frame 60/ }).getAttribute("aria-expanded")).toBe("true");
  expect(panel.getByRole("button", { name: /frame 20/ }).getAttribute("aria-expanded")).toBe("false");
});

test("frames are entered at the displayed frame rate", async () => {
  const { host, panel, user } = await open(layer("", pull(60)));
  await user.selectOptions(screen.getByRole("combobox", { name: "Timeline frame rate" }), "24 fps");
  await user.click(await panel.findByRole("button", { name: /^Pull: Right hand, 2\.00 s · frame 48/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  expect(frame).toHaveProperty("value", "48");
  expect(panel.getByRole("spinbutton", { name: "Fade out" })).toHaveProperty("value", "6");
  await user.clear(frame);
  await user.type(frame, "72{Enter}");
  expect(playhead()).toBe(90);
  await user.clear(frame);
  await user.type(frame, "900{Enter}");
  expect(playhead()).toBe(149);
  const fade = panel.getByRole("spinbutton", { name: "Fade in" });
  await user.clear(fade);
  await user.type(fade, "12{Enter}");
  await expectSaved(host, [{ keys: [{ frame: 149, before: 15, after: 8 }] }]);
});

test("reports invalid numbers and changes nothing", async () => {
  const { host, panel, user } = await open(layer("Higher", pull(20), pull(60)));
  await user.click(panel.getByRole("button", { name: /frame 60/ }));
  const up = panel.getByRole("spinbutton", { name: "Up, cm" });
  await user.clear(up);
  expect(panel.getByRole("alert").textContent).toBe("Enter a number from -300 to 300.");
  await user.tab();
  expect(up).toHaveProperty("value", "12");
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await user.clear(frame);
  await user.type(frame, "20");
  expect(panel.getByRole("alert").textContent).toBe("This layer already has a correction of this kind for this joint at this frame.");
  await user.click(panel.getByRole("button", { name: "Remove correction" }));
  await expectSaved(host, [{ keys: [{ frame: 20 }] }]);
  expect((await host.corrections(id))[0]?.keys).toHaveLength(1);
});

test("renames, mutes and removes layers, each as one undo step", async () => {
  const { host, panel, user } = await open(layer("", pull(20)), layer("Nod", pull(30, { what: head })));
  await user.click(panel.getByRole("button", { name: "Rename: Layer 1" }));
  await user.type(panel.getByRole("textbox", { name: "Name: Layer 1" }), "Higher wave{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { name: "Rename: Higher wave" })));
  await user.click(panel.getByRole("button", { name: "Mute: Nod" }));
  expect(panel.getByRole("button", { name: "Mute: Nod" }).getAttribute("aria-pressed")).toBe("true");
  await expectSaved(host, [{ name: "Higher wave", muted: false }, { name: "Nod", muted: true }]);
  await user.click(panel.getByRole("button", { name: "Remove layer: Higher wave" }));
  await expectSaved(host, [{ name: "Nod" }]);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await expectSaved(host, [{ name: "Higher wave" }, { name: "Nod", muted: true }]);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await expectSaved(host, [{ name: "Higher wave" }, { name: "Nod", muted: false }]);
  await user.click(screen.getByRole("button", { name: "Redo" }));
  await expectSaved(host, [{ name: "Higher wave" }, { name: "Nod", muted: true }]);
});

test("typing a number is one undo step", async () => {
  const { panel, user } = await open(layer("", pull(20)));
  await user.click(panel.getByRole("button", { name: /frame 20/ }));
  const up = panel.getByRole("spinbutton", { name: "Up, cm" });
  await user.clear(up);
  await user.type(up, "250");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(panel.getByText("Left 0 · up 12 · forward 0 cm")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Undo" })).toHaveProperty("disabled", true);
});

test("nudging a number repeatedly is one undo step", async () => {
  const { panel, user } = await open(layer("", pull(20)));
  await user.click(panel.getByRole("button", { name: /frame 20/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  frame.focus();
  // what web views send per press of an arrow key
  for (const value of ["21", "22", "23"]) {
    await fireEvent.input(frame, { target: { value } });
    await fireEvent.change(frame, { target: { value } });
    expect(playhead()).toBe(Number(value));
  }
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(frame).toHaveProperty("value", "20");
  expect(screen.getByRole("button", { name: "Undo" })).toHaveProperty("disabled", true);
});

test("adds new corrections to the chosen layer", async () => {
  const { host, panel, user } = await open(layer("Low"), layer("High"));
  const into = panel.getByRole("combobox", { name: "Add to layer" });
  const add = panel.getByRole("button", { name: "Add at the playhead" });
  await user.click(add);
  await user.selectOptions(into, "Low");
  await user.click(add);
  // a layer holds one key per joint and frame
  await user.click(add);
  await user.selectOptions(into, "New layer");
  await user.click(add);
  await waitFor(async () => expect((await host.corrections(id)).map(({ keys }) => keys.length)).toEqual([1, 1, 1]));
});

test("sorts keys by frame, but not while one is being edited", async () => {
  const { panel, user } = await open(layer("", pull(20), pull(60)));
  const frames = () => panel.getAllByRole("button", { name: /^Pull: Right hand/ }).map(({ textContent }) => /frame (\d+)/.exec(textContent)?.[1]);
  await user.click(panel.getByRole("button", { name: /frame 20/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await user.clear(frame);
  await user.type(frame, "75{Enter}");
  expect(document.activeElement).toBe(frame);
  expect(frames()).toEqual(["75", "60"]);
  await user.click(panel.getByRole("combobox", { name: "What to correct" }));
  await waitFor(() => expect(frames()).toEqual(["60", "75"]));
  expect(panel.getByRole("spinbutton", { name: "Frame" })).toHaveProperty("value", "75");
});

test("moves the focus to the next item after a removal", async () => {
  const { panel, user } = await open(layer("", pull(20), pull(60)));
  await user.click(panel.getByRole("button", { name: /frame 20/ }));
  panel.getByRole("button", { name: "Remove correction" }).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { name: /frame 60/ })));
  await user.keyboard("{Enter}");
  panel.getByRole("button", { name: "Remove correction" }).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { name: "Rename: Layer 1" })));
  panel.getByRole("button", { name: "Remove layer: Layer 1" }).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { name: "Add at the playhead" })));
});

test("Delete removes the open correction", async () => {
  const { host, panel, user } = await open(layer("", pull(20)));
  await user.click(panel.getByRole("button", { name: /frame 20/ }));
  await user.keyboard("{Delete}");
  await expectSaved(host, [{ keys: [] }]);
  expect(panel.getByText("No corrections in this layer")).toBeTruthy();
});

test("adds no corrections beyond the maximum, and says so", async () => {
  const many = Array.from({ length: 500 }, (_, at) => pull(at % 150, { what: { ...head, joint: `joint${at}` } }));
  const { panel } = await open(layer("", ...many));
  expect(panel.getByRole("button", { name: "Add at the playhead" })).toHaveProperty("disabled", true);
  expect(panel.getByText("A clip can have at most 500 corrections.")).toBeTruthy();
});

test("reports a joint that the character lacks", async () => {
  const { host, panel, user } = await open();
  host.correctionStore.missing.add("leftToes");
  await user.selectOptions(panel.getByRole("combobox", { name: "What to correct" }), "Rotate: Left toes");
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  expect(await panel.findByText(/The character has no joint "leftToes"/)).toBeTruthy();
});

test("reports corrections that could not be saved, and retries on request", async () => {
  const { host, panel, user } = await open();
  const why = new HostError({ code: "diskRefused", message: "The disk is full.", detail: null });
  vi.spyOn(host, "keepCorrections").mockRejectedValueOnce(why);
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  expect((await panel.findByRole("alert")).textContent).toContain("The disk is full.");
  await user.click(panel.getByRole("button", { name: "Try again" }));
  await expectSaved(host, [{ keys: [{ frame: 0 }] }]);
  await waitFor(() => expect(panel.queryByRole("alert")).toBeNull());
});

test("restores and saves unsaved corrections when the editor is opened again", async () => {
  const { host, panel, user } = await open(layer("", pull(20)));
  const why = new HostError({ code: "diskRefused", message: "The disk is full.", detail: null });
  const failingSaves = [vi.spyOn(host, "keepCorrections").mockRejectedValue(why), vi.spyOn(host, "keepDraft").mockRejectedValue(why)];
  await user.click(panel.getByRole("button", { name: "Mute: Layer 1" }));
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}i");
  await user.click(screen.getByRole("button", { name: "Back" }));
  const card = within(await screen.findByRole("article", { name: /Sneaks forward/ }));
  await waitFor(() => expect(screen.getAllByText("The disk is full.").length).toBeGreaterThan(0));
  for (const keepSpy of failingSaves) keepSpy.mockRestore();
  await user.click(card.getByRole("button", { name: "Edit" }));
  const again = within(await screen.findByRole("region", { name: "Corrections" }));
  expect(again.getByRole("button", { name: "Mute: Layer 1" }).getAttribute("aria-pressed")).toBe("true");
  expect(screen.getByRole("slider", { name: "Trim start" }).getAttribute("aria-valuenow")).toBe("10");
  await expectSaved(host, [{ muted: true }]);
  await waitFor(async () => expect((await host.clipDetails(id)).draft).toMatchObject({ trimLeft: 10 }));
});

test("reloads the still image after a change", async () => {
  const { host, panel, user } = await open();
  const stills = vi.spyOn(host, "clipStill");
  await waitFor(() => expect(stills).toHaveBeenCalledTimes(1));
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await waitFor(() => expect(stills).toHaveBeenCalledTimes(2));
  expect(host.correctionStore.saved).toHaveLength(1);
});

test("the timeline shows fades, which can be dragged, and opens corrections", async () => {
  const muted = { ...layer("Off", pull(100, { before: 120 })), muted: true };
  const { host, panel, user } = await open(layer("", pull(20)), muted);
  const lane = within(screen.getByRole("group", { name: "Corrections on the timeline" }));
  const bar = lane.getByRole("button", { name: /frame 20$/ });
  expect(bar.style.left).toBe(`${(100 * 15) / 150}%`);
  expect(parseFloat(bar.style.width)).toBeCloseTo((100 * 14) / 150);
  const off = lane.getByRole("button", { name: /frame 100$/ });
  expect(off.style.left).toBe("0%");
  expect(off.className).toContain("muted");
  expect(bar.className).not.toContain("muted");
  expect(lane.queryByRole("slider")).toBeNull();
  await user.click(bar);
  expect(playhead()).toBe(20);
  expect(panel.getByRole("group", { name: "Pull: Right hand" })).toBeTruthy();
  lane.getByRole("slider", { name: "Start of the fade-in: Pull: Right hand" }).focus();
  await user.keyboard("{ArrowLeft}{ArrowLeft}");
  lane.getByRole("slider", { name: "End of the fade-out: Pull: Right hand" }).focus();
  await user.keyboard("{ArrowLeft}");
  await expectSaved(host, [{ keys: [{ frame: 20, before: 7, after: 7 }] }, { muted: true }]);
  expect(panel.getByRole("spinbutton", { name: "Fade in" })).toHaveProperty("value", "7");
});

test("shortcuts go from correction to correction, also at the same frame, and move the focus", async () => {
  const { panel, user } = await open(layer("", pull(20), pull(60)), layer("", pull(20, { what: head })));
  const opened = () => panel.queryByRole("button", { expanded: true })?.textContent;
  await user.keyboard(".");
  expect([playhead(), opened()]).toEqual([20, expect.stringContaining("Pull: Right hand")]);
  await user.keyboard(".");
  expect([playhead(), opened()]).toEqual([20, expect.stringContaining("Rotate: Head")]);
  panel.getByRole("button", { name: "Remove correction" }).focus();
  await user.keyboard(".");
  expect([playhead(), opened()]).toEqual([60, expect.stringContaining("frame 60")]);
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { expanded: true })));
  await user.keyboard(".");
  expect(playhead()).toBe(60);
  await user.keyboard("{ArrowLeft},");
  expect([playhead(), opened()]).toEqual([20, expect.stringContaining("Rotate: Head")]);
  keyboard.chosen = { previousCorrection: "Ctrl+Shift+P" };
  await user.keyboard(",");
  expect(opened()).toContain("Rotate: Head");
  await user.keyboard("{Control>}{Shift>}P{/Shift}{/Control}");
  expect(opened()).toContain("Pull: Right hand");
});

test("without corrections the timeline has no correction lane", async () => {
  const { panel, user } = await open();
  expect(screen.queryByRole("group", { name: "Corrections on the timeline" })).toBeNull();
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  expect(screen.getByRole("group", { name: "Corrections on the timeline" })).toBeTruthy();
});

test("saves a change right before the window closes", async () => {
  const { host, panel, user } = await open(layer("", pull(20)));
  await user.click(panel.getByRole("button", { name: "Mute: Layer 1" }));
  await user.click(panel.getByRole("button", { name: "Rename: Layer 1" }));
  await user.type(panel.getByRole("textbox", { name: "Name: Layer 1" }), "Later{Enter}");
  window.dispatchEvent(new Event("pagehide"));
  await expectSaved(host, [{ name: "Later", muted: true }]);
});

/** Makes the app wait with saving corrections until the returned function is called. */
function holdSave(host: FakeHost): () => void {
  let keepSpy = (): void => undefined;
  const original = host.keepCorrections.bind(host);
  vi.spyOn(host, "keepCorrections").mockImplementation(async (clip, layers) => {
    await new Promise<void>((resolve) => (keepSpy = resolve));
    return original(clip, layers);
  });
  return () => keepSpy();
}

test("submits an edit only after earlier corrections are saved", async () => {
  const { host, panel, user } = await open();
  const keepSpy = holdSave(host);
  const edit = vi.spyOn(host, "editClip");
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await user.click(screen.getByRole("radio", { name: "Trim" }));
  await user.click(screen.getByRole("button", { name: "Save as new clip" }));
  expect(edit).not.toHaveBeenCalled();
  keepSpy();
  await waitFor(() => expect(edit).toHaveBeenCalledTimes(1));
  expect(host.correctionStore.saved).toHaveLength(1);
});

test.each([
  ["Export", "Export"],
  ["Render", "Render video"],
])("%s opens its dialog after earlier corrections are saved", async (button, title) => {
  const { host, panel, user } = await open();
  const keepSpy = holdSave(host);
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await user.click(screen.getByRole("button", { name: button }));
  expect(screen.queryByRole("dialog")).toBeNull();
  keepSpy();
  expect(await screen.findByRole("dialog", { name: title })).toBeTruthy();
  expect(host.correctionStore.saved).toHaveLength(1);
});

test("exports input that was not committed before the shortcut", async () => {
  const { host, panel, user } = await open(layer("", pull(20)));
  await user.click(panel.getByRole("button", { name: /frame 20/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await user.clear(frame);
  await user.type(frame, "75");
  await user.keyboard("{Control>}e{/Control}");
  expect(await screen.findByRole("dialog", { name: "Export" })).toBeTruthy();
  expect(await host.corrections(id)).toMatchObject([{ keys: [{ frame: 75 }] }]);
});

test("exports nothing while corrections are unsaved, and offers to retry", async () => {
  const { host, panel, user } = await open();
  const why = new HostError({ code: "diskRefused", message: "The disk is full.", detail: null });
  const failingSaves = vi.spyOn(host, "keepCorrections").mockRejectedValue(why);
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await panel.findByRole("alert");
  await user.keyboard("{Control>}e{/Control}");
  const again = panel.getByRole("button", { name: "Try again" });
  await waitFor(() => expect(document.activeElement).toBe(again));
  expect(screen.queryByRole("dialog")).toBeNull();
  failingSaves.mockRestore();
  await user.click(again);
  await expectSaved(host, [{ keys: [{ frame: 0 }] }]);
  await user.keyboard("{Control>}e{/Control}");
  expect(await screen.findByRole("dialog", { name: "Export" })).toBeTruthy();
});

test("renders all edits of a clip whose editor was just closed", async () => {
  const { host, panel, user } = await open();
  const keepSpy = holdSave(host);
  const loadDetails = vi.spyOn(host, "clipDetails");
  await user.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await user.click(screen.getByRole("button", { name: "Back" }));
  loadDetails.mockClear();
  const card = within(await screen.findByRole("article", { name: /Sneaks forward/ }));
  await user.click(card.getByRole("button", { name: "Render video" }));
  expect(loadDetails).not.toHaveBeenCalled();
  keepSpy();
  expect(await screen.findByRole("dialog", { name: "Render video" })).toBeTruthy();
  expect(host.correctionStore.saved).toHaveLength(1);
});

test("the editor and the card say that a clip is corrected while the corrections are visible", async () => {
  const { host, panel, user } = await open(layer("", pull(20)));
  const quality = within(screen.getByRole("list", { name: "Quality" }));
  expect(quality.getByText("Corrected; measured without corrections")).toBeTruthy();
  await user.click(panel.getByRole("button", { name: "Mute: Layer 1" }));
  expect(quality.queryByText(/^Corrected/)).toBeNull();
  await expectSaved(host, [{ muted: true }]);
  await user.click(panel.getByRole("button", { name: "Mute: Layer 1" }));
  await expectSaved(host, [{ muted: false }]);
  await user.click(screen.getByRole("button", { name: "Back" }));
  const card = await screen.findByRole("article", { name: /Sneaks forward/ });
  await waitFor(() => expect(card.textContent).toMatch(/· corrected/));
});
