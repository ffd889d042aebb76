import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";
import type { Correction, CorrectionKey, CorrectionLayer } from "../../../host";
import { CorrectionEditor } from "../corrections/correction-editor.svelte";
import { DraftEditor } from "../draft.svelte";
import { idOf } from "../object-ids";
import CorrectionRow from "./CorrectionRow.svelte";

const frames = 150;
const perFramePx = 2;

const hand: Correction = { kind: "pull", limb: "leftHand", offset: { left: 0, up: 0.1, forward: 0 } };
const head: Correction = { kind: "rotate", joint: "head", rotation: { x: 0, y: 0, z: 0, w: 1 } };
const key = (frame: number, more: Partial<CorrectionKey> = {}): CorrectionKey => ({ frame, what: hand, before: 5, after: 8, ease: "smooth", ...more });
const layer = (...keys: CorrectionKey[]): CorrectionLayer => ({ name: "", muted: false, keys });

/** The row of a clip of 150 frames, 300 pixels wide. */
function row(...layers: CorrectionLayer[]) {
  const draft = new DraftEditor("clip", frames, null, layers);
  const correctionEditor = new CorrectionEditor(draft);
  const track = document.createElement("div");
  track.getBoundingClientRect = () => new DOMRect(100, 0, frames * perFramePx, 20);
  const [onselect, onframe] = [vi.fn((id: number) => correctionEditor.select(id)), vi.fn()];
  const { unmount } = render(CorrectionRow, { correctionEditor, fps: 30, track: () => track, height: "0", onselect, onframe });
  const keyAt = (at: number, inLayer = 0) => correctionEditor.layers[inLayer]!.keys[at]!;
  return { draft, correctionEditor, keyAt, onselect, onframe, unmount, user: userEvent.setup() };
}

const bar = (frame: number) => screen.getByRole("button", { name: new RegExp(`frame ${frame}$`) });
const slider = (name: string) => screen.getByRole("slider", { name: `${name}: Pull: Left hand` });

const press = (node: HTMLElement, frame: number) => fireEvent.pointerDown(node, { pointerId: 1, button: 0, clientX: 100 + frame * perFramePx });
const drag = (node: HTMLElement, frame: number) => fireEvent.pointerMove(node, { pointerId: 1, clientX: 100 + frame * perFramePx });
const release = (node: HTMLElement) => fireEvent.pointerUp(node, { pointerId: 1 });

