import { expect, test } from "vitest";
import { wishOf } from "./shortcuts";

const press = (key: string, ctrlKey = false) => ({ key, ctrlKey, metaKey: false, altKey: false });

test("ctrl and enter generates, also while writing", () => {
  expect(wishOf(press("Enter", true), true)).toEqual({ do: "generate" });
  expect(wishOf(press("Enter"), true)).toBeNull();
});

test("single letters are left to the text field while writing", () => {
  expect(wishOf(press("?"), true)).toBeNull();
  expect(wishOf(press("?"), false)).toEqual({ do: "help" });
  expect(wishOf(press("/"), false)).toEqual({ do: "prompt" });
});

test("ctrl and a number opens the room at that place of the rail", () => {
  expect(wishOf(press("2", true), true)).toEqual({ do: "room", room: "library" });
  expect(wishOf(press("9", true), false)).toBeNull();
  expect(wishOf(press("0", true), false)).toBeNull();
});

test("escape cancels, wherever the focus is", () => {
  expect(wishOf(press("Escape"), true)).toEqual({ do: "cancel" });
});
