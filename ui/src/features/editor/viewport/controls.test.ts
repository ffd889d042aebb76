import { fireEvent } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import { defaultCamera, eyePosition } from "./camera";
import { attachControls, dragMove, keyMove, wheelMove, type CameraMove } from "./controls";

const press = (key: string, shiftKey = false) => keyMove({ key, shiftKey, ctrlKey: false, metaKey: false, altKey: false });

test("arrows orbit, with Shift they pan, and plus and minus zoom", () => {
  expect(press("ArrowRight")?.(defaultCamera).yawRad).toBeGreaterThan(defaultCamera.yawRad);
  expect(press("ArrowUp")?.(defaultCamera).pitchRad).toBeGreaterThan(defaultCamera.pitchRad);
  expect(eyePosition(press("ArrowUp", true)?.(defaultCamera) ?? defaultCamera)[1]).toBeGreaterThan(eyePosition(defaultCamera)[1]);
  expect(press("+")?.(defaultCamera).distanceM).toBeLessThan(4);
  expect(press("-")?.(defaultCamera).distanceM).toBeGreaterThan(4);
  for (const key of [" ", "Home", "i", "b", "f"]) expect(press(key)).toBeNull();
  expect(keyMove({ key: "ArrowLeft", shiftKey: false, ctrlKey: true, metaKey: false, altKey: false })).toBeNull();
});

test("dragging orbits with the pointer, and the wheel zooms", () => {
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
  const [isTaken, onhover, onpick] = [vi.fn(() => false), vi.fn(), vi.fn()];
  const moveCamera = (move: CameraMove) => void moves.push(move);
  const detach = attachControls(canvas, { moveCamera, isTaken, onhover, onpick });
  const onkeydown = vi.fn();
  document.body.addEventListener("keydown", onkeydown);
  return { canvas, moves, isTaken, onhover, onpick, detach, onkeydown };
}

test("arrow keys orbit after the canvas got keyboard focus, and are not propagated", async () => {
  const { canvas, moves, detach, onkeydown } = attached();
  canvas.focus();
  await fireEvent.keyDown(canvas, { key: "ArrowRight" });
  expect(moves).toHaveLength(1);
  expect(onkeydown).not.toHaveBeenCalled();
  await fireEvent.keyDown(canvas, { key: " " });
  expect(onkeydown).toHaveBeenCalledTimes(1);
  canvas.blur();
  await fireEvent.keyDown(canvas, { key: "ArrowRight" });
  expect(moves).toHaveLength(1);
  detach();
});

test("returning to the window does not change where arrow keys go", async () => {
  const { canvas, moves, detach } = attached();
  const away = () => {
    canvas.dispatchEvent(new FocusEvent("blur"));
    canvas.dispatchEvent(new FocusEvent("focus"));
  };
  await fireEvent.pointerDown(canvas, { pointerId: 1, button: 0, clientX: 10, clientY: 10 });
  canvas.focus();
  await fireEvent.pointerUp(canvas, { pointerId: 1 });
  away();
  await fireEvent.keyDown(canvas, { key: "ArrowRight" });
  expect(moves).toHaveLength(0);
  canvas.blur();
  canvas.focus();
  away();
  await fireEvent.keyDown(canvas, { key: "ArrowRight" });
  expect(moves).toHaveLength(1);
  detach();
});

test("after a click on the canvas, arrow keys still step frames", async () => {
  const { canvas, moves, detach, onkeydown } = attached();
  await fireEvent.pointerDown(canvas, { pointerId: 1, button: 0, clientX: 10, clientY: 10 });
  canvas.focus();
  await fireEvent.pointerUp(canvas, { pointerId: 1 });
  await fireEvent.keyDown(canvas, { key: "ArrowRight" });
  expect(moves).toHaveLength(0);
  expect(onkeydown).toHaveBeenCalledTimes(1);
  detach();
});

test("a drag moves the camera until release, and a detached canvas does nothing", async () => {
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

test("a press without movement picks, with tolerance for jitter; a drag does not", async () => {
  const { canvas, moves, onpick, detach } = attached();
  const press = (x: number, y: number, button = 0) => fireEvent.pointerDown(canvas, { pointerId: 1, button, clientX: x, clientY: y });
  const release = (x: number, y: number) => fireEvent.pointerUp(canvas, { pointerId: 1, clientX: x, clientY: y });
  await press(10, 10);
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 12, clientY: 11 });
  await release(12, 11);
  expect(moves).toHaveLength(0);
  expect(onpick).toHaveBeenLastCalledWith({ xPx: 12, yPx: 11 });
  await press(10, 10);
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 30, clientY: 10 });
  await release(30, 10);
  await press(10, 10, 2);
  await release(10, 10);
  expect(onpick).toHaveBeenCalledTimes(1);
  detach();
});

test("reports hovering until the pointer presses or leaves", async () => {
  const { canvas, onhover, detach } = attached();
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 40, clientY: 20 });
  expect(onhover).toHaveBeenLastCalledWith({ xPx: 40, yPx: 20 });
  await fireEvent.pointerDown(canvas, { pointerId: 1, button: 0, clientX: 40, clientY: 20 });
  expect(onhover).toHaveBeenLastCalledWith(null);
  await fireEvent.pointerUp(canvas, { pointerId: 1, clientX: 40, clientY: 20 });
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 41, clientY: 20 });
  await fireEvent.pointerLeave(canvas, { pointerId: 1 });
  expect(onhover).toHaveBeenLastCalledWith(null);
  detach();
});

test("a press on the joint handle neither orbits nor picks", async () => {
  const { canvas, moves, isTaken, onpick, detach } = attached();
  isTaken.mockReturnValue(true);
  await fireEvent.pointerDown(canvas, { pointerId: 1, button: 0, clientX: 10, clientY: 10 });
  await fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 60, clientY: 10 });
  await fireEvent.pointerUp(canvas, { pointerId: 1, clientX: 60, clientY: 10 });
  expect(moves).toHaveLength(0);
  expect(onpick).not.toHaveBeenCalled();
  detach();
});
