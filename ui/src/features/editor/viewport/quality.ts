/** How much work goes into a picture. */
export type Quality = "fast" | "fine";

/** Above this mean time per frame, the quality is reduced. */
const tooSlowMs = 40;
/** At or below this mean time per frame, full quality is tried again. */
const quickMs = 20;
const framesToReduce = 6;
const framesToRestore = 90;
/** After this many reductions the quality stays reduced, so that it does not flicker. */
const maxReductions = 2;
/** A longer gap is not a slow frame: the window was hidden or the computer asleep. */
const longestFrameMs = 1000;

/**
 * Chooses the quality of moving pictures from their frame times. It makes the difference on computers without a
 * graphics card. Pictures at rest are always drawn in full quality.
 */
export class AdaptiveQuality {
  current: Quality = "fine";
  private times: number[] = [];
  private reductions = 0;

  frameTook(ms: number): void {
    if (ms > longestFrameMs) return this.reset();
    this.times.push(ms);
    if (this.times.length < (this.current === "fine" ? framesToReduce : framesToRestore)) return;
    const mean = this.times.reduce((sum, each) => sum + each, 0) / this.times.length;
    this.times = [];
    if (this.current === "fine" && mean > tooSlowMs) {
      this.current = "fast";
      this.reductions += 1;
    } else if (this.current === "fast" && mean <= quickMs && this.reductions < maxReductions) {
      this.current = "fine";
    }
  }

  /** The movement ended; measuring of frame times starts again with the next one. */
  reset(): void {
    this.times = [];
  }
}
