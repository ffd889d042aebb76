import { afterEach, expect, test, vi } from "vitest";
import { keepHeight } from "./keep-height";

afterEach(() => vi.unstubAllGlobals());

test("a box keeps its height until it is empty", () => {
  let measure = (): void => {};
  vi.stubGlobal("ResizeObserver", class {
    constructor(callback: () => void) {
      measure = callback;
    }
    observe() {}
    disconnect() {}
  });
  const node = document.createElement("div");
  const action = keepHeight(node, true);
  const becomes = (height: number) => {
    Object.defineProperty(node, "offsetHeight", { value: height, configurable: true });
    measure();
    return node.style.minHeight;
  };
  expect(becomes(40)).toBe("");
  action.update(false);
  expect(becomes(72)).toBe("72px");
  expect(becomes(0)).toBe("72px");
  action.update(true);
  expect(becomes(40)).toBe("");
});
