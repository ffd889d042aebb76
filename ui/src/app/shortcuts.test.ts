import { expect, test } from "vitest";
import { consumesKey, shortcutActionFor } from "./shortcuts";

const press = (key: string, ctrlKey = false) => ({ key, ctrlKey, metaKey: false, altKey: false, shiftKey: false });

test("Ctrl+Enter generates, also while typing", () => {
  expect(shortcutActionFor(press("Enter", true), true)).toEqual({ do: "generate" });
  expect(shortcutActionFor(press("Enter"), true)).toBeNull();
});

test("leaves single letters to the text field", () => {
  expect(shortcutActionFor(press("?"), true)).toBeNull();
  expect(shortcutActionFor(press("?"), false)).toEqual({ do: "help" });
  expect(shortcutActionFor(press("/"), false)).toEqual({ do: "prompt" });
});

test("Ctrl and a number open the page at that position of the navigation", () => {
  expect(shortcutActionFor(press("2", true), true)).toEqual({ do: "page", page: "library" });
  expect(shortcutActionFor(press("9", true), false)).toBeNull();
  expect(shortcutActionFor(press("0", true), false)).toBeNull();
});

test("Escape closes, wherever the focus is", () => {
  expect(shortcutActionFor(press("Escape"), true)).toEqual({ do: "close" });
});

test("sliders and radio groups keep their arrow keys, and leave Space to playback", () => {
  const taken = (type: string, key: string) => {
    const input = document.createElement("input");
    input.type = type;
    const event = new KeyboardEvent("keydown", { key });
    Object.defineProperty(event, "target", { value: input });
    return [consumesKey(event, "any"), consumesKey(event, "writing")];
  };
  expect(taken("range", "ArrowLeft")).toEqual([true, false]);
  expect(taken("range", " ")).toEqual([false, false]);
  expect(taken("radio", "p")).toEqual([false, false]);
  expect(taken("checkbox", " ")).toEqual([true, false]);
  expect(taken("search", "p")).toEqual([true, true]);
});
