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
  return { host, panel, person: userEvent.setup() };
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
async function kept(host: FakeHost, expected: unknown): Promise<void> {
  await waitFor(async () => expect(await host.corrections(id)).toMatchObject(expected as CorrectionLayer[]));
}

test("a pull is added at the playhead, its values are typed, and the app keeps them", async () => {
  const { host, panel, person } = await open();
  await person.keyboard("{Shift>}{ArrowRight}{ArrowRight}{/Shift}");
  await person.selectOptions(panel.getByRole("combobox", { name: "What to correct" }), "Pull: Right hand");
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  const form = within(panel.getByRole("group", { name: "Pull: Right hand" }));
  const up = form.getByRole("spinbutton", { name: "Up, cm" });
  await person.clear(up);
  await person.type(up, "12.5");
  const before = form.getByRole("spinbutton", { name: "Fade in" });
  await person.clear(before);
  await person.type(before, "4");
  await person.click(form.getByRole("radio", { name: "Hold" }));
  expect(panel.getByText("Left 0 · up 12.5 · forward 0 cm")).toBeTruthy();
  const what = { kind: "pull", limb: "rightHand", offset: { left: 0, up: 0.125, forward: 0 } };
  await kept(host, [{ name: "", muted: false, keys: [{ frame: 20, what, before: 4, after: 10, ease: "hold" }] }]);
});

test("a joint is rotated in degrees", async () => {
  const { host, panel, person } = await open();
  await person.selectOptions(panel.getByRole("combobox", { name: "What to correct" }), "Rotate: Left upper arm");
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  const x = panel.getByRole("spinbutton", { name: "X, °" });
  await person.clear(x);
  await person.type(x, "90");
  await kept(host, [{ keys: [{ frame: 0, before: 0, what: { kind: "rotate", joint: "leftUpperArm" } }] }]);
  await waitFor(async () => {
    const what = (await host.corrections(id))[0]?.keys[0]?.what;
    if (what?.kind !== "rotate") throw new Error("it is no rotation");
    expect(what.rotation.x).toBeCloseTo(Math.SQRT1_2, 6);
    expect(what.rotation.w).toBeCloseTo(Math.SQRT1_2, 6);
  });
  expect(panel.getByText("X 90° · Y 0° · Z 0°")).toBeTruthy();
});

test("what was kept is there again, and a press on it moves the playhead there", async () => {
  const { panel, person } = await open(layer("Higher", pull(20), pull(60)));
  await person.click(panel.getByRole("button", { name: /^Pull: Right hand, 2\.00 s · frame 60/ }));
  expect(playhead()).toBe(60);
  expect(panel.getByRole("spinbutton", { name: "Up, cm" })).toHaveProperty("value", "12");
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await person.clear(frame);
  await person.type(frame, "75");
  // the 7 typed on the way to 75 is not applied
  expect(playhead()).toBe(60);
  await person.keyboard("{Enter}");
  expect(playhead()).toBe(75);
});

