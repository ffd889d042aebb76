import { t } from "../../texts";

/** A part of the result of an edit, drawn to scale; the parts follow each other. */
export interface ResultSegment {
  kind: "kept" | "new" | "second" | "both";
  frames: number;
  words: string;
}

export type Action = "paint" | "join" | "loop" | "refine" | "cut";

export interface ResultInput {
  action: Action;
  /** Length of the trimmed clip, in frames. */
  trimmedFrames: number;
  fps: number;
  /** Intervals to regenerate inside the trim, counted from its start, in order. */
  painted: { start: number; end: number }[];
  /** Either new frames in between, or frames of both at once. */
  join: { frames: number; bridgeSeconds: number; overlapFrames: number | null; secondFirst: boolean } | null;
  loop: { repetitions: number; bridgeSeconds: number | null };
}

/** Assumed length of a bridge that the studio chooses; shown as "about". */
const usualBridgeSeconds = 0.4;

export function resultSegments(input: ResultInput): ResultSegment[] {
  const { trimmedFrames, fps } = input;
  switch (input.action) {
    case "paint":
      return paintedPieces(trimmedFrames, input.painted);
    case "join":
      return input.join ? joinedPieces(trimmedFrames, fps, input.join) : [{ kind: "kept", frames: trimmedFrames, words: t("editor.piece.this") }];
    case "loop": {
      const bridge = Math.round((input.loop.bridgeSeconds ?? usualBridgeSeconds) * fps);
      return Array.from({ length: input.loop.repetitions }, (_, at) => [
        { kind: "kept" as const, frames: trimmedFrames, words: t("editor.piece.round", { round: at + 1 }) },
        { kind: "new" as const, frames: bridge, words: t("editor.piece.bridge") },
      ])
        .flat()
        .filter((segment) => segment.frames > 0);
    }
    case "refine":
      return [{ kind: "new", frames: trimmedFrames, words: t("editor.piece.refined") }];
    case "cut":
      return [{ kind: "kept", frames: trimmedFrames, words: t("editor.piece.cut") }];
  }
}

function joinedPieces(trimmedFrames: number, fps: number, join: NonNullable<ResultInput["join"]>): ResultSegment[] {
  const both = join.overlapFrames ?? 0;
  const own: ResultSegment = { kind: "kept", frames: trimmedFrames - both, words: t("editor.piece.this") };
  const between: ResultSegment = join.overlapFrames === null
    ? { kind: "new", frames: Math.round(join.bridgeSeconds * fps), words: t("editor.piece.bridge") }
    : { kind: "both", frames: both, words: t("editor.piece.overlap") };
  const words = join.secondFirst ? t("editor.piece.other") : t("editor.piece.second");
  const second: ResultSegment = { kind: "second", frames: join.frames - both, words };
  const inOrder = join.secondFirst ? [second, between, own] : [own, between, second];
  return inOrder.filter((segment) => segment.frames > 0);
}

function paintedPieces(trimmedFrames: number, painted: ResultInput["painted"]): ResultSegment[] {
  const segments: ResultSegment[] = [];
  let at = 0;
  for (const span of painted) {
    if (span.start > at) segments.push({ kind: "kept", frames: span.start - at, words: t("editor.piece.kept") });
    segments.push({ kind: "new", frames: span.end - span.start, words: t("editor.piece.new") });
    at = span.end;
  }
  if (trimmedFrames > at) segments.push({ kind: "kept", frames: trimmedFrames - at, words: t("editor.piece.kept") });
  return segments;
}
