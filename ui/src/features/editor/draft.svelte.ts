import type { ClipPart, ClipView, Draft, Span } from "../../host";
import type { Layers } from "./corrections/layers";
import { idOf, withIdOf } from "./object-ids";

export type Painted = Draft["painted"][number];

export type Trim = Pick<Draft, "trimLeft" | "trimRight">;

/** Settings of a join. */
export interface JoinSettings {
  second: ClipView | null;
  /** Whether the second clip comes before the one being edited. */
  secondFirst: boolean;
  /** The trim of the second clip; null for the trim of its own draft. */
  secondTrim: Trim | null;
  by: "bridge" | "overlap";
  bridgeSeconds: number;
  /** The prompt of the bridge. */
  words: string;
  /** How long both clips overlap. */
  overlapSeconds: number;
}

/** A state of the history. */
interface State {
  now: Draft;
  joining: JoinSettings;
  corrections: Layers;
}

/** The shortest that a clip may be trimmed to, in frames. */
export const minFrames = 2;
const maxHistorySteps = 200;

export function emptyDraft(): Draft {
  return { trimLeft: 0, trimRight: 0, painted: [], inPlace: false, loops: true, speed: 1 };
}

function defaultJoin(): JoinSettings {
  return { second: null, secondFirst: false, secondTrim: null, by: "bridge", bridgeSeconds: 0.5, words: "", overlapSeconds: 0.5 };
}

/**
 * The edits to a clip, with undo and redo.
 *
 * A gesture such as a drag is one step of the history, however many values it passes through:
 * changes with the same `gesture` are merged into one step until `endGesture`.
 */
export class DraftEditor {
  readonly id: string;
  /** Length of the whole clip. */
  readonly frames: number;
  now = $state.raw<Draft>(emptyDraft());
  /** Part of the same history, but not saved with the clip. */
  joining = $state.raw<JoinSettings>(defaultJoin());
  /** Part of the same history, but saved separately. */
  corrections = $state.raw<Layers>([]);
  /** Start of an interval whose end is still to be set. */
  paintFrom = $state<number | null>(null);
  /** The selected interval. */
  private chosen = $state<number | null>(null);
  private past = $state.raw<State[]>([]);
  private future = $state.raw<State[]>([]);
  private gesture: string | null = null;

  readonly canUndo = $derived(this.past.length > 0);
  readonly canRedo = $derived(this.future.length > 0);
  readonly start = $derived(this.now.trimLeft);
  /** The first frame after the trimmed part. */
  readonly end = $derived.by(() => this.frames - this.now.trimRight);

  /** Index of the selected interval, which stays the same one through the history. */
  get selected(): number | null {
    const at = this.now.painted.findIndex((each) => idOf(each) === this.chosen);
    return at < 0 ? null : at;
  }

  set selected(at: number | null) {
    const interval = at === null ? undefined : this.now.painted[at];
    this.chosen = interval ? idOf(interval) : null;
  }

  constructor(id: string, frames: number, savedDraft: Draft | null = null, corrections: Layers = []) {
    this.id = id;
    this.frames = frames;
    this.take({ ...this.state, corrections });
    if (!savedDraft) return;
    this.now = fittedTo(savedDraft, frames);
    if (this.now.painted.length) this.selected = 0;
  }

  /** The trimmed part, as requests refer to it. */
  get part(): ClipPart {
    return { id: this.id, trimLeft: this.now.trimLeft, trimRight: this.now.trimRight };
  }

  /** The draft to be saved; null if nothing was changed. */
  get toSave(): Draft | null {
    return same(this.now, emptyDraft()) ? null : this.now;
  }

  change(changes: Partial<Draft>, gesture: string | null = null): void {
    this.step({ ...this.state, now: { ...this.now, ...changes } }, gesture);
  }

  join(changes: Partial<JoinSettings>, gesture: string | null = null): void {
    this.step({ ...this.state, joining: { ...this.joining, ...changes } }, gesture);
  }

  correct(corrections: Layers, gesture: string | null = null): void {
    this.step({ ...this.state, corrections }, gesture);
  }

  endGesture(): void {
    this.gesture = null;
  }

  /** Reverts a gesture, if it is the one in progress. */
  cancelGesture(gesture: string): void {
    const began = this.gesture === gesture ? this.past.at(-1) : undefined;
    if (!began) return;
    this.past = this.past.slice(0, -1);
    this.gesture = null;
    this.take(began);
  }

  undo(): void {
    const before = this.past.at(-1);
    if (!before) return;
    this.past = this.past.slice(0, -1);
    this.future = [...this.future, this.state];
    this.restore(before);
  }

  redo(): void {
    const after = this.future.at(-1);
    if (!after) return;
    this.future = this.future.slice(0, -1);
    this.past = [...this.past, this.state];
    this.restore(after);
  }

