import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";
import type { Correction, CorrectionKey, CorrectionLayer } from "../../../host";
import { CorrectionDesk } from "../corrections/desk.svelte";
import { DraftEdit } from "../draft.svelte";
import { idOf } from "../identity";
import CorrectionRow from "./CorrectionRow.svelte";

const frames = 150;
const perFramePx = 2;

const hand: Correction = { kind: "pull", limb: "leftHand", offset: { left: 0, up: 0.1, forward: 0 } };
const head: Correction = { kind: "rotate", joint: "head", rotation: { x: 0, y: 0, z: 0, w: 1 } };
const key = (frame: number, more: Partial<CorrectionKey> = {}): CorrectionKey => ({ frame, what: hand, before: 5, after: 8, ease: "smooth", ...more });
const layer = (...keys: CorrectionKey[]): CorrectionLayer => ({ name: "", muted: false, keys });

/** The row of a clip of 150 frames, 300 pixels wide. */
function row(...layers: CorrectionLayer[]) {
  const draft = new DraftEdit("clip", frames, null, layers);
  const desk = new CorrectionDesk(draft);
  const track = document.createElement("div");
  track.getBoundingClientRect = () => new DOMRect(100, 0, frames * perFramePx, 20);
  const [onselect, onframe] = [vi.fn((id: number) => desk.select(id)), vi.fn()];
  const { unmount } = render(CorrectionRow, { desk, fps: 30, track: () => track, height: "0", onselect, onframe });
  const keyAt = (at: number, inLayer = 0) => desk.layers[inLayer]!.keys[at]!;
  return { draft, desk, keyAt, onselect, onframe, unmount, person: userEvent.setup() };
}

const bar = (frame: number) => screen.getByRole("button", { name: new RegExp(`frame ${frame}$`) });
const slider = (name: string) => screen.getByRole("slider", { name: `${name}: Pull: Left hand` });

const press = (node: HTMLElement, frame: number) => fireEvent.pointerDown(node, { pointerId: 1, button: 0, clientX: 100 + frame * perFramePx });
const drag = (node: HTMLElement, frame: number) => fireEvent.pointerMove(node, { pointerId: 1, clientX: 100 + frame * perFramePx });
const release = (node: HTMLElement) => fireEvent.pointerUp(node, { pointerId: 1 });

test("a bar is dragged to another whole frame with its fades, the playhead follows, and undo takes back all of it", async () => {
  const { draft, keyAt, onselect, onframe } = row(layer(key(60)));
  const dragged = bar(60);
  await press(dragged, 57);
  await drag(dragged, 63.3);
  expect(keyAt(0)).toEqual(key(66));
  await drag(dragged, 77);
  await release(dragged);
  expect(keyAt(0)).toEqual(key(80));
  expect(onselect).toHaveBeenCalledWith(idOf(keyAt(0)));
  expect(onframe.mock.calls).toEqual([[66], [80]]);
  draft.undo();
  expect(keyAt(0)).toEqual(key(60));
  expect(draft.canUndo).toBe(false);
});

test("a drag outside the clip ends at its first or last frame, and loses no fade", async () => {
  const { keyAt } = row(layer(key(60)));
  await press(bar(60), 68);
  await drag(bar(60), 4000);
  expect(keyAt(0)).toEqual(key(149));
  await drag(bar(149), -4000);
  expect(keyAt(0)).toEqual(key(0));
  expect(bar(0).style.left).toBe("0%");
  await drag(bar(0), 68);
  await release(bar(60));
  expect(keyAt(0)).toEqual(key(60));
});

test("a press that hardly moves selects a correction and leaves it where it is", async () => {
  const { draft, keyAt, onselect } = row(layer(key(60)));
  await press(bar(60), 60);
  await drag(bar(60), 61);
  await release(bar(60));
  await fireEvent.click(bar(60));
  expect(keyAt(0)).toEqual(key(60));
  expect(onselect).toHaveBeenCalledTimes(1);
  expect(draft.canUndo).toBe(false);
});

test("escape takes a drag back, with no step in the history", async () => {
  const { draft, keyAt, onframe, person } = row(layer(key(60)));
  await press(bar(60), 60);
  await drag(bar(60), 90);
  await person.keyboard("{Escape}");
  expect(keyAt(0)).toEqual(key(60));
  expect(onframe).toHaveBeenLastCalledWith(60);
  await drag(bar(60), 100);
  expect(keyAt(0)).toEqual(key(60));
  expect(draft.canUndo).toBe(false);
});

test("escape gives a fade back what lies before the clip, too", async () => {
  const { keyAt, desk, person } = row(layer(key(20, { before: 50 })));
  desk.select(idOf(keyAt(0)));
  flushSync();
  await press(slider("Start of the fade-in"), 0);
  await drag(slider("Start of the fade-in"), 10);
  expect(keyAt(0).before).toBe(10);
  await person.keyboard("{Escape}");
  expect(keyAt(0).before).toBe(50);
});

test("a handle that is taken beside its edge does not jump", async () => {
  const { keyAt, desk } = row(layer(key(60)));
  desk.select(idOf(keyAt(0)));
  flushSync();
  await press(slider("End of the fade-out"), 74);
  await drag(slider("End of the fade-out"), 75);
  expect(keyAt(0).after).toBe(9);
});

