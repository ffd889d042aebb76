import { expect, test } from "vitest";
import { vocabulary } from "../../host/fake-prompts";
import { withWord, type Kind } from "./prompt-builder";

/** `|` marks the caret. */
function add(marked: string, kind: Kind, word: string): string {
  const now = { text: marked.replace("|", ""), caret: marked.indexOf("|") };
  const { text, caret } = withWord(now, kind, word, vocabulary);
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

test("an action starts the text, or a clause of its own", () => {
  expect(add("|", "action", "walk")).toBe("walk|");
  expect(add("walk forward|", "action", "wave")).toBe("walk forward, then wave|");
  expect(add("walk forward, then |", "action", "wave")).toBe("walk forward, then wave|");
  expect(add("walk forward, |then jump", "action", "wave")).toBe("walk forward, then wave|, then jump");
});

test("other words are appended to the clause at the caret", () => {
  expect(add("wa|lk, then jump", "direction", "forward")).toBe("walk forward|, then jump");
  expect(add("walk, then jump|", "count", "twice")).toBe("walk, then jump twice|");
  expect(add("walk while wa|ving", "side", "with the left hand")).toBe("walk while waving with the left hand|");
});

test("a word replaces another one of its kind", () => {
  expect(add("walk forward slowly|", "direction", "backward")).toBe("walk backward| slowly");
  expect(add("wave with the left hand|, bow", "side", "with both hands")).toBe("wave with both hands|, bow");
  expect(add("run slowly, then |jump", "speed", "quickly")).toBe("run slowly, then jump quickly|");
});
