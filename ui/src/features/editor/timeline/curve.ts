import type { CorrectionKey } from "../../../host";
import { anglesOf, maxAnglesDeg, rotationOf, type Angles } from "../corrections/angles";
import { maxOffsetM } from "../corrections/layers";
import type { JointCurves } from "../viewport/curves";

/** The kinds of curves of a joint. */
export const curveKinds = ["rotation", "height", "speed"] as const;
export type CurveKind = (typeof curveKinds)[number];

/** The name of a curve: an axis, or its kind if there is only one. */
export type LineName = "x" | "y" | "z" | "height" | "speed";
export interface Line {
  name: LineName;
  /** One value per frame, in the unit of the kind: degrees, centimetres, centimetres per second. */
  values: Float32Array;
}

export interface Range {
  low: number;
  high: number;
}

/** The least range of a lane, so that a joint at rest looks at rest. */
const minSpan: Record<CurveKind, number> = { rotation: 20, height: 10, speed: 40 };
/** Space above and below the curves, as a fraction of their range. */
const margin = 0.08;

const axes = ["x", "y", "z"] as const;

export function linesOf(curves: JointCurves, kind: CurveKind): Line[] {
  switch (kind) {
    case "rotation":
      return axes.map((name, at) => ({ name, values: curves.rotationDeg[at] ?? new Float32Array() }));
    case "height":
      return [{ name: "height", values: curves.heightCm }];
    case "speed":
      return [{ name: "speed", values: curves.speedCmS }];
  }
}

/** The common range of all curves of a kind. */
export function rangeOf(lines: readonly Line[], kind: CurveKind): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of lines) {
    for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  if (!(low <= high)) [low, high] = [0, 0];
  if (kind === "speed") low = Math.min(low, 0);
  const lacking = Math.max(minSpan[kind] - (high - low), 0) / 2;
  const [bottom, top] = kind === "speed" ? [low, high + 2 * lacking] : [low - lacking, high + lacking];
  return { low: bottom - margin * (top - bottom), high: top + margin * (top - bottom) };
}

/** How far below the top a value is drawn, in per cent. */
export function percentDown(value: number, { low, high }: Range): number {
  return (100 * (high - value)) / (high - low);
}

/** The points of a curve in an image `frames` wide and 100 high. A frame is drawn at its middle. */
export function pointsOf(values: Float32Array, range: Range): string {
  return Array.from(values, (value, frame) => `${frame + 0.5},${percentDown(value, range).toFixed(2)}`).join(" ");
}

/** Round values for grid lines: as many as fit without crowding. */
export function marksOf({ low, high }: Range): number[] {
  const wanted = (high - low) / 3;
  const ten = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= wanted) ?? 10 * ten;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step || 0);
}

/** The curves on which a correction has a handle; none for those that it does not affect. */
export function handlesOf({ what }: CorrectionKey, kind: CurveKind): LineName[] {
  if (what.kind === "rotate" && kind === "rotation") return [...axes];
  return what.kind === "pull" && kind === "height" ? ["height"] : [];
}

/** What a correction adds to a curve: degrees about an axis, or centimetres of height. */
export function amountOn({ what }: CorrectionKey, line: LineName): number {
  if (what.kind === "pull") return line === "height" ? 100 * what.offset.up : 0;
  const axis = axes.indexOf(line as (typeof axes)[number]);
  return anglesOf(what.rotation)[axis] ?? 0;
}

/** The most that a correction can add to a curve or subtract from it. */
export function maxAmountOn(line: LineName): number {
  return line === "height" ? 100 * maxOffsetM : (maxAnglesDeg[axes.indexOf(line as (typeof axes)[number])] ?? 0);
}

/** The same correction with another amount on a curve, within the limits of corrections. */
export function withAmount({ what }: CorrectionKey, line: LineName, amount: number): CorrectionKey["what"] {
  if (what.kind === "pull") {
    const up = within(amount / 100, maxOffsetM);
    return line === "height" ? { ...what, offset: { ...what.offset, up } } : what;
  }
  const angles = anglesOf(what.rotation).map((angle, at) => (axes[at] === line ? within(amount, maxAnglesDeg[at] ?? 0) : angle));
  return { ...what, rotation: rotationOf(angles as Angles) };
}

const within = (value: number, farthest: number): number => Math.max(-farthest, Math.min(value, farthest));
