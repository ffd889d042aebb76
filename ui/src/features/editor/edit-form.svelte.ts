import type { Change, ClipPart, ClipView, Draft, EditRequest, PromptCheck, Span } from "../../host";
import { EditedSteps } from "../../shared/edited-steps.svelte";
import { minFrames, type DraftEditor, type Trim } from "./draft.svelte";
import { resultSegments, type Action, type ResultSegment } from "./result-segments";
import { formatNumber, t } from "../../texts";

/** Limits of the services, in seconds. */
export const maxOverlapSeconds = 5;
const maxResultSeconds = 60;
/** The shortest interval that can be regenerated, and the most at once. */
const minIntervalSeconds = 4 / 30;
const maxIntervals = 16;
/** Codes of prompts without any action; other reasons may not apply to new frames. */
const nothingToPerformCodes: ReadonlySet<string> = new Set([
  "unknown-word",
  "nothing-known",
  "no-movement",
  "not-performed-yet",
  "words-not-performed-yet",
  "event-not-performed-yet",
  "negated",
]);
/** The most answers cached for undo; older ones are requested again. */
const maxRememberedChecks = 200;

/** The action and its options next to the timeline; settings of a join are in the draft. */
export class EditForm {
  action = $state<Action>("paint");
  variants = $state(1);
  repetitions = $state(3);
  /** Length of the bridge; null lets the studio choose. */
  loopSeconds = $state<number | null>(null);
  loopPrompt = $state("");
  creativity = $state(0.3);
  refinePrompt = $state("");
  /** Steps edited without changing the words. */
  readonly editedSteps = new EditedSteps();
  /** Prompts, with their edited steps, that contain nothing to perform. */
  private unperformable = $state.raw<ReadonlySet<string>>(new Set());
  /** Trims of the drafts of clips that were chosen as second clip, by id. */
  private secondTrims = $state.raw<Record<string, Trim>>({});
  /** Frame rate of the first clip. */
  private readonly fps: number;

  constructor(fps = 30) {
    this.fps = fps;
  }

  /** Chooses the second clip, with the trim of its draft. */
  async choose(draft: DraftEditor, clip: ClipView, draftOf: (id: string) => Promise<Draft | null>): Promise<void> {
    draft.join({ second: clip, secondTrim: null });
    const savedDraft = await draftOf(clip.id).catch(() => null);
    const { trimLeft = 0, trimRight = 0 } = savedDraft ?? {};
    const fits = trimLeft + trimRight <= clip.frames - minFrames;
    this.secondTrims = { ...this.secondTrims, [clip.id]: fits ? { trimLeft, trimRight } : { trimLeft: 0, trimRight: 0 } };
  }

  /** The trim of the second clip; null until its draft is known. */
  secondTrim(draft: DraftEditor): Trim | null {
    const { second, secondTrim } = draft.joining;
    return secondTrim ?? this.secondTrims[second?.id ?? ""] ?? null;
  }

  /** The length of the second clip after its trim, in seconds; null if there is none. */
  private secondSeconds(draft: DraftEditor): number | null {
    const { second } = draft.joining;
    const { trimLeft = 0, trimRight = 0 } = this.secondTrim(draft) ?? {};
    return second && (second.frames - trimLeft - trimRight) / second.fps;
  }

  /** The longest overlap that both clips allow, in seconds. */
  maxOverlap(draft: DraftEditor): number {
    const second = this.secondSeconds(draft) ?? maxOverlapSeconds;
    return Math.min((draft.end - draft.start) / this.fps, second, maxOverlapSeconds);
  }

  /** Whether further variants would be identical. */
  isSingle(draft: DraftEditor): boolean {
    return this.action === "cut" || (this.action === "join" && draft.joining.by === "overlap");
  }

  /** Number of overlapping frames; null if nothing overlaps. */
  overlapFrames(draft: DraftEditor): number | null {
    if (this.action !== "join" || draft.joining.by !== "overlap" || !this.secondTrim(draft)) return null;
    return Math.round(Math.min(draft.joining.overlapSeconds, this.maxOverlap(draft)) * this.fps);
  }

