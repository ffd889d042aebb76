import type { PromptReading } from "../host";

/** The edited steps of a text. */
export interface EditedScript {
  /** The script that is performed instead of the words. */
  script: string;
  /** Null if it has not been read since the last start. */
  reading: PromptReading | null;
}

/** Edited steps by text: they apply only to the words they were read from. */
export class EditedSteps {
  private edits = $state.raw<ReadonlyMap<string, EditedScript>>(new Map());

  /** The edited steps of a text; null if there are none. */
  of(words: string): EditedScript | null {
    return this.edits.get(words) ?? null;
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
    this.edits = new Map([...this.edits].filter(([other]) => other !== words));
  }

  clear(): void {
    this.edits = new Map();
  }

  private put(words: string, edited: EditedScript): void {
    this.edits = new Map([...this.edits, [words, edited]]);
  }
}
