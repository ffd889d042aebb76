import { expect, test } from "vitest";
import { resultSegments, type ResultInput } from "./result-segments";

const input: ResultInput = {
  action: "paint",
  trimmedFrames: 60,
  fps: 30,
  painted: [],
  join: null,
  loop: { repetitions: 3, bridgeSeconds: null },
};

const frames = (changes: Partial<ResultInput>) =>
  resultSegments({ ...input, ...changes }).map((segment) => [segment.kind, segment.frames]);

test("a join consists of the clip, the bridge and the second clip", () => {
  expect(frames({ action: "join", join: { frames: 90, bridgeSeconds: 0.5, overlapFrames: null, secondFirst: false } })).toEqual([
    ["kept", 60],
    ["new", 15],
    ["second", 90],
  ]);
  expect(frames({ action: "join", join: { frames: 90, bridgeSeconds: 0, overlapFrames: null, secondFirst: false } })).toHaveLength(2);
});

test("the second clip can come first", () => {
  const join = { frames: 90, bridgeSeconds: 0.5, overlapFrames: null, secondFirst: true };
  expect(frames({ action: "join", join })).toEqual([["second", 90], ["new", 15], ["kept", 60]]);
  expect(frames({ action: "join", join: { ...join, overlapFrames: 20 } })).toEqual([["second", 70], ["both", 20], ["kept", 40]]);
});

test("overlapping frames belong to both clips and are counted once", () => {
  expect(frames({ action: "join", join: { frames: 90, bridgeSeconds: 0.5, overlapFrames: 20, secondFirst: false } })).toEqual([
    ["kept", 40],
    ["both", 20],
    ["second", 70],
  ]);
  expect(frames({ action: "join", join: { frames: 60, bridgeSeconds: 0.5, overlapFrames: 60, secondFirst: false } })).toEqual([["both", 60]]);
});

test("regenerating leaves the rest unchanged", () => {
  expect(frames({ painted: [{ start: 0, end: 10 }, { start: 20, end: 60 }] })).toEqual([
    ["new", 10],
    ["kept", 10],
    ["new", 40],
  ]);
});

test("a loop has a bridge after every repetition", () => {
  expect(frames({ action: "loop", loop: { repetitions: 2, bridgeSeconds: 1 } })).toEqual([
    ["kept", 60],
    ["new", 30],
    ["kept", 60],
    ["new", 30],
  ]);
});
