import { afterEach, expect, test } from "vitest";
import { language } from "../texts";
import { chordOfKeyPress, formatChord, commandIds, commands, keyboard } from "./keyboard.svelte";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...held,
});

afterEach(() => {
  keyboard.chosen = {};
  language.choose("system");
});

test("a chord has the same name on every keyboard", () => {
  expect(chordOfKeyPress(press("e", { ctrlKey: true }))).toBe("Ctrl+E");
  expect(chordOfKeyPress(press("E", { metaKey: true, shiftKey: true }))).toBe("Ctrl+Shift+E");
  expect(chordOfKeyPress(press(" "))).toBe("Space");
  // typed with Shift on some keyboards
  expect(chordOfKeyPress(press("?", { shiftKey: true }))).toBe("?");
  expect(chordOfKeyPress(press("+", { ctrlKey: true }))).toBe("Ctrl++");
  expect(chordOfKeyPress(press("ArrowLeft", { shiftKey: true }))).toBe("Shift+ArrowLeft");
});

test("modifiers alone are no chord, nor are characters typed with Alt", () => {
  for (const key of ["Control", "Shift", "Meta", "AltGraph", "Dead"]) expect(chordOfKeyPress(press(key))).toBeNull();
  expect(chordOfKeyPress(press("q", { ctrlKey: true, altKey: true }))).toBeNull();
});

test("chords are labelled like the keys", () => {
  expect(formatChord("Ctrl+Shift+ArrowLeft")).toBe("Ctrl+Shift+←");
  expect(formatChord("Ctrl++")).toBe("Ctrl++");
  language.choose("de");
  expect(formatChord("Ctrl+Space")).toBe("Strg+Leertaste");
});

test("default chords do not conflict with each other or with reserved ones", () => {
  for (const id of commandIds) {
    for (const chord of commands[id].chords) expect(keyboard.conflict(id, chord), id).toBeNull();
  }
});

test("reports a chord that another command has, and reassigns it on request", () => {
  expect(keyboard.conflict("play", "P")).toEqual({ kind: "taken", by: "paint" });
  expect(keyboard.conflict("play", "Ctrl+2")).toEqual({ kind: "reserved" });
  expect(keyboard.conflict("play", "Escape")).toEqual({ kind: "reserved" });
  keyboard.chosen = keyboard.with("play", "P");
  expect(keyboard.chosen).toEqual({ play: "P", paint: "" });
  expect(keyboard.commandOf(press("p"), "editor")).toBe("play");
  expect(keyboard.hint("paint")).toBeUndefined();
});

test("pages and the editor may share a chord, but not with commands that work everywhere", () => {
  expect(keyboard.conflict("generate", "P")).toBeNull();
  expect(keyboard.conflict("help", "P")).toEqual({ kind: "taken", by: "paint" });
  expect(keyboard.commandOf(press("Enter", { ctrlKey: true }), "pages")).toBe("generate");
  expect(keyboard.commandOf(press("Enter", { ctrlKey: true }), "editor")).toBe("make");
});

test("reset restores the defaults, also from a command that took them", () => {
  keyboard.chosen = keyboard.with("play", "P");
  keyboard.chosen = keyboard.reset("paint");
  expect(keyboard.chosen).toEqual({});
  keyboard.chosen = keyboard.with("loop", "Ctrl+L");
  keyboard.chosen = keyboard.with("loop", "L");
  expect(keyboard.chosen).toEqual({});
});

test("keeps the choices of newer versions without effect", () => {
  keyboard.chosen = { dance: "Ctrl+D" };
  expect(keyboard.commandOf(press("d", { ctrlKey: true }), "editor")).toBeNull();
  expect(keyboard.with("play", "Ctrl+P")).toEqual({ dance: "Ctrl+D", play: "Ctrl+P" });
});
