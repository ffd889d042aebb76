import type { PromptReading } from "../host";

/** The edited steps of a text. */
export interface Changed {
  /** The script that is performed instead of the words. */
  script: string;
  /** Null if it has not been read since the last start. */
  reading: PromptReading | null;
}

/** Edited steps by text: they apply only to the words they were read from. */
export class ChangedSteps {
  private kept = $state.raw<ReadonlyMap<string, Changed>>(new Map());

  /** The edited steps of a text; null if there are none. */
  of(words: string): Changed | null {
    return this.kept.get(words) ?? null;
  }

  change(words: string, reading: PromptReading): void {
    this.put(words, { script: reading.script, reading });
  }

  /** Restores steps that were edited earlier. */
  take(words: string, script: string): void {
    this.put(words, { script, reading: null });
  }

  /** Discards the edits of a text. */
  undo(words: string): void {
    this.kept = new Map([...this.kept].filter(([other]) => other !== words));
  }

  clear(): void {
    this.kept = new Map();
  }

  private put(words: string, changed: Changed): void {
    this.kept = new Map([...this.kept, [words, changed]]);
  }
}
