import type { TimelineRate } from "../../host";
import * as times from "../../shared/times";

/** What a timeline may count in; `own` is whatever the clip has. */
export const rates = ["own", "24", "25", "30", "60"] as const satisfies TimelineRate[];

/** In how many frames a second somebody counts. The clip, and whatever is asked of it, keeps its own. */
class Counting {
  rate = $state<TimelineRate>("own");

  /** Frames a second that are counted in a clip of `fps`. */
  of(fps: number): number {
    return this.rate === "own" ? fps : Number(this.rate);
  }

  /** The number that is nearest to a place in a clip of `fps`. */
  nearest(frame: number, fps: number): number {
    return Math.round((frame * this.of(fps)) / fps);
  }

  /** The frame of a clip of `fps` that is nearest to a number that somebody counts. */
  frameAt(counted: number, fps: number): number {
    return Math.round((counted * fps) / this.of(fps));
  }
}

export const counting = new Counting();

/** As `times.length`, in the frames that somebody counts in. */
export function length(frames: number, fps: number): string {
  return times.length(frames, fps, counting.of(fps));
}

/** As `times.moment`, in the frames that somebody counts in. */
export function moment(frame: number, fps: number): string {
  return times.moment(frame, fps, counting.of(fps));
}
