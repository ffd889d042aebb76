import { afterEach, expect, test } from "vitest";
import { language } from "../texts";
import { chordOf, chordWords, commandIds, commands, keyboard } from "./keyboard.svelte";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...held,
});

afterEach(() => {
  keyboard.chosen = {};
  language.choose("system");
});

test("a chord is named alike on every keyboard", () => {
  expect(chordOf(press("e", { ctrlKey: true }))).toBe("Ctrl+E");
  expect(chordOf(press("E", { metaKey: true, shiftKey: true }))).toBe("Ctrl+Shift+E");
  expect(chordOf(press(" "))).toBe("Space");
  // typed with Shift on some keyboards
  expect(chordOf(press("?", { shiftKey: true }))).toBe("?");
  expect(chordOf(press("+", { ctrlKey: true }))).toBe("Ctrl++");
  expect(chordOf(press("ArrowLeft", { shiftKey: true }))).toBe("Shift+ArrowLeft");
});

test("modifiers alone are none, nor is what Alt writes", () => {
  for (const key of ["Control", "Shift", "Meta", "AltGraph", "Dead"]) expect(chordOf(press(key))).toBeNull();
  expect(chordOf(press("q", { ctrlKey: true, altKey: true }))).toBeNull();
});

test("chords are written as keyboards are", () => {
  expect(chordWords("Ctrl+Shift+ArrowLeft")).toBe("Ctrl+Shift+←");
  expect(chordWords("Ctrl++")).toBe("Ctrl++");
  language.choose("de");
  expect(chordWords("Ctrl+Space")).toBe("Strg+Leertaste");
});

test("no two commands that meet come with the same chord, and none with a reserved one", () => {
  for (const id of commandIds) {
    for (const chord of commands[id].chords) expect(keyboard.clash(id, chord), id).toBeNull();
  }
});

test("a chord that another command has is told, and taken from it when that is wanted", () => {
  expect(keyboard.clash("play", "P")).toEqual({ kind: "taken", by: "paint" });
  expect(keyboard.clash("play", "Ctrl+2")).toEqual({ kind: "reserved" });
  expect(keyboard.clash("play", "Escape")).toEqual({ kind: "reserved" });
  keyboard.chosen = keyboard.with("play", "P");
  expect(keyboard.chosen).toEqual({ play: "P", paint: "" });
  expect(keyboard.commandOf(press("p"), "editor")).toBe("play");
  expect(keyboard.hint("paint")).toBeUndefined();
});

test("the rooms and the editor may have the same chord, but not with what works everywhere", () => {
  expect(keyboard.clash("generate", "P")).toBeNull();
  expect(keyboard.clash("help", "P")).toEqual({ kind: "taken", by: "paint" });
  expect(keyboard.commandOf(press("Enter", { ctrlKey: true }), "rooms")).toBe("generate");
  expect(keyboard.commandOf(press("Enter", { ctrlKey: true }), "editor")).toBe("make");
});

test("reset brings back what Limber comes with, also from a command that took it", () => {
  keyboard.chosen = keyboard.with("play", "P");
  keyboard.chosen = keyboard.reset("paint");
  expect(keyboard.chosen).toEqual({});
  keyboard.chosen = keyboard.with("loop", "Ctrl+L");
  keyboard.chosen = keyboard.with("loop", "L");
  expect(keyboard.chosen).toEqual({});
});

test("what a newer version has chosen stays, and does nothing here", () => {
  keyboard.chosen = { dance: "Ctrl+D" };
  expect(keyboard.commandOf(press("d", { ctrlKey: true }), "editor")).toBeNull();
  expect(keyboard.with("play", "Ctrl+P")).toEqual({ dance: "Ctrl+D", play: "Ctrl+P" });
});
