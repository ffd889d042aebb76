import { expect, test } from "vitest";
import { maxNameLength, nameAfter, titleOf } from "./titles";

test("a name replaces the prompt as title", () => {
  expect(titleOf({ name: "Hero walk", prompt: "walks" })).toBe("Hero walk");
  expect(titleOf({ name: null, prompt: "walks" })).toBe("walks");
});

test("the result of an edit is named after its clip and the edit", () => {
  expect(nameAfter({ name: "Hero walk" }, "looped")).toBe("Hero walk · looped");
  expect(nameAfter({ name: null }, "looped")).toBeNull();
  const long = nameAfter({ name: "🕺".repeat(maxNameLength) }, "cut") ?? "";
  expect([...long]).toHaveLength(maxNameLength);
  expect(long.endsWith("🕺 · trimmed")).toBe(true);
});
