import { expect, test } from "vitest";
import { corrected, meantBy, stretches } from "./passed";

test("words that are passed over are found as whole words", () => {
  expect(stretches("a wav waves a WAV", ["wav"]).filter((each) => each.unknown)).toHaveLength(2);
  expect(stretches("walks", [])).toEqual([{ text: "walks", unknown: false }]);
  expect(stretches("tanzt schön (?)", ["schön", "(?)"]).map((each) => each.text).join("")).toBe("tanzt schön (?)");
});

test("an action takes the place of the word it is nearest to", () => {
  const text = "he beautifully wavs, then bows";
  const word = meantBy("wave", ["beautifully", "wavs"]);
  expect(word).toBe("wavs");
  expect(corrected(text, word, "wave").text).toBe("he beautifully wave, then bows");
  expect(meantBy("wave", [])).toBeNull();
  expect(corrected("", null, "walk")).toEqual({ text: "walk", caret: 4 });
  expect(corrected("something", null, "walk").text).toBe("something, then walk");
});
