import { expect, test } from "vitest";
import { commandIds, commands, keyboard } from "../../shared/keyboard.svelte";
import { editWishOf } from "./keys";

function press(key: string, held: { ctrl?: boolean; shift?: boolean; alt?: boolean } = {}) {
  return {
    key,
    ctrlKey: held.ctrl ?? false,
    shiftKey: held.shift ?? false,
    altKey: held.alt ?? false,
    metaKey: false,
  };
}

test("arrows step by one frame, with shift by ten", () => {
  expect(editWishOf(press("ArrowLeft"), false)).toEqual({ do: "step", frames: -1 });
  expect(editWishOf(press("ArrowRight", { shift: true }), false)).toEqual({ do: "step", frames: 10 });
});

test("comma and period go to the corrections before and after, as in animation programs", () => {
  expect(editWishOf(press(","), false)).toEqual({ do: "correction", step: -1 });
  expect(editWishOf(press("."), false)).toEqual({ do: "correction", step: 1 });
  expect(editWishOf(press("."), true)).toBeNull();
});

test("J and K shuttle, G compares, and film is export with shift", () => {
  expect(editWishOf(press("j"), false)).toEqual({ do: "backwards" });
  expect(editWishOf(press("K"), false)).toEqual({ do: "stop" });
  expect(editWishOf(press("g"), false)).toEqual({ do: "compare" });
  expect(editWishOf(press("E", { ctrl: true, shift: true }), false)).toEqual({ do: "film" });
});

test("letters show and hide what the viewer shows, as they do there", () => {
  expect(editWishOf(press("b"), false)).toEqual({ do: "layer", layer: "bones" });
  expect(editWishOf(press("M"), false)).toEqual({ do: "layer", layer: "trails" });
  expect(editWishOf(press("O", { shift: true }), false)).toEqual({ do: "layer", layer: "ghosts" });
  expect(editWishOf(press("o"), false)).toEqual({ do: "out" });
  expect([editWishOf(press("a"), false), editWishOf(press("n"), false)]).toEqual([{ do: "overlay" }, { do: "nextOver" }]);
});

test("undo and redo, in both ways people press them", () => {
  expect(editWishOf(press("z", { ctrl: true }), false)).toEqual({ do: "undo" });
  expect(editWishOf(press("Z", { ctrl: true, shift: true }), false)).toEqual({ do: "redo" });
  expect(editWishOf(press("y", { ctrl: true }), false)).toEqual({ do: "redo" });
});

test("a text field keeps its letters, its numbers and its own undo", () => {
  for (const key of ["i", "p", " ", "3", "Delete", "Home", "ArrowLeft"]) {
    expect(editWishOf(press(key), true)).toBeNull();
  }
  expect(editWishOf(press("z", { ctrl: true }), true)).toBeNull();
  expect(editWishOf(press("e", { ctrl: true }), true)).toEqual({ do: "export" });
});

test("numbers choose variants, and with ctrl are left to the rooms", () => {
  expect(editWishOf(press("8"), false)).toEqual({ do: "variant", number: 8 });
  expect(editWishOf(press("9"), false)).toBeNull();
  expect(editWishOf(press("2", { ctrl: true }), false)).toBeNull();
});

test("every command of the editor has a key that does something there", () => {
  const keys: Record<string, string> = { Space: " " };
  for (const id of commandIds.filter((each) => commands[each].scope === "editor")) {
    for (const chord of keyboard.chordsOf(id)) {
      const parts = chord.split("+");
      const key = parts.at(-1) ?? "";
      const held = { ctrl: parts.includes("Ctrl"), shift: parts.includes("Shift") };
      expect(editWishOf(press(keys[key] ?? key, held), false), id).not.toBeNull();
    }
  }
});

test("keys that somebody chose work, and those that they had do not", () => {
  keyboard.chosen = { export: "Ctrl+Shift+X", play: "" };
  expect(editWishOf(press("X", { ctrl: true, shift: true }), true)).toEqual({ do: "export" });
  expect(editWishOf(press("e", { ctrl: true }), false)).toBeNull();
  expect(editWishOf(press(" "), false)).toBeNull();
  keyboard.chosen = {};
});