  /** Trims the start of the clip to `frame`. */
  trimStart(frame: number, gesture: string | null = null): void {
    const trimLeft = clamp(frame, 0, this.end - minFrames);
    this.change({ trimLeft }, gesture);
  }

  /** Trims the end of the clip to `frame`, exclusive. */
  trimEnd(frame: number, gesture: string | null = null): void {
    const end = clamp(frame, this.start + minFrames, this.frames);
    this.change({ trimRight: this.frames - end }, gesture);
  }

  /** The first call starts an interval at `frame`, the second ends it there. */
  paintAt(frame: number): void {
    if (this.paintFrom === null) {
      this.paintFrom = frame;
      return;
    }
    const span = { start: Math.min(this.paintFrom, frame), end: Math.max(this.paintFrom, frame) + 1 };
    this.paintFrom = null;
    this.paint(span);
  }

  /**
   * Adds an interval for the free part of `span` and selects it. Returns whether there was room.
   */
  paint(span: Span): boolean {
    const free = this.free(span);
    if (!free) return false;
    const prompt = this.now.painted.at(-1)?.prompt ?? "";
    const painted = [...this.now.painted, { span: free, prompt }].sort(
      (one, other) => one.span.start - other.span.start,
    );
    this.change({ painted });
    this.selected = painted.findIndex((each) => each.span.start === free.start);
    return true;
  }

  reword(index: number, prompt: string): void {
    const painted = this.now.painted.map((each, at) => (at === index ? withIdOf(each, { ...each, prompt }) : each));
    this.change({ painted }, `words-of-${index}`);
  }

  /** Moves one end of an interval, limited by its neighbours. */
  resize(index: number, end: "start" | "end", frame: number, gesture: string | null = null): void {
    const own = this.now.painted[index];
    if (!own) return;
    const { start, end: last } = own.span;
    const before = this.now.painted[index - 1]?.span.end ?? 0;
    const after = this.now.painted[index + 1]?.span.start ?? this.frames;
    const span =
      end === "start"
        ? { start: clamp(frame, before, last - 1), end: last }
        : { start, end: clamp(frame, start + 1, after) };
    const painted = this.now.painted.map((each, at) => (at === index ? withIdOf(each, { ...each, span }) : each));
    this.change({ painted }, gesture);
  }

  remove(index: number): void {
    this.change({ painted: this.now.painted.filter((_, at) => at !== index) });
    this.selected = null;
  }

  /** The spans, inside the trim, that are regenerated with the prompt of interval `index`. */
  spansLike(index: number): Span[] {
    const prompt = this.now.painted[index]?.prompt.trim();
    return this.now.painted
      .filter((each) => each.prompt.trim() === prompt)
      .map(({ span }) => ({
        start: Math.max(span.start, this.start),
        end: Math.min(span.end, this.end),
      }))
      .filter((span) => span.start < span.end);
  }

  private free(span: Span): Span | null {
    let { start, end } = span;
    start = clamp(start, 0, this.frames);
    end = clamp(end, 0, this.frames);
    for (const { span: taken } of this.now.painted) {
      if (taken.start <= start && start < taken.end) start = taken.end;
      else if (start < taken.start && taken.start < end) end = taken.start;
    }
    return start < end ? { start, end } : null;
  }

  private get state(): State {
    return { now: this.now, joining: this.joining, corrections: this.corrections };
  }

  private step(next: State, gesture: string | null): void {
    if (same(next, this.state)) return;
    const began = gesture !== null && gesture === this.gesture ? this.past.at(-1) : undefined;
    this.future = [];
    if (began && same(next, began)) {
      // a gesture that ends where it began is no step
      this.past = this.past.slice(0, -1);
      this.gesture = null;
      return this.take(began);
    }
    if (!began) this.past = [...this.past.slice(1 - maxHistorySteps), this.state];
    this.gesture = gesture;
    this.take(next);
  }

  private restore(state: State): void {
    this.gesture = null;
    this.take(state);
    this.paintFrom = null;
  }

  private take({ now, joining, corrections }: State): void {
    this.now = now;
    this.joining = joining;
    this.corrections = corrections;
    // numbers the states in order: the later one has the larger number
    idOf(corrections);
  }
}

/** A draft of an earlier version of the clip, fitted to the clip's length. */
function fittedTo(draft: Draft, frames: number): Draft {
  const trimLeft = clamp(draft.trimLeft, 0, Math.max(frames - minFrames, 0));
  const trimRight = clamp(draft.trimRight, 0, Math.max(frames - trimLeft - minFrames, 0));
  const painted = draft.painted
    .map(({ span, prompt }) => ({
      span: { start: clamp(span.start, 0, frames), end: clamp(span.end, 0, frames) },
      prompt,
    }))
    .filter(({ span }) => span.start < span.end)
    .sort((one, other) => one.span.start - other.span.start);
  return { ...draft, trimLeft, trimRight, painted, speed: clamp(draft.speed, 0.1, 2) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

function same<What extends Draft | State>(one: What, other: What): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
