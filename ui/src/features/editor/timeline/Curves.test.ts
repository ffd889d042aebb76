import { fireEvent, render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, test, vi } from "vitest";
import type { CorrectionLayer } from "../../../host";
import { rotationOf } from "../corrections/angles";
import { CorrectionEditor } from "../corrections/correction-editor.svelte";
import { SelectedJoint } from "../corrections/selected-joint.svelte";
import { DraftEditor } from "../draft.svelte";
import { idOf } from "../object-ids";
import Curves from "./Curves.svelte";

const frames = 10;

/** A hand that rises by 10 cm per frame, in a lane of 100 by 100 pixels. */
function lane(...layers: CorrectionLayer[]) {
  const rising = Float32Array.from({ length: frames }, (_, frame) => 10 * frame);
  const curves = { bone: "leftHand", rotationDeg: [rising, rising, rising] as const, heightCm: rising, speedCmS: rising };
  const draft = new DraftEditor("clip", frames, null, layers);
  const correctionEditor = new CorrectionEditor(draft);
  const joint = new SelectedJoint();
  joint.choose("leftHand");
  joint.curvesInclude = layers;
  const track = document.createElement("div");
  track.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100);
  const [onselect, onseek] = [vi.fn((place) => correctionEditor.select(place)), vi.fn()];
  const props = { joint, curves, correctionEditor, fps: 30, frame: 2, track: () => track, onselect, onseek };
  const { container } = render(Curves, props);
  const area = container.querySelector<HTMLElement>(".lane")!;
  area.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100);
  return { draft, correctionEditor, area, onselect, onseek, user: userEvent.setup() };
}

const pull: CorrectionLayer = {
  name: "",
  muted: false,
  keys: [{ frame: 5, what: { kind: "pull", limb: "leftHand", offset: { left: 0, up: 0.1, forward: 0 } }, before: 1, after: 1, ease: "smooth" }],
};
const turn: CorrectionLayer = {
  ...pull,
  keys: [{ frame: 3, what: { kind: "rotate", joint: "leftHand", rotation: rotationOf([0, 15, 0]) }, before: 1, after: 1, ease: "smooth" }],
};

const values = () => screen.getByRole("status", { name: "Values" }).textContent;

test("shows the values at the playhead and under the pointer", async () => {
  const { area, user } = lane();
  expect(values()).toMatch(/frame 2.*X 20°.*Y 20°.*Z 20°/);
  // each move of the pointer would be announced otherwise
  expect(screen.getByRole("status", { name: "Values" }).getAttribute("aria-live")).toBe("off");
  await user.click(screen.getByRole("button", { name: "Height" }));
  expect(values()).toMatch(/frame 2.*20 cm/);
  await fireEvent.pointerMove(area, { clientX: 75, clientY: 10 });
  expect(values()).toMatch(/frame 7.*70 cm/);
  await fireEvent.pointerLeave(area);
  expect(values()).toMatch(/frame 2/);
  await user.click(screen.getByRole("button", { name: "Speed" }));
  expect(values()).toMatch(/20 cm\/s/);
});

test("dragging a position key changes its amount vertically and its frame horizontally, as one step", async () => {
  const { draft, correctionEditor, user, onselect, onseek } = lane(pull);
  expect(screen.queryByRole("slider")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Height" }));
  const handle = screen.getByRole("slider", { name: "Pull: Left hand: height" });
  expect(handle.getAttribute("aria-valuetext")).toMatch(/^10 cm/);
  await fireEvent.pointerDown(handle, { pointerId: 1, button: 0, clientX: 55, clientY: 50 });
  await fireEvent.pointerMove(handle, { pointerId: 1, clientX: 60, clientY: 45 });
  await fireEvent.pointerMove(handle, { pointerId: 1, clientX: 75, clientY: 40 });
  await fireEvent.pointerUp(handle, { pointerId: 1, clientX: 75, clientY: 40 });
  expect(onselect).toHaveBeenCalledWith(idOf(pull.keys[0]!));
  expect(onseek).toHaveBeenLastCalledWith(7);
  const [key] = correctionEditor.layers[0]?.keys ?? [];
  expect(key?.frame).toBe(7);
  // a tenth of the lane, which spans 0 to 90 cm plus margins
  expect(key?.what.kind === "pull" && key.what.offset.up).toBeCloseTo(0.1 + 0.9 * 1.16 * 0.1, 4);
  draft.undo();
  expect(correctionEditor.layers).toEqual([pull]);
});

test("Escape reverts the drag of a handle without a history step", async () => {
  const { draft, correctionEditor, user, onseek } = lane(pull);
  await user.click(screen.getByRole("button", { name: "Height" }));
  const handle = screen.getByRole("slider", { name: "Pull: Left hand: height" });
  expect([handle.getAttribute("aria-valuemin"), handle.getAttribute("aria-valuemax")]).toEqual(["-300", "300"]);
  await fireEvent.pointerDown(handle, { pointerId: 1, button: 0, clientX: 55, clientY: 50 });
  await fireEvent.pointerMove(handle, { pointerId: 1, clientX: 75, clientY: 40 });
  expect(correctionEditor.layers).not.toEqual([pull]);
  await user.keyboard("{Escape}");
  expect(correctionEditor.layers).toEqual([pull]);
  expect(draft.canUndo).toBe(false);
  expect(onseek).toHaveBeenLastCalledWith(5);
});

test("a rotation has a handle per axis, which the arrow keys move", async () => {
  const { correctionEditor, user } = lane(turn);
  expect(screen.getAllByRole("slider")).toHaveLength(3);
  screen.getByRole("slider", { name: "Rotate: Left hand: Y" }).focus();
  await user.keyboard("{ArrowUp}{Shift>}{ArrowUp}{/Shift}{ArrowRight}");
  expect(screen.getByRole("slider", { name: "Rotate: Left hand: Y" }).getAttribute("aria-valuenow")).toBe("26");
  expect(correctionEditor.layers[0]?.keys[0]?.frame).toBe(4);
});

test("does not move onto the frame of another correction", async () => {
  const second = { ...turn.keys[0]!, frame: 4 };
  const { correctionEditor, user } = lane({ ...turn, keys: [turn.keys[0]!, second] });
  screen.getAllByRole("slider", { name: "Rotate: Left hand: X" })[0]?.focus();
  await user.keyboard("{ArrowRight}");
  expect(correctionEditor.layers[0]?.keys.map(({ frame }) => frame)).toEqual([3, 4]);
});

test("muted corrections and those of other joints have no handles", () => {
  const head: CorrectionLayer = { ...turn, keys: [{ ...turn.keys[0]!, what: { kind: "rotate", joint: "head", rotation: rotationOf([5, 0, 0]) } }] };
  lane({ ...turn, muted: true }, head);
  expect(within(screen.getByRole("group", { name: "Curves of: Left hand" })).queryByRole("slider")).toBeNull();
});

test("the curves and their handles are accessible", async () => {
  lane(turn);
  const { violations } = await axe.run(document.body, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    rules: { "color-contrast": { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});