  /** Notes the result of a prompt check, so that no request is submitted that would be refused. */
  notePromptCheck(words: string, script: string | null, check: PromptCheck): void {
    const key = keyOf(words, script);
    const isNone = check.script == null && check.warnings.every(({ code }) => nothingToPerformCodes.has(code));
    if (this.unperformable.has(key) === isNone) return;
    const others = [...this.unperformable].filter((each) => each !== key).slice(-maxRememberedChecks);
    this.unperformable = new Set(isNone ? [...others, key] : others);
  }

  private isUnperformable(words: string): boolean {
    return this.unperformable.has(keyOf(words, this.editedSteps.of(words)?.script ?? null));
  }

  /** Why the request cannot be submitted, as a sentence; null if nothing is known to prevent it. */
  blockedReason(draft: DraftEditor): string | null {
    return this.missingInput(draft) ?? this.refusalReason(draft);
  }

  /** Why a complete request would be refused. */
  private refusalReason(draft: DraftEditor): string | null {
    const words = this.words(draft);
    if (words !== "" && this.isUnperformable(words)) return t("editor.missing.nothingKnown");
    const frames = this.segments(draft).reduce((sum, segment) => sum + segment.frames, 0);
    if (this.action === "join" || this.action === "loop") {
      const most = maxResultSeconds * this.fps;
      if (frames > most) return t("editor.missing.tooLong", { seconds: formatNumber(frames / this.fps, 1), most: maxResultSeconds });
    }
    if (this.action !== "paint") return null;
    const spans = draft.spansLike(draft.selected ?? -1);
    if (spans.length > maxIntervals) return t("editor.missing.tooMany", { most: maxIntervals });
    // too short if the length, counted at 30 fps, rounds to less
    const isShort = joined(spans).some(({ start, end }) => (end - start) / this.fps < minIntervalSeconds - 0.5 / 30);
    return isShort ? t("editor.missing.intervalTooShort", { frames: Math.ceil(minIntervalSeconds * this.fps) }) : null;
  }

  /** The prompt for the new frames. */
  private words(draft: DraftEditor): string {
    const change = this.change(draft);
    return (change && "prompt" in change && change.prompt) || "";
  }

  /** What is missing from the request, as a sentence; null if it is complete. */
  private missingInput(draft: DraftEditor): string | null {
    if (this.action === "join") {
      const { second, by, overlapSeconds } = draft.joining;
      if (!second) return t("editor.missing.second");
      if (!this.secondTrim(draft)) return t("editor.missing.reading");
      if (by === "overlap" && overlapSeconds > this.maxOverlap(draft)) return t("editor.missing.tooShort");
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

  request(draft: DraftEditor): EditRequest | null {
    const wanted = this.blockedReason(draft) ? null : this.change(draft);
    if (!wanted) return null;
    const { clip, change } = inPlaybackOrder(draft, wanted);
    const changed = "prompt" in change && change.prompt ? this.editedSteps.of(change.prompt) : null;
    return {
      clip,
      change,
      variants: this.isSingle(draft) ? 1 : this.variants,
      inPlace: draft.now.inPlace ? true : null,
      ...(changed ? { script: changed.script } : {}),
    };
  }

  segments(draft: DraftEditor): ResultSegment[] {
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
      secondFirst: draft.joining.secondFirst,
    };
    const loop = { repetitions: this.repetitions, bridgeSeconds: this.loopSeconds };
    return resultSegments({ action: this.action, trimmedFrames: draft.end - draft.start, fps, painted, join, loop });
  }

  private change(draft: DraftEditor): Change | null {
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

function keyOf(words: string, script: string | null): string {
  return JSON.stringify([words, script]);
}

/** Merges adjacent spans. */
function joined(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of spans) {
    const last = found.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else found.push({ ...span });
  }
  return found;
}

/** The clip that comes first, and the change to it. */
function inPlaybackOrder({ part, joining }: DraftEditor, change: Change): { clip: ClipPart; change: Change } {
  const joins = change.kind === "join" || change.kind === "overlap";
  return joins && joining.secondFirst ? { clip: change.second, change: { ...change, second: part } } : { clip: part, change };
}

/** How much a refinement varies, in words. */
export function creativityLabel(creativity: number): string {
  if (creativity < 0.15) return t("editor.creativity.almost");
  if (creativity < 0.4) return t("editor.creativity.little");
  if (creativity < 0.65) return t("editor.creativity.clearly");
  if (creativity < 0.9) return t("editor.creativity.very");
  return t("editor.creativity.free");
}
