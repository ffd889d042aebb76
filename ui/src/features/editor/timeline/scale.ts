/** How far along the strip a frame begins, in per cent. */
export function percent(frame: number, frames: number): number {
  return (100 * frame) / Math.max(frames, 1);
}

export interface Tick {
  frame: number;
  /** What is written beside it; empty for the small ones. */
  words: string;
}

const steps = [1, 2, 5, 10, 15, 30, 60, 150, 300, 600, 1800];
const leastPixels = 64;
const smallPerLarge = 5;

/** The ruler's marks: large ones as far apart as their words need, small ones in between. */
export function ticks(frames: number, fps: number, width: number): Tick[] {
  const perFrame = Math.max(width, 1) / Math.max(frames, 1);
  const wanted = leastPixels / perFrame;
  const large = steps.find((step) => (step * fps) / 30 >= wanted) ?? 3600;
  const step = Math.max(1, Math.round((large * fps) / 30));
  const small = Math.max(1, Math.round(step / smallPerLarge));
  const found: Tick[] = [];
  for (let frame = 0; frame < frames; frame += small) {
    const isLarge = frame % step === 0;
    found.push({ frame, words: isLarge ? `${seconds(frame / fps)} s · ${frame}` : "" });
  }
  return found;
}

function seconds(value: number): string {
  return value.toFixed(2).replace(/\.?0+$/, "");
}
