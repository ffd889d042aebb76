import { expect, test } from "vitest";
import { commandIds, commands, keyboard } from "../../shared/keyboard.svelte";
import { editorActionFor } from "./shortcuts";

function press(key: string, held: { ctrl?: boolean; shift?: boolean; alt?: boolean } = {}) {
  return {
    key,
    ctrlKey: held.ctrl ?? false,
    shiftKey: held.shift ?? false,
    altKey: held.alt ?? false,
    metaKey: false,
  };
}

test("arrows step by one frame, with Shift by ten", () => {
  expect(editorActionFor(press("ArrowLeft"), false)).toEqual({ do: "step", frames: -1 });
  expect(editorActionFor(press("ArrowRight", { shift: true }), false)).toEqual({ do: "step", frames: 10 });
});

test("comma and period go to the previous and next correction, as in animation programs", () => {
  expect(editorActionFor(press(","), false)).toEqual({ do: "correction", step: -1 });
  expect(editorActionFor(press("."), false)).toEqual({ do: "correction", step: 1 });
  expect(editorActionFor(press("."), true)).toBeNull();
});

test("J and K shuttle, G compares, and Shift turns export into rendering a video", () => {
  expect(editorActionFor(press("j"), false)).toEqual({ do: "backwards" });
  expect(editorActionFor(press("K"), false)).toEqual({ do: "stop" });
  expect(editorActionFor(press("g"), false)).toEqual({ do: "compare" });
  expect(editorActionFor(press("E", { ctrl: true, shift: true }), false)).toEqual({ do: "renderVideo" });
});

test("letters toggle layers, as in the viewer", () => {
  expect(editorActionFor(press("b"), false)).toEqual({ do: "layer", layer: "bones" });
  expect(editorActionFor(press("M"), false)).toEqual({ do: "layer", layer: "trails" });
  expect(editorActionFor(press("O", { shift: true }), false)).toEqual({ do: "layer", layer: "ghosts" });
  expect(editorActionFor(press("o"), false)).toEqual({ do: "out" });
  expect([editorActionFor(press("a"), false), editorActionFor(press("n"), false)]).toEqual([{ do: "overlay" }, { do: "nextOver" }]);
});

test("undo and redo have both common shortcuts", () => {
  expect(editorActionFor(press("z", { ctrl: true }), false)).toEqual({ do: "undo" });
  expect(editorActionFor(press("Z", { ctrl: true, shift: true }), false)).toEqual({ do: "redo" });
  expect(editorActionFor(press("y", { ctrl: true }), false)).toEqual({ do: "redo" });
});

test("a text field keeps letters, numbers and its own undo", () => {
  for (const key of ["i", "p", " ", "3", "Delete", "Home", "ArrowLeft"]) {
    expect(editorActionFor(press(key), true)).toBeNull();
  }
  expect(editorActionFor(press("z", { ctrl: true }), true)).toBeNull();
  expect(editorActionFor(press("e", { ctrl: true }), true)).toEqual({ do: "export" });
});

test("numbers choose variants, and with Ctrl are left to the navigation", () => {
  expect(editorActionFor(press("8"), false)).toEqual({ do: "variant", number: 8 });
  expect(editorActionFor(press("9"), false)).toBeNull();
  expect(editorActionFor(press("2", { ctrl: true }), false)).toBeNull();
});

test("every editor command has a shortcut that works", () => {
  const keys: Record<string, string> = { Space: " " };
  for (const id of commandIds.filter((each) => commands[each].scope === "editor")) {
    for (const chord of keyboard.chordsOf(id)) {
      const parts = chord.split("+");
      const key = parts.at(-1) ?? "";
      const held = { ctrl: parts.includes("Ctrl"), shift: parts.includes("Shift") };
      expect(editorActionFor(press(keys[key] ?? key, held), false), id).not.toBeNull();
    }
  }
});

test("custom shortcuts replace the defaults", () => {
  keyboard.chosen = { export: "Ctrl+Shift+X", play: "" };
  expect(editorActionFor(press("X", { ctrl: true, shift: true }), true)).toEqual({ do: "export" });
  expect(editorActionFor(press("e", { ctrl: true }), false)).toBeNull();
  expect(editorActionFor(press(" "), false)).toBeNull();
  keyboard.chosen = {};
});
