import { formatNumberUpTo, t } from "../../../texts";

/** The start of a frame along the timeline, in per cent. */
export function percent(frame: number, frames: number): number {
  return (100 * frame) / Math.max(frames, 1);
}

export interface Tick {
  frame: number;
  /** The label; empty for minor ticks. */
  words: string;
}

const minPixels = 64;
const smallPerLarge = 5;

/** The ruler's ticks: major ones as far apart as their labels need, minor ones in between. */
export function ticks(frames: number, fps: number, width: number): Tick[] {
  const wanted = (minPixels * Math.max(frames, 1)) / Math.max(width, 1);
  const steps = [1, 2, 5, ...[0.5, 1, 2, 5, 10, 30, 60, 300].map((each) => Math.round(each * fps))];
  const step = steps.find((each) => each >= wanted) ?? 1200 * fps;
  const small = Math.max(1, Math.round(step / smallPerLarge));
  const found = new Map<number, Tick>();
  for (let frame = 0; frame < frames; frame += small) found.set(frame, { frame, words: "" });
  for (let frame = 0; frame < frames; frame += step) {
    found.set(frame, { frame, words: t("shared.tick", { seconds: formatNumberUpTo(frame / fps, 2), frame }) });
  }
  return [...found.values()];
}