test("a number past the end is said while it is typed, and becomes the nearest that fits", async () => {
  const { host, panel, person } = await open(layer("", pull(20)));
  await person.click(panel.getByRole("button", { name: /frame 20/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await person.clear(frame);
  await person.type(frame, "900");
  expect(panel.getByRole("alert").textContent).toBe("Enter a whole number from 0 to 149.");
  await person.tab();
  expect(panel.queryByRole("alert")).toBeNull();
  expect(frame).toHaveProperty("value", "149");
  const up = panel.getByRole("spinbutton", { name: "Up, cm" });
  await person.clear(up);
  await person.type(up, "400{Enter}");
  expect(up).toHaveProperty("value", "300");
  await kept(host, [{ keys: [{ frame: 149, what: { offset: { up: 3 } } }] }]);
});

test("escape goes back to what was in a field before, in no step of the history", async () => {
  const { panel, person } = await open(layer("", pull(20)));
  await person.click(panel.getByRole("button", { name: /frame 20/ }));
  const [up, frame] = [panel.getByRole("spinbutton", { name: "Up, cm" }), panel.getByRole("spinbutton", { name: "Frame" })];
  await person.clear(up);
  await person.type(up, "250");
  await person.keyboard("{Escape}");
  expect(up).toHaveProperty("value", "12");
  await person.clear(frame);
  await person.type(frame, "80{Escape}");
  expect(frame).toHaveProperty("value", "20");
  expect(playhead()).toBe(20);
  expect(screen.getByRole("button", { name: "Undo" })).toHaveProperty("disabled", true);
});

test("angles stay as they were typed, at a quarter turn too", async () => {
  const { panel, person } = await open(layer("", pull(20, { what: head })));
  await person.click(panel.getByRole("button", { name: /frame 20/ }));
  for (const [name, angle] of [["X, °", "20"], ["Z, °", "30"], ["Y, °", "90"]] as const) {
    const field = panel.getByRole("spinbutton", { name });
    await person.clear(field);
    await person.type(field, angle);
  }
  await person.tab();
  for (const [name, value] of [["X, °", "20"], ["Y, °", "90"], ["Z, °", "30"]] as const) {
    expect(panel.getByRole("spinbutton", { name })).toHaveProperty("value", value);
  }
  expect(panel.getByText("X 20° · Y 90° · Z 30°")).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Undo" }));
  expect(panel.getByText("X 20° · Y 0° · Z 30°")).toBeTruthy();
});

test("the correction that is open stays open, with what is typed in it, while another layer goes and comes back", async () => {
  const { panel, person } = await open(layer("Low", pull(20)), layer("High", pull(60)));
  await person.click(panel.getByRole("button", { name: /frame 60/ }));
  await person.click(panel.getByRole("button", { name: "Remove layer: Low" }));
  expect(panel.getByRole("spinbutton", { name: "Frame" })).toHaveProperty("value", "60");
  await person.click(screen.getByRole("button", { name: "Undo" }));
  expect(panel.getByRole("button", { name: /frame 60/ }).getAttribute("aria-expanded")).toBe("true");
  expect(panel.getByRole("button", { name: /frame 20/ }).getAttribute("aria-expanded")).toBe("false");
});

test("frames are typed as the timeline counts them", async () => {
  const { host, panel, person } = await open(layer("", pull(60)));
  await person.selectOptions(screen.getByRole("combobox", { name: "Timeline frame rate" }), "24 fps");
  await person.click(await panel.findByRole("button", { name: /^Pull: Right hand, 2\.00 s · frame 48/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  expect(frame).toHaveProperty("value", "48");
  expect(panel.getByRole("spinbutton", { name: "Fade out" })).toHaveProperty("value", "6");
  await person.clear(frame);
  await person.type(frame, "72{Enter}");
  expect(playhead()).toBe(90);
  await person.clear(frame);
  await person.type(frame, "900{Enter}");
  expect(playhead()).toBe(149);
  const fade = panel.getByRole("spinbutton", { name: "Fade in" });
  await person.clear(fade);
  await person.type(fade, "12{Enter}");
  await kept(host, [{ keys: [{ frame: 149, before: 15, after: 8 }] }]);
});

test("numbers that do not fit are said, and change nothing", async () => {
  const { host, panel, person } = await open(layer("Higher", pull(20), pull(60)));
  await person.click(panel.getByRole("button", { name: /frame 60/ }));
  const up = panel.getByRole("spinbutton", { name: "Up, cm" });
  await person.clear(up);
  expect(panel.getByRole("alert").textContent).toBe("Enter a number from -300 to 300.");
  await person.tab();
  expect(up).toHaveProperty("value", "12");
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await person.clear(frame);
  await person.type(frame, "20");
  expect(panel.getByRole("alert").textContent).toBe("This layer already has such a correction at this frame.");
  await person.click(panel.getByRole("button", { name: "Remove correction" }));
  await kept(host, [{ keys: [{ frame: 20 }] }]);
  expect((await host.corrections(id))[0]?.keys).toHaveLength(1);
});

test("layers are renamed, muted and removed, and each step can be taken back", async () => {
  const { host, panel, person } = await open(layer("", pull(20)), layer("Nod", pull(30, { what: head })));
  await person.click(panel.getByRole("button", { name: "Rename: Layer 1" }));
  await person.type(panel.getByRole("textbox", { name: "Name: Layer 1" }), "Higher wave{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { name: "Rename: Higher wave" })));
  await person.click(panel.getByRole("button", { name: "Mute: Nod" }));
  expect(panel.getByRole("button", { name: "Mute: Nod" }).getAttribute("aria-pressed")).toBe("true");
  await kept(host, [{ name: "Higher wave", muted: false }, { name: "Nod", muted: true }]);
  await person.click(panel.getByRole("button", { name: "Remove layer: Higher wave" }));
  await kept(host, [{ name: "Nod" }]);
  await person.click(screen.getByRole("button", { name: "Undo" }));
  await kept(host, [{ name: "Higher wave" }, { name: "Nod", muted: true }]);
  await person.click(screen.getByRole("button", { name: "Undo" }));
  await kept(host, [{ name: "Higher wave" }, { name: "Nod", muted: false }]);
  await person.click(screen.getByRole("button", { name: "Redo" }));
  await kept(host, [{ name: "Higher wave" }, { name: "Nod", muted: true }]);
});

test("one number that is typed is one step of the history", async () => {
  const { panel, person } = await open(layer("", pull(20)));
  await person.click(panel.getByRole("button", { name: /frame 20/ }));
  const up = panel.getByRole("spinbutton", { name: "Up, cm" });
  await person.clear(up);
  await person.type(up, "250");
  await person.click(screen.getByRole("button", { name: "Undo" }));
  expect(panel.getByText("Left 0 · up 12 · forward 0 cm")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Undo" })).toHaveProperty("disabled", true);
});

test("a number that is nudged is one step of the history, however often", async () => {
  const { panel, person } = await open(layer("", pull(20)));
  await person.click(panel.getByRole("button", { name: /frame 20/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  frame.focus();
  // what web views send per press of an arrow key
  for (const value of ["21", "22", "23"]) {
    await fireEvent.input(frame, { target: { value } });
    await fireEvent.change(frame, { target: { value } });
    expect(playhead()).toBe(Number(value));
  }
  await person.click(screen.getByRole("button", { name: "Undo" }));
  expect(frame).toHaveProperty("value", "20");
  expect(screen.getByRole("button", { name: "Undo" })).toHaveProperty("disabled", true);
});

test("new corrections come into the layer that is chosen", async () => {
  const { host, panel, person } = await open(layer("Low"), layer("High"));
  const into = panel.getByRole("combobox", { name: "Add to layer" });
  const add = panel.getByRole("button", { name: "Add at the playhead" });
  await person.click(add);
  await person.selectOptions(into, "Low");
  await person.click(add);
  // a layer holds one key per joint and frame
  await person.click(add);
  await person.selectOptions(into, "New layer");
  await person.click(add);
  await waitFor(async () => expect((await host.corrections(id)).map(({ keys }) => keys.length)).toEqual([1, 1, 1]));
});

test("keys are listed by their frames, and none moves while somebody is at them", async () => {
  const { panel, person } = await open(layer("", pull(20), pull(60)));
  const frames = () => panel.getAllByRole("button", { name: /^Pull: Right hand/ }).map(({ textContent }) => /frame (\d+)/.exec(textContent)?.[1]);
  await person.click(panel.getByRole("button", { name: /frame 20/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await person.clear(frame);
  await person.type(frame, "75{Enter}");
  expect(document.activeElement).toBe(frame);
  expect(frames()).toEqual(["75", "60"]);
  await person.click(panel.getByRole("combobox", { name: "What to correct" }));
  await waitFor(() => expect(frames()).toEqual(["60", "75"]));
  expect(panel.getByRole("spinbutton", { name: "Frame" })).toHaveProperty("value", "75");
});

test("what is removed hands the focus on to what is next to it", async () => {
  const { panel, person } = await open(layer("", pull(20), pull(60)));
  await person.click(panel.getByRole("button", { name: /frame 20/ }));
  panel.getByRole("button", { name: "Remove correction" }).focus();
  await person.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { name: /frame 60/ })));
  await person.keyboard("{Enter}");
  panel.getByRole("button", { name: "Remove correction" }).focus();
  await person.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { name: "Rename: Layer 1" })));
  panel.getByRole("button", { name: "Remove layer: Layer 1" }).focus();
  await person.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { name: "Add at the playhead" })));
});

test("delete removes the correction that is open", async () => {
  const { host, panel, person } = await open(layer("", pull(20)));
  await person.click(panel.getByRole("button", { name: /frame 20/ }));
  await person.keyboard("{Delete}");
  await kept(host, [{ keys: [] }]);
  expect(panel.getByText("No corrections in this layer")).toBeTruthy();
});

test("a clip with the most corrections takes no more, and says so", async () => {
  const many = Array.from({ length: 500 }, (_, at) => pull(at % 150, { what: { ...head, joint: `joint${at}` } }));
  const { panel } = await open(layer("", ...many));
  expect(panel.getByRole("button", { name: "Add at the playhead" })).toHaveProperty("disabled", true);
  expect(panel.getByText("A clip can have at most 500 corrections.")).toBeTruthy();
});

test("a joint that the character lacks is told in the panel", async () => {
  const { host, panel, person } = await open();
  host.corrected.missing.add("leftToes");
  await person.selectOptions(panel.getByRole("combobox", { name: "What to correct" }), "Rotate: Left toes");
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  expect(await panel.findByText(/The character has no joint "leftToes"/)).toBeTruthy();
});

test("corrections that cannot be kept are said so in the panel, and kept when asked again", async () => {
  const { host, panel, person } = await open();
  const why = new HostError({ code: "diskRefused", message: "The disk is full.", detail: null });
  vi.spyOn(host, "keepCorrections").mockRejectedValueOnce(why);
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  expect((await panel.findByRole("alert")).textContent).toContain("The disk is full.");
  await person.click(panel.getByRole("button", { name: "Try again" }));
  await kept(host, [{ keys: [{ frame: 0 }] }]);
  await waitFor(() => expect(panel.queryByRole("alert")).toBeNull());
});

test("what cannot be kept when the editor is closed is there when it is opened again, and kept then", async () => {
  const { host, panel, person } = await open(layer("", pull(20)));
  const why = new HostError({ code: "diskRefused", message: "The disk is full.", detail: null });
  const keeps = [vi.spyOn(host, "keepCorrections").mockRejectedValue(why), vi.spyOn(host, "keepDraft").mockRejectedValue(why)];
  await person.click(panel.getByRole("button", { name: "Mute: Layer 1" }));
  await person.keyboard("{Shift>}{ArrowRight}{/Shift}i");
  await person.click(screen.getByRole("button", { name: "Back" }));
  const card = within(await screen.findByRole("article", { name: /Sneaks forward/ }));
  await waitFor(() => expect(screen.getAllByText("The disk is full.").length).toBeGreaterThan(0));
  for (const keep of keeps) keep.mockRestore();
  await person.click(card.getByRole("button", { name: "Edit" }));
  const again = within(await screen.findByRole("region", { name: "Corrections" }));
  expect(again.getByRole("button", { name: "Mute: Layer 1" }).getAttribute("aria-pressed")).toBe("true");
  expect(screen.getByRole("slider", { name: "Trim start" }).getAttribute("aria-valuenow")).toBe("10");
  await kept(host, [{ muted: true }]);
  await waitFor(async () => expect((await host.clipDetails(id)).draft).toMatchObject({ trimLeft: 10 }));
});

test("after a change the still image is drawn anew", async () => {
  const { host, panel, person } = await open();
  const stills = vi.spyOn(host, "clipStill");
  await waitFor(() => expect(stills).toHaveBeenCalledTimes(1));
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await waitFor(() => expect(stills).toHaveBeenCalledTimes(2));
  expect(host.corrected.kept).toHaveLength(1);
});

test("the timeline shows how corrections come and go; its handles change that, and a press opens one", async () => {
  const muted = { ...layer("Off", pull(100, { before: 120 })), muted: true };
  const { host, panel, person } = await open(layer("", pull(20)), muted);
  const lane = within(screen.getByRole("group", { name: "Corrections on the timeline" }));
  const bar = lane.getByRole("button", { name: /frame 20$/ });
  expect(bar.style.left).toBe(`${(100 * 15) / 150}%`);
  expect(parseFloat(bar.style.width)).toBeCloseTo((100 * 14) / 150);
  const off = lane.getByRole("button", { name: /frame 100$/ });
  expect(off.style.left).toBe("0%");
  expect(off.className).toContain("muted");
  expect(bar.className).not.toContain("muted");
  expect(lane.queryByRole("slider")).toBeNull();
  await person.click(bar);
  expect(playhead()).toBe(20);
  expect(panel.getByRole("group", { name: "Pull: Right hand" })).toBeTruthy();
  lane.getByRole("slider", { name: "Start of the fade-in: Pull: Right hand" }).focus();
  await person.keyboard("{ArrowLeft}{ArrowLeft}");
  lane.getByRole("slider", { name: "End of the fade-out: Pull: Right hand" }).focus();
  await person.keyboard("{ArrowLeft}");
  await kept(host, [{ keys: [{ frame: 20, before: 7, after: 7 }] }, { muted: true }]);
  expect(panel.getByRole("spinbutton", { name: "Fade in" })).toHaveProperty("value", "7");
});

test("keys go from one correction to the next, over two at one frame, and the focus goes along", async () => {
  const { panel, person } = await open(layer("", pull(20), pull(60)), layer("", pull(20, { what: head })));
  const opened = () => panel.queryByRole("button", { expanded: true })?.textContent;
  await person.keyboard(".");
  expect([playhead(), opened()]).toEqual([20, expect.stringContaining("Pull: Right hand")]);
  await person.keyboard(".");
  expect([playhead(), opened()]).toEqual([20, expect.stringContaining("Rotate: Head")]);
  panel.getByRole("button", { name: "Remove correction" }).focus();
  await person.keyboard(".");
  expect([playhead(), opened()]).toEqual([60, expect.stringContaining("frame 60")]);
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { expanded: true })));
  await person.keyboard(".");
  expect(playhead()).toBe(60);
  await person.keyboard("{ArrowLeft},");
  expect([playhead(), opened()]).toEqual([20, expect.stringContaining("Rotate: Head")]);
  keyboard.chosen = { previousCorrection: "Ctrl+Shift+P" };
  await person.keyboard(",");
  expect(opened()).toContain("Rotate: Head");
  await person.keyboard("{Control>}{Shift>}P{/Shift}{/Control}");
  expect(opened()).toContain("Pull: Right hand");
});

test("without corrections the timeline has no lane for them", async () => {
  const { panel, person } = await open();
  expect(screen.queryByRole("group", { name: "Corrections on the timeline" })).toBeNull();
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  expect(screen.getByRole("group", { name: "Corrections on the timeline" })).toBeTruthy();
});

test("a window that closes right after a change keeps it", async () => {
  const { host, panel, person } = await open(layer("", pull(20)));
  await person.click(panel.getByRole("button", { name: "Mute: Layer 1" }));
  await person.click(panel.getByRole("button", { name: "Rename: Layer 1" }));
  await person.type(panel.getByRole("textbox", { name: "Name: Layer 1" }), "Later{Enter}");
  window.dispatchEvent(new Event("pagehide"));
  await kept(host, [{ name: "Later", muted: true }]);
});

/** Makes the app wait with saving corrections until the returned function is called. */
function hold(host: FakeHost): () => void {
  let keep = (): void => undefined;
  const original = host.keepCorrections.bind(host);
  vi.spyOn(host, "keepCorrections").mockImplementation(async (clip, layers) => {
    await new Promise<void>((resolve) => (keep = resolve));
    return original(clip, layers);
  });
  return () => keep();
}

test("an edit starts when the corrections before it are kept", async () => {
  const { host, panel, person } = await open();
  const keep = hold(host);
  const edit = vi.spyOn(host, "editClip");
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await person.click(screen.getByRole("radio", { name: "Trim" }));
  await person.click(screen.getByRole("button", { name: "Save as new clip" }));
  expect(edit).not.toHaveBeenCalled();
  keep();
  await waitFor(() => expect(edit).toHaveBeenCalledTimes(1));
  expect(host.corrected.kept).toHaveLength(1);
});

test.each([
  ["Export", "Export"],
  ["Render", "Render video"],
])("%s opens its dialog when the corrections before it are kept", async (button, title) => {
  const { host, panel, person } = await open();
  const keep = hold(host);
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await person.click(screen.getByRole("button", { name: button }));
  expect(screen.queryByRole("dialog")).toBeNull();
  keep();
  expect(await screen.findByRole("dialog", { name: title })).toBeTruthy();
  expect(host.corrected.kept).toHaveLength(1);
});

test("what is typed when its shortcut is pressed is exported, too", async () => {
  const { host, panel, person } = await open(layer("", pull(20)));
  await person.click(panel.getByRole("button", { name: /frame 20/ }));
  const frame = panel.getByRole("spinbutton", { name: "Frame" });
  await person.clear(frame);
  await person.type(frame, "75");
  await person.keyboard("{Control>}e{/Control}");
  expect(await screen.findByRole("dialog", { name: "Export" })).toBeTruthy();
  expect(await host.corrections(id)).toMatchObject([{ keys: [{ frame: 75 }] }]);
});

test("nothing is exported without corrections that could not be kept, and the way to keep them is at hand", async () => {
  const { host, panel, person } = await open();
  const why = new HostError({ code: "diskRefused", message: "The disk is full.", detail: null });
  const keeps = vi.spyOn(host, "keepCorrections").mockRejectedValue(why);
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await panel.findByRole("alert");
  await person.keyboard("{Control>}e{/Control}");
  const again = panel.getByRole("button", { name: "Try again" });
  await waitFor(() => expect(document.activeElement).toBe(again));
  expect(screen.queryByRole("dialog")).toBeNull();
  keeps.mockRestore();
  await person.click(again);
  await kept(host, [{ keys: [{ frame: 0 }] }]);
  await person.keyboard("{Control>}e{/Control}");
  expect(await screen.findByRole("dialog", { name: "Export" })).toBeTruthy();
});

test("a clip whose editor was just closed is rendered with everything that was done there", async () => {
  const { host, panel, person } = await open();
  const keep = hold(host);
  const films = vi.spyOn(host, "clipDetails");
  await person.click(panel.getByRole("button", { name: "Add at the playhead" }));
  await person.click(screen.getByRole("button", { name: "Back" }));
  films.mockClear();
  const card = within(await screen.findByRole("article", { name: /Sneaks forward/ }));
  await person.click(card.getByRole("button", { name: "Render video" }));
  expect(films).not.toHaveBeenCalled();
  keep();
  expect(await screen.findByRole("dialog", { name: "Render video" })).toBeTruthy();
  expect(host.corrected.kept).toHaveLength(1);
});

test("a clip says in the editor and on its card that it is corrected, while that can be seen", async () => {
  const { host, panel, person } = await open(layer("", pull(20)));
  const quality = within(screen.getByRole("list", { name: "Quality" }));
  expect(quality.getByText("Corrected; measured without corrections")).toBeTruthy();
  await person.click(panel.getByRole("button", { name: "Mute: Layer 1" }));
  expect(quality.queryByText(/^Corrected/)).toBeNull();
  await kept(host, [{ muted: true }]);
  await person.click(panel.getByRole("button", { name: "Mute: Layer 1" }));
  await kept(host, [{ muted: false }]);
  await person.click(screen.getByRole("button", { name: "Back" }));
  const card = await screen.findByRole("article", { name: /Sneaks forward/ });
  await waitFor(() => expect(card.textContent).toMatch(/· corrected/));
});