test("dragging a bar moves it by whole frames with its fades and the playhead, as one undo step", async () => {
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

test("a drag beyond the clip stops at its first or last frame and keeps the fades", async () => {
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

test("a press without movement selects a correction and does not move it", async () => {
  const { draft, keyAt, onselect } = row(layer(key(60)));
  await press(bar(60), 60);
  await drag(bar(60), 61);
  await release(bar(60));
  await fireEvent.click(bar(60));
  expect(keyAt(0)).toEqual(key(60));
  expect(onselect).toHaveBeenCalledTimes(1);
  expect(draft.canUndo).toBe(false);
});

test("Escape reverts a drag without a history step", async () => {
  const { draft, keyAt, onframe, user } = row(layer(key(60)));
  await press(bar(60), 60);
  await drag(bar(60), 90);
  await user.keyboard("{Escape}");
  expect(keyAt(0)).toEqual(key(60));
  expect(onframe).toHaveBeenLastCalledWith(60);
  await drag(bar(60), 100);
  expect(keyAt(0)).toEqual(key(60));
  expect(draft.canUndo).toBe(false);
});

test("Escape restores a fade that reaches beyond the clip, too", async () => {
  const { keyAt, correctionEditor, user } = row(layer(key(20, { before: 50 })));
  correctionEditor.select(idOf(keyAt(0)));
  flushSync();
  await press(slider("Start of the fade-in"), 0);
  await drag(slider("Start of the fade-in"), 10);
  expect(keyAt(0).before).toBe(10);
  await user.keyboard("{Escape}");
  expect(keyAt(0).before).toBe(50);
});

test("a handle grabbed off its edge does not jump", async () => {
  const { keyAt, correctionEditor } = row(layer(key(60)));
  correctionEditor.select(idOf(keyAt(0)));
  flushSync();
  await press(slider("End of the fade-out"), 74);
  await drag(slider("End of the fade-out"), 75);
  expect(keyAt(0).after).toBe(9);
});

test("skips frames that the layer already uses; other layers do not block", async () => {
  const { keyAt, correctionEditor, user } = row(layer(key(60), key(61), key(62), key(0), key(64, { what: head })), layer(key(63)));
  correctionEditor.select(idOf(keyAt(0)));
  flushSync();
  slider("Frame").focus();
  await user.keyboard("{ArrowRight}");
  expect(keyAt(0).frame).toBe(63);
  await user.keyboard("{ArrowRight}");
  expect(keyAt(0).frame).toBe(64);
  await user.keyboard("{Home}");
  expect(keyAt(0).frame).toBe(1);
});

test("keys move the frame and both fades by one frame, with Shift by ten, as one step per press", async () => {
  const { draft, keyAt, onframe, user } = row(layer(key(60)));
  bar(60).focus();
  await user.keyboard("{Enter}");
  expect(slider("Frame").getAttribute("aria-valuetext")).toBe("2.00 s · frame 60");
  await user.tab();
  expect(document.activeElement).toBe(slider("Start of the fade-in"));
  await user.keyboard("{Shift>}{ArrowLeft}{/Shift}");
  await user.tab();
  expect(document.activeElement).toBe(slider("Frame"));
  await user.keyboard("{ArrowLeft}{Shift>}{ArrowRight}{/Shift}");
  expect(slider("Frame").getAttribute("aria-valuetext")).toBe("2.30 s · frame 69");
  expect(onframe).toHaveBeenLastCalledWith(69);
  await user.tab();
  expect(document.activeElement).toBe(slider("End of the fade-out"));
  await user.keyboard("{ArrowRight}");
  expect(keyAt(0)).toEqual(key(69, { before: 15, after: 9 }));
  draft.undo();
  draft.undo();
  expect(keyAt(0)).toEqual(key(59, { before: 15 }));
});

test("corrections at one frame have separate lanes, which are stable during a drag", async () => {
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

test("with 500 corrections, there is one tab stop, and each can be dragged", async () => {
  const many = Array.from({ length: 500 }, (_, at) => key(at % frames, { what: { ...head, joint: `joint${at}` } }));
  const { keyAt, user } = row(layer(...many));
  const bars = screen.getAllByRole("button");
  expect(bars).toHaveLength(500);
  await user.tab();
  expect(document.activeElement).toBe(bars[0]);
  await press(bars[420]!, 120);
  await drag(bars[420]!, 125);
  await release(bars[420]!);
  expect(keyAt(420).frame).toBe(125);
  expect(bars.filter(({ tabIndex }) => tabIndex === 0)).toEqual([bars[420]]);
});

test("a drag ends when undo or another correction removes its bar", async () => {
  const { draft, correctionEditor, keyAt, unmount } = row(layer(key(60)));
  correctionEditor.add(head, 30, idOf(correctionEditor.layers[0]!));
  flushSync();
  await press(bar(30), 30);
  await drag(bar(30), 40);
  draft.undo();
  draft.undo();
  flushSync();
  expect(correctionEditor.layers).toEqual([layer(key(60))]);
  correctionEditor.select(idOf(keyAt(0)));
  flushSync();
  await press(slider("Start of the fade-in"), 55);
  await drag(slider("Start of the fade-in"), 50);
  expect(keyAt(0).before).toBe(10);
  correctionEditor.select(null);
  flushSync();
  expect(keyAt(0).before).toBe(5);
  await press(bar(60), 60);
  await drag(bar(60), 70);
  unmount();
  expect(keyAt(0).frame).toBe(60);
});

test("the focus follows the selection within the row; a selection made elsewhere is announced", async () => {
  const { correctionEditor, keyAt } = row(layer(key(20), key(60)));
  correctionEditor.select(idOf(keyAt(0)));
  await vi.waitFor(() => expect(screen.getByRole("status").textContent).toBe("Pull: Left hand, 0.67 s · frame 20"));
  slider("Start of the fade-in").focus();
  correctionEditor.select(idOf(keyAt(1)));
  await vi.waitFor(() => expect(document.activeElement).toBe(bar(60)));
  expect(screen.getByRole("status").textContent).toBe("");
  slider("Frame").focus();
  correctionEditor.select(null);
  await vi.waitFor(() => expect(document.activeElement).toBe(bar(60)));
});

test("the row is accessible", async () => {
  const { correctionEditor, keyAt } = row(layer(key(20), key(60)), { ...layer(key(60)), muted: true });
  correctionEditor.select(idOf(keyAt(0)));
  flushSync();
  const { violations } = await axe.run(document.body, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    rules: { "color-contrast": { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});
