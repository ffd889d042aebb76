import { expect, test } from "vitest";
import { longestName, nameAfter, titleOf } from "./titles";

test("a name takes the place of the prompt", () => {
  expect(titleOf({ name: "Hero walk", prompt: "walks" })).toBe("Hero walk");
  expect(titleOf({ name: null, prompt: "walks" })).toBe("walks");
});

test("what is made of a named clip is named after it, and says what was done", () => {
  expect(nameAfter({ name: "Hero walk" }, "looped")).toBe("Hero walk · looped");
  expect(nameAfter({ name: null }, "looped")).toBeNull();
  const long = nameAfter({ name: "🕺".repeat(longestName) }, "cut") ?? "";
  expect([...long]).toHaveLength(longestName);
  expect(long.endsWith("🕺 · trimmed")).toBe(true);
});
