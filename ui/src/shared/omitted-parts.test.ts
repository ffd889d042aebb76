import { expect, test } from "vitest";
import type { MessageView } from "../host";
import { omittedParts } from "./omitted-parts";

const message = (code: string, given: MessageView["arguments"], text: string): MessageView => ({ code, arguments: given, text });

test("lists omitted words in one line, with the reason of each", () => {
  const found = omittedParts([
    message("unknown-word", { word: "hat", nearest: [] }, "Limber does not know “hat”."),
    message("words-not-performed-yet", { words: ["juggling", "hat"] }, "Limber cannot show “juggling”, “hat” yet."),
    message("corrected", { typed: "wavs", meant: "waves" }, "Limber read “wavs” as “waves”."),
  ]);
  expect(found?.line).toBe("Not used: “hat”, “juggling”.");
  expect(found?.details).toEqual(["Limber does not know “hat”.", "Limber cannot show “juggling”, “hat” yet."]);
});

test("of a contradiction, only the dropped part is omitted", () => {
  const both = { first: "sits", second: "runs" };
  expect(omittedParts([message("contradiction", { ...both, kept: "first" }, "")])?.line).toBe("Not used: “runs”.");
  expect(omittedParts([message("contradiction", { ...both, kept: "in-turn" }, "")])).toBeNull();
});

test("shows messages without words as sentences, and ignores those that omit nothing", () => {
  const alone = message("one-person", {}, "Limber animates one person; the others were left out.");
  expect(omittedParts([alone])).toEqual({ line: alone.text, details: [alone.text] });
  expect(omittedParts([message("all-made-anew", {}, "All of it is regenerated."), message("sentence", { said: "Hm." }, "Hm.")])).toBeNull();
  expect(omittedParts([])).toBeNull();
});