test("frames where the layer has such a correction are skipped; another layer is not in the way", async () => {
  const { keyAt, desk, person } = row(layer(key(60), key(61), key(62), key(0), key(64, { what: head })), layer(key(63)));
  desk.select(idOf(keyAt(0)));
  flushSync();
  slider("Frame").focus();
  await person.keyboard("{ArrowRight}");
  expect(keyAt(0).frame).toBe(63);
  await person.keyboard("{ArrowRight}");
  expect(keyAt(0).frame).toBe(64);
  await person.keyboard("{Home}");
  expect(keyAt(0).frame).toBe(1);
});

test("the keyboard moves the frame and both fades by one frame, with shift by ten, and each press is a step", async () => {
  const { draft, keyAt, onframe, person } = row(layer(key(60)));
  bar(60).focus();
  await person.keyboard("{Enter}");
  expect(slider("Frame").getAttribute("aria-valuetext")).toBe("2.00 s · frame 60");
  await person.tab();
  expect(document.activeElement).toBe(slider("Start of the fade-in"));
  await person.keyboard("{Shift>}{ArrowLeft}{/Shift}");
  await person.tab();
  expect(document.activeElement).toBe(slider("Frame"));
  await person.keyboard("{ArrowLeft}{Shift>}{ArrowRight}{/Shift}");
  expect(slider("Frame").getAttribute("aria-valuetext")).toBe("2.30 s · frame 69");
  expect(onframe).toHaveBeenLastCalledWith(69);
  await person.tab();
  expect(document.activeElement).toBe(slider("End of the fade-out"));
  await person.keyboard("{ArrowRight}");
  expect(keyAt(0)).toEqual(key(69, { before: 15, after: 9 }));
  draft.undo();
  draft.undo();
  expect(keyAt(0)).toEqual(key(59, { before: 15 }));
});

test("corrections at one frame are one below the other, and stay in their lanes while one is dragged", async () => {
  const { keyAt } = row(layer(key(60)), layer(key(60, { what: head })));
  const [first, second] = screen.getAllByRole("button");
  const tops = () => [first, second].map((each) => each!.style.top);
  expect(tops()[0]).not.toBe(tops()[1]);
  const before = tops();
  await press(second!, 60);
  await drag(second!, 100);
  expect(keyAt(0, 1).frame).toBe(100);
  expect(tops()).toEqual(before);
  await release(second!);
  flushSync();
  expect(tops()[0]).toBe(tops()[1]);
});

test("of 500 corrections one is a tab stop, and each can be dragged", async () => {
  const many = Array.from({ length: 500 }, (_, at) => key(at % frames, { what: { ...head, joint: `joint${at}` } }));
  const { keyAt, person } = row(layer(...many));
  const bars = screen.getAllByRole("button");
  expect(bars).toHaveLength(500);
  await person.tab();
  expect(document.activeElement).toBe(bars[0]);
  await press(bars[420]!, 120);
  await drag(bars[420]!, 125);
  await release(bars[420]!);
  expect(keyAt(420).frame).toBe(125);
  expect(bars.filter(({ tabIndex }) => tabIndex === 0)).toEqual([bars[420]]);
});

test("a drag ends when undo or another correction takes its bar away", async () => {
  const { draft, desk, keyAt, unmount } = row(layer(key(60)));
  desk.add(head, 30, idOf(desk.layers[0]!));
  flushSync();
  await press(bar(30), 30);
  await drag(bar(30), 40);
  draft.undo();
  draft.undo();
  flushSync();
  expect(desk.layers).toEqual([layer(key(60))]);
  desk.select(idOf(keyAt(0)));
  flushSync();
  await press(slider("Start of the fade-in"), 55);
  await drag(slider("Start of the fade-in"), 50);
  expect(keyAt(0).before).toBe(10);
  desk.select(null);
  flushSync();
  expect(keyAt(0).before).toBe(5);
  await press(bar(60), 60);
  await drag(bar(60), 70);
  unmount();
  expect(keyAt(0).frame).toBe(60);
});

test("the focus follows the selection within the row; a selection made elsewhere is announced", async () => {
  const { desk, keyAt } = row(layer(key(20), key(60)));
  desk.select(idOf(keyAt(0)));
  await vi.waitFor(() => expect(screen.getByRole("status").textContent).toBe("Pull: Left hand, 0.67 s · frame 20"));
  slider("Start of the fade-in").focus();
  desk.select(idOf(keyAt(1)));
  await vi.waitFor(() => expect(document.activeElement).toBe(bar(60)));
  expect(screen.getByRole("status").textContent).toBe("");
  slider("Frame").focus();
  desk.select(null);
  await vi.waitFor(() => expect(document.activeElement).toBe(bar(60)));
});

test("the row can be read and used without seeing it", async () => {
  const { desk, keyAt } = row(layer(key(20), key(60)), { ...layer(key(60)), muted: true });
  desk.select(idOf(keyAt(0)));
  flushSync();
  const { violations } = await axe.run(document.body, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    rules: { "color-contrast": { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});
