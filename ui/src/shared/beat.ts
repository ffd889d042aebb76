/**
 * A common clock for all animations. Without a GPU, WebKit redraws the whole window for every frame
 * of a CSS animation, 60 times per second, which keeps two CPU cores busy that should generate
 * clips. With this clock the window is redrawn eight times per second, however much moves in it.
 */
const beatMs = 125;

type Step = (nowMs: number) => void;

const steps = new Set<Step>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `step` on every beat while the window is visible. Returns a function that stops it. */
export function onBeat(step: Step): () => void {
  steps.add(step);
  timer ??= setInterval(beat, beatMs);
  return () => {
    steps.delete(step);
    if (steps.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function beat(): void {
  if (document.hidden) return;
  const now = performance.now();
  for (const step of steps) step(now);
}

/** Whether the user prefers reduced motion. */
export function wantsLessMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A Svelte action that animates an element; `share` is the phase of its cycle, 0 to 1. */
function round(roundMs: number, look: (node: HTMLElement, share: number) => void) {
  return (node: HTMLElement) => {
    if (wantsLessMotion()) return;
    return { destroy: onBeat((now) => look(node, (now % roundMs) / roundMs)) };
  };
}

/** Eases from 0 to 1 and back. */
const swing = (share: number): number => (1 - Math.cos(2 * Math.PI * share)) / 2;

/** Indicates work in progress. */
export const breathing = round(16 * beatMs, (node, share) => {
  node.style.opacity = String(0.4 + 0.6 * swing(share));
});

/** An indeterminate progress bar. */
export const swaying = round(24 * beatMs, (node, share) => {
  node.style.marginLeft = `${70 * swing(share)}%`;
});

/** A spinner. */
export const turning = round(8 * beatMs, (node, share) => {
  node.style.rotate = `${share}turn`;
});
