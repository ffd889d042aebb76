import { expect, test } from "vitest";
import type { Told } from "../host";
import { omitted } from "./omitted";

const told = (code: string, given: Told["arguments"], text: string): Told => ({ code, arguments: given, text });

test("words that were left out stand in one line, each with its reason behind", () => {
  const found = omitted([
    told("unknown-word", { word: "hat", nearest: [] }, "Limber does not know “hat”."),
    told("words-not-performed-yet", { words: ["juggling", "hat"] }, "Limber cannot show “juggling”, “hat” yet."),
    told("corrected", { typed: "wavs", meant: "waves" }, "Limber read “wavs” as “waves”."),
  ]);
  expect(found?.line).toBe("Not used: “hat”, “juggling”.");
  expect(found?.details).toEqual(["Limber does not know “hat”.", "Limber cannot show “juggling”, “hat” yet."]);
});

test("of a contradiction only what is not done was left out", () => {
  const both = { first: "sits", second: "runs" };
  expect(omitted([told("contradiction", { ...both, kept: "first" }, "")])?.line).toBe("Not used: “runs”.");
  expect(omitted([told("contradiction", { ...both, kept: "in-turn" }, "")])).toBeNull();
});

test("what has no words of its own is told as a sentence, and what left nothing out not at all", () => {
  const alone = told("one-person", {}, "Limber animates one person; the others were left out.");
  expect(omitted([alone])).toEqual({ line: alone.text, details: [alone.text] });
  expect(omitted([told("all-made-anew", {}, "All of it is regenerated."), told("sentence", { said: "Hm." }, "Hm.")])).toBeNull();
  expect(omitted([])).toBeNull();
});
