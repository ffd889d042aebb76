import { t } from "../../texts";

/** A part of the result of an edit, drawn to scale; the parts follow each other. */
export interface Piece {
  kind: "kept" | "new" | "second" | "both";
  frames: number;
  words: string;
}

export type Action = "paint" | "join" | "loop" | "refine" | "cut";

export interface PlanInput {
  action: Action;
  /** Length of the trimmed clip, in frames. */
  kept: number;
  fps: number;
  /** Intervals to regenerate inside the trim, counted from its start, in order. */
  painted: { start: number; end: number }[];
  /** Either new frames in between, or frames of both at once. */
  join: { frames: number; bridgeSeconds: number; overlapFrames: number | null; secondFirst: boolean } | null;
  loop: { repetitions: number; bridgeSeconds: number | null };
}

/** Assumed length of a bridge that the studio chooses; shown as "about". */
const usualBridgeSeconds = 0.4;

export function plan(input: PlanInput): Piece[] {
  const { kept, fps } = input;
  switch (input.action) {
    case "paint":
      return paintedPieces(kept, input.painted);
    case "join":
      return input.join ? joinedPieces(kept, fps, input.join) : [{ kind: "kept", frames: kept, words: t("editor.piece.this") }];
    case "loop": {
      const bridge = Math.round((input.loop.bridgeSeconds ?? usualBridgeSeconds) * fps);
      return Array.from({ length: input.loop.repetitions }, (_, at) => [
        { kind: "kept" as const, frames: kept, words: t("editor.piece.round", { round: at + 1 }) },
        { kind: "new" as const, frames: bridge, words: t("editor.piece.bridge") },
      ])
        .flat()
        .filter((piece) => piece.frames > 0);
    }
    case "refine":
      return [{ kind: "new", frames: kept, words: t("editor.piece.refined") }];
    case "cut":
      return [{ kind: "kept", frames: kept, words: t("editor.piece.cut") }];
  }
}

function joinedPieces(kept: number, fps: number, join: NonNullable<PlanInput["join"]>): Piece[] {
  const both = join.overlapFrames ?? 0;
  const own: Piece = { kind: "kept", frames: kept - both, words: t("editor.piece.this") };
  const between: Piece = join.overlapFrames === null
    ? { kind: "new", frames: Math.round(join.bridgeSeconds * fps), words: t("editor.piece.bridge") }
    : { kind: "both", frames: both, words: t("editor.piece.overlap") };
  const words = join.secondFirst ? t("editor.piece.other") : t("editor.piece.second");
  const second: Piece = { kind: "second", frames: join.frames - both, words };
  const inOrder = join.secondFirst ? [second, between, own] : [own, between, second];
  return inOrder.filter((piece) => piece.frames > 0);
}

function paintedPieces(kept: number, painted: PlanInput["painted"]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const span of painted) {
    if (span.start > at) pieces.push({ kind: "kept", frames: span.start - at, words: t("editor.piece.kept") });
    pieces.push({ kind: "new", frames: span.end - span.start, words: t("editor.piece.new") });
    at = span.end;
  }
  if (kept > at) pieces.push({ kind: "kept", frames: kept - at, words: t("editor.piece.kept") });
  return pieces;
}
