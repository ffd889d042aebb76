import type { Change, ClipShown, Draft, EditRequest } from "../../host";
import { ChangedSteps } from "../../shared/changed.svelte";
import { shortestFrames, type DraftEdit, type Trim } from "./draft.svelte";
import { plan, type Action, type Piece } from "./plan";
import { t } from "../../texts";

/** What services take, seconds. */
export const longestOverlap = 5;

/** What is filled in beside the timeline: which action, and how; what is chosen for a join stands in the draft. */
export class EditForm {
  action = $state<Action>("paint");
  variants = $state(1);
  repetitions = $state(3);
  /** null lets the studio choose. */
  loopSeconds = $state<number | null>(null);
  loopPrompt = $state("");
  creativity = $state(0.3);
  refinePrompt = $state("");
  /** Steps that were changed without other words. */
  readonly changes = new ChangedSteps();
  /** What was begun with clips that were chosen to follow, by their ids. */
  private begun = $state.raw<Record<string, Trim>>({});
  /** Of the first clip. */
  private readonly fps: number;

  constructor(fps = 30) {
    this.fps = fps;
  }

  /** Takes a clip as the second one, with the trim that was begun for it. */
  async choose(draft: DraftEdit, clip: ClipShown, draftOf: (id: string) => Promise<Draft | null>): Promise<void> {
    draft.join({ second: clip, secondTrim: null });
    const kept = await draftOf(clip.id).catch(() => null);
    const { trimLeft = 0, trimRight = 0 } = kept ?? {};
    const fits = trimLeft + trimRight <= clip.frames - shortestFrames;
    this.begun = { ...this.begun, [clip.id]: fits ? { trimLeft, trimRight } : { trimLeft: 0, trimRight: 0 } };
  }

  /** What is cut off the second clip; null while nobody knows what was begun with it. */
  secondTrim(draft: DraftEdit): Trim | null {
    const { second, secondTrim } = draft.joining;
    return secondTrim ?? this.begun[second?.id ?? ""] ?? null;
  }

  /** How long what is left of the second clip is; null while there is none. */
  private secondSeconds(draft: DraftEdit): number | null {
    const { second } = draft.joining;
    const { trimLeft = 0, trimRight = 0 } = this.secondTrim(draft) ?? {};
    return second && (second.frames - trimLeft - trimRight) / second.fps;
  }

  /** The longest overlap that both parts have room for, seconds. */
  mostOverlap(draft: DraftEdit): number {
    const second = this.secondSeconds(draft) ?? longestOverlap;
    return Math.min((draft.end - draft.start) / this.fps, second, longestOverlap);
  }

  /** Whether more than one result would be the same again. */
  isSingle(draft: DraftEdit): boolean {
    return this.action === "cut" || (this.action === "join" && draft.joining.by === "overlap");
  }

  /** How many frames are of both clips; null while nothing overlaps. */
  overlapFrames(draft: DraftEdit): number | null {
    if (this.action !== "join" || draft.joining.by !== "overlap" || !this.secondTrim(draft)) return null;
    return Math.round(Math.min(draft.joining.overlapSeconds, this.mostOverlap(draft)) * this.fps);
  }

  /** What is still missing before it can be asked for, as a sentence; null when nothing is. */
  missing(draft: DraftEdit): string | null {
    if (this.action === "join") {
      const { second, by, overlapSeconds } = draft.joining;
      if (!second) return t("editor.missing.second");
      if (!this.secondTrim(draft)) return t("editor.missing.reading");
      if (by === "overlap" && overlapSeconds > this.mostOverlap(draft)) return t("editor.missing.tooShort");
      return null;
    }
    if (this.action !== "paint") return null;
    const painted = draft.now.painted;
    if (painted.length === 0) return t("editor.missing.interval");
    const chosen = painted[draft.selected ?? -1];
    if (!chosen) return t("editor.missing.chosen");
    if (chosen.prompt.trim() === "") return t("editor.missing.words");
    if (draft.spansLike(draft.selected ?? -1).length === 0) return t("editor.missing.cutOff");
    return null;
  }

  request(draft: DraftEdit): EditRequest | null {
    const change = this.missing(draft) ? null : this.change(draft);
    if (!change) return null;
    const changed = "prompt" in change && change.prompt ? this.changes.of(change.prompt) : null;
    return {
      clip: draft.part,
      change,
      variants: this.isSingle(draft) ? 1 : this.variants,
      inPlace: draft.now.inPlace ? true : null,
      ...(changed ? { script: changed.script } : {}),
    };
  }

  pieces(draft: DraftEdit): Piece[] {
    const fps = this.fps;
    const painted = draft.now.painted
      .map(({ span }) => ({
        start: Math.max(span.start, draft.start) - draft.start,
        end: Math.min(span.end, draft.end) - draft.start,
      }))
      .filter((span) => span.start < span.end);
    const second = this.secondSeconds(draft);
    const join = second === null ? null : {
      frames: Math.round(second * fps),
      bridgeSeconds: draft.joining.bridgeSeconds,
      overlapFrames: this.overlapFrames(draft),
    };
    const loop = { repetitions: this.repetitions, bridgeSeconds: this.loopSeconds };
    return plan({ action: this.action, kept: draft.end - draft.start, fps, painted, join, loop });
  }

  private change(draft: DraftEdit): Change | null {
    switch (this.action) {
      case "paint": {
        const index = draft.selected ?? -1;
        const prompt = draft.now.painted[index]?.prompt.trim() ?? "";
        return { kind: "paint", prompt, spans: draft.spansLike(index) };
      }
      case "join": {
        const { by, bridgeSeconds, overlapSeconds, words } = draft.joining;
        const trim = this.secondTrim(draft);
        const second = draft.joining.second && trim && { id: draft.joining.second.id, ...trim };
        if (by === "overlap") return second && { kind: "overlap", second, overlapSeconds };
        return second && { kind: "join", second, prompt: words.trim() || null, bridgeSeconds };
      }
      case "loop":
        return {
          kind: "loop",
          repetitions: this.repetitions,
          prompt: this.loopSeconds === 0 ? null : this.loopPrompt.trim() || null,
          bridgeSeconds: this.loopSeconds,
        };
      case "refine":
        return {
          kind: "refine",
          prompt: this.refinePrompt.trim() || null,
          creativity: this.creativity,
        };
      case "cut":
        return { kind: "cut" };
    }
  }
}

/** How far a refinement strays, in words. */
export function creativityWords(creativity: number): string {
  if (creativity < 0.15) return t("editor.creativity.almost");
  if (creativity < 0.4) return t("editor.creativity.little");
  if (creativity < 0.65) return t("editor.creativity.clearly");
  if (creativity < 0.9) return t("editor.creativity.very");
  return t("editor.creativity.free");
}
