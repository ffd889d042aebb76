import type { PromptReading } from "../host";

/** The steps of a text as somebody changed them. */
export interface Changed {
  /** What is performed instead of what the words mean. */
  script: string;
  /** Null while nobody has read it since the last start. */
  reading: PromptReading | null;
}

/** Steps that somebody changed. They belong to the words they were understood from, and go with those. */
export class ChangedSteps {
  private kept = $state.raw<ReadonlyMap<string, Changed>>(new Map());

  /** What was changed of these words; null where they mean what they say. */
  of(words: string): Changed | null {
    return this.kept.get(words) ?? null;
  }

  change(words: string, reading: PromptReading): void {
    this.put(words, { script: reading.script, reading });
  }

  /** Takes up what was changed earlier. */
  take(words: string, script: string): void {
    this.put(words, { script, reading: null });
  }

  /** Lets these words mean again what they say. */
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
