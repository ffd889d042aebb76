import { expect, test } from "vitest";
import type { ClipShown } from "../host";
import { exampleClip } from "../host/fake-examples";
import { withChanged } from "./clips";

const clip = (id: string, second: number, variant = 1): ClipShown => ({
  ...exampleClip(0),
  id,
  variant,
  madeAt: `2026-01-01T00:00:0${second}.000Z`,
});
const ids = (clips: ClipShown[]): string => clips.map(({ id }) => id).join("");

const old = [clip("d", 4), clip("b", 2), clip("a", 1)];

test.each([
  ["comes as the newest", ["e"], [clip("e", 5)], "edba"],
  ["comes back to its place", ["c"], [clip("c", 3)], "dcba"],
  ["comes back as the oldest", ["o"], [clip("o", 0)], "dbao"],
  ["goes", ["b"], [], "da"],
  ["is filed otherwise", ["b"], [clip("b", 2)], "dba"],
  ["comes while another goes", ["e", "a"], [clip("e", 5)], "edb"],
])("a clip %s", (_, changed, there, expected) => {
  expect(ids(withChanged(old, changed, there))).toBe(expected);
});

test("variants of one moment stand in their order", () => {
  const [first, second, third] = [clip("1", 5, 1), clip("2", 5, 2), clip("3", 5, 3)];
  expect(ids(withChanged([second, ...old], ["1", "3"], [first, third]))).toBe("123dba");
  expect(ids(withChanged([], ["1", "2"], [first, second]))).toBe("12");
});

test("what did not change stays the same, so that nothing of it is drawn anew", () => {
  expect(withChanged(old, ["e"], [clip("e", 5)]).slice(1).every((each, at) => each === old[at])).toBe(true);
});
