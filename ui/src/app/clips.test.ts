import { expect, test } from "vitest";
import type { ClipView } from "../host";
import { exampleClip } from "../host/fake-examples";
import { applyClipChanges } from "./clips";

const clip = (id: string, second: number, variant = 1): ClipView => ({
  ...exampleClip(0),
  id,
  variant,
  madeAt: `2026-01-01T00:00:0${second}.000Z`,
});
const ids = (clips: ClipView[]): string => clips.map(({ id }) => id).join("");

const old = [clip("d", 4), clip("b", 2), clip("a", 1)];

test.each([
  ["is added as the newest", ["e"], [clip("e", 5)], "edba"],
  ["is restored at its place", ["c"], [clip("c", 3)], "dcba"],
  ["is restored as the oldest", ["o"], [clip("o", 0)], "dbao"],
  ["is deleted", ["b"], [], "da"],
  ["changes in place", ["b"], [clip("b", 2)], "dba"],
  ["is added while another is deleted", ["e", "a"], [clip("e", 5)], "edb"],
])("a clip %s", (_, changed, there, expected) => {
  expect(ids(applyClipChanges(old, changed, there))).toBe(expected);
});

test("variants with the same time stay in order", () => {
  const [first, second, third] = [clip("1", 5, 1), clip("2", 5, 2), clip("3", 5, 3)];
  expect(ids(applyClipChanges([second, ...old], ["1", "3"], [first, third]))).toBe("123dba");
  expect(ids(applyClipChanges([], ["1", "2"], [first, second]))).toBe("12");
});

test("unchanged clips keep their identity, so that they are not rendered again", () => {
  expect(applyClipChanges(old, ["e"], [clip("e", 5)]).slice(1).every((each, at) => each === old[at])).toBe(true);
});
