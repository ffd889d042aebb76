import { orbited, panned, zoomed, type OrbitCamera } from "./camera";

/** A change of the camera. */
export type CameraMove = (eye: OrbitCamera) => OrbitCamera;

type Press = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

const turnPerPressRad = 0.12;
/** As a share of the picture's height. */
const panPerPress = 0.05;
const zoomPerPress = 0.88;

const ways: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What a key press does to the camera while the canvas has the focus; null if nothing. */
export function keyMove({ key, shiftKey, ctrlKey, metaKey, altKey }: Press): CameraMove | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === "+" || key === "=") return (camera) => zoomed(camera, zoomPerPress);
  if (key === "-") return (camera) => zoomed(camera, 1 / zoomPerPress);
  const way = ways[key];
  if (!way) return null;
  const [right, down] = way;
  // the arrow shows where the camera goes
  if (shiftKey) return (camera) => panned(camera, -right * panPerPress, -down * panPerPress);
  return (camera) => orbited(camera, right * turnPerPressRad, -down * turnPerPressRad);
}

/**
 * What dragging does to the camera, at the speed of the viewer. The pointer's movement is given as shares of the
 * picture's height, right and down positive.
 */
export function dragMove(right: number, down: number, isPan: boolean): CameraMove {
  return isPan ? (camera) => panned(camera, right, down) : (camera) => orbited(camera, -right * 3.4, down * 2.6);
}

const pixelsPerLine = 16;

/** What the wheel does to the camera. Browsers report a pinch on a touchpad as a wheel event with Ctrl. */
export function wheelMove({ deltaY, deltaMode, ctrlKey }: Pick<WheelEvent, "deltaY" | "deltaMode" | "ctrlKey">): CameraMove {
  const pixels = deltaY * (deltaMode === 0 ? 1 : pixelsPerLine);
  return (camera) => zoomed(camera, Math.exp(pixels * (ctrlKey ? 0.01 : 0.002)));
}

/**
 * Events of pointer and keyboard on the canvas. Positions are in CSS pixels from its top left
 * corner.
 */
export interface CanvasControls {
  moveCamera: (move: CameraMove) => void;
  /** Whether a press belongs to something other than the camera. */
  isTaken: () => boolean;
  /** The pointer moves without a button; null when it leaves. */
  onhover: (at: { xPx: number; yPx: number } | null) => void;
  /** A click without a drag. */
  onpick: (at: { xPx: number; yPx: number }) => void;
}

/** Smaller movements count as a click. */
const pressPx = 4;

/**
 * Moves the camera by pointer and keyboard, and reports where the pointer is. Keys move it only if the canvas was focused
 * with the keyboard: after a click, the arrow keys still step through the frames. Returns a function that detaches the
 * listeners.
 */
export function attachControls(canvas: HTMLCanvasElement, { moveCamera, isTaken, onhover, onpick }: CanvasControls): () => void {
  let drag: { id: number; x: number; y: number; isPan: boolean; pressed: { x: number; y: number } | null } | null = null;
  let isPressed = false;
  let isKeyboardFocus = false;
  /** Another window has the focus, which will return to the canvas. */
  let isAway = false;
  const attached = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(kind: K, listener: (event: HTMLElementEventMap[K]) => void): void =>
    canvas.addEventListener(kind, listener, { signal: attached.signal, passive: false });

  on("pointerdown", (event) => {
    isPressed = true;
    isKeyboardFocus = false;
    onhover(null);
    if (drag || isTaken()) return;
    const at = { x: event.clientX, y: event.clientY };
    drag = { id: event.pointerId, ...at, isPan: event.button !== 0 || event.shiftKey, pressed: event.button === 0 ? at : null };
    canvas.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => {
    if (event.pointerId !== drag?.id) return isPressed || isTaken() ? onhover(null) : onhover(placeOf(event));
    // small movements of a click do not turn the camera
    const { pressed } = drag;
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < pressPx) return;
    const tall = Math.max(canvas.clientHeight, 1);
    moveCamera(dragMove((event.clientX - drag.x) / tall, (event.clientY - drag.y) / tall, drag.isPan));
    drag = { ...drag, x: event.clientX, y: event.clientY, pressed: null };
  });
  const release = (event: PointerEvent): void => {
    isPressed = false;
    if (event.pointerId === drag?.id) drag = null;
  };
  on("pointerup", (event) => {
    if (event.pointerId === drag?.id && drag.pressed) onpick(placeOf(event));
    release(event);
  });
  on("pointerleave", () => onhover(null));
  on("pointercancel", release);
  on("contextmenu", (event) => event.preventDefault());
  on("wheel", (event) => {
    event.preventDefault();
    moveCamera(wheelMove(event));
  });
  on("focus", () => {
    if (!isAway) isKeyboardFocus = !isPressed;
    isAway = false;
  });
  on("blur", () => {
    isAway = document.activeElement === canvas;
    if (!isAway) isKeyboardFocus = false;
  });
  on("keydown", (event) => {
    const move = isKeyboardFocus ? keyMove(event) : null;
    if (!move) return;
    // so that the timeline does not step
    event.preventDefault();
    event.stopPropagation();
    moveCamera(move);
  });
  return () => attached.abort();

  function placeOf(event: PointerEvent): { xPx: number; yPx: number } {
    const { left, top } = canvas.getBoundingClientRect();
    return { xPx: event.clientX - left, yPx: event.clientY - top };
  }
}
