/**
 * A common clock for all animations. Without a GPU, WebKit redraws the whole window for every frame
 * of a CSS animation, 60 times per second, which keeps two CPU cores busy that should generate
 * clips. With this clock the window is redrawn eight times per second, however much moves in it.
 */
const tickMs = 125;

type Step = (nowMs: number) => void;

const steps = new Set<Step>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `step` on every tick while the window is visible. Returns a function that stops it. */
export function onAnimationTick(step: Step): () => void {
  steps.add(step);
  timer ??= setInterval(tick, tickMs);
  return () => {
    steps.delete(step);
    if (steps.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.hidden) return;
  const now = performance.now();
  for (const step of steps) step(now);
}

/** Whether the user prefers reduced motion. */
export function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A Svelte action that animates an element; `share` is the phase of its cycle, 0 to 1. */
function cycle(cycleMs: number, look: (node: HTMLElement, share: number) => void) {
  return (node: HTMLElement) => {
    if (prefersReducedMotion()) return;
    return { destroy: onAnimationTick((now) => look(node, (now % cycleMs) / cycleMs)) };
  };
}

/** Eases from 0 to 1 and back. */
const swing = (share: number): number => (1 - Math.cos(2 * Math.PI * share)) / 2;

/** Indicates work in progress. */
export const pulsing = cycle(16 * tickMs, (node, share) => {
  node.style.opacity = String(0.4 + 0.6 * swing(share));
});

/** An indeterminate progress bar. */
export const sliding = cycle(24 * tickMs, (node, share) => {
  node.style.marginLeft = `${70 * swing(share)}%`;
});

/** A spinner. */
export const spinning = cycle(8 * tickMs, (node, share) => {
  node.style.rotate = `${share}turn`;
});
