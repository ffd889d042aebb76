import type { TimelineRate } from "../../host";
import * as times from "../../shared/time-labels";

/** Frame rates a timeline may count in; `own` is the clip's own. */
export const rates = ["own", "24", "25", "30", "60"] as const satisfies TimelineRate[];

/** The frame rate in which frames are counted. Clips and requests keep the clip's own. */
class DisplayRate {
  rate = $state<TimelineRate>("own");

  /** The displayed frame rate for a clip of `fps`. */
  of(fps: number): number {
    return this.rate === "own" ? fps : Number(this.rate);
  }

  /** The displayed number of a frame of a clip of `fps`. */
  nearest(frame: number, fps: number): number {
    return Math.round((frame * this.of(fps)) / fps);
  }

  /** The frame of a clip of `fps` nearest to a displayed number. */
  frameAt(counted: number, fps: number): number {
    return Math.round((counted * fps) / this.of(fps));
  }
}

export const displayRate = new DisplayRate();

/** As `times.formatLength`, in the displayed frame rate. */
export function formatLength(frames: number, fps: number): string {
  return times.formatLength(frames, fps, displayRate.of(fps));
}

/** As `times.formatPosition`, in the displayed frame rate. */
export function formatPosition(frame: number, fps: number): string {
  return times.formatPosition(frame, fps, displayRate.of(fps));
}
