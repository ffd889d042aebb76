/**
 * One beat for everything that moves by itself. Without a graphics card WebKit draws the whole window
 * anew for every frame of a CSS animation, sixty times a second, which keeps two processors busy that
 * have clips to make. On the beat the window is drawn eight times a second, however much moves in it.
 */
const beatMs = 125;

type Step = (nowMs: number) => void;

const steps = new Set<Step>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `step` at every beat while the window can be seen, until the answer is called. */
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

/** Whether the person asked the system for less motion. */
export function wantsLessMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A Svelte action that changes an element's look with the share of its round that is over, 0 to 1. */
function round(roundMs: number, look: (node: HTMLElement, share: number) => void) {
  return (node: HTMLElement) => {
    if (wantsLessMotion()) return;
    return { destroy: onBeat((now) => look(node, (now % roundMs) / roundMs)) };
  };
}

/** 0 to 1 and back, slow at the ends. */
const swing = (share: number): number => (1 - Math.cos(2 * Math.PI * share)) / 2;

/** A sign that something is being worked at. */
export const breathing = round(16 * beatMs, (node, share) => {
  node.style.opacity = String(0.4 + 0.6 * swing(share));
});

/** A bar of which nobody knows how far it is. */
export const swaying = round(24 * beatMs, (node, share) => {
  node.style.marginLeft = `${70 * swing(share)}%`;
});

/** A ring that somebody waits for. */
export const turning = round(8 * beatMs, (node, share) => {
  node.style.rotate = `${share}turn`;
});
