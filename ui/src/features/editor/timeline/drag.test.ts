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

test("a drag is told in fractions of the strip, and never leaves it", () => {
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
  expect(moved.mock.calls.map(([at]) => at)).toEqual([0.5, 1]);
  expect(ended).toHaveBeenCalledTimes(1);
});

test("other buttons, and presses that are refused, begin nothing", () => {
  const node = strip();
  const moved = vi.fn();
  drag(node, { onstart: (at) => at > 0.5, onmove: moved });
  pointer(node, "pointerdown", 120);
  pointer(node, "pointermove", 200);
  pointer(node, "pointerdown", 280, 1, 2);
  pointer(node, "pointermove", 200);
  expect(moved).not.toHaveBeenCalled();
});
