import { expect, test } from "vitest";
import { replaceIgnored, mostSimilarIgnored, splitAtIgnored } from "./ignored-words";

test("finds ignored words as whole words", () => {
  expect(splitAtIgnored("a wav waves a WAV", ["wav"]).filter((each) => each.unknown)).toHaveLength(2);
  expect(splitAtIgnored("walks", [])).toEqual([{ text: "walks", unknown: false }]);
  expect(splitAtIgnored("tanzt schön (?)", ["schön", "(?)"]).map((each) => each.text).join("")).toBe("tanzt schön (?)");
});

test("an action replaces the most similar word", () => {
  const text = "he beautifully wavs, then bows";
  const word = mostSimilarIgnored("wave", ["beautifully", "wavs"]);
  expect(word).toBe("wavs");
  expect(replaceIgnored(text, word, "wave").text).toBe("he beautifully wave, then bows");
  expect(mostSimilarIgnored("wave", [])).toBeNull();
  expect(replaceIgnored("", null, "walk")).toEqual({ text: "walk", caret: 4 });
  expect(replaceIgnored("something", null, "walk").text).toBe("something, then walk");
});
