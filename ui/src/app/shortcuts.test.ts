import { expect, test } from "vitest";
import { takesKeys, wishOf } from "./shortcuts";

const press = (key: string, ctrlKey = false) => ({ key, ctrlKey, metaKey: false, altKey: false, shiftKey: false });

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

test("escape closes, wherever the focus is", () => {
  expect(wishOf(press("Escape"), true)).toEqual({ do: "close" });
});

test("sliders and choices keep their arrows, and leave Space to playing", () => {
  const taken = (type: string, key: string) => {
    const input = document.createElement("input");
    input.type = type;
    const event = new KeyboardEvent("keydown", { key });
    Object.defineProperty(event, "target", { value: input });
    return [takesKeys(event, "any"), takesKeys(event, "writing")];
  };
  expect(taken("range", "ArrowLeft")).toEqual([true, false]);
  expect(taken("range", " ")).toEqual([false, false]);
  expect(taken("radio", "p")).toEqual([false, false]);
  expect(taken("checkbox", " ")).toEqual([true, false]);
  expect(taken("search", "p")).toEqual([true, true]);
});
