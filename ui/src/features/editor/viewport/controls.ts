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
 * Moves the camera by pointer and keyboard. Keys move it only if the canvas was focused with the keyboard: after a
 * click, the arrow keys still step through the frames. Returns a function that detaches the listeners.
 */
export function attachControls(canvas: HTMLCanvasElement, moveCamera: (move: CameraMove) => void): () => void {
  let drag: { id: number; x: number; y: number; isPan: boolean } | null = null;
  let isPressed = false;
  let isKeyboardFocus = false;
  const attached = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(kind: K, listener: (event: HTMLElementEventMap[K]) => void): void =>
    canvas.addEventListener(kind, listener, { signal: attached.signal, passive: false });

  on("pointerdown", (event) => {
    isPressed = true;
    isKeyboardFocus = false;
    if (drag) return;
    drag = { id: event.pointerId, x: event.clientX, y: event.clientY, isPan: event.button !== 0 || event.shiftKey };
    canvas.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    const tall = Math.max(canvas.clientHeight, 1);
    moveCamera(dragMove((event.clientX - drag.x) / tall, (event.clientY - drag.y) / tall, drag.isPan));
    drag = { ...drag, x: event.clientX, y: event.clientY };
  });
  const release = (event: PointerEvent): void => {
    isPressed = false;
    if (event.pointerId === drag?.id) drag = null;
  };
  on("pointerup", release);
  on("pointercancel", release);
  on("contextmenu", (event) => event.preventDefault());
  on("wheel", (event) => {
    event.preventDefault();
    moveCamera(wheelMove(event));
  });
  on("focus", () => (isKeyboardFocus = !isPressed));
  on("blur", () => (isKeyboardFocus = false));
  on("keydown", (event) => {
    const move = isKeyboardFocus ? keyMove(event) : null;
    if (!move) return;
    // so that the timeline does not step
    event.preventDefault();
    event.stopPropagation();
    moveCamera(move);
  });
  return () => attached.abort();
}
