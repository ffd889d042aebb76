import type {
  Change,
  ClipDetails,
  ClipPart,
  ClipView,
  ContactTrack,
  Draft,
  EditRequest,
  ExportPreset,
  JobView,
  LoopGap,
} from "./host";

import { changeKindOf } from "../shared/change-kind";

/** A job that was just submitted. */
export function newJob(
  id: string,
  what: Pick<JobView, "prompt" | "characterId" | "characterName" | "variants"> &
    Partial<Pick<JobView, "change" | "madeFrom" | "asked">>,
): JobView {
  const { prompt, characterId, characterName, variants, change = null, madeFrom = [], asked = null } = what;
  return {
    id,
    prompt,
    characterId,
    characterName,
    variants,
    change,
    madeFrom,
    madeAt: new Date().toISOString(),
    warnings: [],
    asked,
    canRetry: false,
    state: { state: "waiting", place: 1 },
  };
}

/** The clip that results from an edit, without its id. */
export function editedClip(
  clip: ClipView,
  second: ClipView | null,
  { clip: part, change, variants, name }: EditRequest,
): ClipView {
  const trimmedFrames = clip.frames - part.trimLeft - part.trimRight;
  const prompt = "prompt" in change ? change.prompt : null;
  return {
    ...clip,
    prompt: prompt || clip.prompt,
    variants,
    frames: framesAfter(change, trimmedFrames, second, clip.fps),
    name: name ?? null,
    told: [],
    madeFrom: second ? [clip.id, second.id] : [clip.id],
    change: changeKindOf(change),
  };
}

function framesAfter(change: Change, trimmedFrames: number, second: ClipView | null, fps: number): number {
  if (change.kind === "loop") {
    return change.repetitions * (trimmedFrames + Math.round((change.bridgeSeconds ?? 0.4) * fps));
  }
  if ((change.kind !== "join" && change.kind !== "overlap") || !second) return trimmedFrames;
  const followed = second.frames - change.second.trimLeft - change.second.trimRight;
  if (change.kind === "overlap") return trimmedFrames + followed - Math.round(change.overlapSeconds * fps);
  return trimmedFrames + Math.round(change.bridgeSeconds * fps) + followed;
}

/** Foot contacts of a walk, and a mediocre quality. */
export function detailsOf(clip: ClipView, draft: Draft | null, glbUrl: string | null): ClipDetails {
  return {
    glbUrl,
    quality: { footSkateCmS: 0.8, penetrationMm: 1.2, floatMm: 3, loopDeg: 14 },
    contacts: [
      steps(clip, "leftHeel", 0, 14),
      steps(clip, "leftToe", 5, 16),
      steps(clip, "rightHeel", 15, 14),
      steps(clip, "rightToe", 20, 16),
    ],
    draft,
  };
}

const step = 30;

/** A walk loops after whole strides, which the full clip just misses. */
export function loopGapOf(clip: ClipView, part: ClipPart): LoopGap {
  const beyond = (trimRight: number) => (part.trimLeft + trimRight) % step;
  const poseOf = (trimRight: number) => Math.abs(14 - (14 * beyond(trimRight)) / 15);
  const poseDeg = poseOf(part.trimRight);
  const ends = Array.from({ length: 2 * step + 1 }, (_, at) => part.trimRight - step + at);
  const left = (end: number) => end >= 0 && part.trimLeft + end <= clip.frames - 2;
  const [best = part.trimRight] = ends.filter(left).sort((one, other) => poseOf(one) - poseOf(other));
  const closes = poseDeg < 4;
  return { poseDeg, speedCmS: 10 * poseDeg, usualCmS: 40, betterTrimRight: closes ? null : best };
}

function steps(
  clip: ClipView,
  point: ContactTrack["point"],
  first: number,
  stands: number,
): ContactTrack {
  const spans = [];
  for (let start = first; start < clip.frames; start += 30) {
    spans.push({ start, end: Math.min(start + stands, clip.frames) });
  }
  return { point, spans };
}

const endings: Record<ExportPreset, string> = {
  blender: "glb",
  unity: "fbx",
  unreal: "fbx",
  fbx: "fbx",
  mixamo: "fbx",
  vrma: "vrma",
  web: "glb",
  bvh: "bvh",
};

/** Names of the files that an export writes. */
export function writtenFiles(clips: ClipView[], presets: ExportPreset[]): string[] {
  return clips.flatMap((clip) => {
    const name = clip.prompt.toLowerCase().replace(/[^a-z]+/g, "-").slice(0, 24);
    return presets.map((preset) => `${name}-${preset}.${endings[preset]}`);
  });
}
