import { expect, test, vi } from "vitest";
import { drag } from "./drag";

function strip() {
  const node = document.createElement("div");
  node.getBoundingClientRect = () => new DOMRect(100, 0, 200, 20);
  return node;
}

function pointer(node: HTMLElement, type: string, clientX: number, pointerId = 1, button = 0): void {
  node.dispatchEvent(new PointerEvent(type, { clientX, pointerId, button, bubbles: true }));
}

test("reports a drag as fraction of the track, clamped to it", () => {
  const node = strip();
  const moved = vi.fn();
  const ended = vi.fn();
  drag(node, { onmove: moved, onend: ended });
  pointer(node, "pointermove", 150);
  expect(moved).not.toHaveBeenCalled();
  pointer(node, "pointerdown", 150);
  pointer(node, "pointermove", 200);
  pointer(node, "pointermove", 900);
  pointer(node, "pointermove", 250, 2);
  pointer(node, "pointerup", 900);
  pointer(node, "pointermove", 200);
  expect(moved.mock.calls.map(([at, , by]) => [at, by])).toEqual([[0.5, 0.25], [1, 3.75]]);
  expect(ended).toHaveBeenCalledTimes(1);
});

test("Escape and a cancelled pointer cancel a drag, and the key is not propagated", () => {
  const node = document.body.appendChild(strip());
  const [moved, ended, cancelled, onkeydown] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  const { destroy } = drag(node, { onmove: moved, onend: ended, oncancel: cancelled });
  window.addEventListener("keydown", onkeydown);
  const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
  pointer(node, "pointerdown", 150);
  expect(press()).toBe(false);
  expect(onkeydown).not.toHaveBeenCalled();
  pointer(node, "pointermove", 200);
  pointer(node, "pointerup", 200);
  pointer(node, "pointerdown", 150);
  pointer(node, "pointercancel", 150);
  expect([moved, ended, cancelled].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 2]);
  press();
  pointer(node, "pointerdown", 150);
  destroy();
  expect(cancelled).toHaveBeenCalledTimes(3);
  press();
  expect(onkeydown).toHaveBeenCalledTimes(2);
  window.removeEventListener("keydown", onkeydown);
  node.remove();
});

test("ignores other buttons and refused presses", () => {
  const node = strip();
  const moved = vi.fn();
  drag(node, { onstart: (at) => at > 0.5, onmove: moved });
  pointer(node, "pointerdown", 120);
  pointer(node, "pointermove", 200);
  pointer(node, "pointerdown", 280, 1, 2);
  pointer(node, "pointermove", 200);
  expect(moved).not.toHaveBeenCalled();
});

test("a click with slight movement is not a drag", () => {
  const node = strip();
  const moved = vi.fn();
  drag(node, { onmove: moved, thresholdPx: 3 });
  pointer(node, "pointerdown", 150);
  pointer(node, "pointermove", 152);
  expect(moved).not.toHaveBeenCalled();
  pointer(node, "pointermove", 146);
  pointer(node, "pointermove", 150);
  expect(moved.mock.calls.map(([, , by]) => by)).toEqual([-0.02, 0]);
});
