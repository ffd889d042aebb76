import { fireEvent } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import { defaultCamera, eyePosition } from "./camera";
import { attachControls, dragMove, keyMove, wheelMove, type CameraMove } from "./controls";

const press = (key: string, shiftKey = false) => keyMove({ key, shiftKey, ctrlKey: false, metaKey: false, altKey: false });

test("arrows orbit, with Shift they pan, plus and minus zoom", () => {
  expect(press("ArrowRight")?.(defaultCamera).yawRad).toBeGreaterThan(defaultCamera.yawRad);
  expect(press("ArrowUp")?.(defaultCamera).pitchRad).toBeGreaterThan(defaultCamera.pitchRad);
  expect(eyePosition(press("ArrowUp", true)?.(defaultCamera) ?? defaultCamera)[1]).toBeGreaterThan(eyePosition(defaultCamera)[1]);
  expect(press("+")?.(defaultCamera).distanceM).toBeLessThan(4);
  expect(press("-")?.(defaultCamera).distanceM).toBeGreaterThan(4);
  for (const key of [" ", "Home", "i", "b", "f"]) expect(press(key)).toBeNull();
  expect(keyMove({ key: "ArrowLeft", shiftKey: false, ctrlKey: true, metaKey: false, altKey: false })).toBeNull();
});

test("dragging turns the character with the pointer, and the wheel brings it nearer", () => {
  expect(dragMove(0.1, 0, false)(defaultCamera).yawRad).toBeLessThan(defaultCamera.yawRad);
  expect(dragMove(0.1, 0, true)(defaultCamera).target).not.toEqual(defaultCamera.target);
  const wheel = (deltaY: number, deltaMode: number) => wheelMove({ deltaY, deltaMode, ctrlKey: false })(defaultCamera).distanceM;
  expect(wheel(-100, 0)).toBeLessThan(4);
  expect(wheel(3, 1)).toBeCloseTo(wheel(48, 0));
});

function attached() {
  const canvas = document.body.appendChild(document.createElement("canvas"));
  canvas.tabIndex = 0;
  canvas.setPointerCapture = vi.fn();
  const moves: CameraMove[] = [];
  const detach = attachControls(canvas, (move) => void moves.push(move));
  const heard = vi.fn();
  document.body.addEventListener("keydown", heard);
  return { canvas, moves, detach, heard };
}

test("arrow keys orbit after the keyboard has focused the canvas, and then reach nobody else", async () => {
  const { canvas, moves, detach, heard } = attached();
  canvas.focus();
  await fireEvent.keyDown(canvas, { key: "ArrowRight" });
  expect(moves).toHaveLength(1);
  expect(heard).not.toHaveBeenCalled();
  await fireEvent.keyDown(canvas, { key: " " });
  expect(heard).toHaveBeenCalledTimes(1);
  canvas.blur();
  await fireEvent.keyDown(canvas, { key: "ArrowRight" });
  expect(moves).toHaveLength(1);
  detach();
});

test("after a click on the canvas the arrow keys still step through the frames", async () => {
  const { canvas, moves, detach, heard } = attached();
  await fireEvent.pointerDown(canvas, { pointerId: 1, button: 0, clientX: 10, clientY: 10 });
  canvas.focus();
  await fireEvent.pointerUp(canvas, { pointerId: 1 });
  await fireEvent.keyDown(canvas, { key: "ArrowRight" });
  expect(moves).toHaveLength(0);
  expect(heard).toHaveBeenCalledTimes(1);
  detach();
});

test("a drag moves the camera from press to release, and a detached canvas does nothing", async () => {
  const { canvas, moves, detach } = attached();
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 30, clientY: 10 });
  expect(moves).toHaveLength(0);
  await fireEvent.pointerDown(canvas, { pointerId: 1, button: 0, clientX: 10, clientY: 10 });
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 30, clientY: 10 });
  expect(moves).toHaveLength(1);
  await fireEvent.pointerMove(canvas, { pointerId: 2, clientX: 30, clientY: 10 });
  expect(moves).toHaveLength(1);
  await fireEvent.pointerUp(canvas, { pointerId: 1 });
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 50, clientY: 10 });
  expect(moves).toHaveLength(1);
  detach();
  await fireEvent.wheel(canvas, { deltaY: 10 });
  expect(moves).toHaveLength(1);
});
