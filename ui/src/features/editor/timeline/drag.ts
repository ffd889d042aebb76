/** Callbacks of a drag; positions are fractions of the track's width, 0 to 1. */
export interface Drag {
  /** Returns false to ignore the press. */
  onstart?: (at: number, event: PointerEvent) => boolean | void;
  /** `by` is the distance from the press, in the same unit, also outside the track. */
  onmove: (at: number, event: PointerEvent, by: number) => void;
  onend?: () => void;
  /**
   * Esc was pressed, the system took the pointer away, or the node was removed; defaults to `onend`.
   */
  oncancel?: () => void;
  /** How far the pointer has to move before the first `onmove`, so that a click moves nothing. */
  thresholdPx?: number;
}

/**
 * A Svelte action for dragging. `track` is the element that positions refer to, by default the node
 * itself. During a drag, Esc cancels only the drag.
 */
export function drag(node: HTMLElement, options: Drag & { track?: () => Element | null }) {
  let current = options;
  let pointer: number | null = null;
  /** Where the press was, in pixels. */
  let pressedPx = 0;
  let isMoving = false;

  function box(): DOMRect {
    return (current.track?.() ?? node).getBoundingClientRect();
  }

  function fraction(event: PointerEvent): number {
    const { left, width } = box();
    return width > 0 ? Math.max(0, Math.min((event.clientX - left) / width, 1)) : 0;
  }

  function distance(event: PointerEvent): number {
    const { width } = box();
    return width > 0 ? (event.clientX - pressedPx) / width : 0;
  }

  function down(event: PointerEvent): void {
    if (event.button !== 0) return;
    if (current.onstart?.(fraction(event), event) === false) return;
    pointer = event.pointerId;
    pressedPx = event.clientX;
    isMoving = false;
    node.setPointerCapture?.(pointer);
    window.addEventListener("keydown", pressed, { capture: true });
    event.stopPropagation();
  }

  function move(event: PointerEvent): void {
    if (event.pointerId !== pointer) return;
    isMoving ||= Math.abs(event.clientX - pressedPx) >= (current.thresholdPx ?? 0);
    if (isMoving) current.onmove(fraction(event), event, distance(event));
  }

  function letGo(): void {
    if (pointer !== null && node.hasPointerCapture?.(pointer)) node.releasePointerCapture(pointer);
    pointer = null;
    window.removeEventListener("keydown", pressed, { capture: true });
  }

  function up(event: PointerEvent): void {
    if (event.pointerId !== pointer) return;
    letGo();
    current.onend?.();
  }

  function cancel(): void {
    letGo();
    (current.oncancel ?? current.onend)?.();
  }

  function cancelled(event: PointerEvent): void {
    if (event.pointerId === pointer) cancel();
  }

  function pressed(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  }

  node.addEventListener("pointerdown", down);
  node.addEventListener("pointermove", move);
  node.addEventListener("pointerup", up);
  node.addEventListener("pointercancel", cancelled);
  return {
    update: (next: Drag & { track?: () => Element | null }) => (current = next),
    destroy() {
      if (pointer !== null) cancel();
      node.removeEventListener("pointerdown", down);
      node.removeEventListener("pointermove", move);
      node.removeEventListener("pointerup", up);
      node.removeEventListener("pointercancel", cancelled);
    },
  };
}
